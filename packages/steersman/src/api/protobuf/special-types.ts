import { parseJson, stringifyJson } from '../json/index.js'
import { canonicalQuantity } from '../quantity.js'
import { parseTime } from '../time.js'
import { formatGoDuration, parseGoDuration } from './go-duration.js'
import { ProtobufError, unencodable } from './protobuf-error.js'
import { describe, integer, text, type ValueType } from './value-type.js'
import { wireType } from './wire.js'
import type { WireReader } from './wire-reader.js'
import type { WireWriter } from './wire-writer.js'

/** Seconds of Go's zero time, the beginning of year 1; JSON shows it as null. */
const zeroSeconds = -62_135_596_800
const lastSeconds = 253_402_300_799

/** Reads the fields of a message; `read` reads one that is known and says whether it was. */
export function readMessage(reader: WireReader, name: string, read: (fieldNumber: number) => boolean): void {
  const outer = reader.enter()
  while (reader.hasMore) if (!read(reader.fieldNumber(name))) reader.skip()
  reader.leave(outer)
}

/** How a message is read and written whose JSON form is a value of its own. */
interface MessageValue {
  read(reader: WireReader): unknown
  /** Writes the fields, the last one first. */
  write(writer: WireWriter, value: unknown): void
  readonly zero: unknown
}

/** The type of such a message. */
export function messageValue({ read, write, zero }: MessageValue): ValueType {
  return {
    wireType: wireType.bytes,
    read,
    write: (writer, value) => {
      const before = writer.length
      write(writer, value)
      writer.lengthSince(before)
    },
    zero: () => zero,
    isZero: (value) => value === zero,
  }
}

/** The only field of a message, if it is there. */
function readOnly<Value>(reader: WireReader, name: string, goName: string, type: number, read: () => Value): Value | undefined {
  let value: Value | undefined
  readMessage(reader, name, (number) => {
    if (number !== 1) return false
    reader.requireWireType(type, goName)
    value = read()
    return true
  })
  return value
}

function timeType(withMicros: boolean): ValueType {
  const read = (reader: WireReader): unknown => {
    const start = reader.position
    let seconds = 0
    let nanos = 0
    let isEmpty = true
    readMessage(reader, 'Timestamp', (number) => {
      isEmpty = false
      if (number !== 1 && number !== 2) return false
      reader.requireWireType(wireType.varint, number === 1 ? 'Seconds' : 'Nanos')
      if (number === 1) seconds = Number(reader.int64())
      else nanos = reader.int32()
      return true
    })
    if (isEmpty) return null
    return formatTimestamp(seconds, withMicros ? Math.trunc(nanos / 1000) : 0, withMicros, start)
  }
  const write = (writer: WireWriter, value: unknown): void => {
    if (value === undefined || value === null) return
    const { seconds, micros } = timestamp(text(value))
    if (seconds === zeroSeconds && micros === 0) return
    writer.int64(withMicros ? micros * 1000 : 0)
    writer.tag(2, wireType.varint)
    writer.int64(seconds)
    writer.tag(1, wireType.varint)
  }
  return messageValue({ read, write, zero: null })
}

function formatTimestamp(seconds: number, micros: number, withMicros: boolean, position: number): string | null {
  const whole = seconds + Math.floor(micros / 1_000_000)
  const rest = micros - Math.floor(micros / 1_000_000) * 1_000_000
  if (whole === zeroSeconds && rest === 0) return null
  if (whole < -62_167_219_200 || whole > lastSeconds) {
    throw new ProtobufError('PROTOBUF_INVALID_VALUE', `Cannot read a time: ${seconds} seconds are no year of four digits`, position)
  }
  const secondsText = formatSeconds(whole)
  return withMicros ? `${secondsText}.${String(rest).padStart(6, '0')}Z` : `${secondsText}Z`
}

/** `2026-11-30T08:00:00`: by arithmetic, several times as fast as by a Date. Years begin in March here: so a leap day is the last one. */
function formatSeconds(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const time = seconds - days * 86_400
  const sinceEra = days + 719_468
  const era = Math.floor(sinceEra / 146_097)
  const dayOfEra = sinceEra - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  const clock = `${twoDigits(Math.floor(time / 3600))}:${twoDigits(Math.floor(time / 60) % 60)}:${twoDigits(time % 60)}`
  return `${year < 1000 ? String(year).padStart(4, '0') : year}-${twoDigits(month)}-${twoDigits(day)}T${clock}`
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

function timestamp(value: string): { readonly seconds: number; readonly micros: number } {
  const milliseconds = parseTime(value)
  if (milliseconds === undefined) throw unencodable('a text', 'a time as of RFC 3339')
  const fraction = /[.,](\d+)/.exec(value)?.[1] ?? ''
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6))
  return { seconds: Math.round((milliseconds - Number(`0.${fraction}`) * 1000) / 1000), micros }
}

const duration = /* @__PURE__ */ messageValue({
  read: (reader) => formatGoDuration(BigInt(readOnly(reader, 'Duration', 'Duration', wireType.varint, () => reader.int64()) ?? 0)),
  write: (writer, value) => {
    const nanos = parseGoDuration(text(value ?? '0s'))
    if (nanos === undefined) throw unencodable('a text', 'a duration such as 1h30m')
    writer.int64(nanos)
    writer.tag(1, wireType.varint)
  },
  zero: '0s',
})

/** Texts that are surely canonical, and the usual ones. */
const plainQuantity = /^[1-9]\d{0,2}(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?$/

function canonical(value: string | number | bigint, position: number): string {
  if (typeof value === 'string' && plainQuantity.test(value)) return value
  try {
    return canonicalQuantity(value)
  } catch (cause) {
    throw new ProtobufError('PROTOBUF_INVALID_VALUE', (cause as Error).message, position, { cause })
  }
}

const quantity = /* @__PURE__ */ messageValue({
  read: (reader) => {
    const start = reader.position
    const value = readOnly(reader, 'Quantity', 'String_', wireType.bytes, () => reader.string())
    return value === undefined ? '0' : canonical(value, start)
  },
  write: (writer, value) => {
    const isQuantity = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    if (!isQuantity && value !== undefined && value !== null) throw unencodable(describe(value), 'a quantity')
    writer.string(isQuantity ? canonical(value, -1) : '0')
    writer.tag(1, wireType.bytes)
  },
  zero: '0',
})

const intOrString = /* @__PURE__ */ messageValue({
  read: (reader) => {
    const start = reader.position
    let kind: number | bigint = 0
    let number = 0
    let string = ''
    readMessage(reader, 'IntOrString', (field) => {
      if (field < 1 || field > 3) return false
      reader.requireWireType(field === 3 ? wireType.bytes : wireType.varint, ['Type', 'IntVal', 'StrVal'][field - 1] ?? '')
      if (field === 1) kind = reader.int64()
      else if (field === 2) number = reader.int32()
      else string = reader.string()
      return true
    })
    if (kind === 0) return number
    if (kind === 1) return string
    throw new ProtobufError('PROTOBUF_INVALID_VALUE', 'impossible IntOrString.Type', start)
  },
  write: (writer, value) => {
    const isText = typeof value === 'string'
    writer.string(isText ? value : '')
    writer.tag(3, wireType.bytes)
    writer.int64(isText ? 0 : integer(value ?? 0))
    writer.tag(2, wireType.varint)
    writer.int64(isText ? 1 : 0)
    writer.tag(1, wireType.varint)
  },
  zero: 0,
})

/** JSON inside of a message. `emptyIsNull`: no bytes stand for null. */
function jsonType(name: string, emptyIsNull: boolean): ValueType {
  return messageValue({
    read: (reader) => {
      const start = reader.position
      const raw = readOnly(reader, name, 'Raw', wireType.bytes, () => reader.bytes())
      if (raw === undefined || (emptyIsNull && raw.length === 0)) return null
      try {
        return parseJson(raw)
      } catch (cause) {
        throw new ProtobufError('PROTOBUF_INVALID_VALUE', `Cannot read the JSON in ${name}: ${(cause as Error).message}`, start, { cause })
      }
    },
    write: (writer, value) => {
      if (value === undefined || value === null) return
      writer.string(stringifyJson(value))
      writer.tag(1, wireType.bytes)
    },
    zero: null,
  })
}

/** Types whose JSON form is not that of their message. */
export const specialTypes: Readonly<Record<string, ValueType>> = {
  Time: /* @__PURE__ */ timeType(false),
  MicroTime: /* @__PURE__ */ timeType(true),
  Duration: duration,
  Quantity: quantity,
  IntOrString: intOrString,
  object: /* @__PURE__ */ jsonType('RawExtension', false),
  FieldsV1: /* @__PURE__ */ jsonType('FieldsV1', false),
  any: /* @__PURE__ */ jsonType('JSON', true),
}
