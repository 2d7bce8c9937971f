import { goQuote } from 'steersman/api'
import { rootDefinitions, tables } from './builtin/index.generated.js'
import type { BuiltinProtobuf } from './builtin-protobuf.js'
import { fieldSchema, scalarDefinitions } from './builtin-schema.js'
import { DefinitionCompleter } from './complete.js'
import { ConvertState } from './convert-state.js'
import { DefinitionDecoder, type SpecialDecoder } from './decode.js'
import { type DefinitionTable, parseField } from './definition.js'
import { objectMetaTables } from './object-meta.js'
import { type StrategicMergeResult, strategicMerge } from './strategic-merge.js'
import { isJsonObject, type StructuralSchema } from './structural-schema.js'

/** Name of a table of built-in definitions: `core/v1`. */
export type BuiltinTableName = keyof typeof tables

/** How a built-in object is decoded. */
export interface DecodeBuiltinOptions {
  /** Receives `unknown field "spec.foo"` for every field that the kind does not have, in the order of the document, at most 100. */
  readonly strictErrors?: string[]
  /** The value is what a strategic merge made: refusals of values have other words. @default false */
  readonly isMerged?: boolean
}

const schemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'

/** Fields that Go reads as one of two shapes, which the tables cannot say. */
const specialDecoders: Readonly<Record<string, SpecialDecoder>> = {
  JSONSchemaPropsOrBool: (value, state, decode) => {
    if (typeof value === 'boolean') return value
    return isJsonObject(value) ? decode(schemaProps, value) : state.abort('boolean or JSON schema expected')
  },
  JSONSchemaPropsOrArray: (value, state, decode) => {
    // A list of schemas is read, and refused by validation.
    if (Array.isArray(value)) return value.map((item) => decode(schemaProps, item))
    return isJsonObject(value) ? decode(schemaProps, value) : state.abort('JSON schema or array expected')
  },
}
const specialFields: Readonly<Record<string, DefinitionTable>> = {
  [schemaProps]: {
    items: 'JSONSchemaPropsOrArray',
    additionalProperties: 'JSONSchemaPropsOrBool',
    additionalItems: 'JSONSchemaPropsOrBool',
  },
}

/** Types in protobuf that the tables call `any`. */
const protobufTypes: Readonly<Record<string, string>> = {
  items: 'JSONSchemaPropsOrArray',
  additionalProperties: 'JSONSchemaPropsOrBool',
  additionalItems: 'JSONSchemaPropsOrBool',
  dependencies: 'JSONSchemaPropsOrStringArray',
}

/** A kind that no resource has: the body of a subresource, which the generated tables leave out. */
const scaleKind = 'autoscaling/v1/Scale'
const scaleDefinition = 'io.k8s.api.autoscaling.v1.Scale'
const scaleTables: Readonly<Record<string, DefinitionTable>> = {
  [scaleDefinition]: {
    kind: 'string',
    apiVersion: 'string',
    metadata: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    spec: 'io.k8s.api.autoscaling.v1.ScaleSpec',
    status: 'io.k8s.api.autoscaling.v1.ScaleStatus',
  },
  'io.k8s.api.autoscaling.v1.ScaleSpec': { replicas: 'int32' },
  'io.k8s.api.autoscaling.v1.ScaleStatus': { replicas: 'int32!', selector: 'string' },
}

/** A kind whose objects a definition describes. */
export interface DefinedKind {
  readonly group: string
  readonly kind: string
  readonly version: string
}

/** The schemas of built-in kinds, from the generated tables. Everything is expanded at first use. */
export class BuiltinSchemas {
  readonly #generated: Readonly<Record<string, DefinitionTable>>
  readonly #tables: ReadonlyMap<string, DefinitionTable>
  readonly #decoder: DefinitionDecoder
  readonly #completer: DefinitionCompleter
  readonly #schemas = new Map<string, StructuralSchema>()
  #kinds: ReadonlyMap<string, readonly DefinedKind[]> | undefined
  #protobuf: Promise<BuiltinProtobuf> | undefined

  /** `tables`: definition name to fields. ObjectMeta and what it holds need not be among them. */
  constructor(tables: Readonly<Record<string, DefinitionTable>>) {
    this.#generated = tables
    this.#tables = new Map(Object.entries({ ...tables, ...scaleTables, ...objectMetaTables }))
    this.#decoder = new DefinitionDecoder((name) => this.#decodeTable(name), specialDecoders, true)
    this.#completer = new DefinitionCompleter((name) => this.#tables.get(name))
  }

  /** Names of all definitions, in no particular order. */
  get definitionNames(): readonly string[] {
    return [...this.#tables.keys()]
  }

  /** The definition of a built-in kind: `io.k8s.api.apps.v1.Deployment` for `apps/v1` and `Deployment`. */
  definitionName(apiVersion: string, kind: string): string | undefined {
    const key = `${apiVersion}/${kind}`
    if (key === scaleKind) return scaleDefinition
    return Object.hasOwn(rootDefinitions, key) ? rootDefinitions[key]?.[0] : undefined
  }

  /** The kinds whose objects a definition describes; none for one that is only a part of others. */
  kindsOf(definitionName: string): readonly DefinedKind[] {
    this.#kinds ??= kindsByDefinition()
    return this.#kinds.get(definitionName) ?? []
  }

  /**
   * Reads an object of a built-in definition as the real server does: unknown fields and nulls are dropped, times are normalised.
   * Empty lists and maps stay, as rules tell them from none, until {@link complete} drops what storage does not keep. Returns the same reference when nothing changed. A definition that is not known changes nothing.
   *
   * @throws {DecodeError} with the real server's text, without `Pod in version "v1" cannot be handled as a Pod: `, for a wrong type.
   */
  decode(definitionName: string, value: unknown, options: DecodeBuiltinOptions = {}): unknown {
    const result = this.#decoder.decode(definitionName, value, options.isMerged ? new ConvertState() : undefined)
    options.strictErrors?.push(...result.unknownFields.map((field) => `unknown field ${goQuote(field)}`))
    return result.value
  }

  /** Writes out, in place, what Go writes for fields that hold nothing: `null`, `{}`, `""`, `0`, `false`. A definition that is not known changes nothing. */
  complete(definitionName: string, draft: Record<string, unknown>): void {
    this.#completer.complete(definitionName, draft)
  }

  /**
   * Merges a strategic merge patch into an object of a built-in definition.
   *
   * @throws {StrategicMergeError} when the patch cannot be applied.
   */
  strategicMerge(
    definitionName: string,
    current: Readonly<Record<string, unknown>>,
    patch: Readonly<Record<string, unknown>>,
  ): StrategicMergeResult {
    return strategicMerge((name) => this.#tables.get(name), definitionName, current, patch)
  }

  /** Reads and writes objects as protobuf. Loaded at the first call. */
  protobuf(): Promise<BuiltinProtobuf> {
    this.#protobuf ??= import('./builtin-protobuf.js').then(({ BuiltinProtobuf }) => {
      return new BuiltinProtobuf(
        (name) => this.#protobufTable(name),
        (apiVersion, kind) => this.definitionName(apiVersion, kind),
      )
    })
    return this.#protobuf
  }

  /** The structural schema of a definition; other definitions appear as `$ref` with their names. */
  schemaOf(definitionName: string): StructuralSchema | undefined {
    const known = this.#schemas.get(definitionName)
    if (known !== undefined) return known
    const table = this.#tables.get(definitionName)
    const schema = table === undefined ? scalarDefinitions[definitionName] : this.#expand(table)
    if (schema !== undefined) this.#schemas.set(definitionName, schema)
    return schema
  }

  #expand(table: DefinitionTable): StructuralSchema {
    const properties: Record<string, StructuralSchema> = {}
    const required: string[] = []
    for (const [name, text] of Object.entries(table)) {
      const field = parseField(text)
      properties[name] = fieldSchema(field)
      if (field.isRequired) required.push(name)
    }
    return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
  }

  #protobufTable(name: string): DefinitionTable | undefined {
    const table = Object.hasOwn(this.#generated, name) ? this.#generated[name] : undefined
    if (table === undefined || name !== schemaProps) return table
    const special = ([field, text]: readonly [string, string]): [string, string] => [
      field,
      text.replace(/\bany\b/, protobufTypes[field] ?? 'any'),
    ]
    return Object.fromEntries(Object.entries(table).map(special))
  }

  #decodeTable(name: string): DefinitionTable | undefined {
    const table = this.#tables.get(name)
    const special = specialFields[name]
    return table === undefined || special === undefined ? table : { ...table, ...special }
  }
}

function kindsByDefinition(): ReadonlyMap<string, readonly DefinedKind[]> {
  const kinds = new Map<string, DefinedKind[]>()
  for (const [key, [name]] of Object.entries(rootDefinitions)) {
    const [kind = '', version = '', group = ''] = key.split('/').reverse()
    kinds.set(name, [...(kinds.get(name) ?? []), { group, kind, version }])
  }
  return kinds
}

/** Loads the tables of built-in kinds; all of them, or those that are named. */
export async function loadBuiltinSchemas(
  names: readonly BuiltinTableName[] = Object.keys(tables) as BuiltinTableName[],
): Promise<BuiltinSchemas> {
  const modules = await Promise.all(names.map((name) => tables[name]()))
  return new BuiltinSchemas(Object.assign({}, ...modules.map((module) => module.table)) as Record<string, DefinitionTable>)
}

/** What the real server says before the reason why a body cannot be decoded: `Pod in version "v1" cannot be handled as a Pod: …`. */
export function cannotBeHandled(kind: string, version: string, reason: string): string {
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${reason}`
}
