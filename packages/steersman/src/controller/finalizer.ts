import type { AnyResourceType, KubernetesObject, ResourceOf } from '../api/index.js'
import { mergePatch } from '../api/index.js'
import type { Client } from '../client/index.js'

/** Whether the object has the finalizer. */
export function hasFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true
}

/** Whether the object is being deleted. */
export function isTerminating(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}

/**
 * Adds the finalizer with a patch guarded by the resourceVersion; does nothing when it is there.
 *
 * @returns the object as it is now.
 * @throws {StatusError} Conflict when the object changed meanwhile.
 */
export function addFinalizer<Type extends AnyResourceType>(
  client: Client,
  type: Type,
  object: ResourceOf<Type> & KubernetesObject,
  finalizer: string,
): Promise<ResourceOf<Type>> {
  if (hasFinalizer(object, finalizer)) return Promise.resolve(object)
  return patchFinalizers(client, type, object, [...(object.metadata.finalizers ?? []), finalizer])
}

/**
 * Removes the finalizer with a patch guarded by the resourceVersion; does nothing when it is not there.
 *
 * @returns the object as it was last.
 * @throws {StatusError} Conflict when the object changed meanwhile, NotFound when it is gone.
 */
export function removeFinalizer<Type extends AnyResourceType>(
  client: Client,
  type: Type,
  object: ResourceOf<Type> & KubernetesObject,
  finalizer: string,
): Promise<ResourceOf<Type>> {
  if (!hasFinalizer(object, finalizer)) return Promise.resolve(object)
  const remaining = object.metadata.finalizers?.filter((other: string) => other !== finalizer) ?? []
  return patchFinalizers(client, type, object, remaining)
}

function patchFinalizers<Type extends AnyResourceType>(
  client: Client,
  type: Type,
  object: KubernetesObject,
  finalizers: readonly string[],
): Promise<ResourceOf<Type>> {
  const { name, namespace, resourceVersion } = object.metadata
  if (name === undefined || resourceVersion === undefined) {
    throw new TypeError(
      `Cannot change finalizers of a ${type.kind} without metadata.name and metadata.resourceVersion: it was not read from a server`,
    )
  }
  const key = { name, ...(namespace === undefined ? {} : { namespace }) }
  return client.patch(type, key, mergePatch({ metadata: { resourceVersion, finalizers } }))
}
