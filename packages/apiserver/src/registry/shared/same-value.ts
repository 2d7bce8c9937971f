/**
 * Whether two values mean the same: one may come from a client, who leaves out what it does not say, and the other from storage, where Go wrote `null`, `{}` or
 * `""` for that.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  return isSame(a === '' ? undefined : a, b === '' ? undefined : b)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    const [items, others] = [itemsOf(a), itemsOf(b)]
    if (items === undefined || items.length !== others?.length) return false
    return items.every((item, index) => isSame(item, others[index]))
  }
  const [members, others] = [membersOf(a), membersOf(b)]
  if (members === undefined || others === undefined) return false
  const names = new Set([...Object.keys(members), ...Object.keys(others)])
  return [...names].every((name) => isSame(members[name], others[name]))
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : undefined
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return {}
  return typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : undefined
}
