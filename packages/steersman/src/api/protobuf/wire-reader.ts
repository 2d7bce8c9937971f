import { ProtobufError, tooDeep } from './protobuf-error.js'
import { readUtf8 } from './utf8.js'
import { maxMessageDepth, wireType } from './wire.js'

/** Texts up to this length are put together faster here than by the platform's decoder. */
const shortText = 24

/** Reads the wire format from bytes, up to a limit: the end of the message that is being read. */
export class WireReader {
  readonly #bytes: Buffer
  #position = 0
  #limit: number
  #depth = 0
  #wireType = 0
  /** The upper 32 bits of the last varint that `#varint` read. */
  #upper = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#limit = bytes.byteLength
  }

  get position(): number {
    return this.#position
  }

  /** Whether the message that is being read goes on. */
  get hasMore(): boolean {
    return this.#position < this.#limit
  }

  /** The wire type of the field whose number was read last. */
  get wireType(): number {
    return this.#wireType
  }

  /** The number of the next field of a message of that name. */
  fieldNumber(messageName: string): number {
    const start = this.#position
    const tag = this.#varint()
    const number = (tag >>> 3) | (this.#upper << 29) | 0
    this.#wireType = tag & 7
    if (this.#wireType === wireType.endGroup) {
      throw new ProtobufError('PROTOBUF_WIRE_TYPE', `proto: ${messageName}: wiretype end group for non-group`, start)
    }
    if (number <= 0) {
      const message = `proto: ${messageName}: illegal tag ${number} (wire type ${this.#upper * 0x1_0000_0000 + (tag >>> 0)})`
      throw new ProtobufError('PROTOBUF_WIRE_TYPE', message, start)
    }
    return number
  }

  /** @throws {ProtobufError} unless the field whose number was read last has that wire type. */
  requireWireType(expected: number, goFieldName: string): void {
    if (this.#wireType === expected) return
    const message = `proto: wrong wireType = ${this.#wireType} for field ${goFieldName}`
    throw new ProtobufError('PROTOBUF_WIRE_TYPE', message, this.#position)
  }

  /** The lower 32 bits of a varint, signed: int32 and, if not zero, boolean. */
  int32(): number {
    return this.#varint()
  }

  boolean(): boolean {
    return (this.#varint() | this.#upper) !== 0
  }

  /** A varint of 64 bits, signed; bigint when a number cannot hold it exactly. */
  int64(): number | bigint {
    const lower = this.#varint() >>> 0
    const upper = this.#upper
    if (upper === 0) return lower
    const value = upper * 0x1_0000_0000 + lower
    if (Number.isSafeInteger(value)) return value
    return (BigInt(upper) << 32n) | BigInt(lower)
  }

  double(): number {
    const start = this.#position
    this.#advance(8)
    return this.#bytes.readDoubleLE(start)
  }

  /** A text after its length. */
  string(): string {
    const length = this.#length()
    const start = this.#position
    const end = start + length
    this.#position = end
    if (length > shortText) return readUtf8(this.#bytes, start, end)
    let text = ''
    for (let index = start; index < end; index++) {
      const byte = this.#bytes[index] ?? 0
      if (byte >= 0x80) return readUtf8(this.#bytes, start, end)
      text += String.fromCharCode(byte)
    }
    return text
  }

  /** Bytes after their length; they are shared with the input. */
  bytes(): Buffer {
    const length = this.#length()
    this.#position += length
    return this.#bytes.subarray(this.#position - length, this.#position)
  }

  /** Begins a message after its length; returns what `leave` needs. */
  enter(): number {
    const length = this.#length()
    const outer = this.#limit
    this.#limit = this.#position + length
    return outer
  }

  leave(outer: number): void {
    this.#limit = outer
  }

  /** Goes a level deeper. @throws {ProtobufError} beyond the last one. */
  descend(): void {
    if (++this.#depth > maxMessageDepth) throw tooDeep(this.#position)
  }

  ascend(): void {
    this.#depth--
  }

  /** Leaves out the value of the field whose number was read last. */
  skip(): void {
    let groups = 0
    for (let next = this.#wireType; ; next = this.#varint() & 7) {
      if (next === wireType.varint) this.#varint()
      else if (next === wireType.fixed64) this.#advance(8)
      else if (next === wireType.bytes) this.bytes()
      else if (next === wireType.fixed32) this.#advance(4)
      else if (next === wireType.startGroup) groups++
      else if (next === wireType.endGroup) groups--
      else throw new ProtobufError('PROTOBUF_WIRE_TYPE', `proto: illegal wireType ${next}`, this.#position)
      if (groups === 0) return
    }
  }

  #length(): number {
    const start = this.#position
    const length = this.#varint()
    if (this.#upper < 0) throw new ProtobufError('PROTOBUF_OVERFLOW', 'proto: negative length found during unmarshaling', start)
    if (length < 0 || this.#upper > 0 || this.#position + length > this.#limit) throw this.#truncated()
    return length
  }

  #advance(bytes: number): void {
    if (this.#position + bytes > this.#limit) throw this.#truncated()
    this.#position += bytes
  }

  #varint(): number {
    const bytes = this.#bytes
    let position = this.#position
    if (position < this.#limit) {
      const byte = bytes[position] ?? 0
      if (byte < 0x80) {
        this.#position = position + 1
        this.#upper = 0
        return byte
      }
    }
    let lower = 0
    let upper = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (position >= this.#limit) throw this.#truncated()
      const byte = bytes[position++] ?? 0
      const bits = byte & 0x7f
      if (shift < 32) lower |= bits << shift
      if (shift === 28) upper = bits >>> 4
      else if (shift > 28) upper |= bits << (shift - 32)
      if (byte < 0x80) {
        this.#position = position
        this.#upper = upper
        return lower
      }
    }
    throw new ProtobufError('PROTOBUF_OVERFLOW', 'proto: integer overflow', this.#position)
  }

  #truncated(): ProtobufError {
    return new ProtobufError('PROTOBUF_TRUNCATED', 'unexpected EOF', this.#position)
  }
}
