import { ProtobufError } from './protobuf-error.js'
import { readMessage } from './special-types.js'
import { wireType } from './wire.js'
import { WireReader } from './wire-reader.js'
import { WireWriter } from './wire-writer.js'

/** `k8s` and a zero byte: how every envelope begins. */
const prefix = Uint8Array.of(0x6b, 0x38, 0x73, 0x00)

/** What an object is: it is not part of its message. */
export interface ProtobufTypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

/** What travels over HTTP: an object's message and what kind of object it is. */
export interface ProtobufEnvelope extends ProtobufTypeMeta {
  readonly raw: Uint8Array
  readonly contentEncoding: string
  readonly contentType: string
}

/** Whether the bytes begin as an envelope does. */
export function isProtobufEnvelope(bytes: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}

/**
 * Opens an envelope; `raw` shares its bytes.
 *
 * @throws {ProtobufError} with kube-apiserver's message when the bytes are none.
 */
export function decodeProtobufEnvelope(bytes: Uint8Array): ProtobufEnvelope {
  if (bytes.length === 0) throw new ProtobufError('PROTOBUF_NO_ENVELOPE', 'empty data', 0)
  if (!isProtobufEnvelope(bytes)) {
    const message = `provided data does not appear to be a protobuf message, expected prefix [${prefix.join(' ')}]`
    throw new ProtobufError('PROTOBUF_NO_ENVELOPE', message, 0)
  }
  if (bytes.length === prefix.length) throw new ProtobufError('PROTOBUF_NO_ENVELOPE', 'empty body', prefix.length)
  const reader = new WireReader(bytes.subarray(prefix.length))
  let apiVersion = ''
  let kind = ''
  let raw: Uint8Array = new Uint8Array()
  let contentEncoding = ''
  let contentType = ''
  while (reader.hasMore) {
    const number = reader.fieldNumber('Unknown')
    const goName = ['TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'][number - 1]
    if (goName === undefined) {
      reader.skip()
      continue
    }
    reader.requireWireType(wireType.bytes, goName)
    if (number === 1) {
      readMessage(reader, 'TypeMeta', (member) => {
        if (member !== 1 && member !== 2) return false
        reader.requireWireType(wireType.bytes, member === 1 ? 'APIVersion' : 'Kind')
        if (member === 1) apiVersion = reader.string()
        else kind = reader.string()
        return true
      })
    } else if (number === 2) raw = reader.bytes()
    else if (number === 3) contentEncoding = reader.string()
    else contentType = reader.string()
  }
  return { apiVersion, kind, raw, contentEncoding, contentType }
}

/** Puts a message into an envelope. */
export function encodeProtobufEnvelope(typeMeta: ProtobufTypeMeta, raw: Uint8Array): Uint8Array {
  const writer = new WireWriter()
  writeEnvelope(writer, typeMeta, () => writer.raw(raw))
  return writer.finish()
}

/** Writes an envelope around what `writeRaw` writes. */
export function writeEnvelope(writer: WireWriter, { apiVersion, kind }: ProtobufTypeMeta, writeRaw: () => void): void {
  for (const number of [4, 3]) {
    writer.string('')
    writer.tag(number, wireType.bytes)
  }
  const beforeRaw = writer.length
  writeRaw()
  writer.lengthSince(beforeRaw)
  writer.tag(2, wireType.bytes)
  const beforeTypeMeta = writer.length
  writer.string(kind)
  writer.tag(2, wireType.bytes)
  writer.string(apiVersion)
  writer.tag(1, wireType.bytes)
  writer.lengthSince(beforeTypeMeta)
  writer.tag(1, wireType.bytes)
  writer.raw(prefix)
}
