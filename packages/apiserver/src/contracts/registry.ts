import type { AnyResourceType, ObjectKey, Status, UnstructuredObject, WatchEvent } from 'steersman/api'
import type { AdmissionPlugin } from './admission.js'
import type { ObjectProtobuf } from './protobuf.js'
import type { UserInfo } from './request.js'

/**
 * What the endpoints need of the registry: every resource that is served now, built in or custom, behind one shape.
 *
 * The registry knows strategies, validation, defaults, storage and selectors; it knows no HTTP. The endpoints know requests, media types and
 * bodies; they know no database. A refusal is a thrown StatusError with the exact Status of a real API server. What a store returns is deeply
 * frozen and carries `apiVersion` and `kind` (also the items of a list; the encoder leaves them out where the wire has none).
 */
export interface Registry {
  /** The store that serves this group, version and plural; `undefined` when nothing does. */
  resource(group: string, version: string, plural: string): ResourceStore | undefined
  /**
   * Everything served, in the order of discovery: groups in order (core first), the preferred version of a group before the others.
   * The same array until something changes.
   */
  resources(): readonly ServedResource[]
  /**
   * Merges a strategic merge patch into an object of a built-in kind; neither is changed. Absent: no kind takes such patches.
   *
   * @throws {StatusError} for a patch that cannot be applied.
   */
  strategicMerge?(kind: KindName, current: Readonly<Record<string, unknown>>, patch: Readonly<Record<string, unknown>>): StrategicMerged
  /** What reads and writes built-in kinds as protobuf, loaded at the first call. Absent: nothing is read and written so. */
  protobuf?(): Promise<ObjectProtobuf>
  /** Calls `listener` after {@link Registry.resources} changed (a CustomResourceDefinition was established, changed or removed). */
  onResourcesChanged(listener: () => void): () => void
}

/** What {@link Registry.strategicMerge} is about. */
export interface KindName {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** What {@link Registry.strategicMerge} makes. */
export interface StrategicMerged {
  readonly object: Readonly<Record<string, unknown>>
  /** What merging left of the patch; refusals show it. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** The facts of one served resource. */
export interface ServedResource {
  /** The descriptor, in the served version. */
  readonly type: AnyResourceType
  /** As discovery lists them: `create`, `delete`, `deletecollection`, `get`, `list`, `patch`, `update`, `watch`. */
  readonly verbs: readonly string[]
  readonly subresources: readonly ServedSubresource[]
  /** Whether the kind is compiled in. Items of its lists omit `apiVersion` and `kind`; strategic merge patches apply. */
  readonly builtIn: boolean
  readonly storageVersionHash?: string
  /** OpenAPI v3 schema of a custom resource's version, as its definition states it. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Paths of fields of a custom resource that field selectors may name, such as `.spec.color`. */
  readonly selectableFields?: readonly string[]
  /** Present when the version is deprecated: the text of the warning. */
  readonly deprecationWarning?: string
}

/** The facts of one subresource: `status`, `scale`, `binding`, … */
export interface ServedSubresource {
  readonly name: string
  /** Kind, group and version of its body. */
  readonly group: string
  readonly version: string
  readonly kind: string
  /** As discovery lists them: `get`, `patch`, `update`, `create`. */
  readonly verbs: readonly string[]
}

/** Reads and writes one body per object: the object itself, or one of its subresources. */
export interface BodyStore {
  /** @throws {StatusError} NotFound. */
  get(key: ObjectKey, options?: GetRequest): Promise<UnstructuredObject>
  /**
   * Turns a parsed body into an object of the served version, without defaulting or validating it.
   * `problems` are the strict decoding errors in order, e.g. `unknown field "spec.foo"`; unknown fields are dropped where the kind has a schema.
   * apiVersion and kind of `value` were already found to be right.
   *
   * @throws {StatusError} BadRequest when a field has a type that the kind cannot hold.
   */
  decode(value: Readonly<Record<string, unknown>>, options?: DecodeOptions): DecodedObject
  /**
   * Replaces the stored body with `transform(current)`. Preconditions (uid, resourceVersion) are those of the transformed object's metadata.
   * When the object changed meanwhile and the transformed object carries no resourceVersion, `transform` and admission run again (at most 5 times);
   * otherwise Conflict. An unchanged object is not written.
   *
   * `transform` gets the current frozen body, in the served version, and must not change it. It gets `undefined` where the kind may be created by
   * an update and the object does not exist.
   *
   * @throws {StatusError} NotFound, Conflict, Invalid, Forbidden, whatever `transform` throws.
   */
  update(key: ObjectKey, transform: Transform, write: WriteRequest): Promise<UpdateResult>
}

export type Transform = (current: UnstructuredObject | undefined) => UnstructuredObject | Promise<UnstructuredObject>

/** How {@link BodyStore.decode} reads. */
export interface DecodeOptions {
  /** The value is what a strategic merge made: refusals of values have other words. @default false */
  readonly isMerged?: boolean
}

export interface DecodedObject {
  readonly object: UnstructuredObject
  readonly problems: readonly string[]
}

export interface UpdateResult {
  readonly object: UnstructuredObject
  /** Whether the update created the object. */
  readonly created: boolean
}

/** Reads and writes the objects of one served resource. */
export interface ResourceStore extends BodyStore {
  readonly served: ServedResource
  /** Columns and cells for `as=Table`. */
  readonly table: TableConverter
  /** @throws {StatusError} BadRequest for a selector or token that cannot be read, Expired, … */
  list(request: ListRequest): Promise<ListResult>
  /**
   * Resolves when the subscription is in place. Batches hold the events that were there together, in revision order; an event's object is
   * the same value for every watcher. Bookmarks and the initial events are the store's work. The iteration ends by itself after `timeoutMs` (after a last bookmark where
   * asked for) and after an `ERROR` event (410 Expired, slow watcher); on abort it throws `signal.reason`.
   *
   * @throws {StatusError} for options that are refused before the stream starts.
   */
  watch(request: WatchRequest): Promise<AsyncIterable<readonly WatchEvent<UnstructuredObject>[]>>
  /** `object` is decoded; name and namespace are checked against the URL. @throws {StatusError} AlreadyExists, Invalid, Forbidden, … */
  create(object: UnstructuredObject, write: WriteRequest & { readonly namespace: string }): Promise<UnstructuredObject>
  /** Resolves to the object while it is terminating or where the kind returns it, else to a Status of success. */
  delete(key: ObjectKey, write: DeleteRequest): Promise<UnstructuredObject | Status>
  /** Deletes what the request selects and resolves to what was there. */
  deleteCollection(list: ListRequest, write: DeleteRequest): Promise<ListResult>
  /** The store of a subresource named in `served.subresources`. */
  subresource(name: string): SubresourceStore | undefined
}

/** Reads and writes one subresource. What `served.verbs` does not list is never called. */
export interface SubresourceStore extends BodyStore {
  readonly served: ServedSubresource
  /** Columns and cells for `as=Table`. @default the name and when it was created */
  readonly table?: TableConverter
  /**
   * Present: the subresource is no object but a conversation (the log of a container, HTTP to a pod), whatever the method is. Resolves when there is nothing to say.
   *
   * @throws {StatusError} what stands in the way.
   */
  connect?(key: ObjectKey, query: URLSearchParams): Promise<void>
  /** POSTs a body such as a Binding, an Eviction or a TokenRequest. */
  create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<UnstructuredObject | Status>
}

export interface GetRequest {
  /** `''` and absent: the newest. */
  readonly resourceVersion?: string
}

/** Selectors and paging, in wire syntax. An empty string means absent. */
export interface ListRequest {
  /** Empty: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
  readonly signal?: AbortSignal
}

export interface ListResult {
  readonly items: readonly UnstructuredObject[]
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface WatchRequest {
  readonly namespace: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
  readonly allowWatchBookmarks?: boolean
  /** Absent: the request did not say. */
  readonly sendInitialEvents?: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Who writes, how, and what must agree. */
export interface WriteRequest {
  readonly user: UserInfo
  readonly dryRun: boolean
  /** The manager for `managedFields`; already derived from the user agent where the request names none. */
  readonly fieldManager: string
  /** The options object as admission sees it: `{ apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions', … }`. */
  readonly options: Readonly<Record<string, unknown>>
  /** The whole chain. The store calls `admit` before validation and `validate` after it, for every attempt. */
  readonly admission: AdmissionPlugin
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void
  readonly signal?: AbortSignal
}

export interface DeleteRequest extends WriteRequest {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** How a resource shows in a table. */
export interface TableConverter {
  readonly columns: readonly TableColumn[]
  /** One cell per column. `nowMs` is for ages; `listed` is the whole list, when the row is one of a list. */
  cells(object: UnstructuredObject, nowMs: number, listed?: readonly UnstructuredObject[]): readonly unknown[]
  /** Conditions of the row, such as `Completed`; kubectl does not count such rows. @default none */
  conditions?(object: UnstructuredObject): readonly TableRowCondition[] | undefined
  /** The order of rows. @default that of the list */
  compare?(first: UnstructuredObject, second: UnstructuredObject): number
  /** The object whose metadata the row shows, when that is not quite the object. @default the object itself */
  shown?(object: UnstructuredObject): UnstructuredObject
  /** What stands for the rows when there are none. @default an empty list */
  readonly rowsOfNone?: null
}

/** A condition of a table's row. */
export interface TableRowCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** A column as `meta.k8s.io/v1` Table states it. */
export interface TableColumn {
  readonly name: string
  /** OpenAPI type: `string`, `integer`, `number`, `boolean`, `date`. */
  readonly type: string
  /** OpenAPI format, `name` for the column that is the identifier; may be empty. */
  readonly format: string
  readonly description: string
  /** 0: always shown; greater: only in wide output. */
  readonly priority: number
}
