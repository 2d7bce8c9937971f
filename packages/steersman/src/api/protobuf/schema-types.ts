import { messageValue, readMessage } from './special-types.js'
import type { ValueType } from './value-type.js'
import { wireType } from './wire.js'

/** A JSON schema, or whether anything is allowed. */
export function schemaOrBoolean(schemaType: ValueType): ValueType {
  return messageValue({
    read: (reader) => {
      let allows = false
      let schema: unknown
      readMessage(reader, 'JSONSchemaPropsOrBool', (number) => {
        if (number !== 1 && number !== 2) return false
        reader.requireWireType(number === 1 ? wireType.varint : wireType.bytes, number === 1 ? 'Allows' : 'Schema')
        if (number === 1) allows = reader.boolean()
        else schema = schemaType.read(reader, schema)
        return true
      })
      return schema ?? allows
    },
    write: (writer, value) => {
      if (typeof value === 'object' && value !== null) {
        schemaType.write(writer, value)
        writer.tag(2, wireType.bytes)
      }
      writer.boolean(value !== false && value !== undefined && value !== null)
      writer.tag(1, wireType.varint)
    },
    zero: false,
  })
}

/** A JSON schema, or a list of them. */
export function schemaOrArray(schemaType: ValueType): ValueType {
  return schemaOrList(schemaType, schemaType, 'JSONSchemaPropsOrArray', 'JSONSchemas')
}

/** A JSON schema, or a list of names. */
export function schemaOrStrings(schemaType: ValueType, stringType: ValueType): ValueType {
  return schemaOrList(schemaType, stringType, 'JSONSchemaPropsOrStringArray', 'Property')
}

function schemaOrList(schemaType: ValueType, itemType: ValueType, messageName: string, goItems: string): ValueType {
  return messageValue({
    read: (reader) => {
      const items: unknown[] = []
      let schema: unknown = null
      readMessage(reader, messageName, (number) => {
        if (number !== 1 && number !== 2) return false
        reader.requireWireType(wireType.bytes, number === 1 ? 'Schema' : goItems)
        if (number === 1) schema = schemaType.read(reader, schema ?? undefined)
        else items.push(itemType.read(reader))
        return true
      })
      return items.length > 0 ? items : schema
    },
    write: (writer, value) => {
      if (value === undefined || value === null) return
      if (!Array.isArray(value)) {
        schemaType.write(writer, value)
        writer.tag(1, wireType.bytes)
        return
      }
      for (let index = value.length - 1; index >= 0; index--) {
        itemType.write(writer, value[index])
        writer.tag(2, wireType.bytes)
      }
    },
    zero: null,
  })
}
