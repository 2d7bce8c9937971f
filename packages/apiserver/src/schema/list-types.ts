import { type FieldError, fieldError } from 'steersman/api'
import { anyNode, type ListTypeCheck, type SchemaNode } from './schema-node.js'
import { canonicalJson, isJsonObject } from './structural-schema.js'

/** Compiles the check of list types of a node; nothing for a schema without such lists. */
export function compileListTypeCheck(node: SchemaNode): ListTypeCheck {
  if (!anyNode(node, hasUniqueItems)) return () => {}
  const { items, properties, additional } = node
  const listType = node.schema['x-kubernetes-list-type']
  const keys = node.schema['x-kubernetes-list-map-keys'] ?? []
  return (value, path, errors) => {
    if (Array.isArray(value)) {
      if (listType === 'set') checkSet(value, value, path, errors)
      else if (listType === 'map') checkMap(value, keys, path, errors)
      if (items !== undefined) for (const [index, item] of value.entries()) items.checkListTypes(item, `${path}[${index}]`, errors)
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value).sort()) {
        const own = properties.get(name)
        if (own !== undefined) own.checkListTypes(value[name], path === '' ? name : `${path}.${name}`, errors)
        else additional?.checkListTypes(value[name], `${path}[${name}]`, errors)
      }
    }
  }
}

function hasUniqueItems(node: SchemaNode): boolean {
  const listType = node.schema['x-kubernetes-list-type']
  return listType === 'set' || listType === 'map'
}

// Each repeated value is reported once, at its second occurrence.
function checkSet(values: readonly unknown[], shown: readonly unknown[], path: string, errors: FieldError[]): void {
  if (values.length <= 1) return
  const times = new Map<unknown, number>()
  for (const [index, value] of values.entries()) {
    const key = typeof value === 'object' && value !== null ? `\0${canonicalJson(value)}` : value
    const seen = times.get(key) ?? 0
    times.set(key, seen + 1)
    if (seen === 1) errors.push(fieldError.duplicate(`${path}[${index}]`, shown[index]))
  }
}

function checkMap(items: readonly unknown[], keyNames: readonly string[], path: string, errors: FieldError[]): void {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item))
  if (wrong >= 0) {
    errors.push(fieldError.invalid(`${path}[${wrong}]`, items[wrong], 'must be an object for an array of list-type map'))
    return
  }
  if (items.length <= 1) return
  const keys = items.map((item) => {
    const key: Record<string, unknown> = {}
    for (const name of keyNames) if (isJsonObject(item) && Object.hasOwn(item, name)) key[name] = item[name]
    return key
  })
  checkSet(keys, keys, path, errors)
}
