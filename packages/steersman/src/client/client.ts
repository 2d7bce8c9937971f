import type {
  AnyResourceType,
  InputOf,
  KubernetesList,
  ObjectKey,
  PartialObjectMetadata,
  Patch,
  ResourceOf,
  Status,
  WatchEvent,
} from '../api/index.js'
import type { ResponseBody } from '../environment/index.js'

/** Reads objects, from a server or from a cache. What it returns is deeply frozen and shared: copy it with `structuredCopy` to change it. */
export interface Reader {
  /** @throws {StatusError} NotFound and whatever else the server answers. */
  get<Type extends AnyResourceType>(type: Type, key: ObjectKey, options?: GetOptions): Promise<ResourceOf<Type>>
  list<Type extends AnyResourceType>(type: Type, options?: ListOptions): Promise<KubernetesList<ResourceOf<Type>>>
}

/** Changes objects on the server. Every method resolves to what the server stored. */
export interface Writer {
  create<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options?: WriteOptions): Promise<ResourceOf<Type>>
  /** Replaces the object. With `metadata.resourceVersion` set, a concurrent change is answered with a Conflict. */
  update<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options?: WriteOptions): Promise<ResourceOf<Type>>
  patch<Type extends AnyResourceType>(type: Type, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<ResourceOf<Type>>
  /** Resolves to the object while it is terminating, or to the server's Status once it is gone. */
  delete(type: AnyResourceType, key: ObjectKey, options?: DeleteOptions): Promise<Status | ResourceOf<AnyResourceType>>
  deleteCollection(type: AnyResourceType, options?: DeleteOptions & ListOptions): Promise<void>
}

/** Reads and writes one subresource: `status`, `scale`, … */
export interface SubresourceClient {
  get<Type extends AnyResourceType, Body = ResourceOf<Type>>(type: Type, key: ObjectKey): Promise<Body>
  /** POSTs a body such as a Binding or an Eviction. */
  create<Answer = Status>(type: AnyResourceType, key: ObjectKey, body: object, options?: WriteOptions): Promise<Answer>
  /** PUTs `body`, or the object itself; `body` is for subresources of another kind, such as a Scale. */
  update<Type extends AnyResourceType>(
    type: Type,
    object: InputOf<Type>,
    options?: WriteOptions & { readonly body?: object },
  ): Promise<ResourceOf<Type>>
  patch<Type extends AnyResourceType>(type: Type, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<ResourceOf<Type>>
}

/** A typed client of one API server. Safe for concurrent use. */
export interface Client extends Reader, Writer {
  /** Writes status, and only status. */
  readonly status: SubresourceClient
  subresource(name: string): SubresourceClient
  /**
   * Watches from `options.resourceVersion`. The iteration ends when the server ends the watch; leaving it closes the watch.
   * Yields batches: the events that were there together, in order.
   *
   * @throws {StatusError} when the server refuses the watch. An `ERROR` event is yielded, not thrown.
   */
  watch<Type extends AnyResourceType>(type: Type, options?: WatchOptions): AsyncIterable<readonly WatchEvent<ResourceOf<Type>>[]>
  /** Lists or watches metadata only: the server sends PartialObjectMetadata. */
  readonly metadata: {
    list(type: AnyResourceType, options?: ListOptions): Promise<KubernetesList<PartialObjectMetadata>>
    watch(type: AnyResourceType, options?: WatchOptions): AsyncIterable<readonly WatchEvent<PartialObjectMetadata>[]>
  }
  /**
   * The answer to a list, not decoded, for readers that take its items out one by one (a cache of very many objects). Absent on clients that do
   * not talk to a server directly, such as cached ones.
   *
   * The body is a `List` document in bytes or as a value. A `byte-stream` must be read to its end or its iteration left.
   *
   * @throws {StatusError} as {@link Reader.list}.
   */
  rawList?(type: AnyResourceType, options?: RawListOptions): Promise<ResponseBody>
  /**
   * The same client bound to an abort signal and default options for every call; the transport is shared.
   * This is how a reconcile gets its own client.
   */
  with(binding: ClientBinding): Client
}

/** What {@link Client.with} binds. */
export interface ClientBinding {
  readonly signal?: () => AbortSignal
  readonly fieldManager?: string
  /** Who calls, for the call recorder: `controller/widget`. */
  readonly caller?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string
}

/** Selectors and paging of a list. Label and field selectors are in wire syntax: `app=web,tier in (a,b)`. */
export interface ListOptions extends CallOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

/** Options of {@link Client.rawList}. */
export interface RawListOptions extends ListOptions {
  /** Ask for PartialObjectMetadata. A server that does not know it sends whole objects. @default false */
  readonly metadataOnly?: boolean
}

export interface WatchOptions extends CallOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
  readonly allowWatchBookmarks?: boolean
  readonly sendInitialEvents?: boolean
  readonly timeoutSeconds?: number
}

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  readonly dryRun?: boolean
}

export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun?: boolean
}
