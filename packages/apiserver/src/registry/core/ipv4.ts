const octets = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/

/** The address as a number of 32 bits; `undefined` when the text is none. */
export function parseIpv4(text: string): number | undefined {
  const match = octets.exec(text)
  if (match === null) return undefined
  let value = 0
  for (const octet of match.slice(1).map(Number)) {
    if (octet > 255) return undefined
    value = value * 256 + octet
  }
  return value
}

export function formatIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}
