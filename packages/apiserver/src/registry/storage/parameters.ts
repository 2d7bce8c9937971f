import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, utf8Length, validateQualifiedName } from 'steersman/api'

const maxParameters = 512
const maxParameterBytes = 256 * 1024

/** What is wrong with the name of a provisioner that is there. */
export function provisionerErrors(name: string | undefined, path: FieldPath): FieldError[] {
  return name ? validateQualifiedName(name.toLowerCase()).map((detail) => fieldError.invalid(path, name.toLowerCase(), detail)) : []
}

/** What is wrong with what a provisioner is told. */
export function validateParameters(parameters: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const entries = Object.entries(parameters ?? {})
  if (entries.length > maxParameters) return [fieldError.tooLong(path, maxParameters)]
  const errors = entries.filter(([key]) => key === '').map(([key]) => fieldError.invalid(path, key, 'field can not be empty.'))
  const bytes = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0)
  return bytes > maxParameterBytes ? [...errors, fieldError.tooLong(path, maxParameterBytes)] : errors
}
