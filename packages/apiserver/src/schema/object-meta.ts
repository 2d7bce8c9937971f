import { DefinitionDecoder } from './decode.js'
import type { DefinitionTable } from './definition.js'

export const objectMetaDefinition = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** Tables of ObjectMeta and what it holds. By hand and always loaded: every custom resource needs them, whatever else is loaded. */
export const objectMetaTables: Readonly<Record<string, DefinitionTable>> = {
  [objectMetaDefinition]: {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    selfLink: 'string',
    uid: 'string;go=types.UID',
    resourceVersion: 'string',
    generation: 'int64;omit',
    creationTimestamp: 'Time',
    deletionTimestamp: 'Time',
    deletionGracePeriodSeconds: 'int64',
    labels: '{}string',
    annotations: '{}string',
    ownerReferences: '[]io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference;list=map;keys=uid;patch=merge;mergeKey=uid',
    finalizers: '[]string;list=set;patch=merge',
    managedFields: '[]io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry;list=atomic',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference': {
    apiVersion: 'string!;pb=5',
    kind: 'string!;pb=1',
    name: 'string!;pb=3',
    uid: 'string!;go=types.UID;pb=4',
    controller: 'boolean',
    blockOwnerDeletion: 'boolean',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry': {
    manager: 'string',
    operation: 'string;go=v1.ManagedFieldsOperationType',
    apiVersion: 'string',
    time: 'Time',
    fieldsType: 'string',
    fieldsV1: 'FieldsV1',
    subresource: 'string',
  },
}

const decoder = /* @__PURE__ */ new DefinitionDecoder((name) => objectMetaTables[name])

/**
 * Reads object metadata as the real server does: unknown fields are dropped (their paths inside metadata go to `unknownFields`), nulls and
 * empty collections vanish, times are normalised.
 *
 * @throws {DecodeError} when a known field has the wrong type.
 */
export function decodeObjectMeta(metadata: unknown, unknownFields?: string[]): unknown {
  const result = decoder.decode(objectMetaDefinition, metadata)
  unknownFields?.push(...result.unknownFields)
  return result.value
}
