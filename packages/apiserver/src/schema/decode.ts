import { scalarDecoder } from './decode-scalar.js'
import { DecodeState } from './decode-state.js'
import { type DefinitionField, type DefinitionLookup, goTypeName, parseField, structName } from './definition.js'
import { embeddedPath } from './embedded-structs.js'
import { isJsonObject, type JsonObject, setOwn } from './structural-schema.js'

/** Reads a value; the same reference when nothing had to change. */
type Decoder = (value: unknown, state: DecodeState) => unknown

/**
 * Reads a field that Go reads with code of its own. `decode` reads a value of a definition in a context of its own: unknown fields in it
 * are dropped without a word, and messages name fields from there.
 */
export type SpecialDecoder = (value: unknown, state: DecodeState, decode: (definitionName: string, value: unknown) => unknown) => unknown

/** What `decode` returns. */
export interface DecodeResult {
  /** The value without unknown fields and nulls, and unless they are kept without empty optional lists and maps; the same reference when nothing had to change. */
  readonly value: unknown
  /** Paths of fields that the definition does not have, in the order of the document, at most 100. */
  readonly unknownFields: readonly string[]
}

/**
 * Reads plain JSON as the real server decodes it into the Go struct of a definition. Compiled once per definition, at its first use.
 */
export class DefinitionDecoder {
  readonly #lookup: DefinitionLookup
  readonly #special: Readonly<Record<string, SpecialDecoder>>
  readonly #keepsEmpty: boolean
  readonly #decoders = new Map<string, Decoder>()

  /** `special`: decoders of field types that are neither scalars nor definitions; `keepsEmpty`: optional lists and maps stay though they are empty. */
  constructor(lookup: DefinitionLookup, special: Readonly<Record<string, SpecialDecoder>> = {}, keepsEmpty = false) {
    this.#lookup = lookup
    this.#special = special
    this.#keepsEmpty = keepsEmpty
  }

  /**
   * Decodes a value of a definition. `state`: a fresh one, of the words that refusals are to have.
   *
   * @throws {DecodeError} with the real server's text when a value has the wrong type.
   */
  decode(definitionName: string, value: unknown, state = new DecodeState()): DecodeResult {
    const decoded = this.#decoderOf(definitionName)(value, state)
    state.throwIfFailed()
    return { value: decoded, unknownFields: state.unknownFields }
  }

  #decoderOf(definitionName: string): Decoder {
    let decoder = this.#decoders.get(definitionName)
    if (decoder === undefined) {
      const special = Object.hasOwn(this.#special, definitionName) ? this.#special[definitionName] : undefined
      const table = this.#lookup(definitionName)
      if (special !== undefined) decoder = (value, state) => special(value, state, (name, inner) => this.decode(name, inner).value)
      else decoder = table === undefined ? (value) => value : this.#compile(definitionName, table)
      this.#decoders.set(definitionName, decoder)
    }
    return decoder
  }

  #compile(definitionName: string, table: Readonly<Record<string, string>>): Decoder {
    const struct = structName(definitionName)
    const typeName = goTypeName(definitionName)
    const fields = new Map<string, FieldDecoder>()
    for (const [name, text] of Object.entries(table)) {
      const field = parseField(text)
      fields.set(name, {
        stack: embeddedPath(struct, name),
        decode: this.#lazyField(field),
        dropsEmpty: !this.#keepsEmpty && field.container !== '' && !field.isRequired,
        dropsZero: field.omitsZero === true || isOptionalBytes(field),
      })
    }
    return (value, state) => {
      if (!isJsonObject(value)) return state.mismatch(value, typeName)
      return decodeMembers(value, fields, struct, state)
    }
  }

  // The decoder of a field is compiled at the first value: most fields of most objects are absent.
  #lazyField(field: DefinitionField): Decoder {
    let decoder: Decoder | undefined
    return (value, state) => {
      decoder ??= this.#compileField(field)
      return decoder(value, state)
    }
  }

  #compileField(field: DefinitionField): Decoder {
    const scalar = scalarDecoder(field.type, field.goType)
    const isStruct = scalar === undefined
    const single: Decoder = scalar?.decode ?? ((value, state) => this.#decoderOf(field.type)(value, state))
    const singleType = field.goType ?? scalar?.goType ?? goTypeName(field.type)
    const zero: unknown = isStruct ? {} : scalar.zero
    let decoder = single
    let goType = singleType
    const containers = [field.innerContainer, field.container].filter((container) => container !== '')
    for (const [index, container] of containers.entries()) {
      const missing = index === 0 ? zero : null
      if (container === 'array') goType = field.goList ?? `[]${goType}`
      else goType = field.goMap ?? `map[${field.goKey ?? 'string'}]${goType}`
      decoder = container === 'array' ? arrayDecoder(decoder, goType, missing) : mapDecoder(decoder, goType, missing)
    }
    return decoder
  }
}

interface FieldDecoder {
  readonly stack: string
  readonly decode: Decoder
  readonly dropsEmpty: boolean
  readonly dropsZero: boolean
}

function decodeMembers(value: JsonObject, fields: ReadonlyMap<string, FieldDecoder>, struct: string, state: DecodeState): unknown {
  let changed: Record<string, unknown> | undefined
  const drop = (name: string): void => {
    changed ??= { ...value }
    delete changed[name]
  }
  const outer = state.enterStruct(struct)
  for (const name of state.isInStructOrder ? inStructOrder(value, fields) : Object.keys(value)) {
    const field = fields.get(name)
    const current = value[name]
    if (field === undefined) {
      state.unknownField(name)
      drop(name)
      continue
    }
    if (current === null || current === undefined) {
      drop(name)
      continue
    }
    state.enterField(name, field.stack)
    const next = field.decode(current, state)
    state.leaveField()
    state.restoreStruct(struct)
    if ((field.dropsEmpty && isEmptyContainer(next)) || (field.dropsZero && isZero(next))) drop(name)
    else if (next !== current) {
      changed ??= { ...value }
      setOwn(changed, name, next)
    }
  }
  state.restoreStruct(outer)
  return changed ?? value
}

function inStructOrder(value: JsonObject, fields: ReadonlyMap<string, FieldDecoder>): readonly string[] {
  return [...[...fields.keys()].filter((name) => Object.hasOwn(value, name)), ...Object.keys(value).filter((name) => !fields.has(name))]
}

/** Bytes are a list to Go, which leaves out an empty one. */
function isOptionalBytes({ type, container, isNull }: DefinitionField): boolean {
  return type === 'bytes' && container === '' && isNull !== true
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false || value === 0n
}

function isEmptyContainer(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
}

function arrayDecoder(decodeItem: Decoder, goType: string, zero: unknown): Decoder {
  return (value, state) => {
    if (!Array.isArray(value)) return state.mismatch(value, goType)
    let changed: unknown[] | undefined
    for (const [index, item] of value.entries()) {
      state.enterItem(index)
      const next = item === null ? zero : decodeItem(item, state)
      state.leaveItem()
      if (next !== item) {
        changed ??= [...value]
        changed[index] = next
      }
    }
    return changed ?? value
  }
}

function mapDecoder(decodeValue: Decoder, goType: string, zero: unknown): Decoder {
  return (value, state) => {
    if (!isJsonObject(value)) return state.mismatch(value, goType)
    let changed: Record<string, unknown> | undefined
    for (const key of Object.keys(value)) {
      const current = value[key]
      state.enterKey(key)
      const next = current === null ? zero : decodeValue(current, state)
      state.leaveItem()
      if (next !== current) {
        changed ??= { ...value }
        setOwn(changed, key, next)
      }
    }
    return changed ?? value
  }
}
