import { concatenateBytes } from './bytes.js'

/**
 * Writes DER (ITU-T X.690), as much of it as an X.509 certificate needs. Every function returns one complete element.
 */

/** An element: tag, length, and the concatenated contents. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  return concatenateBytes([Uint8Array.of(tag, ...lengthBytes(length)), ...contents])
}

/** Members in order. */
export const sequence = (...members: readonly Uint8Array[]): Uint8Array => element(0x30, ...members)

/** Members in any order; DER wants them sorted, which is the caller's job. */
export const set = (...members: readonly Uint8Array[]): Uint8Array => element(0x31, ...members)

/** A context-specific tag around whole elements. */
export const explicit = (tag: number, ...members: readonly Uint8Array[]): Uint8Array => element(0xa0 | tag, ...members)

/** A context-specific tag in place of a primitive type's own. */
export const implicit = (tag: number, content: Uint8Array): Uint8Array => element(0x80 | tag, content)

/** True or false. */
export const boolean = (value: boolean): Uint8Array => element(0x01, Uint8Array.of(value ? 0xff : 0))

/** An integer from its big-endian two's complement, which must be in its shortest form. */
export const integer = (bytes: Uint8Array): Uint8Array => element(0x02, bytes)

/** Bytes. */
export const octetString = (content: Uint8Array): Uint8Array => element(0x04, content)

/** A bit string; `unusedBits` counts the padding at the end of the last byte. */
export const bitString = (content: Uint8Array, unusedBits = 0): Uint8Array => element(0x03, Uint8Array.of(unusedBits), content)

/** Text. */
export const utf8String = (text: string): Uint8Array => element(0x0c, new TextEncoder().encode(text))

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

/** A time, to the second: UTCTime through 2049 and GeneralizedTime after, as RFC 5280 section 4.1.2.5 demands. */
export function time(milliseconds: number): Uint8Array {
  const digits = new Date(milliseconds).toISOString().slice(0, 19).replace(/\D/g, '')
  const isUtcTime = digits < '2050'
  return element(isUtcTime ? 0x17 : 0x18, new TextEncoder().encode(`${isUtcTime ? digits.slice(2) : digits}Z`))
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return [0x80 | bytes.length, ...bytes]
}
