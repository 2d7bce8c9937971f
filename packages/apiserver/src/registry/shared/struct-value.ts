import type { FieldError } from 'steersman/api'

/** The error with a value shown as Go writes a struct, or a list of them: the members in the order given. */
export function withStructValue(error: FieldError, value: object): FieldError {
  const text = JSON.stringify(value)
  return { ...error, badValue: undefined, detail: error.detail === '' ? text : `${text}: ${error.detail}` }
}
