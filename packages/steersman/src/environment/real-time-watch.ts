import { clearTimeout, setTimeout } from 'node:timers'

/** Calls once when real time passes between `start` and `stop`. The only use of real time in a virtual world: it reports what would hang. */
export class RealTimeWatch {
  readonly #timeoutMs: number
  readonly #onTimeout: () => void
  #timeout: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#timeoutMs = timeoutMs
    this.#onTimeout = onTimeout
  }

  start(): void {
    this.#timeout ??= setTimeout(() => {
      this.#timeout = undefined
      this.#onTimeout()
    }, this.#timeoutMs)
  }

  stop(): void {
    clearTimeout(this.#timeout)
    this.#timeout = undefined
  }
}
