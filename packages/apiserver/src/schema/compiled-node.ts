import { compileCoercer } from './coerce.js'
import { compileCollector } from './collect.js'
import { compileDefaulter } from './defaults.js'
import { compileListTypeCheck } from './list-types.js'
import { compilePruner } from './prune.js'
import type { Coercer, Collector, ListTypeCheck, Pruner, SchemaNode } from './schema-node.js'
import type { StructuralSchema } from './structural-schema.js'
import { compileCheck } from './validity.js'

/** What the closures of one compiled schema share. */
export interface NodeContext {
  /** The schema behind a `$ref`; built-in kinds only. */
  readonly resolve?: (name: string) => StructuralSchema | undefined
  /** One node per definition. */
  readonly referenced: Map<string, CompiledNode>
}

/** A schema node whose closures replace themselves by the compiled ones at their first call. */
export class CompiledNode implements SchemaNode {
  readonly schema: StructuralSchema
  readonly context: NodeContext
  readonly isEmbeddedResource: boolean
  readonly refusesNull: boolean
  readonly hasDefault: boolean
  #properties: ReadonlyMap<string, SchemaNode> | undefined
  #sortedProperties: readonly (readonly [string, SchemaNode])[] | undefined
  #items: SchemaNode | undefined
  #additional: SchemaNode | undefined

  constructor(schema: StructuralSchema, context: NodeContext, isEmbeddedResource = schema['x-kubernetes-embedded-resource'] === true) {
    this.schema = schema
    this.context = context
    this.isEmbeddedResource = isEmbeddedResource
    this.refusesNull = schema.nullable !== true
    this.hasDefault = schema.default !== undefined && schema.default !== null
  }

  prune: Pruner = (value, tracker) => {
    this.prune = compilePruner(this)
    return this.prune(value, tracker)
  }

  coerce: Coercer = (value, path, unknownFields) => {
    this.coerce = compileCoercer(this)
    return this.coerce(value, path, unknownFields)
  }

  applyDefaults: (value: unknown) => unknown = (value) => {
    this.applyDefaults = compileDefaulter(this)
    return this.applyDefaults(value)
  }

  isValid: (value: unknown) => boolean = (value) => {
    this.isValid = compileCheck(this)
    return this.isValid(value)
  }

  collect: Collector = (value, path, correlation) => {
    this.collect = compileCollector(this)
    return this.collect(value, path, correlation)
  }

  checkListTypes: ListTypeCheck = (value, path, errors) => {
    this.checkListTypes = compileListTypeCheck(this)
    this.checkListTypes(value, path, errors)
  }

  get properties(): ReadonlyMap<string, SchemaNode> {
    this.#properties ??= new Map(Object.entries(this.schema.properties ?? {}).map(([name, schema]) => [name, nodeOf(schema, this.context)]))
    return this.#properties
  }

  get sortedProperties(): readonly (readonly [string, SchemaNode])[] {
    this.#sortedProperties ??= [...this.properties].sort(([left], [right]) => (left < right ? -1 : 1))
    return this.#sortedProperties
  }

  get items(): SchemaNode | undefined {
    if (this.schema.items !== undefined) this.#items ??= nodeOf(this.schema.items, this.context)
    return this.#items
  }

  get additional(): SchemaNode | undefined {
    const { additionalProperties } = this.schema
    if (typeof additionalProperties === 'object') this.#additional ??= nodeOf(additionalProperties, this.context)
    return this.#additional
  }

  member(name: string): SchemaNode | undefined {
    return this.properties.get(name) ?? this.additional
  }

  get not(): SchemaNode | undefined {
    return this.schema.not === undefined ? undefined : nodeOf(this.schema.not, this.context)
  }

  alternatives(keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly SchemaNode[] {
    return (this.schema[keyword] ?? []).map((schema) => nodeOf(schema, this.context))
  }
}

/** The node of a schema; references lead to one node per definition, so recursive definitions are finite. */
export function nodeOf(schema: StructuralSchema, context: NodeContext): CompiledNode {
  const name = schema.$ref
  if (name === undefined) return new CompiledNode(schema, context)
  const known = context.referenced.get(name)
  if (known !== undefined) return known
  const node = new CompiledNode(context.resolve?.(name) ?? { 'x-kubernetes-preserve-unknown-fields': true }, context)
  context.referenced.set(name, node)
  return node
}
