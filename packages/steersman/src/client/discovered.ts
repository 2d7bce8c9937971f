import type { ResourceScope } from '../api/index.js'

/** A resource that a server has, as its discovery says. */
export interface DiscoveredResource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly scope: ResourceScope
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly DiscoveredSubresource[]
}

/** A subresource; its objects may be of another kind, as those of `scale` are. */
export interface DiscoveredSubresource {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** A group and its versions, the server's preferred one first. */
export interface DiscoveredGroup {
  readonly group: string
  readonly versions: readonly string[]
}

/** What a server has. */
export interface DiscoveryResult {
  readonly groups: readonly DiscoveredGroup[]
  /** In the server's order: by group, then version. */
  readonly resources: readonly DiscoveredResource[]
  /** Group versions whose resources are unknown at the moment, e.g. because an aggregated server is down. Whoever deletes must be careful. */
  readonly failures: readonly DiscoveryFailure[]
}

/** A group version that could not be asked. `resources` of the result then has none of it, or those known before. */
export interface DiscoveryFailure {
  readonly group: string
  readonly version: string
  readonly error: Error
}
