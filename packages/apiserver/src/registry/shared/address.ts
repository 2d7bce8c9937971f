import { isIP, isIPv4 } from '../../schema/index.js'

/** An IP address: its 4 or 16 bytes. An IPv4 address in the form of an IPv6 one has 4. */
export type Address = readonly number[]

/** A range of addresses such as `10.9.8.0/24`. */
export interface AddressRange {
  readonly address: Address
  readonly bits: number
  /** How many bits an address of the family has. */
  readonly size: 32 | 128
}

/** Reads an address as leniently as Go once did: leading zeros are fine. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return text.split('.').map(Number)
  if (!isIP(text)) return undefined
  const [front = [], back] = text.split('::').map(groupsOf)
  const groups = back === undefined ? front : [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
  const bytes = groups.flatMap((group) => [group >> 8, group & 255])
  return isMapped(bytes) ? bytes.slice(12) : bytes
}

function groupsOf(half: string): readonly number[] {
  if (half === '') return []
  return half.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

function isMapped(bytes: Address): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
}

/** An address in its canonical form (RFC 5952). */
export function formatAddress(address: Address): string {
  if (address.length === 4) return address.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => (address[index * 2] ?? 0) * 256 + (address[index * 2 + 1] ?? 0))
  const { start, length } = longestZeros(groups)
  const text = (some: readonly number[]) => some.map((group) => group.toString(16)).join(':')
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === 0) end += 1
    if (end - start > longest.length) longest = { start, length: end - start }
  }
  return longest
}

/** Reads a range as leniently as {@link parseAddress}. */
export function parseRange(text: string): AddressRange | undefined {
  const [before = '', after = '', ...rest] = text.split('/')
  const address = parseAddress(before)
  const size = before.includes(':') ? 128 : 32
  if (address === undefined || rest.length > 0 || !/^\d+$/.test(after) || Number(after) > size) return undefined
  return { address, bits: Number(after), size }
}

/** The first address of a range. */
export function networkOf({ address, bits }: AddressRange): Address {
  return address.map((byte, index) => byte & (255 << Math.min(8, Math.max(0, 8 * (index + 1) - bits))) & 255)
}

/** A range in its canonical form, without bits beyond its length. */
export function formatRange(range: AddressRange): string {
  return `${formatAddress(networkOf(range))}/${range.bits}`
}

/** Whether an IPv4 part of the text has leading zeros, or a length has. */
export function hasLeadingZeros(text: string): boolean {
  return /(^|[.:])0\d+\./.test(text) || /\.0\d+($|\/)/.test(text) || /\/0\d/.test(text)
}

/** Whether an IPv4 address is written as an IPv6 one. */
export function isMappedText(text: string): boolean {
  return text.includes(':') && parseAddress(text.split('/')[0] ?? '')?.length === 4
}
