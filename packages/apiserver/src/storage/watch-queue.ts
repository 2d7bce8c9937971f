import type { StorageEvent, StorageWatch, StorageWatchBatch } from './storage.js'
import { StorageError } from './storage.js'

/**
 * What one watcher has not read yet. Events are pushed synchronously by the writer; the reader takes all that wait as one batch.
 *
 * Reaching the bound ends the iteration with `slow-watcher` after what was queued is dropped: a queue never grows beyond it.
 */
export class WatchQueue implements AsyncIterableIterator<StorageWatchBatch>, StorageWatch {
  readonly prefix: string
  readonly #maxPending: number
  readonly #currentRevision: () => number
  readonly #onEnd: (queue: WatchQueue) => void
  #events: StorageEvent[] = []
  #waiter: Waiter | undefined
  #progressRequested = false
  #ended = false
  #error: Error | undefined

  constructor(prefix: string, maxPending: number, currentRevision: () => number, onEnd: (queue: WatchQueue) => void) {
    this.prefix = prefix
    this.#currentRevision = currentRevision
    this.#maxPending = maxPending
    this.#onEnd = onEnd
  }

  push(event: StorageEvent): void {
    if (this.#ended) return
    if (this.#events.length >= this.#maxPending) {
      this.end(
        new StorageError(
          'slow-watcher',
          `Watch of ${this.prefix} ended: ${this.#events.length} events wait, at most ${this.#maxPending} may`,
        ),
      )
      return
    }
    this.#events.push(event)
    this.#wake()
  }

  requestProgress(): void {
    if (this.#ended) return
    this.#progressRequested = true
    this.#wake()
  }

  #wake(): void {
    if (this.#waiter === undefined) return
    // The promise settles now and the reader runs in a later microtask: until then `#take` is not called, so what the
    // writer still commits in this step reaches the reader in the same batch.
    const waiter = this.#waiter
    this.#waiter = undefined
    queueMicrotask(() => this.#settle(waiter))
  }

  /** Ends the iteration: with an error at once, without one too, dropping what waits. */
  end(error?: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#events = []
    this.#onEnd(this)
    const waiter = this.#waiter
    this.#waiter = undefined
    if (waiter !== undefined) this.#settle(waiter)
  }

  next(): Promise<IteratorResult<StorageWatchBatch>> {
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject }
      if (this.#ended || this.#progressRequested || this.#events.length > 0) this.#settle(waiter)
      else this.#waiter = waiter
    })
  }

  async return(): Promise<IteratorResult<StorageWatchBatch>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #settle(waiter: Waiter): void {
    if (this.#error !== undefined) {
      const error = this.#error
      this.#error = undefined
      waiter.reject(error)
    } else if (this.#ended) {
      waiter.resolve({ done: true, value: undefined })
    } else {
      const events = this.#events
      this.#events = []
      this.#progressRequested = false
      // Events are pushed when they are committed: a reader that takes all of them has seen everything up to now.
      waiter.resolve({ done: false, value: { events, revision: this.#currentRevision() } })
    }
  }
}

interface Waiter {
  readonly resolve: (result: IteratorResult<StorageWatchBatch>) => void
  readonly reject: (error: Error) => void
}
