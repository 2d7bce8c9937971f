import { maxMessageDepth } from './wire.js'

/**
 * What is wrong: bytes that end too early, a number or length that no 64 bits hold, a field of another wire type than the message has,
 * messages in messages beyond the limit, or a value that the type cannot have.
 */
export type ProtobufErrorCode =
  | 'PROTOBUF_TRUNCATED'
  | 'PROTOBUF_OVERFLOW'
  | 'PROTOBUF_WIRE_TYPE'
  | 'PROTOBUF_TOO_DEEP'
  | 'PROTOBUF_INVALID_VALUE'
  | 'PROTOBUF_NO_ENVELOPE'

/** Bytes that are no message of the type, or a value that no message of the type can hold. The message is the API server's where it has one. */
export class ProtobufError extends Error {
  readonly code: ProtobufErrorCode
  /** Where in the bytes reading stopped; -1 when a value could not be written. */
  readonly position: number

  constructor(code: ProtobufErrorCode, message: string, position: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProtobufError'
    this.code = code
    this.position = position
  }
}

/** The error about a value that cannot be written. */
export function unencodable(what: string, expected: string): ProtobufError {
  return new ProtobufError('PROTOBUF_INVALID_VALUE', `Cannot write ${what} as protobuf: expected ${expected}`, -1)
}

/** The error about messages in messages without end. */
export function tooDeep(position: number): ProtobufError {
  return new ProtobufError('PROTOBUF_TOO_DEEP', `proto: messages nest deeper than ${maxMessageDepth} levels`, position)
}
