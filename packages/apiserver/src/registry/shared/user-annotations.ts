import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, utf8Length, validateQualifiedName } from 'steersman/api'

const maxAnnotationBytes = 256 * 1024

/** What is wrong with annotations that a pod asks to have in a certificate: each key has a domain. */
export function validateUserAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const entries = Object.entries(annotations ?? {})
  const bytes = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0)
  return [
    ...entries.flatMap(([key]) => keyErrors(key.toLowerCase(), path)),
    ...(bytes > maxAnnotationBytes ? [fieldError.tooLong(path, maxAnnotationBytes)] : []),
  ]
}

function keyErrors(key: string, path: FieldPath): FieldError[] {
  if (key === '') return [fieldError.required(path)]
  const details = validateQualifiedName(key)
  if (details.length > 0) return details.map((detail) => fieldError.invalid(path, key, detail))
  return key.includes('/') ? [] : [fieldError.invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')]
}
