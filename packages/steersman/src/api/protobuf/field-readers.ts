import type { MessageField } from './message-field.js'
import { wireType } from './wire.js'
import type { WireReader } from './wire-reader.js'

/** Reads one field into its slot. */
export interface FieldReader {
  readonly wireType: number
  readonly goName: string
  read(reader: WireReader, slots: unknown[]): void
  /** Reads several values in one, as protobuf may write numbers. */
  readonly readPacked?: (reader: WireReader, slots: unknown[]) => void
}

/** The readers of a message, by number of the field. */
export interface ReaderNode {
  readonly messageName: string
  readonly readers: (FieldReader | undefined)[]
}

/** The readers of all fields; slots are in the order of `fields`. */
export function fieldReaders(messageName: string, fields: readonly MessageField[]): ReaderNode {
  const root: ReaderNode = { messageName: structName(messageName), readers: [] }
  const nested = new Map<string, ReaderNode>()
  for (const [slot, field] of fields.entries()) {
    let node = root
    let key = ''
    for (const { number } of field.path.slice(0, -1)) {
      key += `${number}.`
      let inner = nested.get(key)
      if (inner === undefined) {
        inner = { messageName: root.messageName, readers: [] }
        nested.set(key, inner)
        node.readers[number] = inlinedReader(inner)
      }
      node = inner
    }
    node.readers[field.path.at(-1)?.number ?? 0] = fieldReader(field, slot)
  }
  return root
}

/** Reads fields up to the limit of the reader. */
export function readFields(reader: WireReader, { messageName, readers }: ReaderNode, slots: unknown[]): void {
  while (reader.hasMore) {
    const number = reader.fieldNumber(messageName)
    const field = number < readers.length ? readers[number] : undefined
    if (field === undefined) reader.skip()
    else if (field.wireType === reader.wireType) field.read(reader, slots)
    else if (field.readPacked !== undefined && reader.wireType === wireType.bytes) field.readPacked(reader, slots)
    else reader.requireWireType(field.wireType, field.goName)
  }
}

/** A message whose fields JSON shows among those of the outer one. */
function inlinedReader(node: ReaderNode): FieldReader {
  const read = (reader: WireReader, slots: unknown[]): void => {
    const outer = reader.enter()
    readFields(reader, node, slots)
    reader.leave(outer)
  }
  return { wireType: wireType.bytes, goName: node.messageName, read }
}

function fieldReader(field: MessageField, slot: number): FieldReader {
  const { valueType, goName, container } = field
  if (container === 'map') return { wireType: wireType.bytes, goName, read: mapReader(field, slot) }
  if (container === 'array') return arrayReader(field, slot)
  return {
    wireType: valueType.wireType,
    goName,
    read: (reader, slots) => {
      slots[slot] = valueType.read(reader, slots[slot])
    },
  }
}

function arrayReader({ valueType, goName }: MessageField, slot: number): FieldReader {
  const read = (reader: WireReader, slots: unknown[]): void => {
    const value = valueType.read(reader)
    const list = slots[slot] as unknown[] | undefined
    if (list === undefined) slots[slot] = [value]
    else list.push(value)
  }
  if (valueType.wireType === wireType.bytes) return { wireType: wireType.bytes, goName, read }
  const readPacked = (reader: WireReader, slots: unknown[]): void => {
    const outer = reader.enter()
    while (reader.hasMore) read(reader, slots)
    reader.leave(outer)
  }
  return { wireType: valueType.wireType, goName, read, readPacked }
}

function mapReader({ valueType, goName }: MessageField, slot: number): FieldReader['read'] {
  return (reader, slots) => {
    const outer = reader.enter()
    let key = ''
    let value: unknown
    while (reader.hasMore) {
      const number = reader.fieldNumber(goName)
      if (number === 1) {
        reader.requireWireType(wireType.bytes, goName)
        key = reader.string()
      } else if (number === 2) {
        reader.requireWireType(valueType.wireType, goName)
        value = valueType.read(reader)
      } else reader.skip()
    }
    reader.leave(outer)
    slots[slot] ??= {}
    setMember(slots[slot] as Record<string, unknown>, key, value === undefined ? valueType.zero() : value)
  }
}

function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  // Plain assignment would set the prototype.
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

function structName(definitionName: string): string {
  return definitionName.slice(definitionName.lastIndexOf('.') + 1)
}
