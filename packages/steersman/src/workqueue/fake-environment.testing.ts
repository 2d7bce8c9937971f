import type { Environment, Timer } from '../environment/index.js'

/** An environment with a clock that only moves when told, as much of one as a queue uses. */
export class FakeEnvironment implements Pick<Environment, 'monotonicMs' | 'timer' | 'sleep'> {
  #now = 0
  #timers: { readonly at: number; readonly callback: () => void }[] = []

  /** As what the queue takes: the rest of an environment is not there, so that using it fails. */
  static create(): FakeEnvironment & Environment {
    return new FakeEnvironment() as FakeEnvironment & Environment
  }

  get pendingTimers(): number {
    return this.#timers.length
  }

  monotonicMs(): number {
    return this.#now
  }

  timer(milliseconds: number, callback: () => void): Timer {
    const timer = { at: this.#now + milliseconds, callback }
    this.#timers.push(timer)
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      },
    }
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.timer(milliseconds, resolve)
    })
  }

  /** Fires, one after another, what is due within so many milliseconds. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at)
      this.#timers = this.#timers.filter((other) => other !== next)
      next.callback()
    }
    this.#now = end
  }

  /** As {@link advance}, and lets what each timer woke run to its next wait. */
  async run(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    await turn()
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.advance(Math.max(0, next.at - this.#now))
      await turn()
    }
    this.#now = end
  }

  #next(end: number) {
    const due = this.#timers.filter(({ at }) => at <= end)
    return due.reduce<(typeof due)[0] | undefined>(
      (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
      undefined,
    )
  }
}

/** Resolves when no promise reaction is left to run. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
