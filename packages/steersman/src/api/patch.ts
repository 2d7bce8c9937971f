import { createMergePatch } from './merge-patch.js'
import type { KubernetesObject } from './meta.js'

/** A patch and its media type. */
export type Patch =
  | { readonly type: 'application/merge-patch+json'; readonly body: unknown }
  | { readonly type: 'application/json-patch+json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'application/strategic-merge-patch+json'; readonly body: unknown }

/** One operation of RFC 6902. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * A merge patch (RFC 7386): members replace, null removes, lists are replaced whole.
 *
 * @example `client.patch(Widget, key, mergePatch({ metadata: { labels: { tier: 'front' } } }))`
 */
export function mergePatch(body: unknown): Patch {
  return { type: 'application/merge-patch+json', body }
}

/** A JSON patch (RFC 6902): operations that apply all or none. */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return { type: 'application/json-patch+json', body: operations }
}

/** A strategic merge patch: built-in kinds only; lists merge by the keys that the kind declares. */
export function strategicMergePatch(body: unknown): Patch {
  return { type: 'application/strategic-merge-patch+json', body }
}

/** How `mergeFrom` makes its patch. */
export interface MergeFromOptions {
  /**
   * Whether the server must refuse (409) when the object has been modified since `original` was read.
   * @default false
   */
  readonly optimisticLock?: boolean
}

/**
 * The merge patch with what changed between an object as read and a modified copy of it. The resource version is not
 * part of it unless `optimisticLock` asks for it.
 *
 * @throws TypeError when `optimisticLock` is asked for and `original` has no resource version.
 */
export function mergeFrom<Resource extends KubernetesObject>(
  original: Resource,
  modified: NoInfer<Resource> | KubernetesObject,
  options: MergeFromOptions = {},
): Patch {
  const { resourceVersion } = original.metadata
  const patch = createMergePatch(original, {
    ...modified,
    metadata: { ...modified.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  })
  if (!options.optimisticLock) return mergePatch(patch)
  if (resourceVersion === undefined || resourceVersion === '') {
    throw new TypeError(`Cannot make a patch with an optimistic lock: object "${original.metadata.name ?? ''}" has no resourceVersion`)
  }
  const { metadata, ...rest } = patch as { readonly metadata?: object }
  return mergePatch({ ...rest, metadata: { ...metadata, resourceVersion } })
}
