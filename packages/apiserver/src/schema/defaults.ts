import { deepCopy } from 'steersman/internal'
import { anyNode, type SchemaNode } from './schema-node.js'
import { isJsonObject, type JsonObject, setOwn } from './structural-schema.js'

/**
 * Compiles the defaulter of a node: a missing member, or a null that is not allowed, gets a copy of its default, and defaults inside it
 * are filled in too. A schema without defaults costs nothing.
 */
export function compileDefaulter(node: SchemaNode): (value: unknown) => unknown {
  if (!anyNode(node, (candidate) => candidate.hasDefault)) return (value) => value
  const defaulted = node.sortedProperties.filter(([, child]) => child.hasDefault)
  const { properties, additional, items } = node

  const defaultObject = (value: JsonObject): unknown => {
    let changed: Record<string, unknown> | undefined
    const set = (name: string, next: unknown): void => {
      changed ??= { ...value }
      setOwn(changed, name, next)
    }
    for (const [name, child] of defaulted) {
      const current = Object.hasOwn(value, name) ? value[name] : undefined
      if (current === undefined || (current === null && child.refusesNull)) set(name, child.applyDefaults(deepCopy(child.schema.default)))
    }
    for (const name of Object.keys(value)) {
      const own = properties.get(name)
      const child = own ?? additional
      if (child === undefined || (own?.hasDefault === true && value[name] === null && own.refusesNull)) continue
      const current = value[name]
      const next = current === null && own === undefined ? defaultForNull(child) : child.applyDefaults(current)
      if (next !== current) set(name, next)
    }
    return changed ?? value
  }

  return (value) => {
    if (Array.isArray(value)) return items === undefined ? value : defaultItems(value, items)
    return isJsonObject(value) ? defaultObject(value) : value
  }
}

function defaultItems(value: readonly unknown[], items: SchemaNode): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, item] of value.entries()) {
    const next = item === null ? defaultForNull(items) : items.applyDefaults(item)
    if (next !== item) {
      changed ??= [...value]
      changed[index] = next
    }
  }
  return changed ?? value
}

function defaultForNull(child: SchemaNode): unknown {
  return child.refusesNull && child.hasDefault ? child.applyDefaults(deepCopy(child.schema.default)) : null
}
