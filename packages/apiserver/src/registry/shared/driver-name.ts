import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, utf8Length, validateDns1123Subdomain } from 'steersman/api'

/** How long the name of a driver may be. */
export const maxDriverNameBytes = 63

/** What is wrong with the name of a driver: a DNS subdomain, in which capital letters are allowed. */
export function driverNameErrors(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [fieldError.required(path)]
  const errors = utf8Length(name) > maxDriverNameBytes ? [fieldError.tooLong(path, maxDriverNameBytes)] : []
  return [...errors, ...validateDns1123Subdomain(name.toLowerCase()).map((detail) => fieldError.invalid(path, name, detail))]
}
