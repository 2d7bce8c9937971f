import type { Environment } from '../environment/index.js'

/** How the waits of a {@link Backoff} grow. */
export interface BackoffOptions {
  /** The first wait. */
  readonly initialMs: number
  /** What each wait is multiplied by to give the next. @default 2 */
  readonly factor?: number
  /** The longest wait before jitter. */
  readonly maxMs: number
  /** Adds up to this share of the wait, at random: with 1 a wait of 800 ms becomes 800 to 1600 ms. @default 0 */
  readonly jitter?: number
  /** After so long without a wait the next one is the first again: the loop was healthy in between. @default never */
  readonly resetAfterMs?: number
}

/**
 * The waits between the attempts of one loop: exponential, capped, with jitter.
 *
 * @example
 * const backoff = new Backoff(environment, { initialMs: 800, maxMs: 30_000, jitter: 1, resetAfterMs: 120_000 })
 * for (;;) {
 *   await attempt(signal)
 *   await backoff.sleep(signal)
 * }
 */
export class Backoff {
  readonly #environment: Environment
  readonly #options: BackoffOptions
  #waitMs: number
  /** When the last wait began. */
  #lastMs = Number.NEGATIVE_INFINITY

  /** @throws {RangeError} when a wait is negative or not a number, the factor is below 1 or the jitter negative. */
  constructor(environment: Environment, options: BackoffOptions) {
    const { initialMs, maxMs, factor = 2, jitter = 0 } = options
    if (!(initialMs >= 0 && maxMs >= initialMs && factor >= 1 && jitter >= 0)) {
      throw new RangeError(
        `Cannot make a backoff: expected 0 <= initialMs <= maxMs, factor >= 1, jitter >= 0, got ${JSON.stringify(options)}`,
      )
    }
    this.#environment = environment
    this.#options = options
    this.#waitMs = initialMs
  }

  /** The next wait, in milliseconds. The caller is expected to wait that long from now. */
  nextMs(): number {
    const { initialMs, maxMs, factor = 2, jitter = 0, resetAfterMs = Number.POSITIVE_INFINITY } = this.#options
    const now = this.#environment.monotonicMs()
    if (now - this.#lastMs > resetAfterMs) this.#waitMs = initialMs
    this.#lastMs = now
    const wait = this.#waitMs
    this.#waitMs = Math.min(wait * factor, maxMs)
    return jitter === 0 ? wait : wait + this.#environment.random() * jitter * wait
  }

  /** Starts again with the first wait. */
  reset(): void {
    this.#waitMs = this.#options.initialMs
  }

  /**
   * Waits for {@link nextMs}.
   *
   * @throws `signal.reason`, unchanged, as soon as the signal aborts.
   */
  sleep(signal?: AbortSignal): Promise<void> {
    return this.#environment.sleep(this.nextMs(), signal)
  }
}
