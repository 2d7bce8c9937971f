import type { AnyResourceType, KubernetesObject, ObjectKey, ResourceOf } from '../api/index.js'
import type { ListOptions, Reader } from '../client/index.js'

/**
 * Objects of the watched kinds, kept current by informers and read without a request.
 *
 * There is one reflector per kind and selector, whoever asks. What is read is deeply frozen and shared.
 */
export interface Cache extends Reader {
  /** The shared informer of a kind, made on first use; it runs while the cache runs. May be called at any time. */
  informer<Type extends AnyResourceType>(type: Type, options?: InformerOptions): Informer<ResourceOf<Type>>
  /** Whether reads of this kind are answered from here. */
  hasInformer(type: AnyResourceType): boolean
  /**
   * What is cached of a kind, for who decides between cache and server; `undefined` when nothing is. Absent in a cache that cannot tell:
   * everything is then read live.
   */
  cachedKind?(type: AnyResourceType): CachedKind | undefined
  /** Stops the informer and forgets its objects. Resolves when it has stopped. */
  removeInformer(type: AnyResourceType): Promise<void>
  /** Objects whose index `indexName` (see {@link Informer.addIndex}) has `value`. Namespace absent: all. */
  byIndex<Type extends AnyResourceType>(type: Type, indexName: string, value: string, namespace?: string): readonly ResourceOf<Type>[]
  /** Runs all informers until the signal aborts; settles after they stopped. */
  start(signal: AbortSignal): Promise<void>
  /** Resolves when every informer present now has its initial list and its handlers have seen it. @throws `signal.reason`. */
  waitForSync(signal: AbortSignal): Promise<void>
  /**
   * Resolves when the cached state of the key is at least as new as a write that returned `resourceVersion`
   * (or that removed the object with `deletedUid`). Used for reading one's own writes.
   *
   * @throws `signal.reason`; `CacheError` when the kind is not cached or its informer stops.
   */
  waitForWrite(type: AnyResourceType, write: AwaitedWrite, signal?: AbortSignal): Promise<void>
  /** Health of each informer, for readiness, metrics and the log. */
  readonly health: () => readonly InformerHealth[]
}

/** A write whose effect the cache is to contain. */
export interface AwaitedWrite {
  readonly key: ObjectKey
  readonly resourceVersion?: string
  readonly deletedUid?: string
}

/** What a cache holds of one kind, and which questions it can answer without the server. Nothing here waits. */
export interface CachedKind {
  /** Whether objects can be read at all: the informer has synced and keeps whole objects. */
  readonly isReadable: boolean
  /**
   * The object of a key, `undefined` in it when there is none.
   * Absent: only the server knows (not readable, outside of the namespace, or the selector may hide it).
   */
  find(key: ObjectKey): { readonly object: KubernetesObject | undefined } | undefined
  /** Whether the cache holds every object of the list and can select them. */
  canList(options: ListOptions): boolean
  /** Whether the informer's namespace and selector select this object. */
  selects(object: KubernetesObject): boolean
  /** Whether the object of a key, if there is one, is in the informer's namespace and selector. `unknown`: that depends on the object. */
  containsKey(key: ObjectKey): 'inside' | 'outside' | 'unknown'
  /** The uid of the object that the store has of this key. */
  uidOf(key: ObjectKey): string | undefined
  /** What the store has, in key order. Namespace absent: all. */
  objects(namespace?: string): readonly KubernetesObject[]
  /** Whether the store is at least as new as the write. */
  hasSeenWrite(write: AwaitedWrite): boolean
}

/** What an informer watches. */
export interface InformerOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Keep only metadata; reads give PartialObjectMetadata. @default false */
  readonly metadataOnly?: boolean
}

/** Watches one kind and tells handlers of changes, in order, starting with what exists. */
export interface Informer<Resource extends KubernetesObject = KubernetesObject> {
  readonly type: AnyResourceType
  /** May be called before or after the start; a late handler first gets an add for every object present. */
  addHandler(handler: InformerHandler<Resource>): HandlerRegistration
  /** Indexes objects by the values that `values` returns. May be called at any time; present objects are indexed at once. */
  addIndex(name: string, values: (object: Resource) => readonly string[]): void
  /** Whether the initial list is in the store. */
  readonly hasSynced: boolean
  get(key: ObjectKey): Resource | undefined
  list(namespace?: string): readonly Resource[]
  /** Newest resourceVersion seen, bookmarks included. */
  readonly resourceVersion: string | undefined
}

/** What an informer calls. A handler that throws is reported in health and log and does not stop the informer. */
export interface InformerHandler<Resource> {
  onAdd?(object: Resource, isInInitialList: boolean): void
  onUpdate?(oldObject: Resource, newObject: Resource): void
  /** `stateUnknown`: the deletion itself was missed; `object` is the last state seen. */
  onDelete?(object: Resource, stateUnknown: boolean): void
}

export interface HandlerRegistration {
  /** Whether this handler has seen the whole initial list. */
  readonly hasSynced: boolean
  waitForSync(signal: AbortSignal): Promise<void>
  remove(): void
}

/** State of one informer. */
export interface InformerHealth {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly state: 'waiting' | 'listing' | 'watching' | 'backing-off' | 'kind-not-installed' | 'stopped'
  readonly hasSynced: boolean
  readonly objects: number
  readonly lastError?: string
  readonly handlerErrors: number
  readonly undecodableObjects: number
}
