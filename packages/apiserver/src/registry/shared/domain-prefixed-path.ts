import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import { subdomainErrors } from './name-errors.js'

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"

/** What is wrong with a path below a domain, such as `acme.io/foo`. */
export function validateDomainPrefixedPath(value: string, path: FieldPath): FieldError[] {
  if (value === '') return [fieldError.required(path)]
  const slash = value.indexOf('/')
  const rest = value.slice(slash + 1)
  if (slash < 1 || rest === '') return [fieldError.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const errors = subdomainErrors(value.slice(0, slash), path)
  if (!new RegExp(`^${pathPattern}$`).test(rest)) {
    errors.push(fieldError.invalid(path, rest, `Invalid path (regex used for validation is '${pathPattern}')`))
  }
  return errors
}
