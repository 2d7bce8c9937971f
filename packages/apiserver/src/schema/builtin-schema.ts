import type { DefinitionField } from './definition.js'
import { metaPackage } from './definition.js'
import type { StructuralSchema } from './structural-schema.js'

/** Definitions that are scalars on the wire, as the real server publishes them. */
export const scalarDefinitions: Readonly<Record<string, StructuralSchema>> = {
  [`${metaPackage}.Time`]: { type: 'string', format: 'date-time' },
  [`${metaPackage}.MicroTime`]: { type: 'string', format: 'date-time' },
  [`${metaPackage}.Duration`]: { type: 'string' },
  [`${metaPackage}.FieldsV1`]: { type: 'object' },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
}

const scalarTypes: Readonly<Record<string, StructuralSchema>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  Time: { $ref: `${metaPackage}.Time` },
  MicroTime: { $ref: `${metaPackage}.MicroTime` },
  Duration: { $ref: `${metaPackage}.Duration` },
  FieldsV1: { $ref: `${metaPackage}.FieldsV1` },
  Quantity: { $ref: 'io.k8s.apimachinery.pkg.api.resource.Quantity' },
  IntOrString: { $ref: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
  object: { $ref: 'io.k8s.apimachinery.pkg.runtime.RawExtension' },
  any: {},
}

/** The schema of a field of a built-in definition. */
export function fieldSchema(field: DefinitionField): StructuralSchema {
  const scalar = Object.hasOwn(scalarTypes, field.type) ? scalarTypes[field.type] : { $ref: field.type }
  const single: StructuralSchema = field.enum === undefined ? (scalar ?? {}) : { ...scalar, enum: field.enum }
  const inner = contain(single, field.innerContainer)
  return { ...contain(inner, field.container), ...extensions(field) }
}

function contain(schema: StructuralSchema, container: '' | 'array' | 'map'): StructuralSchema {
  if (container === 'array') return { type: 'array', items: schema }
  return container === 'map' ? { type: 'object', additionalProperties: schema } : schema
}

function extensions(field: DefinitionField): StructuralSchema {
  return {
    ...(field.listType === undefined ? {} : { 'x-kubernetes-list-type': field.listType }),
    ...(field.listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.mapType === undefined ? {} : { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  }
}
