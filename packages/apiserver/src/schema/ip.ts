/** Whether the text is an IPv4 address in dotted form. Leading zeros are accepted, as the real server's lenient parser does. */
export function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,}$/.test(part) && Number(part) <= 255)
}

/** Whether the text is an IPv6 address, with or without an IPv4 tail; zones are refused. */
export function isIPv6(text: string): boolean {
  if (!text.includes(':')) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  let groups = 0
  for (const [index, half] of halves.entries()) {
    if (half === '') continue
    const parts = half.split(':')
    const isLastHalf = index === halves.length - 1
    for (const [position, part] of parts.entries()) {
      if (isLastHalf && position === parts.length - 1 && part.includes('.')) {
        if (!isIPv4(part)) return false
        groups += 2
      } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups++
      else return false
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8
}

/** Whether the text is an IP address of either family. */
export function isIP(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}
