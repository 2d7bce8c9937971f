import type { RateLimiter } from './rate-limiter.js'

/**
 * A queue of work for any number of workers. Items with equal keys are the same item.
 *
 * A worker's loop, in which every item it takes is given back with `done` whatever happens:
 *
 * @example
 * for (let work = await queue.get(signal); work !== undefined; work = await queue.get(signal)) {
 *   try {
 *     await handle(work.item)
 *     queue.forget(work.item)
 *   } catch {
 *     queue.addRateLimited(work.item)
 *   } finally {
 *     queue.done(work.item)
 *   }
 * }
 */
export interface WorkQueue<Item> {
  /** Adds an item, due now, with priority 0. Dropped after shutdown, as by every method that adds. */
  add(item: Item): void
  /** Adds an item that becomes due after so many milliseconds; at once when that is 0 or less. */
  addAfter(item: Item, milliseconds: number): void
  /** Adds an item that becomes due when the rate limiter says. */
  addRateLimited(item: Item): void
  /**
   * Adds items. An item that is already pending becomes due at the earlier of both times and gets the higher of both priorities; a higher
   * priority puts it at the end of its new level.
   *
   * @throws {RangeError} when the priority or the delay is not a number.
   */
  addWithOptions(options: AddOptions, ...items: readonly Item[]): void
  /**
   * Takes the first due item; waits for one if there is none. Workers that wait are served in the order of their calls.
   *
   * @returns `undefined` once the queue is shut down and nothing is due: the worker's end.
   * @throws `signal.reason`, unchanged, when the signal aborts while waiting or has aborted before.
   */
  get(signal?: AbortSignal): Promise<WorkItem<Item> | undefined>
  /** Takes the first due item without waiting; `undefined` when there is none. */
  tryGet(): WorkItem<Item> | undefined
  /** Gives an item back that `get` handed out. If it was added meanwhile and is due, it goes to the end of its level. Otherwise does nothing. */
  done(item: Item): void
  /** Tells the rate limiter that the item succeeded. */
  forget(item: Item): void
  /** How often the item failed since it was last forgotten. */
  numRequeues(item: Item): number
  /** Items that are due and in nobody's hands. */
  readonly length: number
  readonly isShuttingDown: boolean
  /** Drops delayed items and whatever is added from now on. What is due is still handed out, then every worker gets `undefined`. */
  shutDown(): void
  /**
   * As {@link shutDown}, and resolves when no item is due or in a worker's hands any more. A later `shutDown` ends the wait early.
   *
   * @throws `signal.reason`, unchanged; the queue stays shut down.
   */
  shutDownWithDrain(signal?: AbortSignal): Promise<void>
  /** The queue's figures now. Costs O(items in workers' hands). */
  snapshot(): QueueSnapshot
}

/** What {@link WorkQueue.get} hands out. */
export interface WorkItem<Item> {
  readonly item: Item
  /** The priority that the item had when it was taken, to keep when it is added again. */
  readonly priority: number
}

/** Options of {@link WorkQueue.addWithOptions}. */
export interface AddOptions {
  /** Milliseconds until the item is due. With `rateLimited` too, the earlier time counts. @default 0 */
  readonly afterMs?: number
  /** Whether the rate limiter decides when the item is due, counting a failure. @default false */
  readonly rateLimited?: boolean
  /** Higher first. @default 0 */
  readonly priority?: number
}

/** Options of a work queue. */
export interface WorkQueueOptions<Item> {
  /** The item's identity. Must always give the same string for the same item. */
  readonly keyOf: (item: Item) => string
  /** @default defaultControllerRateLimiter() */
  readonly rateLimiter?: RateLimiter<Item>
}

/** Figures of a queue, for metrics and the dashboard. Counters never go back; durations are seconds. */
export interface QueueSnapshot {
  /** Items that are due and in nobody's hands. */
  readonly depth: number
  /** The same by priority, highest first. Only levels that hold something. */
  readonly depthByPriority: readonly { readonly priority: number; readonly depth: number }[]
  /** Items that wait for their time. */
  readonly waiting: number
  /** Items in workers' hands. */
  readonly processing: number
  /** How many items became due, repeated adds of a pending item not counted. */
  readonly adds: number
  /** How many adds asked for a delay. */
  readonly retries: number
  /** From becoming due to being taken. */
  readonly queueDuration: HistogramSnapshot
  /** From being taken to `done`. */
  readonly workDuration: HistogramSnapshot
  /** For how long the items in workers' hands have been there, summed up. */
  readonly unfinishedWorkSeconds: number
  readonly longestRunningProcessorSeconds: number
}

/** A cumulative histogram as metrics show it. */
export interface HistogramSnapshot {
  /** Observations up to and including each upper bound, ascending; the last bound is Infinity. */
  readonly buckets: readonly { readonly upperBound: number; readonly count: number }[]
  readonly sum: number
  readonly count: number
}
