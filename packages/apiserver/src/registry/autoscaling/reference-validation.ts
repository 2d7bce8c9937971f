import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validatePathSegmentName } from 'steersman/api'
import type { CrossVersionObjectReference } from 'steersman/api/types/autoscaling/v2'

/** How much of a reference is looked at. */
export type ApiVersionRule = 'any' | 'well-formed' | 'with a group'

/** What is wrong with a reference to an object of any group. */
export function validateReference(
  { kind = '', name = '', apiVersion }: Partial<CrossVersionObjectReference> = {},
  rule: ApiVersionRule,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = []
  for (const [field, value] of Object.entries({ kind, name })) {
    const at = path.child(field)
    if (value === '') errors.push(fieldError.required(at))
    else errors.push(...validatePathSegmentName(value).map((detail) => fieldError.invalid(at, value, detail)))
  }
  const problem = apiVersionProblem(apiVersion, rule)
  return problem === undefined ? errors : [...errors, fieldError.invalid(path.child('apiVersion'), apiVersion ?? '', problem)]
}

/** What is wrong with the version of a reference. */
export function apiVersionProblem(apiVersion = '', rule: ApiVersionRule): string | undefined {
  if (rule === 'any') return undefined
  const parts = apiVersion.split('/')
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const hasGroup = parts.length === 2 && parts[0] !== ''
  return rule === 'with a group' && !hasGroup ? 'apiVersion must specify API group' : undefined
}
