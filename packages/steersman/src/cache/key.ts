import type { AnyResourceType, KubernetesObject, ObjectKey } from '../api/index.js'
import { apiVersionOf } from '../api/index.js'

/** The key of an object in a store: `namespace/name`, or `name` for a cluster-scoped one. Neither part can hold a slash. */
export function storeKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`
}

/** The store key that an {@link ObjectKey} means for a kind: the namespace of a cluster-scoped kind is ignored. */
export function storeKeyOf(type: AnyResourceType, key: ObjectKey): string {
  return type.scope === 'Cluster' ? key.name : storeKey(key.namespace, key.name)
}

/** The store key of an object that has a name. */
export function storeKeyOfObject(object: KubernetesObject): string {
  return storeKey(object.metadata.namespace, object.metadata.name as string)
}

/** The namespace part of a store key; empty for a cluster-scoped object. */
export function namespaceOfStoreKey(key: string): string {
  const slash = key.indexOf('/')
  return slash < 0 ? '' : key.slice(0, slash)
}

/** One text per kind: two copies of a descriptor are the same kind. */
export function kindKey(type: AnyResourceType): string {
  return `${type.group}/${type.version}/${type.kind}`
}

/** How messages name a kind: `apps/v1 Deployment`. */
export function kindLabel(type: AnyResourceType): string {
  return `${apiVersionOf(type)} ${type.kind}`
}
