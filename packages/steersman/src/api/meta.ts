/** Metadata that every persisted object has. Field meaning: Kubernetes API conventions, `meta/v1` ObjectMeta. */
export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  /** Opaque to clients except for equality and, since all resourceVersions of one server share a counter, order. */
  readonly resourceVersion?: string
  readonly generation?: number
  /** RFC 3339, seconds, UTC. */
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
  readonly selfLink?: string
}

/** Metadata of an object that a server returned. */
export interface StoredObjectMeta extends ObjectMeta {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp: string
}

/** An object inside another one, from which a controller makes stored ones: a claim in the template of a StatefulSet. */
export type EmbeddedObject<Resource> = Omit<Resource, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: ObjectMeta
}

/** A reference from a dependent to its owner; the owner is in the same namespace or cluster-scoped. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** Which manager owns which fields (server-side apply). */
export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: string
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: string
  readonly fieldsV1?: unknown
  readonly subresource?: string
}

/** Metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
  readonly selfLink?: string
}

/** Any object of the API, typed or not. Plain JSON exactly as on the wire. */
export interface KubernetesObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
}

/** An object whose fields beyond metadata are unknown to the program. */
export interface UnstructuredObject extends KubernetesObject {
  readonly [field: string]: unknown
}

/** A list of objects as the wire carries it. */
export interface KubernetesList<Item = UnstructuredObject> {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ListMeta
  readonly items: readonly Item[]
}

/** Only the metadata of an object (`meta.k8s.io/v1`). */
export interface PartialObjectMetadata extends KubernetesObject {
  readonly metadata: StoredObjectMeta
}

/** The name of an object in its kind. `namespace` is absent or empty for a cluster-scoped one. */
export interface ObjectKey {
  readonly namespace?: string
  readonly name: string
}
