import type { Environment, Timer } from '../environment/index.js'

/** Calls back once when nothing was noted for a while. Noting costs no timer: the one that runs looks when it fires. */
export class SilenceWatchdog {
  readonly #environment: Environment
  readonly #onSilence: (silentMs: number) => void
  #limitMs: number
  #lastMs: number
  #timer: Timer | undefined

  constructor(environment: Environment, limitMs: number, onSilence: (silentMs: number) => void) {
    this.#environment = environment
    this.#limitMs = limitMs
    this.#onSilence = onSilence
    this.#lastMs = environment.monotonicMs()
    this.#arm(limitMs)
  }

  /** Something came. */
  note(): void {
    this.#lastMs = this.#environment.monotonicMs()
  }

  /** Allows another length of silence, from the last thing noted. */
  setLimit(limitMs: number): void {
    this.#limitMs = limitMs
    this.#timer?.cancel()
    this.#arm(this.#lastMs + limitMs - this.#environment.monotonicMs())
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #arm(afterMs: number): void {
    this.#timer = this.#environment.timer(Math.max(0, afterMs), () => this.#look())
  }

  #look(): void {
    const silentMs = this.#environment.monotonicMs() - this.#lastMs
    if (silentMs < this.#limitMs) this.#arm(this.#limitMs - silentMs)
    else this.#onSilence(this.#limitMs)
  }
}
