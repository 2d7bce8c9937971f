import { unencodable } from './protobuf-error.js'
import { wireType } from './wire.js'
import type { WireReader } from './wire-reader.js'
import type { WireWriter } from './wire-writer.js'

/** How values of a type are read from the wire, as JSON shows them, and written to it. */
export interface ValueType {
  readonly wireType: number
  /**
   * Reads what follows the tag. `previous`: the value of an earlier occurrence of the field, which a message is merged into.
   *
   * @throws {ProtobufError}
   */
  read(reader: WireReader, previous?: unknown): unknown
  /**
   * Writes what follows the tag. `undefined` and `null` are Go's zero value.
   *
   * @throws {ProtobufError}
   */
  write(writer: WireWriter, value: unknown): void
  /** What JSON shows of Go's zero value. */
  zero(): unknown
  /** Whether JSON's `omitempty` or `omitzero` leaves the value out. */
  isZero(value: unknown): boolean
}

const stringType: ValueType = {
  wireType: wireType.bytes,
  read: (reader) => reader.string(),
  write: (writer, value) => writer.string(text(value ?? '')),
  zero: () => '',
  isZero: (value) => value === '',
}

const booleanType: ValueType = {
  wireType: wireType.varint,
  read: (reader) => reader.boolean(),
  write: (writer, value) => {
    if (value !== undefined && value !== null && typeof value !== 'boolean') throw unencodable(describe(value), 'a boolean')
    writer.boolean(value === true)
  },
  zero: () => false,
  isZero: (value) => value === false,
}

const int32Type: ValueType = {
  wireType: wireType.varint,
  read: (reader) => reader.int32(),
  write: (writer, value) => writer.int64(integer(value ?? 0)),
  zero: () => 0,
  isZero: (value) => value === 0,
}

const int64Type: ValueType = { ...int32Type, read: (reader) => reader.int64() }

const doubleType: ValueType = {
  wireType: wireType.fixed64,
  read: (reader) => finite(reader.double()),
  write: (writer, value) => {
    if (value !== undefined && value !== null && typeof value !== 'number' && typeof value !== 'bigint') {
      throw unencodable(describe(value), 'a number')
    }
    writer.double(Number(value ?? 0))
  },
  zero: () => 0,
  isZero: (value) => value === 0,
}

const bytesType: ValueType = {
  wireType: wireType.bytes,
  read: (reader) => reader.bytes().toString('base64'),
  write: (writer, value) => writer.bytes(Buffer.from(text(value ?? ''), 'base64')),
  zero: () => '',
  isZero: (value) => value === '',
}

/** Types that protobuf has. */
export const scalarTypes: Readonly<Record<string, ValueType>> = {
  string: stringType,
  boolean: booleanType,
  int32: int32Type,
  int64: int64Type,
  double: doubleType,
  bytes: bytesType,
}

/** A text. @throws {ProtobufError} for anything else. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw unencodable(describe(value), 'a string')
  return value
}

/** A whole number. @throws {ProtobufError} for anything else. */
export function integer(value: unknown): number | bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value as number | bigint
  throw unencodable(describe(value), 'a whole number of 64 bits')
}

// JSON has no such numbers: Go fails when it writes the object.
function finite(value: number): number {
  if (!Number.isFinite(value)) throw unencodable(`${value}`, 'a finite number')
  return value
}

/** How an error names a value: by its sort, for the value may be secret. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
