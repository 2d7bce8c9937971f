import type { KubernetesObject, OwnerReference } from 'steersman/api'
import { parseApiVersion } from 'steersman/api'

/** How far the deletion of an object is. `orphan` and `foreground`: the object waits for what the garbage collector is to do with its dependents. */
export type DeletionState = 'none' | 'deleting' | 'orphan' | 'foreground'

export const orphanFinalizer = 'orphan'
export const foregroundFinalizer = 'foregroundDeletion'

/** What the graph knows of an object. Replaced as a whole when the object changes. */
export interface GraphNode {
  readonly uid: string
  readonly apiVersion: string
  readonly kind: string
  /** Empty for a cluster-scoped object. */
  readonly namespace: string
  readonly name: string
  readonly owners: readonly OwnerReference[]
  readonly deletion: DeletionState
}

/** Where a node is: its kind and scope. */
export interface GraphKind {
  readonly apiVersion: string
  readonly kind: string
}

/**
 * Who owns whom, by uid, as far as informers have told. Pure: it answers every change with the uids that are to be examined.
 *
 * An owner need not be known: references to it are kept all the same, so that a dependent is found whatever order the kinds are read in.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>()
  readonly #dependents = new Map<string, Set<string>>()

  /** Objects known. */
  get size(): number {
    return this.#nodes.size
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    const dependents: GraphNode[] = []
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const node = this.#nodes.get(dependent)
      if (node !== undefined) dependents.push(node)
    }
    return dependents
  }

  /** Takes an object in, or what became of it. */
  observe({ apiVersion, kind }: GraphKind, object: KubernetesObject): readonly string[] {
    const { uid, name, namespace, ownerReferences } = object.metadata
    if (uid === undefined || name === undefined) return []
    const before = this.#nodes.get(uid)
    const after: GraphNode = {
      uid,
      apiVersion,
      kind,
      namespace: namespace ?? '',
      name,
      owners: ownerReferences ?? noOwners,
      deletion: deletionState(object),
    }
    this.#nodes.set(uid, after)
    this.#moveEdges(uid, before?.owners ?? noOwners, after.owners)
    return [...this.#affected(before, after)]
  }

  /** Forgets an object that is gone. Its dependents, and owners that wait for it, are to be examined. */
  remove(uid: string): readonly string[] {
    const node = this.#nodes.get(uid)
    if (node === undefined) return []
    this.#nodes.delete(uid)
    this.#moveEdges(uid, node.owners, noOwners)
    return [...this.#waitingOwners(node.owners), ...(this.#dependents.get(uid) ?? [])]
  }

  /** Forgets every object of a kind, one by one as {@link remove}: the kind is not watched any more. */
  removeKind({ apiVersion, kind }: GraphKind): readonly string[] {
    const gone = [...this.#nodes.values()].filter((node) => node.apiVersion === apiVersion && node.kind === kind)
    return gone.flatMap((node) => this.remove(node.uid))
  }

  /** What the graph knows of the owner that a node names, if it is the object that the reference describes. */
  ownerOf(node: GraphNode, reference: OwnerReference): GraphNode | undefined {
    const owner = this.#nodes.get(reference.uid)
    if (owner === undefined || owner.kind !== reference.kind || owner.name !== reference.name) return undefined
    if (parseApiVersion(owner.apiVersion).group !== parseApiVersion(reference.apiVersion).group) return undefined
    return owner.namespace === '' || owner.namespace === node.namespace ? owner : undefined
  }

  /** Whether every owner is known, there, and does not wait for its dependents: then nothing is to be done about the node. */
  isSettled(node: GraphNode): boolean {
    return node.owners.every((reference) => {
      const owner = this.ownerOf(node, reference)
      return owner !== undefined && owner.deletion !== 'foreground'
    })
  }

  /** Dependents that the node, deleted in the foreground, has to wait for. */
  blockingDependentsOf(uid: string): readonly GraphNode[] {
    return this.dependentsOf(uid).filter((dependent) =>
      dependent.owners.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
    )
  }

  #affected(before: GraphNode | undefined, after: GraphNode): Set<string> {
    const affected = new Set<string>()
    const hasNewState = before?.deletion !== after.deletion
    const hasNewOwners = before === undefined || !sameOwners(before.owners, after.owners)
    if ((hasNewOwners || hasNewState) && !this.isSettled(after)) affected.add(after.uid)
    if (hasNewState && (after.deletion === 'orphan' || after.deletion === 'foreground')) affected.add(after.uid)
    if (hasNewState && after.deletion === 'foreground') for (const uid of this.#dependents.get(after.uid) ?? []) affected.add(uid)
    if (before !== undefined && hasNewOwners) {
      // An owner may have waited for this object only.
      const released = before.owners.filter((old) => !after.owners.some((now) => now.uid === old.uid && now.blockOwnerDeletion === true))
      for (const uid of this.#waitingOwners(released)) affected.add(uid)
    }
    return affected
  }

  *#waitingOwners(owners: readonly OwnerReference[]): Iterable<string> {
    for (const { uid } of owners) if (this.#nodes.get(uid)?.deletion === 'foreground') yield uid
  }

  #moveEdges(uid: string, before: readonly OwnerReference[], after: readonly OwnerReference[]): void {
    if (before === after) return
    for (const owner of before) {
      if (after.some((now) => now.uid === owner.uid)) continue
      const dependents = this.#dependents.get(owner.uid)
      dependents?.delete(uid)
      if (dependents?.size === 0) this.#dependents.delete(owner.uid)
    }
    for (const owner of after) {
      const dependents = this.#dependents.get(owner.uid)
      if (dependents === undefined) this.#dependents.set(owner.uid, new Set([uid]))
      else dependents.add(uid)
    }
  }
}

const noOwners: readonly OwnerReference[] = []

/** Orphaning comes first when both are asked for, as in the real garbage collector. */
function deletionState({ metadata }: KubernetesObject): DeletionState {
  if (metadata.deletionTimestamp === undefined) return 'none'
  if (metadata.finalizers?.includes(orphanFinalizer)) return 'orphan'
  return metadata.finalizers?.includes(foregroundFinalizer) ? 'foreground' : 'deleting'
}

function sameOwners(left: readonly OwnerReference[], right: readonly OwnerReference[]): boolean {
  return (
    left.length === right.length &&
    left.every((owner, index) => {
      const other = right[index]
      return owner.uid === other?.uid && owner.blockOwnerDeletion === other.blockOwnerDeletion && owner.name === other.name
    })
  )
}
