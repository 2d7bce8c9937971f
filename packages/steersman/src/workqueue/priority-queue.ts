import type { Environment, Timer } from '../environment/index.js'
import { abortable, Heap, type HeapHandle, onAbort } from '../internal/index.js'
import { Histogram } from './histogram.js'
import { type LevelNode, Levels } from './levels.js'
import { defaultControllerRateLimiter, type RateLimiter } from './rate-limiter.js'
import type { AddOptions, QueueSnapshot, WorkItem, WorkQueue, WorkQueueOptions } from './work-queue.js'

/** All that is known of one key. It exists while the key is pending or in a worker's hands. */
interface Entry<Item> extends LevelNode {
  readonly key: string
  item: Item
  /**
   * Where the next hand-out stands:
   * - `none`: nothing is pending.
   * - `waiting`: due at `readyAtMs`.
   * - `ready`: due, and in the levels.
   * - `deferred`: due, but in a worker's hands; becomes ready with `done`.
   */
  pending: 'none' | 'waiting' | 'ready' | 'deferred'
  readyAtMs: number
  handle: HeapHandle<Entry<Item>> | undefined
  /** When it became due. */
  dueSinceMs: number
  isProcessing: boolean
  startedAtMs: number
}

interface Waiter<Item> {
  readonly resolve: (work: WorkItem<Item> | undefined) => void
  readonly release: (() => void) | undefined
}

/** Node's timers take no more; a longer wait is armed again. */
const maxTimerMs = 2 ** 31 - 1

/**
 * The work queue of controllers: deduplicating, delaying, rate-limiting, with priorities. All methods are synchronous but `get` and
 * `shutDownWithDrain`.
 *
 * @example
 * const queue = new PriorityQueue<ObjectKey>(environment, { keyOf: ({ namespace, name }) => `${namespace}/${name}` })
 * queue.add({ namespace: 'default', name: 'web' })
 */
export class PriorityQueue<Item> implements WorkQueue<Item> {
  readonly #environment: Environment
  readonly #keyOf: (item: Item) => string
  readonly #rateLimiter: RateLimiter<Item>
  readonly #entries = new Map<string, Entry<Item>>()
  readonly #ready = new Levels<Entry<Item>>()
  readonly #waiting = new Heap<Entry<Item>>((left, right) => left.readyAtMs - right.readyAtMs)
  readonly #processing = new Set<Entry<Item>>()
  readonly #waiters = new Set<Waiter<Item>>()
  #serveScheduled = false
  #timer: Timer | undefined
  #timerAtMs = Number.POSITIVE_INFINITY
  #isShuttingDown = false
  #drained: (() => void)[] = []
  #adds = 0
  #retries = 0
  readonly #queueDuration = new Histogram()
  readonly #workDuration = new Histogram()

  constructor(environment: Environment, options: WorkQueueOptions<Item>) {
    this.#environment = environment
    this.#keyOf = options.keyOf
    this.#rateLimiter = options.rateLimiter ?? defaultControllerRateLimiter()
  }

  get length(): number {
    return this.#ready.size
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown
  }

  add(item: Item): void {
    this.#add(item, 0, 0)
  }

  addAfter(item: Item, milliseconds: number): void {
    this.#add(item, 0, milliseconds)
  }

  addRateLimited(item: Item): void {
    this.addWithOptions({ rateLimited: true }, item)
  }

  addWithOptions(options: AddOptions, ...items: readonly Item[]): void {
    const { afterMs = 0, rateLimited = false, priority = 0 } = options
    if (Number.isNaN(priority)) throw new RangeError('Cannot add an item: the priority is not a number')
    if (this.#isShuttingDown) return
    for (const item of items) {
      let delayMs = afterMs
      if (rateLimited) {
        const limitedMs = this.#rateLimiter.when(this.#keyOf(item), item)
        delayMs = afterMs > 0 ? Math.min(afterMs, limitedMs) : limitedMs
      }
      this.#add(item, priority, delayMs)
    }
  }

  forget(item: Item): void {
    this.#rateLimiter.forget(this.#keyOf(item))
  }

  numRequeues(item: Item): number {
    return this.#rateLimiter.numRequeues(this.#keyOf(item))
  }

  tryGet(): WorkItem<Item> | undefined {
    const now = this.#environment.monotonicMs()
    // Workers that never let the event loop turn would otherwise keep delayed items waiting behind a late timer.
    if (this.#waiting.size > 0) this.#promote(now)
    const entry = this.#ready.shift()
    if (entry === undefined) return undefined
    entry.pending = 'none'
    entry.isProcessing = true
    entry.startedAtMs = now
    this.#processing.add(entry)
    this.#queueDuration.observe((now - entry.dueSinceMs) / 1000)
    return { item: entry.item, priority: entry.priority }
  }

  get(signal?: AbortSignal): Promise<WorkItem<Item> | undefined> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    // Whoever already waits comes first; an item for them is handed out at the end of this turn.
    const work = this.#waiters.size === 0 ? this.tryGet() : undefined
    if (work !== undefined) return Promise.resolve(work)
    if (this.#isShuttingDown && this.#ready.size === 0) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(waiter)
        reject(signal?.reason)
      }
      const waiter: Waiter<Item> = { resolve, release: signal && onAbort(signal, leave) }
      this.#waiters.add(waiter)
    })
  }

  done(item: Item): void {
    const entry = this.#entries.get(this.#keyOf(item))
    if (!entry?.isProcessing) return
    entry.isProcessing = false
    this.#processing.delete(entry)
    this.#workDuration.observe((this.#environment.monotonicMs() - entry.startedAtMs) / 1000)
    if (entry.pending === 'none') this.#entries.delete(entry.key)
    else if (entry.pending === 'deferred') this.#makeReady(entry)
    if (this.#isShuttingDown) this.#endDrain(false)
  }

  shutDown(): void {
    this.#stop()
    this.#endDrain(true)
  }

  shutDownWithDrain(signal?: AbortSignal): Promise<void> {
    this.#stop()
    if (this.#isDrained()) return Promise.resolve()
    return abortable(new Promise<void>((resolve) => this.#drained.push(resolve)), signal)
  }

  snapshot(): QueueSnapshot {
    const now = this.#environment.monotonicMs()
    const runningSeconds = Array.from(this.#processing, (entry) => (now - entry.startedAtMs) / 1000)
    return {
      depth: this.#ready.size,
      depthByPriority: this.#ready.counts(),
      waiting: this.#waiting.size,
      processing: this.#processing.size,
      adds: this.#adds,
      retries: this.#retries,
      queueDuration: this.#queueDuration.snapshot(),
      workDuration: this.#workDuration.snapshot(),
      unfinishedWorkSeconds: runningSeconds.reduce((sum, seconds) => sum + seconds, 0),
      longestRunningProcessorSeconds: runningSeconds.reduce((longest, seconds) => Math.max(longest, seconds), 0),
    }
  }

  #add(item: Item, priority: number, delayMs: number): void {
    if (this.#isShuttingDown) return
    if (Number.isNaN(delayMs)) throw new RangeError('Cannot add an item: the delay is not a number')
    if (delayMs > 0) this.#retries++
    const key = this.#keyOf(item)
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      entry = newEntry(key, item, priority)
      this.#entries.set(key, entry)
    }
    if (entry.pending === 'none') {
      entry.item = item
      entry.priority = priority
    } else if (priority > entry.priority) {
      this.#raise(entry, priority)
    }
    if (entry.pending === 'none' || entry.pending === 'waiting') this.#schedule(entry, delayMs)
  }

  #raise(entry: Entry<Item>, priority: number): void {
    if (entry.pending === 'ready') this.#ready.remove(entry)
    entry.priority = priority
    if (entry.pending === 'ready') this.#ready.push(entry)
  }

  /** Sets when an entry becomes due, unless it does so earlier. */
  #schedule(entry: Entry<Item>, delayMs: number): void {
    const now = this.#environment.monotonicMs()
    if (delayMs <= 0) {
      if (entry.handle !== undefined) this.#waiting.remove(entry.handle)
      this.#makeDue(entry, now)
    } else if (entry.handle === undefined) {
      entry.pending = 'waiting'
      entry.readyAtMs = now + delayMs
      entry.handle = this.#waiting.push(entry)
      this.#arm(now)
    } else if (now + delayMs < entry.readyAtMs) {
      entry.readyAtMs = now + delayMs
      this.#waiting.update(entry.handle)
      this.#arm(now)
    }
  }

  /** Makes every entry due whose time has come. */
  #promote(now: number): void {
    for (let entry = this.#waiting.peek(); entry !== undefined && entry.readyAtMs <= now; entry = this.#waiting.peek()) {
      this.#waiting.pop()
      this.#makeDue(entry, now)
    }
  }

  #makeDue(entry: Entry<Item>, now: number): void {
    this.#adds++
    entry.handle = undefined
    entry.dueSinceMs = now
    if (entry.isProcessing) entry.pending = 'deferred'
    else this.#makeReady(entry)
  }

  #makeReady(entry: Entry<Item>): void {
    entry.pending = 'ready'
    this.#ready.push(entry)
    if (this.#waiters.size > 0) this.#scheduleServe()
  }

  /** One timer for all waiting entries. One that fires too early, because its entry is no longer waiting, is armed again. */
  #arm(now: number): void {
    const first = this.#waiting.peek()
    if (first === undefined || first.readyAtMs >= this.#timerAtMs) return
    this.#timer?.cancel()
    this.#timerAtMs = Math.min(first.readyAtMs, now + maxTimerMs)
    this.#timer = this.#environment.timer(this.#timerAtMs - now, () => {
      this.#disarm()
      const firedAt = this.#environment.monotonicMs()
      this.#promote(firedAt)
      this.#arm(firedAt)
    })
  }

  #disarm(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#timerAtMs = Number.POSITIVE_INFINITY
  }

  /** At the end of the turn, so that the highest priority of what the turn adds goes first. */
  #scheduleServe(): void {
    if (this.#serveScheduled) return
    this.#serveScheduled = true
    queueMicrotask(() => {
      this.#serveScheduled = false
      this.#serve()
    })
  }

  #serve(): void {
    for (const waiter of this.#waiters) {
      const work = this.tryGet()
      if (work === undefined && !this.#isShuttingDown) return
      this.#waiters.delete(waiter)
      waiter.release?.()
      waiter.resolve(work)
    }
  }

  #stop(): void {
    if (this.#isShuttingDown) return
    this.#isShuttingDown = true
    this.#disarm()
    for (const entry of this.#waiting) {
      entry.pending = 'none'
      entry.handle = undefined
      if (!entry.isProcessing) this.#entries.delete(entry.key)
    }
    this.#waiting.clear()
    this.#scheduleServe()
  }

  #isDrained(): boolean {
    return this.#ready.size === 0 && this.#processing.size === 0
  }

  #endDrain(force: boolean): void {
    if (!force && !this.#isDrained()) return
    for (const resolve of this.#drained.splice(0)) resolve()
  }
}

function newEntry<Item>(key: string, item: Item, priority: number): Entry<Item> {
  return {
    key,
    item,
    priority,
    previous: undefined,
    next: undefined,
    pending: 'none',
    readyAtMs: 0,
    handle: undefined,
    dueSinceMs: 0,
    isProcessing: false,
    startedAtMs: 0,
  }
}
