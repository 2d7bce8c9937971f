import { type ProtobufTypeMeta, writeEnvelope } from './envelope.js'
import type { ProtobufTable, ProtobufTableLookup } from './field-facts.js'
import { MessageType } from './message-type.js'
import { WireReader } from './wire-reader.js'
import { WireWriter } from './wire-writer.js'

const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'
const listMetaTable: ProtobufTable = {
  selfLink: 'string;pb=1;omit',
  resourceVersion: 'string;pb=2;omit',
  continue: 'string;pb=3;omit',
  remainingItemCount: 'int64;pb=4?',
}

/**
 * Reads and writes the protobuf messages of Kubernetes' kinds as plain JSON objects, from tables of their definitions.
 *
 * A definition is compiled at its first value. A list needs no table: the definition of `PodList` is made from that of `Pod`.
 *
 * @example
 * ```ts
 * const codec = new ProtobufCodec((name) => (name === 'example.v1.Widget' ? { size: 'int32;pb=1;omit', colour: 'string;pb=2?' } : undefined))
 * codec.decode('example.v1.Widget', codec.encode('example.v1.Widget', { size: 3 })) // { size: 3 }
 * ```
 */
export class ProtobufCodec {
  readonly #lookup: ProtobufTableLookup
  readonly #types = new Map<string, MessageType>()
  readonly #writer = new WireWriter()

  constructor(lookup: ProtobufTableLookup) {
    this.#lookup = lookup
  }

  /** Whether there is a table of the definition, or of the items of the list. */
  knows(definitionName: string): boolean {
    return this.#table(definitionName) !== undefined
  }

  /**
   * The object that Go's JSON shows of a message. Fields that the definition does not have are left out; whole numbers beyond 2^53 are bigint.
   *
   * @param typeMeta kind and version of the object, its first members
   * @throws {ProtobufError} when the bytes are no such message.
   * @throws {TypeError} for a definition without a table.
   */
  decode(definitionName: string, bytes: Uint8Array, typeMeta?: ProtobufTypeMeta): Record<string, unknown> {
    const start = typeMeta === undefined ? {} : { kind: typeMeta.kind, apiVersion: typeMeta.apiVersion }
    return this.#typeOf(definitionName).readAll(new WireReader(bytes), undefined, start)
  }

  /**
   * The message of an object, byte for byte as Go writes it. Members that the definition does not have are left out.
   *
   * @throws {ProtobufError} for a value that the definition cannot hold.
   * @throws {TypeError} for a definition without a table.
   */
  encode(definitionName: string, object: unknown): Uint8Array {
    this.#writer.reset()
    this.#typeOf(definitionName).writeAll(this.#writer, object)
    return this.#writer.finish()
  }

  /** The message of an object in the envelope that tells its kind: what travels over HTTP. Throws as `encode` does. */
  encodeInEnvelope(definitionName: string, typeMeta: ProtobufTypeMeta, object: unknown): Uint8Array {
    this.#writer.reset()
    writeEnvelope(this.#writer, typeMeta, () => this.#typeOf(definitionName).writeAll(this.#writer, object))
    return this.#writer.finish()
  }

  #typeOf(definitionName: string): MessageType {
    let type = this.#types.get(definitionName)
    if (type === undefined) {
      const table = this.#table(definitionName)
      if (table === undefined) throw new TypeError(`Cannot use protobuf for ${definitionName}: there is no table of this definition`)
      type = new MessageType(definitionName, table, (name) => this.#typeOf(name))
      this.#types.set(definitionName, type)
    }
    return type
  }

  #table(definitionName: string): ProtobufTable | undefined {
    const table = this.#lookup(definitionName)
    if (table !== undefined) return table
    if (definitionName === listMeta) return listMetaTable
    const item = definitionName.endsWith('List') ? definitionName.slice(0, -'List'.length) : ''
    return this.#lookup(item) === undefined ? undefined : { metadata: `${listMeta};pb=1`, items: `[]${item};pb=2;null` }
  }
}
