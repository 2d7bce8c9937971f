import type { KubernetesObject } from '../api/index.js'

/**
 * Changes what is kept of an object before it enters the store, to save memory or to forget secrets.
 *
 * The argument may be shared with others and frozen: return it or a changed copy, never change it. Keep `metadata.name`, `namespace`, `uid`
 * and `resourceVersion`.
 */
export type Transform = (object: KubernetesObject) => KubernetesObject

/** The default transform: drops `metadata.managedFields`, often half of an object, in a shallow copy. */
export function stripManagedFields(object: KubernetesObject): KubernetesObject {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
