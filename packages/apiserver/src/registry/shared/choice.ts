import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'

/** What is wrong with a value that must be one of a few, if it is there at all. */
export function validateChoice(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)]
}

/** What is wrong with a value that must be there and be one of a few. */
export function validateRequiredChoice(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  return value ? validateChoice(value, supported, path) : [fieldError.required(path)]
}
