import { onAbort } from '../environment/index.js'

/** Options of a {@link BatchQueue}. */
export interface BatchQueueOptions {
  /** How many items may wait for the consumer. */
  readonly maxPending: number
  /** Ends the queue: pending items are dropped and the consumer's iteration throws `signal.reason`. */
  readonly signal?: AbortSignal
  /** The error that the consumer sees after too many items. @default a {@link BatchQueueOverflowError} */
  readonly overflowError?: () => Error
  /** Called once when no item is wanted any more: closed, failed, aborted, overflown, or left by the consumer. */
  readonly onEnd?: () => void
}

/** The consumer of a {@link BatchQueue} was too slow. */
export class BatchQueueOverflowError extends Error {
  readonly code = 'BATCH_QUEUE_OVERFLOW'
  readonly maxPending: number

  constructor(maxPending: number) {
    super(`Cannot queue another item: ${maxPending} are waiting for a slow consumer and no more are allowed`)
    this.name = 'BatchQueueOverflowError'
    this.maxPending = maxPending
  }
}

/**
 * A bounded queue between one producer that pushes without waiting and one consumer that iterates over batches.
 *
 * A batch is everything that is pending when the consumer asks, in order and never empty; what one turn pushes arrives together. When
 * the bound is reached the queue ends with an error instead of growing: pending items are dropped and `push` returns false from then on.
 */
export class BatchQueue<Item> implements AsyncIterable<Item[]> {
  readonly #options: BatchQueueOptions
  readonly #releaseSignal: (() => void) | undefined
  #pending: Item[] = []
  #state: 'open' | 'closed' | 'failed' = 'open'
  #error: unknown
  #iterating = false
  #waiting: { readonly resolve: (result: IteratorResult<Item[]>) => void; readonly reject: (error: unknown) => void } | undefined
  #flushScheduled = false

  /** @throws {RangeError} when `maxPending` is below 1. */
  constructor(options: BatchQueueOptions) {
    if (!(options.maxPending >= 1)) throw new RangeError(`Cannot make a queue: expected maxPending >= 1, got ${options.maxPending}`)
    this.#options = options
    const { signal } = options
    if (signal === undefined) return
    if (signal.aborted) this.fail(signal.reason)
    else this.#releaseSignal = onAbort(signal, () => this.fail(signal.reason))
  }

  /** How many items wait for the consumer. */
  get size(): number {
    return this.#pending.length
  }

  /** Whether the queue takes no more items. */
  get ended(): boolean {
    return this.#state !== 'open'
  }

  /** Adds an item. Returns false, and drops it, when the queue has ended or ends now because too many are pending. */
  push(item: Item): boolean {
    if (this.#state !== 'open') return false
    if (this.#pending.length >= this.#options.maxPending) {
      const { overflowError, maxPending } = this.#options
      this.fail(overflowError?.() ?? new BatchQueueOverflowError(maxPending))
      return false
    }
    this.#pending.push(item)
    if (this.#waiting !== undefined) this.#scheduleFlush()
    return true
  }

  /** Ends the queue: the consumer gets what is pending, then its iteration ends. Does nothing when it has already ended. */
  close(): void {
    this.#end('closed', undefined)
  }

  /** Ends the queue at once: pending items are dropped and the consumer's iteration throws `error`. Does nothing when it has already ended. */
  fail(error: unknown): void {
    if (this.#state !== 'open') return
    this.#pending = []
    this.#end('failed', error)
  }

  /** @throws {TypeError} on a second call: there is one consumer. */
  [Symbol.asyncIterator](): AsyncIterator<Item[], undefined> {
    if (this.#iterating) throw new TypeError('Cannot iterate over the queue: it already has a consumer and takes only one')
    this.#iterating = true
    return {
      next: () => this.#next(),
      return: () => {
        this.close()
        this.#pending = []
        this.#flush()
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }

  #next(): Promise<IteratorResult<Item[], undefined>> {
    if (this.#waiting !== undefined) return Promise.reject(new TypeError('Cannot read a batch: the previous read has not settled'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (this.#pending.length > 0 || this.#state !== 'open') this.#flush()
    })
  }

  #end(state: 'closed' | 'failed', error: unknown): void {
    if (this.#state !== 'open') return
    this.#state = state
    this.#error = error
    this.#releaseSignal?.()
    this.#scheduleFlush()
    this.#options.onEnd?.()
  }

  /** Not at once: more items of the same turn may follow, and one batch costs the consumer as much as one item. */
  #scheduleFlush(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    queueMicrotask(() => {
      this.#flushScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    if (this.#pending.length > 0) {
      const batch = this.#pending
      this.#pending = []
      this.#waiting = undefined
      waiting.resolve({ done: false, value: batch })
    } else if (this.#state === 'failed') {
      // The error is thrown once; after it the iteration is over, as with a generator.
      this.#state = 'closed'
      this.#waiting = undefined
      waiting.reject(this.#error)
    } else if (this.#state === 'closed') {
      this.#waiting = undefined
      waiting.resolve({ done: true, value: undefined })
    }
  }
}
