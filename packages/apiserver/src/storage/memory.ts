import type { UnstructuredObject } from 'steersman/api'
import { deepFreeze, onAbort } from 'steersman/internal'
import { History } from './history.js'
import { prefixEnd, SortedKeys } from './sorted-keys.js'
import type { Storage, StorageEvent, StorageListOptions, StorageListResult, StorageWatch, StorageWatchOptions } from './storage.js'
import { StorageError } from './storage.js'
import { WatchQueue } from './watch-queue.js'

/** Options of {@link MemoryStorage}. */
export interface MemoryStorageOptions {
  /** Events kept for watches from and lists at an older revision. @default 10000 */
  readonly maxEvents?: number
  /** Events older than this are forgotten at the next write. Needs `monotonicMs`. @default no limit */
  readonly maxEventAgeMs?: number
  /** A clock, such as the environment's. */
  readonly monotonicMs?: () => number
}

/**
 * Storage in the memory of this process: nothing is durable.
 *
 * Every write checks, takes its revision, puts and publishes in one synchronous step, so two writes never interleave.
 */
export class MemoryStorage implements Storage {
  readonly #objects = new Map<string, UnstructuredObject>()
  readonly #keys = new SortedKeys()
  readonly #history: History
  readonly #watchers = new Map<string, Set<WatchQueue>>()
  readonly #monotonicMs: () => number
  #revision = 1
  #closed = false

  constructor(options: MemoryStorageOptions = {}) {
    this.#monotonicMs = options.monotonicMs ?? (() => 0)
    this.#history = new History(1, { maxEvents: options.maxEvents ?? 10_000, maxAgeMs: options.maxEventAgeMs ?? Number.POSITIVE_INFINITY })
  }

  async currentRevision(): Promise<number> {
    return this.#revision
  }

  async get(key: string): Promise<UnstructuredObject | undefined> {
    this.#mustBeOpen()
    return this.#objects.get(key)
  }

  async list(prefix: string, options: StorageListOptions = {}): Promise<StorageListResult> {
    this.#mustBeOpen()
    const revision = options.revision ?? this.#revision
    if (revision > this.#revision) {
      throw new StorageError('future', `Cannot list ${prefix} at revision ${revision}: the current one is ${this.#revision}`)
    }
    if (revision < this.#history.compactedRevision) {
      throw new StorageError(
        'compacted',
        `Cannot list ${prefix} at revision ${revision}: the oldest known is ${this.#history.compactedRevision}`,
      )
    }
    const start = options.startKey !== undefined && options.startKey > prefix ? options.startKey : prefix
    const end = prefixEnd(prefix)
    const changed = this.#stateBefore(start, end, revision)
    const limit = options.limit === undefined || options.limit <= 0 ? Number.POSITIVE_INFINITY : options.limit
    if (changed.size === 0) {
      const keys = this.#keys.slice(start, end, limit)
      const items = keys.map((key) => this.#objects.get(key)!)
      return { items, keys, revision, remaining: keys.length < limit ? 0 : this.#keys.count(start, end) - keys.length }
    }
    const items: UnstructuredObject[] = []
    const keys: string[] = []
    for (const [key, object] of this.#entriesAt(start, end, changed)) {
      if (keys.length === limit) break
      keys.push(key)
      items.push(object)
    }
    return { items, keys, revision, remaining: this.#countAt(start, end, changed) - keys.length }
  }

  async create(key: string, value: UnstructuredObject): Promise<UnstructuredObject> {
    this.#mustBeOpen()
    const current = this.#objects.get(key)
    if (current !== undefined) throw new StorageError('exists', `Cannot create ${key}: it exists`, current)
    return this.#commit('create', key, value, undefined)
  }

  async update(key: string, value: UnstructuredObject, expectedRevision: number): Promise<UnstructuredObject> {
    return this.#commit('update', key, value, this.#mustMatch('update', key, expectedRevision))
  }

  async delete(key: string, value: UnstructuredObject, expectedRevision: number): Promise<UnstructuredObject> {
    return this.#commit('delete', key, value, this.#mustMatch('delete', key, expectedRevision))
  }

  async watch(prefix: string, fromRevision: number, options: StorageWatchOptions): Promise<StorageWatch> {
    this.#mustBeOpen()
    options.signal.throwIfAborted()
    const { compactedRevision } = this.#history
    if (fromRevision < compactedRevision) {
      throw new StorageError(
        'compacted',
        `Cannot watch ${prefix} from revision ${fromRevision}: the oldest possible is ${compactedRevision}`,
      )
    }
    const queue = new WatchQueue(
      prefix,
      options.maxPending ?? 10_000,
      () => this.#revision,
      () => {
        release()
        this.#unsubscribe(queue)
      },
    )
    const release = onAbort(options.signal, () => queue.end())
    this.#subscribe(queue)
    if (fromRevision < this.#revision) {
      for (const event of this.#history.after(fromRevision)) if (event.key.startsWith(prefix)) queue.push(event)
    }
    return queue
  }

  async compact(revision: number): Promise<void> {
    this.#history.compact(Math.min(revision, this.#revision))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const queues of [...this.#watchers.values()]) {
      for (const queue of [...queues]) queue.end(new StorageError('closed', `Watch of ${queue.prefix} ended: the storage was closed`))
    }
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new StorageError('closed', 'Cannot use the storage: it was closed')
  }

  #mustMatch(verb: string, key: string, expectedRevision: number): UnstructuredObject {
    this.#mustBeOpen()
    const current = this.#objects.get(key)
    if (current === undefined) throw new StorageError('not-found', `Cannot ${verb} ${key}: it does not exist`)
    if (current.metadata.resourceVersion !== String(expectedRevision)) {
      const { resourceVersion } = current.metadata
      throw new StorageError('conflict', `Cannot ${verb} ${key}: its revision is ${resourceVersion}, not ${expectedRevision}`, current)
    }
    return current
  }

  /** The one place where state changes. No await may come between the caller's check and this. */
  #commit(
    type: StorageEvent['type'],
    key: string,
    value: UnstructuredObject,
    previous: UnstructuredObject | undefined,
  ): UnstructuredObject {
    const revision = ++this.#revision
    const object = deepFreeze({ ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } })
    if (type === 'delete') {
      this.#objects.delete(key)
      this.#keys.remove(key)
    } else {
      this.#objects.set(key, object)
      if (previous === undefined) this.#keys.add(key)
    }
    const event: StorageEvent = previous === undefined ? { type, key, revision, object } : { type, key, revision, object, previous }
    Object.freeze(event)
    this.#history.add(event, this.#monotonicMs())
    this.#publish(event)
    return object
  }

  /** A watcher's prefix ends at a slash of the key, so at most one lookup for each slash finds all of them. */
  #publish(event: StorageEvent): void {
    if (this.#watchers.size === 0) return
    const { key } = event
    for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1)) {
      const queues = this.#watchers.get(key.slice(0, slash + 1))
      if (queues !== undefined) for (const queue of queues) queue.push(event)
    }
    const exact = this.#watchers.get(key)
    if (exact !== undefined) for (const queue of exact) queue.push(event)
  }

  #subscribe(queue: WatchQueue): void {
    const queues = this.#watchers.get(queue.prefix)
    if (queues === undefined) this.#watchers.set(queue.prefix, new Set([queue]))
    else queues.add(queue)
  }

  #unsubscribe(queue: WatchQueue): void {
    const queues = this.#watchers.get(queue.prefix)
    if (queues === undefined) return
    queues.delete(queue)
    if (queues.size === 0) this.#watchers.delete(queue.prefix)
  }

  /** For each key in range that changed after `revision`, its state at `revision`. */
  #stateBefore(start: string, end: string, revision: number): Map<string, UnstructuredObject | undefined> {
    const changed = new Map<string, UnstructuredObject | undefined>()
    if (revision === this.#revision) return changed
    for (const event of this.#history.backTo(revision)) {
      if (event.key >= start && event.key < end) changed.set(event.key, event.previous)
    }
    return changed
  }

  *#entriesAt(
    start: string,
    end: string,
    changed: ReadonlyMap<string, UnstructuredObject | undefined>,
  ): Generator<readonly [string, UnstructuredObject]> {
    const gone = [...changed.keys()].filter((key) => !this.#objects.has(key)).sort(byCodeUnit)
    let next = 0
    const restore = function* (before: string): Generator<readonly [string, UnstructuredObject]> {
      for (; next < gone.length && gone[next]! < before; next++) {
        const object = changed.get(gone[next]!)
        if (object !== undefined) yield [gone[next]!, object]
      }
    }
    for (const key of this.#keys.range(start, end)) {
      if (next < gone.length) yield* restore(key)
      const object = changed.has(key) ? changed.get(key) : this.#objects.get(key)
      if (object !== undefined) yield [key, object]
    }
    yield* restore(end)
  }

  #countAt(start: string, end: string, changed: ReadonlyMap<string, UnstructuredObject | undefined>): number {
    let count = this.#keys.count(start, end)
    for (const [key, object] of changed) count += (object === undefined ? 0 : 1) - (this.#objects.has(key) ? 1 : 0)
    return count
  }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
