import { unencodable } from './protobuf-error.js'
import { readMessage } from './special-types.js'
import { describe, type ValueType } from './value-type.js'
import { wireType } from './wire.js'
import type { WireReader } from './wire-reader.js'
import type { WireWriter } from './wire-writer.js'

/** A list that is a message of its own, whose field 1 are the items. */
export class WrappedList implements ValueType {
  readonly wireType = wireType.bytes
  readonly #items: ValueType

  constructor(items: ValueType) {
    this.#items = items
  }

  read(reader: WireReader, previous?: unknown): unknown {
    const list: unknown[] = Array.isArray(previous) ? previous : []
    readMessage(reader, 'Items', (number) => {
      if (number !== 1) return false
      reader.requireWireType(this.#items.wireType, 'Items')
      list.push(this.#items.read(reader))
      return true
    })
    return list
  }

  write(writer: WireWriter, value: unknown): void {
    const list = value ?? []
    if (!Array.isArray(list)) throw unencodable(describe(list), 'a list')
    const before = writer.length
    for (let index = list.length - 1; index >= 0; index--) {
      this.#items.write(writer, list[index])
      writer.tag(1, this.#items.wireType)
    }
    writer.lengthSince(before)
  }

  zero(): unknown {
    return []
  }

  isZero(value: unknown): boolean {
    return Array.isArray(value) && value.length === 0
  }
}
