import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../language/index.js'

/** Documents that are longer are told as digests. */
const mostCharacters = 5000

/** Members that name things; `description` is one of these names there, and not words about something. */
const naming: readonly string[] = ['properties', 'definitions', 'schemas', 'paths']

/**
 * An OpenAPI document as it is compared: without descriptions, and of a long one a digest for each path and schema, so that a difference names what differs.
 * Of the index of documents the names. Anything else stays as it is.
 */
export function openApiForm(body: Json): Json {
  const value = typeof body === 'string' && body.startsWith('{"paths":') ? (JSON.parse(body) as Json) : body
  if (!isObject(value) || !isObject(value.paths)) return body
  if (value.openapi === undefined && value.swagger === undefined) return { documents: Object.keys(value.paths) }
  const document = withoutDescriptions(value) as JsonObject
  if (JSON.stringify(document).length <= mostCharacters) return document
  const { paths, definitions, components, ...rest } = document
  const { schemas = definitions ?? {}, ...others } = (components ?? {}) as JsonObject
  return { ...rest, ...(components === undefined ? {} : { components: others }), paths: digests(paths), schemas: digests(schemas) }
}

/** Hashes of documents are the server's own business; that there is one is not. */
export function withoutDocumentHash(text: string): string {
  return text.replace(/\bhash=[0-9A-F]{128}\b/, 'hash=<hash>')
}

function withoutDescriptions(value: Json, areNames = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutDescriptions(one as Json))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key, member]) => areNames || key !== 'description' || typeof member !== 'string')
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutDescriptions(member, !areNames && naming.includes(key))]))
}

function digests(values: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, digest(value as Json)]))
}

function digest(value: Json): string {
  return createHash('sha256').update(canonicalText(value)).digest('hex').slice(0, 8)
}

function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalText(one as Json)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] as Json)}`)
    .join(',')}}`
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
