import { stringifyJson } from '../json/index.js'
import { type FieldFacts, fieldFacts, goFieldName, type ProtobufTable } from './field-facts.js'
import { fieldReaders, type ReaderNode, readFields } from './field-readers.js'
import { type FieldWriter, fieldWriters } from './field-writers.js'
import type { MessageField } from './message-field.js'
import { unencodable } from './protobuf-error.js'
import { schemaOrArray, schemaOrBoolean, schemaOrStrings } from './schema-types.js'
import { specialTypes } from './special-types.js'
import { describe, scalarTypes, type ValueType } from './value-type.js'
import { wireType } from './wire.js'
import type { WireReader } from './wire-reader.js'
import type { WireWriter } from './wire-writer.js'
import { WrappedList } from './wrapped-list.js'

/** The type of a definition: a message on the wire, a plain object in JSON. Compiled at the first value. */
export class MessageType implements ValueType {
  readonly wireType = wireType.bytes
  readonly #name: string
  readonly #table: ProtobufTable
  readonly #typeOf: (name: string) => ValueType
  #compiled: Compiled | undefined

  /** `typeOf` finds the type of another definition. */
  constructor(name: string, table: ProtobufTable, typeOf: (name: string) => ValueType) {
    this.#name = name
    this.#table = table
    this.#typeOf = typeOf
  }

  read(reader: WireReader, previous?: unknown): unknown {
    const outer = reader.enter()
    const value = this.readAll(reader, previous as Readonly<Record<string, unknown>> | undefined)
    reader.leave(outer)
    return value
  }

  /** Reads a message that goes up to the limit of the reader; `start`: the object to begin with. */
  readAll(reader: WireReader, previous?: Readonly<Record<string, unknown>>, start: Record<string, unknown> = {}): Record<string, unknown> {
    const { fields, node } = this.#compile()
    const slots: unknown[] = new Array(fields.length)
    if (previous !== undefined) for (const [index, field] of fields.entries()) slots[index] = previous[field.name] ?? undefined
    reader.descend()
    readFields(reader, node, slots)
    reader.ascend()
    return build(fields, slots, start)
  }

  write(writer: WireWriter, value: unknown): void {
    const before = writer.length
    this.writeAll(writer, value ?? {})
    writer.lengthSince(before)
  }

  /** Writes a message without its length. */
  writeAll(writer: WireWriter, value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unencodable(describe(value), 'an object')
    const { writers } = this.#compile()
    writer.descend()
    for (const write of writers) write(writer, value as Readonly<Record<string, unknown>>)
    writer.ascend()
  }

  zero(): unknown {
    return build(this.#compile().fields, [], {})
  }

  isZero(value: unknown): boolean {
    return stringifyJson(value) === stringifyJson(this.zero())
  }

  #compile(): Compiled {
    this.#compiled ??= this.#compileTable()
    return this.#compiled
  }

  #compileTable(): Compiled {
    const fields: MessageField[] = []
    for (const [name, text] of Object.entries(this.#table)) {
      const facts = fieldFacts(name, text)
      if (facts !== undefined) fields.push(this.#field(facts))
    }
    return { fields, node: fieldReaders(this.#name, fields), writers: fieldWriters(fields) }
  }

  #field(facts: FieldFacts): MessageField {
    const type = this.#valueType(facts.type)
    const valueType = facts.isWrapped ? new WrappedList(type) : type
    const isContainer = facts.container !== ''
    // The wire tells an empty one from none.
    const isList = facts.isWrapped || facts.type === 'bytes'
    const isOptional = isContainer || isList || facts.path.at(-1)?.isPointer === true
    const isNullWhenZero = !isOptional && Object.hasOwn(specialTypes, facts.type) && valueType.zero() === null
    let absent: MessageField['absent']
    if (isOptional || isNullWhenZero) absent = facts.showsNull ? () => null : undefined
    else absent = facts.omitsZero ? undefined : () => valueType.zero()
    const dropsZero = !isContainer && (isList || isNullWhenZero ? !facts.showsNull : !isOptional && facts.omitsZero)
    return { ...facts, valueType, goName: goFieldName(facts), isOptional, absent, dropsZero }
  }

  #valueType(type: string): ValueType {
    if (Object.hasOwn(scalarTypes, type)) return scalarTypes[type] as ValueType
    if (Object.hasOwn(specialTypes, type)) return specialTypes[type] as ValueType
    if (type === 'JSONSchemaPropsOrBool') return schemaOrBoolean(this)
    if (type === 'JSONSchemaPropsOrArray') return schemaOrArray(this)
    if (type === 'JSONSchemaPropsOrStringArray') return schemaOrStrings(this, scalarTypes.string as ValueType)
    return this.#typeOf(type)
  }
}

interface Compiled {
  /** In the order of JSON. */
  readonly fields: readonly MessageField[]
  readonly node: ReaderNode
  /** In the order of writing, from the last number to the first. */
  readonly writers: readonly FieldWriter[]
}

function build(fields: readonly MessageField[], slots: readonly unknown[], object: Record<string, unknown>): Record<string, unknown> {
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as MessageField
    const value = slots[index]
    if (value === undefined) {
      if (field.absent !== undefined) object[field.name] = field.absent()
    } else if (!field.dropsZero || !field.valueType.isZero(value)) object[field.name] = value
  }
  return object
}
