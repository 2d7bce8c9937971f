import type { FieldError } from 'steersman/api'
import type { StructuralSchema } from './structural-schema.js'
import type { UnknownFieldTracker } from './unknown-fields.js'
import type { ValidationResult } from './validation-result.js'

/**
 * One node of a schema with the closures compiled from it. Each closure is built at its first call: a schema of hundreds of fields costs
 * nothing until objects with those fields arrive, and recursive definitions end.
 */
export interface SchemaNode {
  readonly schema: StructuralSchema
  readonly isEmbeddedResource: boolean
  /** A null here is not a value: it is dropped, or replaced by the default. */
  readonly refusesNull: boolean
  readonly hasDefault: boolean
  readonly properties: ReadonlyMap<string, SchemaNode>
  /** Sorted by name: the real server visits them in random order, ours must be the same in every run. */
  readonly sortedProperties: readonly (readonly [string, SchemaNode])[]
  readonly items: SchemaNode | undefined
  /** The node of values under unspecified names, or undefined when such names are not allowed or their values are of any shape. */
  readonly additional: SchemaNode | undefined
  readonly not: SchemaNode | undefined
  /** The node for the member of an object: its own, or the one of additional properties. */
  member(name: string): SchemaNode | undefined
  /** Nodes of value validations, which apply to the same value. */
  alternatives(keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly SchemaNode[]

  /** Drops what the schema does not specify. Same reference when nothing changed. */
  readonly prune: Pruner
  /** Reads the metadata of embedded resources as the real server does. Same reference when nothing changed. */
  readonly coerce: Coercer
  /** Fills in defaults. Same reference when nothing changed. */
  readonly applyDefaults: (value: unknown) => unknown
  /** Whether a value is valid: the fast half of validation, which makes no messages. */
  readonly isValid: (value: unknown) => boolean
  /** All that is wrong with a value, in the real server's words: the slow half of validation, for values that are not valid. */
  readonly collect: Collector
  /** Appends an error for every repeated item of lists of type set and every repeated key of lists of type map. */
  readonly checkListTypes: ListTypeCheck
}

/** Returns the value without what the schema does not specify; the same reference when nothing was dropped. */
export type Pruner = (value: unknown, tracker: UnknownFieldTracker | undefined) => unknown

/** Returns the value with the metadata of embedded resources read; appends the paths of unknown fields of metadata. */
export type Coercer = (value: unknown, path: string, unknownFields: string[] | undefined) => unknown

/**
 * Collects what is wrong with a value. `path` is how the real server writes it inside messages: empty at the root. With a correlation
 * to the old value, errors of an unchanged value are dropped (ratcheting).
 */
export type Collector = (value: unknown, path: string, correlation: Correlation | undefined) => ValidationResult

export type ListTypeCheck = (value: unknown, path: string, errors: FieldError[]) => void

/** A new value beside the old one that it replaces. */
export interface Correlation {
  /** The correlation of a member, if both values have it and the schema knows it. */
  member(name: string): Correlation | undefined
  /** The correlation of an item of a list of type map with the old item of the same keys, if there is one. */
  item(index: number): Correlation | undefined
  /** Whether the value equals the old one; lists of type map are equal in any order. */
  isUnchanged(): boolean
}

/** Whether a node or any structural node below it satisfies a condition. Each referenced definition is looked at once. */
export function anyNode(node: SchemaNode, condition: (node: SchemaNode) => boolean, seen = new Set<SchemaNode>()): boolean {
  if (seen.has(node)) return false
  seen.add(node)
  if (condition(node)) return true
  for (const child of node.properties.values()) if (anyNode(child, condition, seen)) return true
  const { items, additional } = node
  return (items !== undefined && anyNode(items, condition, seen)) || (additional !== undefined && anyNode(additional, condition, seen))
}
