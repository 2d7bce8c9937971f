import type { Environment } from '../environment/index.js'

/** Decides how long a failed item waits. Items are told apart by their key. */
export interface RateLimiter<Item = unknown> {
  /** Counts a failure and returns for how many milliseconds the item shall wait. */
  when(key: string, item: Item): number
  /** The item succeeded, or nobody tries it any more: its failures are forgotten. */
  forget(key: string): void
  /** How often the item failed since it was last forgotten. */
  numRequeues(key: string): number
}

/** Options of an {@link ItemExponentialFailureRateLimiter}. */
export interface ItemExponentialFailureRateLimiterOptions {
  /** The wait after the first failure. @default 5 */
  readonly baseDelayMs?: number
  /** The longest wait. @default 1_000_000 */
  readonly maxDelayMs?: number
}

/**
 * Each failure of an item doubles its wait, up to a maximum. Keeps one number per item that failed and was not forgotten.
 */
export class ItemExponentialFailureRateLimiter implements RateLimiter {
  readonly #baseDelayMs: number
  readonly #maxDelayMs: number
  readonly #failures = new Map<string, number>()

  /** @throws {RangeError} unless `0 <= baseDelayMs <= maxDelayMs`. */
  constructor(options: ItemExponentialFailureRateLimiterOptions = {}) {
    const { baseDelayMs = 5, maxDelayMs = 1_000_000 } = options
    if (!(baseDelayMs >= 0 && maxDelayMs >= baseDelayMs)) {
      throw new RangeError(`Cannot make a rate limiter: expected 0 <= baseDelayMs <= maxDelayMs, got ${baseDelayMs} and ${maxDelayMs}`)
    }
    this.#baseDelayMs = baseDelayMs
    this.#maxDelayMs = maxDelayMs
  }

  when(key: string): number {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    // The exponent is bounded because 0 times Infinity, after a thousand failures, is not a number.
    return Math.min(this.#baseDelayMs * 2 ** Math.min(failures, 64), this.#maxDelayMs)
  }

  forget(key: string): void {
    this.#failures.delete(key)
  }

  numRequeues(key: string): number {
    return this.#failures.get(key) ?? 0
  }
}

/** Options of a {@link BucketRateLimiter}. */
export interface BucketRateLimiterOptions {
  /** How many items per second in the long run. @default 10 */
  readonly qps?: number
  /** How many items at once after a pause. @default 100 */
  readonly burst?: number
}

/**
 * One token bucket for all items. Every failure reserves the next free token, so the waits of many failures line up behind each other; it
 * knows nothing of single items.
 */
export class BucketRateLimiter implements RateLimiter {
  readonly #environment: Environment
  readonly #qps: number
  readonly #burst: number
  /** Below zero: that many tokens are promised and not there yet. */
  #tokens: number
  #filledAtMs: number

  /** @throws {RangeError} unless qps and burst are positive. */
  constructor(environment: Environment, options: BucketRateLimiterOptions = {}) {
    const { qps = 10, burst = 100 } = options
    if (!(qps > 0 && burst > 0)) throw new RangeError(`Cannot make a rate limiter: expected qps and burst above 0, got ${qps} and ${burst}`)
    this.#environment = environment
    this.#qps = qps
    this.#burst = burst
    this.#tokens = burst
    this.#filledAtMs = environment.monotonicMs()
  }

  when(): number {
    const now = this.#environment.monotonicMs()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAtMs) / 1000) * this.#qps) - 1
    this.#filledAtMs = now
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000
  }

  forget(): void {}

  numRequeues(): number {
    return 0
  }
}

/** Asks several limiters and takes the longest wait. */
export class MaxOfRateLimiter<Item = unknown> implements RateLimiter<Item> {
  readonly #limiters: readonly RateLimiter<Item>[]

  constructor(...limiters: readonly RateLimiter<Item>[]) {
    this.#limiters = limiters
  }

  when(key: string, item: Item): number {
    // Every limiter counts the failure, so none may be skipped.
    return this.#limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(key, item)), 0)
  }

  forget(key: string): void {
    for (const limiter of this.#limiters) limiter.forget(key)
  }

  numRequeues(key: string): number {
    return this.#limiters.reduce((most, limiter) => Math.max(most, limiter.numRequeues(key)), 0)
  }
}

/** What controllers use unless told otherwise: 5 ms after an item's first failure, doubling up to 1000 s, and no limit over all items. */
export function defaultControllerRateLimiter(): RateLimiter {
  return new ItemExponentialFailureRateLimiter()
}
