import type { FieldError } from './field-error.js'
import { fieldError, fieldErrorsText, fieldPath } from './field-error.js'
import { compareCodePoints } from './go-format.js'
import { validateLabelValue, validateQualifiedName } from './names.js'

/** How a requirement relates its key to its values. */
export type SelectorOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt'

/** One condition of a compiled label selector. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: SelectorOperator
  /** Sorted, without repetition. */
  readonly values: readonly string[]
}

/** A selector's text or object is wrong. The message is the API server's; it answers 400 (text) or 422 (object) with it. */
export class SelectorError extends Error {
  readonly code = 'SELECTOR_INVALID'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SelectorError'
  }
}

/**
 * One requirement, checked.
 *
 * @throws SelectorError naming everything that is wrong with it.
 */
export function labelRequirement(key: string, operator: SelectorOperator, values: readonly string[]): LabelRequirement {
  const errors = requirementErrors(key, operator, values)
  if (errors.length > 0) throw new SelectorError(fieldErrorsText(errors))
  return { key, operator, values: [...new Set(values)].sort(compareCodePoints) }
}

function requirementErrors(key: string, operator: SelectorOperator, values: readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = []
  const path = fieldPath('values')
  const keyProblems = validateQualifiedName(key)
  if (keyProblems.length > 0) errors.push(fieldError.invalid('key', key, keyProblems.join('; ')))
  const problem = countProblem(operator, values.length)
  if (problem !== undefined) errors.push(fieldError.invalid(path, values, problem))
  values.forEach((value, index) => {
    if ((operator === 'gt' || operator === 'lt') && parseInt64(value) === undefined) {
      errors.push(fieldError.invalid(path.index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer"))
    }
  })
  values.forEach((value, index) => {
    const problems = validateLabelValue(value)
    if (problems.length > 0) errors.push(fieldError.invalid(path.index(index).key(key), value, problems.join('; ')))
  })
  return errors
}

function countProblem(operator: SelectorOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value'
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist'
    default:
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required"
  }
}

const maxInt64 = 2n ** 63n - 1n

/** A decimal integer of 64 bits with sign, as Go parses it; `undefined` for anything else. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,64}$/.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return value >= -maxInt64 - 1n && value <= maxInt64 ? value : undefined
}
