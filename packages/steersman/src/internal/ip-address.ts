/**
 * The bytes of an IP address, 4 or 16 of them; `undefined` when the text is not one. A zone (`%eth0`) is not part of an address.
 */
export function parseIpAddress(text: string): Uint8Array | undefined {
  return text.includes(':') ? parseVersion6(text) : parseVersion4(text)
}

function parseVersion4(text: string): Uint8Array | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined
  return Uint8Array.from(parts, Number)
}

/** RFC 4291 section 2.2: eight groups, one run of zero groups may be `::`, the last two groups may be written as an IPv4 address. */
function parseVersion6(text: string): Uint8Array | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0]!, halves.length === 1)
  const tail = halves.length === 2 ? parseGroups(halves[1]!, true) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined
  return Uint8Array.from([...head, ...new Array<number>(missing).fill(0), ...tail])
}

function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    const embedded = isEnd && index === groups.length - 1 ? parseVersion4(group) : undefined
    if (embedded !== undefined) {
      bytes.push(...embedded)
    } else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
    } else {
      return undefined
    }
  }
  return bytes
}
