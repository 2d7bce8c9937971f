import type { Environment, Timer } from '../environment/index.js'
import { abortable, Heap, throwIfAborted } from '../internal/index.js'

/** An environment whose clock moves only by {@link VirtualTime.advance}; one timer at a time, everything it set off before the next. */
export class VirtualTime implements Environment {
  readonly #timers = new Heap<{ readonly dueMs: number; readonly fire: () => void }>((left, right) => left.dueMs - right.dueMs)
  #nowMs = 0
  #seed: number

  constructor(seed = 1) {
    this.#seed = seed
  }

  now(): number {
    return 1_700_000_000_000 + this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal)
    let timer: Timer | undefined
    try {
      await abortable(
        new Promise<void>((resolve) => {
          timer = this.timer(milliseconds, resolve)
        }),
        signal,
      )
    } finally {
      timer?.cancel()
    }
  }

  timer(milliseconds: number, callback: () => void): Timer {
    const handle = this.#timers.push({ dueMs: this.#nowMs + milliseconds, fire: callback })
    return { cancel: () => void this.#timers.remove(handle) }
  }

  /** A linear congruential generator: the same seed gives the same history. */
  random(): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return this.#seed / 4_294_967_296
  }

  uuid(): string {
    return `00000000-0000-4000-8000-${Math.floor(this.random() * 1e12)
      .toString()
      .padStart(12, '0')}`
  }

  hostname(): string {
    return 'test'
  }

  deliver<T>(_label: string, promise: Promise<T>): Promise<T> {
    return promise
  }

  hold<T>(promise: Promise<T>): Promise<T> {
    return promise
  }

  get pendingTimers(): number {
    return this.#timers.size
  }

  /** Lets everything happen that is due within the time. */
  async advance(milliseconds: number): Promise<void> {
    const endMs = this.#nowMs + milliseconds
    await settle()
    for (let next = this.#timers.peek(); next !== undefined && next.dueMs <= endMs; next = this.#timers.peek()) {
      this.#timers.pop()
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      next.fire()
      await settle()
    }
    this.#nowMs = endMs
  }
}

/** Resolves when no microtask is left. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
