import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'

/** An error when a path leads upwards. */
export function backstepErrors(value: string, path: FieldPath): FieldError[] {
  return value.split('/').includes('..') ? [fieldError.invalid(path, value, "must not contain '..'")] : []
}

/** What is wrong with a path below another one. */
export function relativePathErrors(value: string, path: FieldPath): FieldError[] {
  const errors = value.startsWith('/') ? [fieldError.invalid(path, value, 'must be a relative path')] : []
  return [...errors, ...backstepErrors(value, path)]
}

/** What is wrong with the path of a file of a volume. Names that begin with two dots are the kubelet's. */
export function filePathErrors(value: string, path: FieldPath): FieldError[] {
  const isReserved = value.startsWith('..') && !value.startsWith('../')
  return [...relativePathErrors(value, path), ...(isReserved ? [fieldError.invalid(path, value, "must not start with '..'")] : [])]
}
