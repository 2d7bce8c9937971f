import {
  decodeProtobufEnvelope,
  encodeProtobufWatchFrame,
  ProtobufCodec,
  ProtobufError,
  type ProtobufTableLookup,
} from 'steersman/api/protobuf'
import type { ObjectProtobuf, ProtobufEnvelope, ProtobufKind, ProtobufWatchEvent } from '../contracts/index.js'
import { DecodeError } from './decode-state.js'
import { metaPackage } from './definition.js'

const metaGroup = 'meta.k8s.io/'

/** Finds the definition of a kind. */
type DefinitionNames = (apiVersion: string, kind: string) => string | undefined

/** Reads and writes objects of built-in kinds as protobuf. Loaded when it is first wanted: most servers never see a message. */
export class BuiltinProtobuf implements ObjectProtobuf {
  readonly codec: ProtobufCodec
  readonly #definitionName: DefinitionNames
  readonly #frames = new WeakMap<object, Uint8Array>()

  constructor(lookup: ProtobufTableLookup, definitionName: DefinitionNames) {
    this.codec = new ProtobufCodec(lookup)
    this.#definitionName = definitionName
  }

  openEnvelope(bytes: Uint8Array): ProtobufEnvelope {
    return decoded(() => decodeProtobufEnvelope(bytes))
  }

  read(kind: ProtobufKind, message: Uint8Array): Readonly<Record<string, unknown>> {
    const definition = this.#definitionOf(kind)
    if (definition === undefined) throw new TypeError(`Cannot read ${kind.apiVersion} ${kind.kind} as protobuf: no table describes it`)
    return decoded(() => this.codec.decode(definition, message, kind))
  }

  write(object: Readonly<Record<string, unknown>>): Uint8Array | undefined {
    const typeMeta = { apiVersion: String(object.apiVersion ?? ''), kind: String(object.kind ?? '') }
    const definition = this.#definitionOf(typeMeta)
    return definition === undefined ? undefined : this.codec.encodeInEnvelope(definition, typeMeta, object)
  }

  writeWatchEvent(event: ProtobufWatchEvent): Uint8Array {
    const known = this.#frames.get(event)
    if (known !== undefined) return known
    const object = this.write(event.object)
    if (object === undefined) throw new TypeError(`Cannot write an event of ${event.object.kind} as protobuf: no table describes it`)
    const frame = encodeProtobufWatchFrame(event.type, object)
    if (Object.isFrozen(event)) this.#frames.set(event, frame)
    return frame
  }

  #definitionOf({ apiVersion, kind }: ProtobufKind): string | undefined {
    const own = this.#definitionName(apiVersion, kind)
    if (own !== undefined) return own
    const item = kind.endsWith('List') ? this.#definitionName(apiVersion, kind.slice(0, -'List'.length)) : undefined
    if (item !== undefined) return `${item}List`
    const isMeta = apiVersion === '' || apiVersion === 'v1' || apiVersion.startsWith(metaGroup)
    return isMeta && this.codec.knows(`${metaPackage}.${kind}`) ? `${metaPackage}.${kind}` : undefined
  }
}

function decoded<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof ProtobufError ? new DecodeError(error.message, { cause: error }) : error
  }
}
