import type { AnyResourceType, KubernetesList, ObjectKey, ResourceOf } from '../api/index.js'
import type { Client, GetOptions, ListOptions } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import { discardLogger, type Logger, linkAbort, untilAborted } from '../internal/index.js'
import type { AwaitedWrite, Cache, CachedKind, Informer, InformerHealth, InformerOptions } from './cache.js'
import { InformedKind, readList, readObject } from './cached-read.js'
import { CacheError } from './errors.js'
import { SharedInformer } from './informer.js'
import { kindKey, kindLabel } from './key.js'
import type { ReflectorOptions } from './reflector.js'
import { Scope } from './scope.js'
import type { Transform } from './transform.js'

/** What to cache of one kind. */
export interface CachedKindOptions extends InformerOptions {
  readonly type: AnyResourceType
  /** @default the cache's */
  readonly transform?: Transform
}

/** What an {@link InformerCache} is made of. */
export interface InformerCacheOptions {
  readonly environment: Environment
  /** Lists and watches. Must read live. */
  readonly client: Client
  /** @default none */
  readonly logger?: Logger
  /** Kinds to cache from the start, with their selectors. Other kinds are cached whole once somebody asks for their informer. */
  readonly kinds?: readonly CachedKindOptions[]
  /** The namespace of informers that do not name one. An informer for all namespaces then asks for namespace `''`. @default all */
  readonly namespace?: string
  /** Applied to every object that comes in. @default drop managedFields */
  readonly transform?: Transform
  readonly reflector?: ReflectorOptions
}

interface Entry {
  readonly kind: InformedKind
  /** Whether it is in the cache's list of kinds: then whoever names no options takes what is declared. */
  readonly isDeclared: boolean
  readonly abort: AbortController
  /** Settles when the informer has stopped; absent before the start. */
  run: Promise<void> | undefined
}

/** A cache of informers that read through the client. Nothing runs before its `start`. */
export function createCache(options: InformerCacheOptions): Cache {
  return new InformerCache(options)
}

/**
 * The cache of one process: one informer per kind.
 *
 * A kind is cached with one namespace, selector and shape at a time, those of whoever asked first (`kinds` comes before everybody). Asking
 * for its informer without options gives that one; asking with others throws, with one exception, the shape: who wants metadata only
 * gets whole objects where those are cached, and before the start an informer of metadata becomes one of whole objects for who needs them.
 */
export class InformerCache implements Cache {
  readonly #options: InformerCacheOptions
  readonly #log: Logger
  readonly #entries = new Map<string, Entry>()
  /** Of every informer that has not stopped, removed ones included. */
  readonly #runs = new Set<Promise<void>>()
  #signal: AbortSignal | undefined
  #onFailure: ((error: unknown) => void) | undefined

  constructor(options: InformerCacheOptions) {
    this.#options = options
    this.#log = options.logger ?? discardLogger
    for (const { type, transform, ...informerOptions } of options.kinds ?? []) {
      if (this.hasInformer(type)) throw new TypeError(`Cannot cache ${kindLabel(type)} twice: it is in the list of kinds already`)
      this.#add(type, informerOptions, true, transform)
    }
  }

  informer<Type extends AnyResourceType>(type: Type, options?: InformerOptions): Informer<ResourceOf<Type>> {
    const entry = this.#entries.get(kindKey(type))
    if (entry === undefined) return this.#add(type, options ?? {}, false).kind.informer as unknown as Informer<ResourceOf<Type>>
    const { kind, isDeclared } = entry
    if (options !== undefined) refuseOtherScope(kind, this.#withDefaults(type, options))
    else if (!isDeclared) refuseOtherScope(kind, { ...kind.informer.options, metadataOnly: false })
    return kind.informer as unknown as Informer<ResourceOf<Type>>
  }

  hasInformer(type: AnyResourceType): boolean {
    return this.#entries.has(kindKey(type))
  }

  cachedKind(type: AnyResourceType): CachedKind | undefined {
    return this.#entries.get(kindKey(type))?.kind
  }

  async removeInformer(type: AnyResourceType): Promise<void> {
    const entry = this.#entries.get(kindKey(type))
    if (entry === undefined) return
    this.#entries.delete(kindKey(type))
    entry.abort.abort(new CacheError('CACHE_INFORMER_STOPPED', `Informer of ${kindLabel(type)} was removed`))
    await entry.run
    entry.kind.informer.clear()
  }

  byIndex<Type extends AnyResourceType>(type: Type, indexName: string, value: string, namespace?: string): readonly ResourceOf<Type>[] {
    return this.#kind(type).informer.byIndex(indexName, value, namespace) as readonly ResourceOf<Type>[]
  }

  /**
   * Waits for the informer's initial list if need be.
   *
   * @throws {StatusError} NotFound. @throws {CacheError} when the kind is not cached, the key lies outside, or the cache was not started.
   */
  async get<Type extends AnyResourceType>(type: Type, key: ObjectKey, options?: GetOptions): Promise<ResourceOf<Type>> {
    const kind = await this.#synced(type, options?.signal)
    return readObject(kind, key, options) as ResourceOf<Type>
  }

  /**
   * Waits for the informer's initial list if need be. In key order, whole: `limit` is ignored. Field selectors may name `metadata.name`,
   * `metadata.namespace` and every index.
   *
   * @throws {CacheError} when the kind is not cached, the list does not follow from what is, or the cache was not started.
   */
  async list<Type extends AnyResourceType>(type: Type, options?: ListOptions): Promise<KubernetesList<ResourceOf<Type>>> {
    const kind = await this.#synced(type, options?.signal)
    return readList(kind, options) as KubernetesList<ResourceOf<Type>>
  }

  async waitForWrite(type: AnyResourceType, write: AwaitedWrite, signal?: AbortSignal): Promise<void> {
    await this.#kind(type).informer.waitForWrite(write, signal)
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const waits = [...this.#entries].map(async ([key, entry]) => {
      try {
        await entry.kind.informer.waitForSync(signal)
      } catch (error) {
        // Nobody waits for an informer that was removed meanwhile.
        if (signal.aborted || this.#entries.get(key) === entry) throw error
      }
    })
    await Promise.all(waits)
  }

  /** @throws {TypeError} on a second call. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new TypeError('Cannot start the cache: it was started before')
    const stop = new AbortController()
    const unlink = linkAbort(stop, signal)
    let failure: { readonly error: unknown } | undefined
    this.#onFailure = (error) => {
      failure ??= { error }
      stop.abort(error)
    }
    this.#signal = stop.signal
    for (const entry of this.#entries.values()) this.#run(entry)
    await untilAborted(stop.signal)
    await Promise.all(this.#runs)
    unlink()
    if (failure !== undefined) throw failure.error
  }

  readonly health = (): readonly InformerHealth[] => [...this.#entries.values()].map(({ kind }) => kind.informer.health())

  #add(type: AnyResourceType, options: InformerOptions, isDeclared: boolean, transform = this.#options.transform): Entry {
    const { environment, client, reflector } = this.#options
    const informer = new SharedInformer({
      environment,
      client,
      log: this.#log,
      type,
      options: this.#withDefaults(type, options),
      ...(transform === undefined ? {} : { transform }),
      ...(reflector === undefined ? {} : { reflector }),
    })
    const entry: Entry = { kind: new InformedKind(informer), isDeclared, abort: new AbortController(), run: undefined }
    this.#entries.set(kindKey(type), entry)
    if (this.#signal !== undefined) this.#run(entry)
    return entry
  }

  #withDefaults(type: AnyResourceType, options: InformerOptions): InformerOptions {
    const { namespace } = this.#options
    return namespace === undefined || type.scope === 'Cluster' ? options : { namespace, ...options }
  }

  #run(entry: Entry): void {
    const unlink = linkAbort(entry.abort, this.#signal)
    const run = entry.kind.informer
      .start(entry.abort.signal)
      // An informer only ends by its signal; anything else is a defect, which ends the cache with the error instead of leaving it blind.
      .catch((error) => this.#onFailure?.(error))
      .then(() => {
        unlink()
        this.#runs.delete(run)
      })
    this.#runs.add(run)
    entry.run = run
  }

  #kind(type: AnyResourceType): InformedKind {
    const entry = this.#entries.get(kindKey(type))
    if (entry === undefined)
      throw new CacheError('CACHE_NO_INFORMER', `Cannot read ${kindLabel(type)} from the cache: the kind is not cached`)
    return entry.kind
  }

  async #synced(type: AnyResourceType, signal: AbortSignal | undefined): Promise<InformedKind> {
    const kind = this.#kind(type)
    if (kind.informer.hasSynced) return kind
    if (this.#signal === undefined) {
      throw new CacheError('CACHE_NOT_STARTED', `Cannot read ${kindLabel(type)} from the cache: the cache was not started`)
    }
    await kind.informer.waitForSync(signal)
    return kind
  }
}

function refuseOtherScope(kind: InformedKind, options: InformerOptions): void {
  const asked = new Scope(kind.informer.type, options)
  const fitsShape = () => asked.metadataOnly || !kind.scope.metadataOnly || kind.widenToWholeObjects()
  if (kind.scope.equals(asked) && fitsShape()) return
  throw new CacheError(
    'CACHE_OPTIONS_CONFLICT',
    `Cannot give an informer of ${kindLabel(kind.informer.type)} with ${asked}: the kind is cached with ${kind.scope}; list it in the cache's kinds with what everybody needs`,
  )
}
