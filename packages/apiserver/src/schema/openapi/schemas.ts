import { BuiltinSchemas } from '../builtin.js'
import { isJsonObject, type StructuralSchema } from '../structural-schema.js'
import {
  deleteOptionsDefinition,
  groupDefinition,
  groupListDefinition,
  listMetaDefinition,
  objectMetaDefinition,
  patchDefinition,
  resourceListDefinition,
  statusDefinition,
  versionInfoDefinition,
  versionsDefinition,
  watchEventDefinition,
} from './definition-names.js'
import type { OpenApiKind } from './operation.js'
import type { OpenApiSource } from './source.js'

type Json = Readonly<Record<string, unknown>>

const prefix = '#/components/schemas/'

/** A reference to a definition. */
export function reference(definition: string): { readonly $ref: string } {
  return { $ref: prefix + definition }
}

/** Definitions that no kind refers to, so that the generated tables have none of them. */
const extraSchemas = /* @__PURE__ */ new BuiltinSchemas({
  [watchEventDefinition]: { type: 'string!', object: 'object!' },
  [patchDefinition]: {},
  [versionInfoDefinition]: {
    major: 'string!',
    minor: 'string!',
    emulationMajor: 'string',
    emulationMinor: 'string',
    minCompatibilityMajor: 'string',
    minCompatibilityMinor: 'string',
    gitVersion: 'string!',
    gitCommit: 'string!',
    gitTreeState: 'string!',
    buildDate: 'string!',
    goVersion: 'string!',
    compiler: 'string!',
    platform: 'string!',
  },
})

const discoveryDefinitions = [statusDefinition, versionsDefinition, groupListDefinition, groupDefinition, resourceListDefinition]

/** The schemas of one document in the form of OpenAPI v3: what is added, and everything that it refers to. */
export class OpenApiSchemas {
  readonly #source: OpenApiSource
  readonly #optionVersions: readonly string[]
  readonly #schemas = new Map<string, Json>()

  /** @param optionVersions group versions that the kinds of DeleteOptions and WatchEvent are listed of. */
  constructor(source: OpenApiSource, optionVersions: readonly string[]) {
    this.#source = source
    this.#optionVersions = optionVersions
  }

  /** All schemas, sorted by name. */
  toJSON(): Json {
    return Object.fromEntries([...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1)))
  }

  /** Adds a built-in definition; one that says nothing of its shape stands for anything. */
  add(name: string): void {
    if (this.#schemas.has(name)) return
    const schema = this.#source.schemas.schemaOf(name) ?? extraSchemas.schemaOf(name) ?? {}
    // Set before descending: definitions may be recursive.
    const published: Record<string, unknown> = {}
    this.#schemas.set(name, published)
    Object.assign(published, this.#publish(this.#withReferences(name, schema)))
    this.#complete(name, published)
  }

  /** Adds the kind of a custom resource. `extensions` are of the schema as a whole. */
  addCustom(name: string, schema: StructuralSchema, extensions: Json): void {
    this.add(objectMetaDefinition)
    const published = { ...withMeta(this.#publish(schema)), type: 'object', ...extensions }
    this.#describeFields(published, { metadata: this.#source.descriptions['core/v1/Pod']?.metadata })
    this.#schemas.set(name, published)
  }

  /** Adds the list of a kind. */
  addList(name: string, itemName: string, extensions: Json): void {
    this.add(listMetaDefinition)
    const published: Record<string, unknown> = {
      description: `A list of ${itemName.slice(itemName.lastIndexOf('.') + 1)} objects.`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: reference(itemName) },
        kind: { type: 'string' },
        metadata: { allOf: [reference(listMetaDefinition)] },
      },
      ...extensions,
    }
    this.#addDefaults(name, published)
    this.#describe(name, published)
    this.#schemas.set(name, published)
  }

  /** What is known of a definition as a whole, and the defaults of its fields. */
  #complete(name: string, published: Record<string, unknown>): void {
    this.#describe(name, published)
    const properties = published.properties as Record<string, Json> | undefined
    for (const field of this.#source.facts.bareReferences[name]?.split(' ') ?? []) {
      const [bare] = (properties?.[field]?.allOf ?? []) as readonly Json[]
      if (properties !== undefined && bare !== undefined) properties[field] = bare
    }
    if (properties !== undefined && Object.keys(properties).length === 0) delete published.properties
    const mapType = this.#source.facts.mapTypes[name]
    if (mapType !== undefined) published['x-kubernetes-map-type'] = mapType
    const unions = this.#source.facts.unions[name]
    if (unions !== undefined) published['x-kubernetes-unions'] = unions
    this.#addDefaults(name, published)
    Object.assign(published, kindsExtension(this.#kindsOf(name)))
  }

  /** Adds what is known of a built-in definition and its fields in words. */
  #describe(name: string, published: Record<string, unknown>): void {
    const { '': sentence, ...ofFields } = this.#source.descriptions[name.split('.').slice(-3).join('/')] ?? {}
    if (sentence) published.description = sentence
    this.#describeFields(published, ofFields)
  }

  /** What says the type of an object is the same everywhere. */
  #describeFields(published: Json, sentences: Readonly<Record<string, string | undefined>>): void {
    const properties = (published.properties ?? {}) as Readonly<Record<string, Record<string, unknown>>>
    const { apiVersion, kind } = this.#source.descriptions['meta/v1/Status'] ?? {}
    for (const [field, description] of Object.entries({ apiVersion, kind, ...sentences })) {
      const property = properties[field]
      if (property !== undefined && description !== undefined) property.description = description
    }
  }

  #kindsOf(name: string): readonly OpenApiKind[] {
    const kind = name.slice(name.lastIndexOf('.') + 1)
    if (name === deleteOptionsDefinition || name === watchEventDefinition) {
      return this.#optionVersions.map((groupVersion) => {
        const [version = '', group = ''] = groupVersion.split('/').reverse()
        return { group, kind, version }
      })
    }
    if (discoveryDefinitions.includes(name)) return [{ group: '', kind, version: 'v1' }]
    return this.#source.schemas.kindsOf(name)
  }

  #addDefaults(name: string, published: Json): void {
    const properties = published.properties as Record<string, Record<string, unknown>> | undefined
    if (properties === undefined) return
    for (const text of this.#source.facts.defaults[name]?.split(' ') ?? []) {
      const equals = text.indexOf('=')
      const property = properties[equals < 0 ? text : text.slice(0, equals)]
      if (property !== undefined) property.default = equals < 0 ? zeroOf(property.type) : JSON.parse(text.slice(equals + 1))
    }
  }

  /** Fields that may hold anything refer to a definition that says so. */
  #withReferences(name: string, schema: StructuralSchema): StructuralSchema {
    const references = this.#source.facts.references[name]
    if (references === undefined || schema.properties === undefined) return schema
    const properties = Object.entries(schema.properties).map(([field, property]) => {
      const target = references[field]
      return [field, target === undefined ? property : refer(property, target)] as const
    })
    return { ...schema, properties: Object.fromEntries(properties) }
  }

  /** A schema as OpenAPI v3 states it: references lead into the document, and those of properties are wrapped. */
  #publish(schema: StructuralSchema): Record<string, unknown> {
    // An empty schema means anything; kubectl cannot explain it without a word.
    if (Object.keys(schema).length === 0) return { description: 'Any JSON value.' }
    if (schema.$ref !== undefined && Object.keys(schema).length === 1) {
      this.add(schema.$ref)
      return reference(schema.$ref)
    }
    const published: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) published[keyword] = this.#publishKeyword(keyword, value)
    if (schema['x-kubernetes-embedded-resource'] === true) {
      this.add(objectMetaDefinition)
      const required = new Set([...(schema.required ?? []), 'kind', 'apiVersion'])
      Object.assign(published, withMeta(published), { required: [...required] })
    }
    if (schema['x-kubernetes-int-or-string'] === true && schema.anyOf === undefined && schema.allOf === undefined) {
      published.anyOf = [{ type: 'integer' }, { type: 'string' }]
    }
    if (schema.$ref === undefined) return published
    this.add(schema.$ref)
    const { $ref: _, ...siblings } = published
    return { ...siblings, allOf: [reference(schema.$ref)] }
  }

  #publishKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'items':
      case 'not':
      case 'additionalProperties':
        return isJsonObject(value) ? this.#publish(value) : value
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return Array.isArray(value) ? value.map((one) => this.#publish(one as StructuralSchema)) : value
      case 'properties':
        return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, this.#publishProperty(one)]))
      default:
        return value
    }
  }

  #publishProperty(schema: StructuralSchema): Json {
    const published = this.#publish(schema)
    return published.$ref === undefined ? published : { allOf: [published] }
  }
}

/** The extension that says which kinds a schema describes. */
export function kindsExtension(kinds: readonly OpenApiKind[]): Json {
  return kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }
}

function zeroOf(type: unknown): unknown {
  if (type === 'string') return ''
  if (type === 'boolean') return false
  return type === undefined ? {} : 0
}

/** Puts a reference where a schema says nothing, also inside of lists and maps. */
function refer(schema: StructuralSchema, target: string): StructuralSchema {
  if (schema.items !== undefined) return { ...schema, items: refer(schema.items, target) }
  if (isJsonObject(schema.additionalProperties)) return { ...schema, additionalProperties: refer(schema.additionalProperties, target) }
  return { ...schema, $ref: target }
}

// Every resource has these, whatever its schema says of them.
function withMeta(schema: Json): Record<string, unknown> {
  const properties = { ...(schema.properties as Json | undefined) }
  const metadata = { allOf: [reference(objectMetaDefinition)] }
  return { ...schema, properties: { ...properties, apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata } }
}
