import type { UnstructuredObject } from 'steersman/api'

/**
 * Where the API server keeps its objects: an asynchronous compare-and-swap over sorted keys with one global revision counter.
 *
 * A key is `/<group>/<plural>/<name>` or `/<group>/<plural>/<namespace>/<name>` (group `core` for the empty one), so that a
 * prefix ending in `/` selects a resource or one of its namespaces. Values are deeply frozen objects in the storage version, and the
 * storage stamps `metadata.resourceVersion` with the revision of the write. A write becomes visible to reads and watches in revision order
 * and only once it is as durable as the engine promises.
 */
export interface Storage {
  /** The revision of the newest visible write. Starts at 1. */
  currentRevision(): Promise<number>
  get(key: string): Promise<UnstructuredObject | undefined>
  list(prefix: string, options?: StorageListOptions): Promise<StorageListResult>
  /** @throws {StorageError} `exists`. */
  create(key: string, value: UnstructuredObject): Promise<UnstructuredObject>
  /** @throws {StorageError} `not-found`, or `conflict` when the stored revision is not `expectedRevision`. */
  update(key: string, value: UnstructuredObject, expectedRevision: number): Promise<UnstructuredObject>
  /**
   * Removes the key; the deletion has a revision of its own. `value` is the last state as watchers shall see it.
   *
   * @returns the last state, stamped with the revision of the deletion.
   * @throws {StorageError} `not-found`, or `conflict` when the stored revision is not `expectedRevision`.
   */
  delete(key: string, value: UnstructuredObject, expectedRevision: number): Promise<UnstructuredObject>
  /**
   * Events of keys under `prefix` after `fromRevision`, in revision order, in batches, until `signal` aborts.
   * The subscription is in place when the promise resolves: nothing committed later is missed.
   *
   * @throws {StorageError} `compacted` when `fromRevision` is older than the history kept.
   */
  watch(prefix: string, fromRevision: number, options: StorageWatchOptions): Promise<StorageWatch>
  /** Forgets history before `revision`. */
  compact(revision: number): Promise<void>
  close(): Promise<void>
}

export interface StorageListOptions {
  /** At most so many items; 0 or absent: all. */
  readonly limit?: number
  /** First key to return, inclusive. */
  readonly startKey?: string
  /** List as of this revision. @throws {StorageError} `compacted`, or `future` when it is newer than the current one. */
  readonly revision?: number
}

export interface StorageListResult {
  readonly items: readonly UnstructuredObject[]
  /** Key of each item. */
  readonly keys: readonly string[]
  /** The revision that the list shows. */
  readonly revision: number
  /** Number of further items under the prefix after the last one returned. */
  readonly remaining: number
}

export interface StorageWatchOptions {
  readonly signal: AbortSignal
  /** Events that may wait for a slow reader. Reaching it ends the iteration with {@link StorageError} `slow-watcher`. @default 10000 */
  readonly maxPending?: number
}

/** A subscription. One reader iterates over it. */
export interface StorageWatch extends AsyncIterable<StorageWatchBatch> {
  /**
   * Asks for a batch, empty if need be, whose revision is at least the current one: a reader that then has seen everything up to there
   * may tell its own clients so.
   */
  requestProgress(): void
}

/** Events committed together, and the revision up to which the watcher now has seen everything. */
export interface StorageWatchBatch {
  readonly events: readonly StorageEvent[]
  readonly revision: number
}

/** One committed write. The same event value goes to every watcher. */
export interface StorageEvent {
  readonly type: 'create' | 'update' | 'delete'
  readonly key: string
  readonly revision: number
  /** The new state; for a deletion the last state, stamped with the revision of the deletion. */
  readonly object: UnstructuredObject
  /** The state before; absent for a creation. Selectors of watches need it. */
  readonly previous?: UnstructuredObject
}

/** Why a storage operation could not be done. */
export class StorageError extends Error {
  readonly code: 'exists' | 'not-found' | 'conflict' | 'compacted' | 'future' | 'slow-watcher' | 'closed'
  /** With `conflict`: the stored state. */
  readonly current?: UnstructuredObject

  constructor(code: StorageError['code'], message: string, current?: UnstructuredObject) {
    super(message)
    this.name = 'StorageError'
    this.code = code
    if (current !== undefined) this.current = current
  }
}
