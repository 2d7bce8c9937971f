import type { FieldError } from 'steersman/api'
import { fieldError, utf8Length } from 'steersman/api'
import { deepEqual } from 'steersman/internal'

/** How many bytes a ConfigMap or Secret may hold. */
export const maxDataBytes = 1024 * 1024

/** How many bytes the values take; base64 ones as what they stand for. */
export function dataBytes(data: Readonly<Record<string, string>>, base64: boolean): number {
  let bytes = 0
  for (const value of Object.values(data)) {
    bytes += base64 ? Math.floor((value.length * 3) / 4) - (value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0) : utf8Length(value)
  }
  return bytes
}

/** What is wrong with a change of an object that is marked immutable. */
export function validateImmutableData<Kind extends { readonly immutable?: boolean }>(
  object: Kind,
  old: Kind,
  fields: readonly (keyof Kind & string)[],
): FieldError[] {
  if (old.immutable !== true) return []
  const changed = fields.filter((field) => !deepEqual(object[field] ?? undefined, old[field] ?? undefined))
  const forbidden = object.immutable === true ? changed : ['immutable', ...changed]
  return forbidden.map((field) => fieldError.forbidden(field, 'field is immutable when `immutable` is set'))
}
