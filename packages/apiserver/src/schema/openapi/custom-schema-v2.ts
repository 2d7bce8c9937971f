import { isJsonObject, type StructuralSchema } from '../structural-schema.js'

const absentInV2 = ['allOf', 'oneOf', 'anyOf', 'not', 'nullable', 'default']
const embeddedProperties: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
}

/**
 * The schema of a custom resource as OpenAPI v2 can state it, other definitions by their names. Where old clients would refuse what the server
 * takes (nulls, unknown fields), it says nothing.
 *
 * @param typeFields those that every object has, in the form of version 2.
 */
export function customSchemaV2(schema: StructuralSchema, typeFields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // With any property, old clients take all others for mistakes.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' }
  const converted = withReferences(convert(schema))
  return { ...converted, type: 'object', properties: { ...(converted.properties as object | undefined), ...typeFields } }
}

/** Other definitions by where version 2 has them. */
function withReferences(schema: StructuralSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === '$ref') return [keyword, `#/definitions/${value}`]
      if (keyword === 'properties') {
        return [
          keyword,
          Object.fromEntries(Object.entries(value as Record<string, StructuralSchema>).map(([name, one]) => [name, withReferences(one)])),
        ]
      }
      const isSchema = (keyword === 'items' || keyword === 'additionalProperties') && isJsonObject(value)
      return [keyword, isSchema ? withReferences(value as StructuralSchema) : value]
    }),
  )
}

function convert(schema: StructuralSchema): StructuralSchema {
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
  const saysNothing = schema.nullable === true || keepsUnknown
  const isUntyped = schema.nullable === true || (keepsUnknown && schema.type === 'object')
  const isShapelessList = schema.type === 'array' && (saysNothing || schema.items === undefined)
  const kept = Object.entries(schema).filter(([keyword]) => {
    if (absentInV2.includes(keyword)) return false
    if (keyword === 'type') return !isUntyped && !isShapelessList
    return !saysNothing || (keyword !== 'items' && keyword !== 'properties')
  })
  const converted = Object.fromEntries(kept.map(([keyword, value]) => [keyword, convertKeyword(keyword, value)])) as StructuralSchema
  const { required: _, ...rest } = converted
  const required = requiredOf(schema)
  const complete = required.length === 0 ? rest : { ...rest, required }
  return schema['x-kubernetes-embedded-resource'] === true && !keepsUnknown ? withEmbedded(complete) : complete
}

function convertKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'properties') {
    return Object.fromEntries(Object.entries(value as Record<string, StructuralSchema>).map(([name, one]) => [name, convert(one)]))
  }
  // On their way into version 2 the real server reads numbers as floating point.
  if (keyword === 'enum') return (value as readonly unknown[]).map((one) => (typeof one === 'bigint' ? Number(one) : one))
  return (keyword === 'items' || keyword === 'additionalProperties') && isJsonObject(value) ? convert(value) : value
}

/** What may be null is not required: old clients take null for a missing field. */
function requiredOf({ required = [], properties = {}, additionalProperties, nullable, ...rest }: StructuralSchema): readonly string[] {
  if (isJsonObject(additionalProperties) && (additionalProperties as StructuralSchema).nullable === true) return []
  const hasProperties = nullable !== true && rest['x-kubernetes-preserve-unknown-fields'] !== true
  return hasProperties ? required.filter((name) => properties[name]?.nullable !== true) : required
}

function withEmbedded(schema: StructuralSchema): StructuralSchema {
  const required = [...new Set([...(schema.required ?? []), 'kind', 'apiVersion'])]
  return { ...schema, required, properties: { ...schema.properties, ...embeddedProperties } }
}
