/** A version of a built-in group. */
export interface BuiltinGroupVersion {
  readonly group: string
  readonly version: string
  /** Whether the real server serves it unless told otherwise. */
  readonly onByDefault: boolean
}

/** What discovery says of a built-in resource. */
export interface BuiltinResource {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  /** Of group, storage version and kind; empty for what is never stored. */
  readonly storageVersionHash: string
  readonly subresources: readonly BuiltinSubresource[]
}

/** A subresource and the kind of its body. */
export interface BuiltinSubresource {
  readonly name: string
  /** Empty: the group of the resource. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}
