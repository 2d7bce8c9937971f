/**
 * The JSON text of a plain value; bigint is written as an integer. Members that are `undefined` are left out.
 *
 * @param indent how many spaces to indent by; absent or 0 writes one line.
 * @throws TypeError or RangeError for a value that contains itself. @throws RangeError for nesting of many thousand levels.
 */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch (error) {
    // The native serialiser refuses bigint, which is too rare to look for beforehand.
    if (!(error instanceof TypeError) || !holdsBigint(value, new Set())) throw error
    return write(value, indent === 0 ? '' : ' '.repeat(indent), '\n')
  }
}

function holdsBigint(value: unknown, ancestors: Set<unknown>): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null || ancestors.has(value)) return false
  ancestors.add(value)
  const found = Object.values(value).some((member) => holdsBigint(member, ancestors))
  ancestors.delete(value)
  return found
}

function write(value: unknown, indent: string, lineStart: string): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const innerStart = lineStart + indent
  const parts: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) parts.push(write(item, indent, innerStart))
    return enclose('[', parts, ']', indent, lineStart)
  }
  const colon = indent === '' ? ':' : ': '
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && typeof member !== 'function') parts.push(JSON.stringify(key) + colon + write(member, indent, innerStart))
  }
  return enclose('{', parts, '}', indent, lineStart)
}

function enclose(open: string, parts: readonly string[], close: string, indent: string, lineStart: string): string {
  if (parts.length === 0) return open + close
  if (indent === '') return open + parts.join(',') + close
  return open + parts.map((part) => lineStart + indent + part).join(',') + lineStart + close
}
