import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'

/** What is wrong with a number that must not be negative. */
export function validateNonNegative(value: number | undefined, path: FieldPath): FieldError[] {
  return value !== undefined && value < 0 ? [fieldError.invalid(path, value, 'must be greater than or equal to 0')] : []
}

const maxId = 2_147_483_647

/** What is wrong with the id of a user or a group. */
export function idErrors(id: number | undefined, path: FieldPath): FieldError[] {
  return id === undefined || (id >= 0 && id <= maxId) ? [] : [fieldError.invalid(path, id, `must be between 0 and ${maxId}, inclusive`)]
}
