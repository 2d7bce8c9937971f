import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import { immutableMessage } from '../metadata.js'
import { isSameValue } from './same-value.js'

/**
 * An error when a field changes that its schema declares immutable. Upstream finds these after all others, and does not show the value.
 */
export function validateDeclaredImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return isSameValue(value, old) ? [] : [fieldError.invalid(path, null, immutableMessage)]
}
