import type { ObjectKey, Status, UnstructuredObject, WatchEvent } from 'steersman/api'
import type {
  DecodedObject,
  DecodeOptions,
  DeleteRequest,
  GetRequest,
  ListRequest,
  ListResult,
  ResourceStore,
  ServedResource,
  SubresourceStore,
  TableConverter,
  Transform,
  UpdateResult,
  WatchRequest,
  WriteRequest,
} from '../contracts/index.js'
import { createObject } from './create.js'
import { deleteObject, deleteObjects } from './delete.js'
import { getObject, listObjects } from './list.js'
import type { StoreContext } from './store-context.js'
import { updateObject } from './update.js'
import { mainRules } from './update-rules.js'
import { watchObjects } from './watch.js'

/** Reads the body of one kind. See `BodyStore.decode`. */
export type Decode = (value: Readonly<Record<string, unknown>>, options?: DecodeOptions) => DecodedObject

/** Parts of a {@link GenericStore}. */
export interface GenericStoreOptions {
  readonly served: ServedResource
  readonly context: StoreContext
  readonly decode: Decode
  readonly table: TableConverter
  readonly subresources: readonly SubresourceStore[]
}

/** The store of a served resource: the generic operations, bound to what makes the kind different. */
export class GenericStore implements ResourceStore {
  readonly served: ServedResource
  readonly table: TableConverter
  readonly decode: Decode
  readonly #context: StoreContext
  readonly #subresources: ReadonlyMap<string, SubresourceStore>

  constructor(options: GenericStoreOptions) {
    this.served = options.served
    this.table = options.table
    this.decode = options.decode
    this.#context = options.context
    this.#subresources = new Map(options.subresources.map((store) => [store.served.name, store]))
  }

  get(key: ObjectKey, options?: GetRequest): Promise<UnstructuredObject> {
    return getObject(this.#context, key, options)
  }

  list(request: ListRequest): Promise<ListResult> {
    return listObjects(this.#context, request)
  }

  watch(request: WatchRequest): Promise<AsyncIterable<readonly WatchEvent<UnstructuredObject>[]>> {
    return watchObjects(this.#context, request)
  }

  create(object: UnstructuredObject, write: WriteRequest & { readonly namespace: string }): Promise<UnstructuredObject> {
    return createObject(this.#context, object, write)
  }

  update(key: ObjectKey, transform: Transform, write: WriteRequest): Promise<UpdateResult> {
    return updateObject(this.#context, mainRules(this.#context), key, transform, write)
  }

  delete(key: ObjectKey, write: DeleteRequest): Promise<UnstructuredObject | Status> {
    return deleteObject(this.#context, key, write)
  }

  deleteCollection(list: ListRequest, write: DeleteRequest): Promise<ListResult> {
    return deleteObjects(this.#context, list, write)
  }

  subresource(name: string): SubresourceStore | undefined {
    return this.#subresources.get(name)
  }
}
