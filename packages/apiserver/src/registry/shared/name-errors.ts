import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'

/** What is wrong with a DNS label. */
export function labelErrors(value: string, path: FieldPath): FieldError[] {
  return validateDns1123Label(value).map((detail) => fieldError.invalid(path, value, detail))
}

/** What is wrong with a DNS subdomain. */
export function subdomainErrors(value: string, path: FieldPath): FieldError[] {
  return validateDns1123Subdomain(value).map((detail) => fieldError.invalid(path, value, detail))
}
