import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'

/** An error for each of the fields that is missing or empty. */
export function requiredFields<Part extends object>(
  part: Part | undefined,
  fields: readonly (keyof Part & string)[],
  path: FieldPath,
): FieldError[] {
  const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return fields.filter((field) => isEmpty(part?.[field])).map((field) => fieldError.required(path.child(field)))
}
