import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validatePortName, validatePortNumber } from 'steersman/api'

/** What goes through ports. */
export const protocols = ['SCTP', 'TCP', 'UDP']

/** What is wrong with the number of a port. */
export function portErrors(port: number, path: FieldPath): FieldError[] {
  return validatePortNumber(port).map((detail) => fieldError.invalid(path, port, detail))
}

/** What is wrong with a port that is a number or the name of one. */
export function validatePortNumberOrName(port: number | string | undefined, path: FieldPath): FieldError[] {
  if (typeof port === 'string') return validatePortName(port).map((detail) => fieldError.invalid(path, port, detail))
  return portErrors(port ?? 0, path)
}
