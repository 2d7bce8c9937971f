import { compareCodePoints } from '../go-format.js'
import type { MessageField } from './message-field.js'
import { unencodable } from './protobuf-error.js'
import { describe } from './value-type.js'
import { wireType } from './wire.js'
import type { WireWriter } from './wire-writer.js'

/** Writes one field of an object, tag included. */
export type FieldWriter = (writer: WireWriter, object: Readonly<Record<string, unknown>>) => void

/** The writers of all fields, from the last number to the first. `level`: how many inlined messages are around. */
export function fieldWriters(fields: readonly MessageField[], level = 0): readonly FieldWriter[] {
  const byNumber = new Map<number, MessageField[]>()
  for (const field of fields) {
    const number = field.path[level]?.number ?? 0
    byNumber.set(number, [...(byNumber.get(number) ?? []), field])
  }
  return [...byNumber.entries()]
    .sort(([left], [right]) => right - left)
    .map(([number, group]) => {
      const first = group[0] as MessageField
      return first.path.length === level + 1 ? fieldWriter(first, number) : inlinedWriter(group, level, number)
    })
}

function inlinedWriter(fields: readonly MessageField[], level: number, number: number): FieldWriter {
  const writers = fieldWriters(fields, level + 1)
  const isPointer = fields[0]?.path[level]?.isPointer === true
  return (writer, object) => {
    if (isPointer && !fields.some(({ name }) => isPresent(object[name]))) return
    const before = writer.length
    for (const write of writers) write(writer, object)
    writer.lengthSince(before)
    writer.tag(number, wireType.bytes)
  }
}

function fieldWriter(field: MessageField, number: number): FieldWriter {
  const { name, valueType, isOptional, container } = field
  if (container === 'map') return mapWriter(field, number)
  if (container === 'array') return arrayWriter(field, number)
  return (writer, object) => {
    const value = object[name]
    if (isOptional && !isPresent(value)) return
    valueType.write(writer, value)
    writer.tag(number, valueType.wireType)
  }
}

function arrayWriter({ name, valueType }: MessageField, number: number): FieldWriter {
  return (writer, object) => {
    const list = object[name]
    if (!isPresent(list)) return
    if (!Array.isArray(list)) throw unencodable(`${describe(list)} as ${name}`, 'a list')
    for (let index = list.length - 1; index >= 0; index--) {
      valueType.write(writer, list[index])
      writer.tag(number, valueType.wireType)
    }
  }
}

function mapWriter({ name, valueType, type, isWrapped }: MessageField, number: number): FieldWriter {
  const isNilLeftOut = type === 'bytes' && !isWrapped
  return (writer, object) => {
    const map = object[name]
    if (!isPresent(map)) return
    if (typeof map !== 'object' || Array.isArray(map)) throw unencodable(`${describe(map)} as ${name}`, 'an object')
    const values = map as Readonly<Record<string, unknown>>
    const keys = Object.keys(values).sort(compareCodePoints)
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] as string
      const before = writer.length
      if (!isNilLeftOut || isPresent(values[key])) {
        valueType.write(writer, values[key])
        writer.tag(2, valueType.wireType)
      }
      writer.string(key)
      writer.tag(1, wireType.bytes)
      writer.lengthSince(before)
      writer.tag(number, wireType.bytes)
    }
  }
}

function isPresent(value: unknown): value is NonNullable<unknown> {
  return value !== undefined && value !== null
}
