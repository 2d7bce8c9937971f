import type { FieldError } from 'steersman/api'

/** The error with a value shown as Go writes a struct: the members in the order given, absent ones as null. */
export function withStructValue(error: FieldError, value: Readonly<Record<string, unknown>>): FieldError {
  const text = JSON.stringify(value)
  return { ...error, badValue: undefined, detail: error.detail === '' ? text : `${text}: ${error.detail}` }
}
