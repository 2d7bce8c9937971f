/**
 * The rules for names, labels and keys. Each `validate…` returns what is wrong, in kube-apiserver's words; an empty list
 * means the value is good. Lengths are bytes of UTF-8.
 */
import { utf8Length } from './go-format.js'

/** Says what is wrong with a value; empty when nothing is. */
export type NameValidator = (value: string) => readonly string[]

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`
const dns1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?'
const keyNameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValueFormat = `(${keyNameFormat})?`
const configMapKeyFormat = '[-._a-zA-Z0-9]+'
const environmentVariableFormat = '[-._a-zA-Z][-._a-zA-Z0-9]*'

const anchored = (format: string) => new RegExp(`^${format}$`)
const labelPattern = anchored(labelFormat)
const subdomainPattern = anchored(subdomainFormat)
const dns1035Pattern = anchored(dns1035Format)
const keyNamePattern = anchored(keyNameFormat)
const labelValuePattern = anchored(labelValueFormat)
const configMapKeyPattern = anchored(configMapKeyFormat)
const environmentVariablePattern = anchored(environmentVariableFormat)

// Two libraries upstream word the same limit differently, and both reach the wire.
const tooManyCharacters = (limit: number) => `must be no more than ${limit} characters`
const tooManyBytes = (limit: number) => `must be no more than ${limit} bytes`

function patternMessage(message: string, format: string, ...examples: readonly string[]): string {
  const suffix = `regex used for validation is '${format}')`
  if (examples.length === 0) return `${message} (${suffix}`
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${suffix}`
}

const subdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainFormat,
  'example.com',
)
const labelMessage = patternMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelFormat,
  'my-name',
  '123-abc',
)
const dns1035Message = patternMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Format,
  'my-name',
  'abc-123',
)
const keyNameMessage = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  keyNameFormat,
  'MyName',
  'my.name',
  '123-abc',
)
const labelValueMessage = patternMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValueFormat,
  'MyValue',
  'my_value',
  '12345',
)
const configMapKeyMessage = patternMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configMapKeyFormat,
  'key.name',
  'KEY_NAME',
  'key-name',
)
const environmentVariableMessage = patternMessage(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  environmentVariableFormat,
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
)

/** A DNS label (RFC 1123): namespaces, container names. */
export function validateDns1123Label(value: string): readonly string[] {
  const problems: string[] = []
  if (utf8Length(value) > 63) problems.push(tooManyCharacters(63))
  if (!labelPattern.test(value)) problems.push(subdomainPattern.test(value) ? 'must not contain dots' : labelMessage)
  return problems
}

/** A DNS subdomain (RFC 1123): the names of most objects. */
export function validateDns1123Subdomain(value: string): readonly string[] {
  const problems: string[] = []
  if (utf8Length(value) > 253) problems.push(tooManyCharacters(253))
  if (!subdomainPattern.test(value)) problems.push(subdomainMessage)
  return problems
}

/** A DNS label that starts with a letter (RFC 1035): services, the plural of a custom resource. */
export function validateDns1035Label(value: string): readonly string[] {
  const problems: string[] = []
  if (utf8Length(value) > 63) problems.push(tooManyCharacters(63))
  if (!dns1035Pattern.test(value)) problems.push(dns1035Message)
  return problems
}

/** A qualified name, which is a label key: a name with an optional DNS subdomain and slash before it. Finalizers, annotation keys. */
export function validateQualifiedName(value: string): readonly string[] {
  const parts = value.split('/')
  if (parts.length > 2) {
    return [`a valid label key ${keyNameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const problems: string[] = []
  const name = parts[parts.length - 1] ?? ''
  if (parts.length === 2) problems.push(...prefixProblems(parts[0] ?? ''))
  if (name === '') problems.push('name part must be non-empty')
  else if (utf8Length(name) > 63) problems.push(`name part ${tooManyBytes(63)}`)
  if (!keyNamePattern.test(name)) problems.push(`name part ${keyNameMessage}`)
  return problems
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const problems: string[] = []
  if (utf8Length(prefix) > 253) problems.push(`prefix part ${tooManyBytes(253)}`)
  if (!subdomainPattern.test(prefix)) problems.push(`prefix part ${subdomainMessage}`)
  return problems
}

/** A label value: empty, or at most 63 bytes. */
export function validateLabelValue(value: string): readonly string[] {
  const problems: string[] = []
  if (utf8Length(value) > 63) problems.push(tooManyBytes(63))
  if (!labelValuePattern.test(value)) problems.push(labelValueMessage)
  return problems
}

/** A name that can stand in a URL path: all that RBAC objects ask of theirs. */
export function validatePathSegmentName(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`]
  return ['/', '%'].filter((char) => value.includes(char)).map((char) => `may not contain '${char}'`)
}

/** A key of a ConfigMap's or Secret's data. */
export function validateConfigMapKey(value: string): readonly string[] {
  const problems: string[] = []
  if (utf8Length(value) > 253) problems.push(tooManyCharacters(253))
  if (!configMapKeyPattern.test(value)) problems.push(configMapKeyMessage)
  return [...problems, ...parentFolderProblems(value)]
}

/** The name of an environment variable, by the rule from before Kubernetes 1.34. */
export function validateEnvironmentVariableName(value: string): readonly string[] {
  const problems = environmentVariablePattern.test(value) ? [] : [environmentVariableMessage]
  return [...problems, ...parentFolderProblems(value)]
}

function parentFolderProblems(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`]
  return value.startsWith('..') ? ["must not start with '..'"] : []
}

/** The name of a container port: at most 15 of `[-a-z0-9]` with at least one letter. */
export function validatePortName(value: string): readonly string[] {
  const problems: string[] = []
  if (utf8Length(value) > 15) problems.push(tooManyCharacters(15))
  if (!/^[-a-z0-9]+$/.test(value)) problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(value)) problems.push('must contain at least one letter (a-z)')
  if (value.includes('--')) problems.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) problems.push('must not begin or end with a hyphen')
  return problems
}

/** A port number, 1 to 65535. */
export function validatePortNumber(value: number): readonly string[] {
  return value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive']
}

/**
 * What is wrong with a `generateName`: the rule of the name, with a dash allowed at its end since more follows.
 */
export function validateNamePrefix(value: string, validate: NameValidator): readonly string[] {
  // Upstream drops the character before the dash too, so the length it checks is one short.
  return validate(value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value)
}

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5
const maxGeneratedPrefix = 58

/**
 * Random letters and digits without vowels and look-alikes, as Kubernetes ends generated names.
 *
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 */
export function randomNameSuffix(random: () => number, length = suffixLength): string {
  let suffix = ''
  for (let index = 0; index < length; index++) suffix += suffixAlphabet[Math.floor(random() * suffixAlphabet.length)]
  return suffix
}

/** The name for a `generateName`: the base, cut to 58 characters, and five random ones. */
export function generateName(base: string, random: () => number): string {
  return base.slice(0, maxGeneratedPrefix) + randomNameSuffix(random)
}

/**
 * A decimal or hexadecimal digest written in the alphabet of generated names, as the pod-template-hash is: each character
 * stands for its code modulo the alphabet.
 */
export function safeEncodeName(text: string): string {
  let encoded = ''
  for (let index = 0; index < text.length; index++) encoded += suffixAlphabet[text.charCodeAt(index) % suffixAlphabet.length]
  return encoded
}
