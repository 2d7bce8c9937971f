import { deepEqual } from 'steersman/internal'

/**
 * Whether two values mean the same: one may come from a client, who leaves out what it does not say, and the other from storage, where Go wrote `null` or `""`
 * for that.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  return deepEqual(withoutNulls(a === '' ? undefined : a), withoutNulls(b === '' ? undefined : b))
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null) return undefined
  if (typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}
