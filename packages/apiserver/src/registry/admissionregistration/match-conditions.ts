import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateQualifiedName } from 'steersman/api'
import type { MatchCondition } from 'steersman/api/types/admissionregistration/v1'

const maxMatchConditions = 64

/** What is wrong with conditions on requests. Their expressions are not compiled. */
export function validateMatchConditions(conditions: readonly MatchCondition[] | undefined, path: FieldPath): FieldError[] {
  const list = conditions ?? []
  const errors = list.length > maxMatchConditions ? [fieldError.tooMany(path, list.length, maxMatchConditions)] : []
  const seen = new Set<string>()
  list.forEach(({ name = '', expression = '' }, index) => {
    const at = path.index(index)
    if (expression.trim() === '') errors.push(fieldError.required(at.child('expression')))
    if (name === '') {
      errors.push(fieldError.required(at.child('name')))
      return
    }
    errors.push(...validateQualifiedName(name).map((detail) => fieldError.invalid(at.child('name'), name, detail)))
    if (seen.has(name)) errors.push(fieldError.duplicate(at.child('name'), name))
    seen.add(name)
  })
  return errors
}
