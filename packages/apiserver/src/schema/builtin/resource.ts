/** What discovery says of a built-in resource. */
export interface BuiltinResource {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
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
