import type {
  AnyResourceType,
  InputOf,
  KubernetesList,
  KubernetesObject,
  ObjectKey,
  Patch,
  ResourceOf,
  Status,
  WatchEvent,
} from '../api/index.js'
import { isNotFound, isStatus, notFound, StatusError, statusOf } from '../api/index.js'
import type {
  CallOptions,
  Client,
  ClientBinding,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Reader,
  SubresourceClient,
  WatchOptions,
  WriteOptions,
} from '../client/index.js'
import { type Environment, TransportError } from '../environment/index.js'
import { linkAbort } from '../internal/index.js'
import type { Cache, CachedKind } from './cache.js'
import { CacheError } from './errors.js'
import { kindKey } from './key.js'
import { keyOfObject, OwnWrites, type PendingWrite } from './own-writes.js'

/** A client that reads cached kinds from a cache. */
export interface ConsistentClient extends Client {
  /** Reads from the server, whatever is cached. */
  readonly liveReader: Reader
  with(binding: ClientBinding): ConsistentClient
}

/** What a {@link ConsistentClient} is made of. */
export interface ConsistentClientOptions {
  readonly environment: Environment
  /** Writes, and reads what is not cached. */
  readonly client: Client
  readonly cache: Cache
  /** Whether a read sees the writes made before through this client, or any client made of it by `with`. @default true */
  readonly readYourOwnWrites?: boolean
  /** How long a read waits for the cache to catch up before it goes to the server. @default 3000 */
  readonly maxWaitMs?: number
}

/**
 * A client whose reads are answered from the cache where that holds the whole answer, and by the server otherwise.
 *
 * From the cache come: a get of a key, and a list, that lie inside the namespace and selector of the kind's informer, once that has synced; not
 * where it keeps metadata only, for a field selector without index, for a page after the first or for a given resourceVersion.
 *
 * Read your own writes: writes never wait. A get waits until the cache contains the writes made before to its key, a list those to its
 * kind and namespace; after `maxWaitMs` it goes to the server instead. Where a write got no answer, reads of its key go to the server
 * until one shows what became of it. Not covered: writes of others, and writes still under way.
 */
export function createConsistentClient(options: ConsistentClientOptions): ConsistentClient {
  const { environment, client, cache, readYourOwnWrites = true, maxWaitMs = 3000 } = options
  const shared: Shared = { environment, cache, maxWaitMs, writes: readYourOwnWrites ? new Map() : undefined }
  return new CachingClient(shared, client, [])
}

/** What all clients made of one by `with` have in common. */
interface Shared {
  readonly environment: Environment
  readonly cache: Cache
  readonly maxWaitMs: number
  /** By kind; absent when reads need not see own writes. */
  readonly writes: Map<string, OwnWrites> | undefined
}

/** A cached kind and what was written to it. */
interface Tracked {
  readonly kind: CachedKind
  readonly writes: OwnWrites
}

class CachingClient implements ConsistentClient {
  readonly #shared: Shared
  readonly #client: Client
  readonly #boundSignals: readonly (() => AbortSignal)[]
  readonly status: SubresourceClient

  constructor(shared: Shared, client: Client, boundSignals: readonly (() => AbortSignal)[]) {
    this.#shared = shared
    this.#client = client
    this.#boundSignals = boundSignals
    this.status = this.#wrapSubresource(client.status, true)
  }

  get liveReader(): Reader {
    return this.#client
  }

  get metadata(): Client['metadata'] {
    return this.#client.metadata
  }

  subresource(name: string): SubresourceClient {
    return this.#wrapSubresource(this.#client.subresource(name), name === 'status')
  }

  with(binding: ClientBinding): ConsistentClient {
    return new CachingClient(this.#shared, this.#client.with(binding), [...this.#boundSignals, ...(binding.signal ? [binding.signal] : [])])
  }

  watch<Type extends AnyResourceType>(type: Type, options?: WatchOptions): AsyncIterable<readonly WatchEvent<ResourceOf<Type>>[]> {
    return this.#client.watch(type, options)
  }

  async get<Type extends AnyResourceType>(type: Type, key: ObjectKey, options: GetOptions = {}): Promise<ResourceOf<Type>> {
    const kind = this.#readable(type, options)
    if (kind === undefined || (type.scope === 'Namespaced' && !key.namespace)) return this.#getLive(type, key, options)
    const writes = this.#writesOf(type)
    if (writes?.isUncertain(key)) return this.#getLive(type, key, options)
    const pending = writes?.pendingOf(kind, key)
    if (pending !== undefined && !(await this.#caughtUp(type, [pending], options))) return this.#getLive(type, key, options)
    const found = this.#readable(type, options)?.find(key)
    if (found === undefined) return this.#getLive(type, key, options)
    if (found.object === undefined) throw new StatusError(notFound(type, key.name))
    return found.object as ResourceOf<Type>
  }

  async list<Type extends AnyResourceType>(type: Type, options: ListOptions = {}): Promise<KubernetesList<ResourceOf<Type>>> {
    const kind = options.continue ? undefined : this.#readable(type, options)
    if (!kind?.canList(options)) return this.#listLive(type, options)
    const writes = this.#writesOf(type)
    if (writes?.isUncertainList(options.namespace)) return this.#listLive(type, options)
    const pending = writes?.pendingOfList(kind, options.namespace) ?? []
    if (!(await this.#caughtUp(type, pending, options))) return this.#listLive(type, options)
    // The informer may have been removed during the wait.
    return this.#readable(type, options) === kind ? this.#shared.cache.list(type, options) : this.#listLive(type, options)
  }

  create<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options?: WriteOptions): Promise<ResourceOf<Type>> {
    const { name, namespace } = (object as KubernetesObject).metadata ?? {}
    return this.#write(type, { name, namespace }, options, () => this.#client.create(type, object, options))
  }

  update<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options?: WriteOptions): Promise<ResourceOf<Type>> {
    return this.#write(type, (object as KubernetesObject).metadata ?? {}, options, () => this.#client.update(type, object, options))
  }

  patch<Type extends AnyResourceType>(type: Type, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<ResourceOf<Type>> {
    return this.#write(type, key, options, () => this.#client.patch(type, key, patch, options))
  }

  delete(type: AnyResourceType, key: ObjectKey, options?: DeleteOptions): Promise<Status | ResourceOf<AnyResourceType>> {
    return this.#write(type, key, options, () => this.#client.delete(type, key, options))
  }

  async deleteCollection(type: AnyResourceType, options?: DeleteOptions & ListOptions): Promise<void> {
    // The answer names no object: until a live list shows the outcome, reads of the namespace go live.
    const note = () => options?.dryRun || this.#tracked(type)?.writes.uncertainNamespace(options?.namespace)
    try {
      await this.#client.deleteCollection(type, options)
      note()
    } catch (error) {
      if (mayHaveHappened(error)) note()
      throw error
    }
  }

  #wrapSubresource(subresource: SubresourceClient, isStatusOfObject: boolean): SubresourceClient {
    // A body of another kind, such as a Scale, still tells the object's version.
    const note = isStatusOfObject ? noteResult : noteSubresource
    const write = <Result>(
      type: AnyResourceType,
      key: PartialKey,
      options: WriteOptions | undefined,
      call: () => Promise<Result>,
    ): Promise<Result> => this.#write(type, key, options, call, note)
    return {
      get: (type, key) => subresource.get(type, key),
      create: <Answer>(type: AnyResourceType, key: ObjectKey, body: object, options?: WriteOptions) =>
        write(type, key, options, () => subresource.create<Answer>(type, key, body, options)),
      update: (type, object, options) =>
        write(type, (object as KubernetesObject).metadata ?? {}, options, () => subresource.update(type, object, options)),
      patch: (type, key, patch, options) => write(type, key, options, () => subresource.patch(type, key, patch, options)),
    }
  }

  async #write<Result>(
    type: AnyResourceType,
    target: PartialKey,
    options: WriteOptions | DeleteOptions | undefined,
    call: () => Promise<Result>,
    note: (tracked: Tracked, key: ObjectKey | undefined, result: unknown) => void = noteResult,
  ): Promise<Result> {
    const { name, namespace } = target
    const key: ObjectKey | undefined = !name ? undefined : namespace ? { namespace, name } : { name }
    try {
      const result = await call()
      const tracked = options?.dryRun ? undefined : this.#tracked(type)
      if (tracked !== undefined) note(tracked, key, result)
      return result
    } catch (error) {
      const tracked = options?.dryRun || !mayHaveHappened(error) ? undefined : this.#tracked(type)
      if (key !== undefined) tracked?.writes.uncertain(key)
      else tracked?.writes.uncertainNamespace(namespace)
      throw error
    }
  }

  async #getLive<Type extends AnyResourceType>(type: Type, key: ObjectKey, options: GetOptions): Promise<ResourceOf<Type>> {
    const mark = this.#writesOf(type)?.uncertaintyMark() ?? 0
    const saw = (object: KubernetesObject | undefined) => {
      const tracked = this.#tracked(type)
      tracked?.writes.sawObject(tracked.kind, key, object, mark)
    }
    try {
      const object = await this.#client.get(type, key, options)
      saw(object)
      return object
    } catch (error) {
      if (isNotFound(error)) saw(undefined)
      throw error
    }
  }

  async #listLive<Type extends AnyResourceType>(type: Type, options: ListOptions): Promise<KubernetesList<ResourceOf<Type>>> {
    const mark = this.#writesOf(type)?.uncertaintyMark() ?? 0
    const list = await this.#client.list(type, options)
    const isWhole = !options.labelSelector && !options.fieldSelector && !options.continue && !list.metadata.continue
    const tracked = isWhole && !options.resourceVersion ? this.#tracked(type) : undefined
    if (tracked?.writes.isUncertainList(options.namespace)) tracked.writes.sawList(tracked.kind, options.namespace, list.items, mark)
    return list
  }

  /** The kind, where the cache can answer this sort of read. "0" asks for whatever is at hand. */
  #readable(type: AnyResourceType, options: GetOptions): CachedKind | undefined {
    if (options.resourceVersion && options.resourceVersion !== '0') return undefined
    const kind = this.#shared.cache.cachedKind?.(type)
    return kind?.isReadable ? kind : undefined
  }

  #tracked(type: AnyResourceType): Tracked | undefined {
    const kind = this.#shared.cache.cachedKind?.(type)
    const writes = this.#writesOf(type)
    return kind === undefined || writes === undefined ? undefined : { kind, writes }
  }

  #writesOf(type: AnyResourceType): OwnWrites | undefined {
    const { writes, environment } = this.#shared
    let ofKind = writes?.get(kindKey(type))
    if (writes !== undefined && ofKind === undefined) {
      ofKind = new OwnWrites(environment, type)
      writes.set(kindKey(type), ofKind)
    }
    return ofKind
  }

  /** Whether the cache contains the writes, within the time a read may wait. */
  async #caughtUp(type: AnyResourceType, pending: readonly PendingWrite[], options: CallOptions): Promise<boolean> {
    if (pending.length === 0) return true
    if (pending.some((entry) => entry.isLate)) return false
    const { environment, cache, maxWaitMs } = this.#shared
    const limit = new AbortController()
    const unlink = linkAbort(limit, options.signal, ...this.#boundSignals.map((signal) => signal()))
    const tooLate = new CacheError('CACHE_UNSUPPORTED_READ', `Cache did not contain an own write within ${maxWaitMs} ms`)
    const timer = environment.timer(maxWaitMs, () => limit.abort(tooLate))
    try {
      for (const { write } of pending) await cache.waitForWrite(type, write, limit.signal)
      return true
    } catch (error) {
      if (!(error instanceof CacheError)) throw error
      if (error === tooLate) for (const entry of pending) entry.isLate = true
      return false
    } finally {
      timer.cancel()
      unlink()
    }
  }
}

/** A key as far as a write names it: a create may leave the name to the server. */
type PartialKey = { readonly name?: string | undefined; readonly namespace?: string | undefined }

/** The result is the object that was written, or the Status of its removal. */
function noteResult({ kind, writes }: Tracked, key: ObjectKey | undefined, result: unknown): void {
  if (isStatus(result)) {
    const uid = result.details?.uid
    if (key === undefined) return
    if (uid === undefined) writes.uncertain(key)
    else writes.deleted(kind, key, uid)
    return
  }
  const object = result as KubernetesObject
  writes.wrote(kind, keyOfObject(object), object)
}

/** The result is of another kind than the object that was changed. */
function noteSubresource({ kind, writes }: Tracked, key: ObjectKey | undefined, result: unknown): void {
  if (key === undefined) return
  if (isStatus(result)) writes.uncertain(key)
  else writes.touched(kind, key, (result as KubernetesObject | undefined)?.metadata?.resourceVersion)
}

/** Whether a failed write may have changed something, or may yet: there was no answer, or one that leaves it open. */
function mayHaveHappened(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined) return (status.code ?? 500) >= 500
  return !(error instanceof TransportError && neverSent.has(error.code))
}

const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
