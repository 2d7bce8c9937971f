import { fieldError, fieldErrorText } from 'steersman/api'
import { DecodeError } from './decode-state.js'
import { decodeObjectMeta } from './object-meta.js'
import { anyNode, type Coercer, type SchemaNode } from './schema-node.js'
import { isJsonObject, type JsonObject, setOwn } from './structural-schema.js'

/** Compiles the coercer of a node; nothing for a schema without embedded resources. */
export function compileCoercer(node: SchemaNode): Coercer {
  if (!anyNode(node, (candidate) => candidate.isEmbeddedResource)) return (value) => value
  const { items } = node

  const coerceObject = (value: JsonObject, path: string, unknownFields: string[] | undefined): unknown => {
    let changed: Record<string, unknown> | undefined
    for (const name of Object.keys(value).sort()) {
      const own = node.properties.get(name)
      const memberPath = own === undefined && node.additional !== undefined ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
      let next = node.isEmbeddedResource ? coerceMeta(name, value[name], memberPath, unknownFields) : value[name]
      next = (own ?? node.additional)?.coerce(next, memberPath, unknownFields) ?? next
      if (next !== value[name]) {
        changed ??= { ...value }
        setOwn(changed, name, next)
      }
    }
    return changed ?? value
  }

  return (value, path, unknownFields) => {
    if (isJsonObject(value)) return coerceObject(value, path, unknownFields)
    if (!Array.isArray(value) || items === undefined) return value
    let changed: unknown[] | undefined
    for (const [index, item] of value.entries()) {
      const next = items.coerce(item, `${path}[${index}]`, unknownFields)
      if (next !== item) {
        changed ??= [...value]
        changed[index] = next
      }
    }
    return changed ?? value
  }
}

function coerceMeta(name: string, value: unknown, path: string, unknownFields: string[] | undefined): unknown {
  if (name === 'apiVersion' || name === 'kind') {
    if (typeof value === 'string') return value
    throw new DecodeError(fieldErrorText(fieldError.invalid(path, value, 'must be a string')))
  }
  if (name !== 'metadata') return value
  const unknown: string[] = []
  try {
    // A null is no metadata, which the real server reads as empty.
    const metadata = value === null ? {} : decodeObjectMeta(value, unknown)
    unknownFields?.push(...unknown.map((field) => `${path}.${field}`))
    return metadata
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new DecodeError(fieldErrorText(fieldError.invalid(path, value, error.message)))
  }
}
