import { ProtobufError } from './protobuf-error.js'
import { readMessage } from './special-types.js'
import { wireType } from './wire.js'
import { WireReader } from './wire-reader.js'
import { WireWriter } from './wire-writer.js'

const lengthBytes = 4

/** An event of a watch in protobuf: `object` is an envelope. */
export interface ProtobufWatchFrame {
  readonly type: string
  readonly object: Uint8Array
}

/** A frame of a watch: the length, and the event with its object in an envelope. */
export function encodeProtobufWatchFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = new WireWriter()
  writer.bytes(object)
  writer.tag(1, wireType.bytes)
  writer.lengthSince(0)
  writer.tag(2, wireType.bytes)
  writer.string(type)
  writer.tag(1, wireType.bytes)
  const length = writer.length
  writer.raw(Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length))
  return writer.finish()
}

/** Takes the frames of a watch out of the pieces in which its bytes come. */
export class ProtobufWatchFrameReader {
  readonly #maxBytes: number
  #rest: Uint8Array = new Uint8Array()

  /** `maxBytes`: how long a frame may be. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether bytes of a frame are there whose end is not. */
  get isIncomplete(): boolean {
    return this.#rest.length > 0
  }

  /**
   * The frames that are complete with this piece.
   *
   * @throws {ProtobufError} when a frame is too long or no event.
   */
  push(piece: Uint8Array): readonly ProtobufWatchFrame[] {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const frames: ProtobufWatchFrame[] = []
    let position = 0
    while (bytes.length - position >= lengthBytes) {
      const length = view.getUint32(position)
      if (length > this.#maxBytes) {
        throw new ProtobufError(
          'PROTOBUF_OVERFLOW',
          `Cannot read a frame of ${length} bytes: at most ${this.#maxBytes} are expected`,
          position,
        )
      }
      const start = position + lengthBytes
      if (bytes.length < start + length) break
      position = start + length
      frames.push(decodeEvent(bytes.subarray(start, position)))
    }
    this.#rest = bytes.subarray(position)
    return frames
  }
}

function decodeEvent(bytes: Uint8Array): ProtobufWatchFrame {
  const reader = new WireReader(bytes)
  let type = ''
  let object: Uint8Array = new Uint8Array()
  while (reader.hasMore) {
    const number = reader.fieldNumber('WatchEvent')
    if (number !== 1 && number !== 2) {
      reader.skip()
      continue
    }
    reader.requireWireType(wireType.bytes, number === 1 ? 'Type' : 'Object')
    if (number === 1) type = reader.string()
    else {
      readMessage(reader, 'RawExtension', (member) => {
        if (member !== 1) return false
        reader.requireWireType(wireType.bytes, 'Raw')
        object = reader.bytes()
        return true
      })
    }
  }
  return { type, object }
}
