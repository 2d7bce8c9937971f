import type { Pruner, SchemaNode } from './schema-node.js'
import { isJsonObject, type JsonObject, setOwn } from './structural-schema.js'
import type { UnknownFieldTracker } from './unknown-fields.js'

/** Whether a field belongs to type or object metadata, which a schema never prunes in a resource. */
export function isMetaField(name: string): boolean {
  return name === 'apiVersion' || name === 'kind' || name === 'metadata'
}

/** Compiles the pruner of a node. Nulls that are neither nullable nor defaulted go in the same walk; they are not unknown fields. */
export function compilePruner(node: SchemaNode, keepsMeta = node.isEmbeddedResource): Pruner {
  const preserves = node.schema['x-kubernetes-preserve-unknown-fields'] === true
  const { properties, additional } = node
  const allowsAdditional = node.schema.additionalProperties !== undefined && node.schema.additionalProperties !== false
  const pruneItems = compileItemsPruner(node, preserves)

  const pruneObject = (value: JsonObject, tracker: UnknownFieldTracker | undefined): unknown => {
    let changed: Record<string, unknown> | undefined
    for (const name of Object.keys(value)) {
      const current = value[name]
      const isMeta = keepsMeta && isMetaField(name)
      const child = properties.get(name) ?? additional
      if (current === null && child !== undefined && child.refusesNull && !child.hasDefault) {
        changed ??= { ...value }
        delete changed[name]
        continue
      }
      if (isMeta) continue
      if (child === undefined && !allowsAdditional) {
        if (preserves) continue
        if (!isMetaField(name) || tracker?.isAtRoot === false) tracker?.record(name)
        changed ??= { ...value }
        delete changed[name]
        continue
      }
      tracker?.enterField(name)
      const pruned = child === undefined ? pruneUnspecified(current, tracker) : child.prune(current, tracker)
      tracker?.leave()
      if (pruned !== current) {
        changed ??= { ...value }
        setOwn(changed, name, pruned)
      }
    }
    return changed ?? value
  }

  return (value, tracker) => {
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value) ? pruneItems(value, tracker) : pruneObject(value as JsonObject, tracker)
  }
}

function compileItemsPruner(node: SchemaNode, preserves: boolean): (items: readonly unknown[], tracker?: UnknownFieldTracker) => unknown {
  const { items } = node
  if (items === undefined) return preserves ? (value) => value : (value, tracker) => mapItems(value, tracker, pruneUnspecified)
  return (value, tracker) => mapItems(value, tracker, (item) => items.prune(item, tracker))
}

function mapItems(
  items: readonly unknown[],
  tracker: UnknownFieldTracker | undefined,
  prune: (item: unknown, tracker: UnknownFieldTracker | undefined) => unknown,
): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null) continue
    tracker?.enterItem(index)
    const pruned = prune(item, tracker)
    tracker?.leave()
    if (pruned !== item) {
      changed ??= [...items]
      changed[index] = pruned
    }
  }
  return changed ?? items
}

// Where no schema says anything, every field of every object goes.
function pruneUnspecified(value: unknown, tracker: UnknownFieldTracker | undefined): unknown {
  if (Array.isArray(value)) return mapItems(value, tracker, pruneUnspecified)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value)
  for (const name of names) tracker?.record(name)
  return names.length === 0 ? value : {}
}
