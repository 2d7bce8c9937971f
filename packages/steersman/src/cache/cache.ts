import type { AnyResourceType, KubernetesObject, ObjectKey, ResourceOf } from '../api/index.js'
import type { Reader } from '../client/index.js'

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
   */
  waitForWrite(
    type: AnyResourceType,
    write: { readonly key: ObjectKey; readonly resourceVersion?: string; readonly deletedUid?: string },
    signal?: AbortSignal,
  ): Promise<void>
  /** Health of each informer, for readiness, metrics and the log. */
  readonly health: () => readonly InformerHealth[]
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
