import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, goQuote, utf8Length, validateDns1123Subdomain } from 'steersman/api'
import { driverNameErrors, maxDriverNameBytes } from '../shared/driver-name.js'

const maxIdentifierBytes = 32
const maxPoolBytes = 253

const caselessMessage =
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const identifierMessage =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"

/** The name of a driver, as it is declared; as it is checked by hand: {@link driverNameErrors}. */
export function declaredDriverErrors(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [fieldError.required(path)]
  const errors = validateDns1123Subdomain(name.toLowerCase()).length === 0 ? [] : [fieldError.invalid(path, name, caselessMessage)]
  return [...name].length > maxDriverNameBytes ? [...errors, fieldError.tooLongCharacters(path, maxDriverNameBytes)] : errors
}

/** The name of a pool, as it is checked by hand. */
export function poolNameErrors(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [fieldError.required(path)]
  const errors = utf8Length(name) > maxPoolBytes ? [fieldError.tooLong(path, maxPoolBytes)] : []
  const parts = name.split('/')
  return [...errors, ...parts.flatMap((part) => validateDns1123Subdomain(part).map((detail) => fieldError.invalid(path, part, detail)))]
}

/** The name of a pool, as it is declared. */
export function declaredPoolErrors(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [fieldError.required(path)]
  const errors = utf8Length(name) > maxPoolBytes ? [fieldError.tooLong(path, maxPoolBytes)] : []
  for (const [index, part] of name.split('/').entries()) {
    if (part === '') errors.push(fieldError.invalid(path, name, `segment ${index}: must not be empty`))
    else errors.push(...validateDns1123Subdomain(part).map((detail) => fieldError.invalid(path, part, `segment ${index}: ${detail}`)))
  }
  return errors
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The identifier of a share, as it is declared. */
export function shareErrors(id: string | undefined, path: FieldPath): FieldError[] {
  if (id === undefined || uuid.test(id)) return []
  return [fieldError.invalid(path, id, 'must be a lowercase UUID in 8-4-4-4-12 format')]
}

/** The name of an attribute or a capacity, with or without a domain. */
export function qualifiedNameErrors(name: string, path: FieldPath): FieldError[] {
  const [first = '', second, ...rest] = name.split('/')
  // More than one slash is not looked into.
  if (rest.length > 0) return []
  if (second === undefined) return identifierErrors(first, path)
  return [
    ...(first === '' ? [fieldError.invalid(path, '', 'the domain must not be empty')] : driverNameErrors(first, path)),
    ...(second === '' ? [fieldError.invalid(path, '', 'the name must not be empty')] : identifierErrors(second, path)),
  ]
}

/** The name of an attribute with its domain, as it is declared. */
export function declaredAttributeErrors(name: string | undefined, path: FieldPath): FieldError[] {
  if (name === undefined) return []
  const [first = '', second, ...rest] = name.split('/')
  if (rest.length > 0) return []
  if (second === undefined) {
    const detail = 'a fully qualified name must be a domain and a name separated by a slash'
    return [...identifierErrors(first, path), fieldError.invalid(path, name, detail)]
  }
  return [
    ...(first === '' ? [fieldError.invalid(path, '', 'prefix must not be empty')] : prefixErrors(first, path)),
    ...(second === '' ? [fieldError.invalid(path, '', 'name must not be empty')] : identifierErrors(second, path)),
  ]
}

function prefixErrors(prefix: string, path: FieldPath): FieldError[] {
  const errors = utf8Length(prefix) > maxDriverNameBytes ? [fieldError.tooLong(path, maxDriverNameBytes)] : []
  return [...errors, ...validateDns1123Subdomain(prefix).map((detail) => fieldError.invalid(path, prefix, `prefix: ${detail}`))]
}

function identifierErrors(id: string, path: FieldPath): FieldError[] {
  const errors = utf8Length(id) > maxIdentifierBytes ? [fieldError.tooLong(path, maxIdentifierBytes)] : []
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(id) ? errors : [...errors, fieldError.invalid(path, id, identifierMessage)]
}

const kubernetesDomain = 'kubernetes.io/'
const requestsPrefix = 'requests.'

/** The name of a resource that pods may ask for instead of a claim, as it is declared. */
export function extendedResourceErrors(
  name: string | undefined,
  path: FieldPath,
  labelKeyErrors: (key: string) => readonly string[],
): FieldError[] {
  if (name === undefined) return []
  const errors: FieldError[] = []
  const refuse = (detail: string) => errors.push(fieldError.invalid(path, name, detail))
  if (!name.includes('/')) refuse("a name must be a domain-prefixed path, such as 'example.com/my-prop'")
  else if (name.includes(kubernetesDomain)) refuse(`must not have ${goQuote(kubernetesDomain)} domain`)
  if (name.startsWith(requestsPrefix)) refuse(`must not have ${goQuote(requestsPrefix)} prefix`)
  for (const detail of labelKeyErrors(requestsPrefix + name)) refuse(detail)
  return errors
}
