/**
 * `api/protobuf`: objects of built-in kinds as protobuf messages, and the envelopes and frames around them.
 *
 * Tables of facts go in (`ProtobufCodec`), plain JSON objects come out: what Go's JSON shows of the same message, and the bytes that Go
 * writes of the same object. Bytes from strangers are safe: whatever they are, reading ends with an object or a `ProtobufError`, in time and
 * memory that their length bounds. Deliberately not here: the tables, and messages of anything but Kubernetes.
 */
export { ProtobufCodec } from './codec.js'
export type { ProtobufEnvelope, ProtobufTypeMeta } from './envelope.js'
export { decodeProtobufEnvelope, encodeProtobufEnvelope, isProtobufEnvelope } from './envelope.js'
export type { ProtobufTable, ProtobufTableLookup } from './field-facts.js'
export type { ProtobufErrorCode } from './protobuf-error.js'
export { ProtobufError } from './protobuf-error.js'
export type { ProtobufWatchFrame } from './watch-frames.js'
export { encodeProtobufWatchFrame, ProtobufWatchFrameReader } from './watch-frames.js'
