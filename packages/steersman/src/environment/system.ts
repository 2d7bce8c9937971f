import { hostname } from 'node:os'
import { clearTimeout, setTimeout } from 'node:timers'
import type { Environment, Timer, TimerOptions } from './environment.js'
import { onAbort } from './on-abort.js'

/** Node fires a longer timer at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * The {@link Environment} of production: Node's clock, timers, randomness and host name. It has no `network`: HTTP adapters use sockets.
 *
 * Delays of more than 2^31-1 ms are kept; a delay that is not a finite number is a RangeError.
 */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  hostname: () => hostname(),
  timer: (milliseconds, callback, options) => new SystemTimer(milliseconds, callback, options),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = new SystemTimer(milliseconds, () => {
        release?.()
        resolve()
      })
      const release =
        signal &&
        onAbort(signal, () => {
          timer.cancel()
          reject(signal.reason)
        })
    }),
  deliver: (_label, promise) => promise,
  hold: (promise) => promise,
}

class SystemTimer implements Timer {
  readonly #callback: () => void
  readonly #unref: boolean
  #timeout: NodeJS.Timeout

  constructor(milliseconds: number, callback: () => void, options?: TimerOptions) {
    if (!Number.isFinite(milliseconds)) throw new RangeError(`Cannot wait ${milliseconds} ms: a finite number is expected`)
    this.#callback = callback
    this.#unref = options?.unref ?? false
    this.#timeout = this.#wait(Math.max(0, Math.ceil(milliseconds)))
  }

  cancel(): void {
    clearTimeout(this.#timeout)
  }

  #wait(milliseconds: number): NodeJS.Timeout {
    const part = Math.min(milliseconds, MAX_TIMEOUT_MS)
    const timeout = setTimeout(() => {
      if (part === milliseconds) this.#callback()
      else this.#timeout = this.#wait(milliseconds - part)
    }, part)
    return this.#unref ? timeout.unref() : timeout
  }
}
