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
