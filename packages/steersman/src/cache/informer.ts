import type { AnyResourceType, KubernetesObject, ObjectKey } from '../api/index.js'
import type { Client } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import { deepFreeze, type Logger, throwIfAborted } from '../internal/index.js'
import type { AwaitedWrite, HandlerRegistration, Informer, InformerHandler, InformerHealth, InformerOptions } from './cache.js'
import type { DecodedObject } from './decoder.js'
import { Decoder } from './decoder.js'
import { CacheError } from './errors.js'
import { type Change, Registration } from './handler-registration.js'
import type { IndexFunction } from './indexer.js'
import { kindLabel, storeKeyOf } from './key.js'
import { listWatchOf } from './list-watch.js'
import { LogThinner } from './log-thinner.js'
import type { ReflectorOptions, ReflectorSink } from './reflector.js'
import { Reflector } from './reflector.js'
import { Store } from './store.js'
import { stripManagedFields, type Transform } from './transform.js'
import { WaitList } from './wait-list.js'
import { WriteWaits } from './write-waits.js'

/** What a {@link SharedInformer} is made of. */
export interface SharedInformerParts {
  readonly environment: Environment
  readonly client: Client
  readonly log: Logger
  readonly type: AnyResourceType
  /** @default everything of the kind */
  readonly options?: InformerOptions
  /** @default {@link stripManagedFields} */
  readonly transform?: Transform
  readonly reflector?: ReflectorOptions
}

/**
 * One reflector, one store, any number of handlers.
 *
 * Handlers are called synchronously, in the order of their registration, one change after the other, while the reflector takes in what the
 * server sent: nothing is queued here, so nothing can grow or overtake. Handlers therefore must be quick; they put a key into a queue. What a
 * handler reads from the informer contains the change it is told of and, during an initial or repeated list, the whole of that list.
 *
 * A list after lost history is told as the difference to what was there: adds, updates where the resourceVersion differs, and deletes with
 * `stateUnknown`. An object that was deleted and created anew unseen (another uid) is a delete and an add.
 */
export class SharedInformer implements Informer {
  readonly type: AnyResourceType
  readonly #parts: SharedInformerParts
  readonly #log: Logger
  readonly #handlerLog: LogThinner
  #options: InformerOptions
  /** Present once started. */
  #reflector: Reflector | undefined
  #decoder: Decoder | undefined
  readonly #store: Store
  readonly #writeWaits = new WriteWaits()
  readonly #syncWaits = new WaitList()
  /** In the order of registration. Replaced, never changed, so that a delivery under way keeps the handlers it began with. */
  #registrations: readonly Registration[] = []
  #resourceVersion: string | undefined
  #synced = false
  #stopped = false
  #handlerErrors = 0

  constructor(parts: SharedInformerParts) {
    this.#parts = parts
    this.#options = parts.options ?? {}
    this.type = parts.type
    const { group, version, kind } = parts.type
    this.#log = parts.log.with({ group, version, kind })
    this.#handlerLog = new LogThinner(this.#log)
    this.#store = new Store((indexName, error) => this.#onHandlerError(error, 'Index function failed', { index: indexName }))
  }

  get options(): InformerOptions {
    return this.#options
  }

  /** Keeps whole objects instead of metadata, for somebody who needs them. Returns whether that is still possible: not once started. */
  widenToWholeObjects(): boolean {
    if (this.#reflector !== undefined) return false
    this.#options = { ...this.#options, metadataOnly: false }
    return true
  }

  get hasSynced(): boolean {
    return this.#synced
  }

  get resourceVersion(): string | undefined {
    return this.#resourceVersion
  }

  /** Keeps the store current until the signal aborts. May be called once. */
  async start(signal: AbortSignal): Promise<void> {
    const { environment, client, transform = stripManagedFields, reflector: options = {} } = this.#parts
    this.#decoder = new Decoder(this.type, this.#options.metadataOnly ?? false, transform, this.#log)
    const listWatch = listWatchOf(client, this.type, this.#options)
    this.#reflector = new Reflector({ environment, log: this.#log, listWatch, decoder: this.#decoder, sink: this.#sink(), options })
    try {
      await this.#reflector.start(signal)
    } finally {
      this.#stopped = true
      const error = new CacheError('CACHE_INFORMER_STOPPED', `Informer of ${kindLabel(this.type)} stopped`)
      this.#syncWaits.rejectAll(error)
      this.#writeWaits.stop(error)
    }
  }

  /** Forgets the objects and handlers, without telling the handlers. For an informer that has stopped. */
  clear(): void {
    for (const registration of this.#registrations) registration.remove()
    this.#store.clear()
    this.#synced = false
  }

  get(key: ObjectKey): KubernetesObject | undefined {
    return this.#store.get(storeKeyOf(this.type, key))
  }

  uidOf(key: ObjectKey): string | undefined {
    return this.#store.peek(storeKeyOf(this.type, key))?.metadata.uid
  }

  list(namespace?: string): readonly KubernetesObject[] {
    return this.#store.list(namespace)
  }

  hasIndex(name: string): boolean {
    return this.#store.hasIndex(name)
  }

  addIndex(name: string, values: IndexFunction<KubernetesObject>): void {
    this.#store.addIndex(name, values)
  }

  byIndex(name: string, value: string, namespace?: string): readonly KubernetesObject[] {
    return this.#store.byIndex(name, value, namespace)
  }

  addHandler(handler: InformerHandler<KubernetesObject>): HandlerRegistration {
    const registration = new Registration(
      handler,
      (error) => this.#onHandlerError(error, 'Event handler failed'),
      () => {
        this.#registrations = this.#registrations.filter((other) => other !== registration)
      },
    )
    this.#registrations = [...this.#registrations, registration]
    if (this.#synced) {
      for (const object of this.#store.list()) registration.tell({ type: 'add', object, isInInitialList: true })
      registration.synced()
    }
    return registration
  }

  /** Resolves when the initial list is in the store and the handlers have seen it. @throws `signal.reason`, {@link CacheError} when stopped. */
  waitForSync(signal?: AbortSignal): Promise<void> {
    if (this.#synced) return Promise.resolve()
    if (this.#stopped) return Promise.reject(new CacheError('CACHE_INFORMER_STOPPED', `Informer of ${kindLabel(this.type)} is stopped`))
    return this.#syncWaits.wait(signal)
  }

  /** Whether the store is at least as new as the write. */
  hasSeenWrite(write: AwaitedWrite): boolean {
    const { resourceVersion, deletedUid } = write
    if (resourceVersion !== undefined && !this.#writeWaits.hasSeen(resourceVersion)) return false
    return deletedUid === undefined || this.#writeWaits.hasSeenDeletion(deletedUid)
  }

  /** Resolves when {@link hasSeenWrite}. @throws `signal.reason`, {@link CacheError} when stopped. */
  async waitForWrite(write: AwaitedWrite, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal)
    if (this.#stopped) throw new CacheError('CACHE_INFORMER_STOPPED', `Informer of ${kindLabel(this.type)} is stopped`)
    if (write.resourceVersion !== undefined) await this.#writeWaits.waitForVersion(write.resourceVersion, signal)
    if (write.deletedUid !== undefined) await this.#writeWaits.waitForDeletion(write.deletedUid, signal)
  }

  health(): InformerHealth {
    const { group, version, kind } = this.type
    const { state = 'waiting', lastError } = this.#reflector ?? {}
    return {
      group,
      version,
      kind,
      state,
      hasSynced: this.#synced,
      objects: this.#store.size,
      ...(lastError === undefined ? {} : { lastError: lastError instanceof Error ? lastError.message : String(lastError) }),
      handlerErrors: this.#handlerErrors,
      undecodableObjects: this.#decoder?.failures ?? 0,
    }
  }

  #sink(): ReflectorSink {
    return {
      replace: (objects, resourceVersion) => this.#replace(objects, resourceVersion),
      upsert: ({ key, object }) => this.#deliver(this.#upsert(key, object)),
      remove: ({ key, object }) => this.#deliver(this.#remove(key, object, false)),
      advance: (resourceVersion) => this.#advance(resourceVersion),
    }
  }

  /** The store is complete before the first handler hears of a change. */
  #replace(objects: ReadonlyMap<string, DecodedObject>, resourceVersion: string): void {
    const changes: Change[] = []
    for (const key of this.#store.keys()) {
      const last = this.#store.peek(key)
      if (last !== undefined && !objects.has(key)) changes.push(...this.#remove(key, last, true))
    }
    for (const { key, object } of objects.values()) changes.push(...this.#upsert(key, object))
    const isFirst = !this.#synced
    this.#synced = true
    if (this.#writeWaits.isWaitingForDeletion) this.#writeWaits.replaced(uidsOf(objects))
    this.#advance(resourceVersion)
    const registrations = this.#registrations
    this.#deliver(changes)
    if (!isFirst) return
    for (const registration of registrations) registration.synced()
    this.#syncWaits.resolveAll()
  }

  #upsert(key: string, object: KubernetesObject): readonly Change[] {
    const before = this.#store.peek(key)
    if (before !== undefined && isSameVersion(before, object)) return noChanges
    this.#store.set(key, object)
    if (before === undefined) return [{ type: 'add', object, isInInitialList: !this.#synced }]
    if (before.metadata.uid === object.metadata.uid) return [{ type: 'update', oldObject: before, newObject: object }]
    this.#writeWaits.deleted(before.metadata.uid)
    return [
      { type: 'delete', object: before, stateUnknown: true },
      { type: 'add', object, isInInitialList: false },
    ]
  }

  #remove(key: string, last: KubernetesObject, stateUnknown: boolean): readonly Change[] {
    const before = this.#store.peek(key)
    if (before === undefined) return noChanges
    this.#store.delete(key)
    this.#writeWaits.deleted(before.metadata.uid)
    return [{ type: 'delete', object: last, stateUnknown }]
  }

  #advance(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion
    this.#writeWaits.advance(resourceVersion)
  }

  #deliver(changes: readonly Change[]): void {
    // A handler added meanwhile was shown the store, which contains these changes.
    const registrations = this.#registrations
    if (registrations.length === 0) return
    for (const change of changes) {
      freezeChange(change)
      for (const registration of registrations) registration.tell(change)
    }
  }

  #onHandlerError(error: unknown, message: string, facts?: { readonly index: string }): void {
    this.#handlerErrors++
    this.#handlerLog.error(error, message, { ...facts, handlerErrors: this.#handlerErrors })
  }
}

const noChanges: readonly Change[] = []

function isSameVersion(left: KubernetesObject, right: KubernetesObject): boolean {
  const { resourceVersion, uid } = left.metadata
  return resourceVersion !== undefined && resourceVersion === right.metadata.resourceVersion && uid === right.metadata.uid
}

function freezeChange(change: Change): void {
  if (change.type === 'update') {
    deepFreeze(change.oldObject)
    deepFreeze(change.newObject)
  } else {
    deepFreeze(change.object)
  }
}

function uidsOf(objects: ReadonlyMap<string, DecodedObject>): Set<string> {
  const uids = new Set<string>()
  for (const { object } of objects.values()) if (object.metadata.uid !== undefined) uids.add(object.metadata.uid)
  return uids
}
