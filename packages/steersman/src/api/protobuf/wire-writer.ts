import { tooDeep } from './protobuf-error.js'
import { maxMessageDepth, wireType } from './wire.js'

const initialBytes = 4096
const maxKeptBytes = 1 << 20
/** Texts up to this length are written faster here than by the platform's encoder. */
const shortText = 40

/**
 * Writes the wire format from the end to the beginning: so the length of a message is known when it is written in front of it.
 * What is written last comes first.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafeSlow(initialBytes)
  #start = initialBytes
  #depth = 0

  /** How many bytes are written. */
  get length(): number {
    return this.#bytes.length - this.#start
  }

  /** The bytes written, as a copy; the writer begins again. */
  finish(): Uint8Array {
    const result = Uint8Array.prototype.slice.call(this.#bytes, this.#start)
    this.reset()
    return result
  }

  /** Forgets what was written. */
  reset(): void {
    if (this.#bytes.length > maxKeptBytes) this.#bytes = Buffer.allocUnsafeSlow(initialBytes)
    this.#start = this.#bytes.length
    this.#depth = 0
  }

  tag(number: number, type: number): void {
    this.#uint32(number * 8 + type)
  }

  /** The length of all that was written since `length` was `before`, in front of it. */
  lengthSince(before: number): void {
    this.#uint32(this.length - before)
  }

  /** A message, a text or bytes of a field: tag and length in front of what was written since. */
  delimit(number: number, before: number): void {
    this.lengthSince(before)
    this.tag(number, wireType.bytes)
  }

  boolean(value: boolean): void {
    this.#reserve(1)
    this.#bytes[--this.#start] = value ? 1 : 0
  }

  /** Goes a level deeper. @throws {ProtobufError} beyond the last one. */
  descend(): void {
    if (++this.#depth > maxMessageDepth) throw tooDeep(-1)
  }

  ascend(): void {
    this.#depth--
  }

  /** A whole number of 64 bits, signed. */
  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= 0xffff_ffff) this.#uint32(value)
    else this.#uint64(BigInt.asUintN(64, BigInt(value)))
  }

  double(value: number): void {
    this.#reserve(8)
    this.#start -= 8
    this.#bytes.writeDoubleLE(value, this.#start)
  }

  /** A text with its length. */
  string(text: string): void {
    if (text.length > shortText || !this.#ascii(text)) {
      const length = Buffer.byteLength(text)
      this.#reserve(length)
      this.#start -= length
      this.#bytes.write(text, this.#start, length, 'utf8')
      this.#uint32(length)
    }
  }

  /** Bytes with their length. */
  bytes(value: Uint8Array): void {
    this.raw(value)
    this.#uint32(value.length)
  }

  /** Bytes as they are. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#start -= value.length
    this.#bytes.set(value, this.#start)
  }

  #ascii(text: string): boolean {
    const length = text.length
    this.#reserve(length + 1)
    const start = this.#start - length
    const bytes = this.#bytes
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code >= 0x80) return false
      bytes[start + index] = code
    }
    // A short text has a length of one byte.
    bytes[start - 1] = length
    this.#start = start - 1
    return true
  }

  #uint32(value: number): void {
    this.#reserve(5)
    let length = 1
    for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++
    this.#start -= length
    let position = this.#start
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[position++] = (rest & 0x7f) | 0x80
    this.#bytes[position] = rest
  }

  #uint64(value: bigint): void {
    this.#reserve(10)
    const bytes: number[] = []
    let rest = value
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
    bytes.push(Number(rest))
    this.#start -= bytes.length
    this.#bytes.set(bytes, this.#start)
  }

  #reserve(bytes: number): void {
    if (this.#start >= bytes) return
    const length = this.length
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, length + bytes))
    this.#bytes.copy(grown, grown.length - length, this.#start)
    this.#bytes = grown
    this.#start = grown.length - length
  }
}
