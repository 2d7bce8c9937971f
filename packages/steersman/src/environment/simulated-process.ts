import type { Timer, TimerOptions } from './environment.js'
import { onAbort } from './on-abort.js'
import type { Scheduler } from './scheduler.js'
import { SeededRandom } from './seeded-random.js'
import type { TraceRecorder } from './trace.js'
import type { Network, TransportRequest } from './transport.js'
import type { VirtualProcess } from './virtual-process.js'

/** A request that a process waits for, or the stream it reads. */
export interface OpenExchange {
  readonly request: TransportRequest
  /** Tells the exchanges of one transport apart from the process's others. */
  readonly transport: object
  /** The process died: nothing settles there any more, and the server learns of it later. */
  clientDied(): void
  /** The process waits no more and gets `error`; the server learns of it later. */
  abort(error: unknown): void
  /** For a report of what is awaited. */
  describe(): string
}

/** What a process gets from its world. */
export interface ProcessSetup {
  readonly name: string
  readonly incarnation: number
  readonly seed: number
  /** The wall clock at the beginning of the world. */
  readonly startMs: number
  readonly clockOffsetMs: number
  readonly scheduler: Scheduler
  readonly trace: TraceRecorder
  readonly networkOf: (process: SimulatedProcess) => Network
  readonly onKill: (process: SimulatedProcess) => void
}

/** The {@link VirtualProcess} of a virtual world. */
export class SimulatedProcess implements VirtualProcess {
  readonly name: string
  readonly incarnation: number
  readonly network: Network
  /** The requests it waits for and the streams it reads. */
  readonly exchanges = new Set<OpenExchange>()
  clockOffsetMs: number
  readonly #setup: ProcessSetup
  readonly #scheduler: Scheduler
  readonly #random: SeededRandom
  readonly #startedMs: number
  readonly #end = new AbortController()
  #alive = true

  constructor(setup: ProcessSetup) {
    this.name = setup.name
    this.incarnation = setup.incarnation
    this.clockOffsetMs = setup.clockOffsetMs
    this.#setup = setup
    this.#scheduler = setup.scheduler
    this.#random = new SeededRandom(setup.seed, `process ${setup.name} ${setup.incarnation}`)
    this.#startedMs = setup.scheduler.elapsedMs
    this.network = setup.networkOf(this)
    setup.trace.start(setup.name)
  }

  get alive(): boolean {
    return this.#alive
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  kill(): void {
    if (!this.#alive) return
    this.#alive = false
    this.#setup.trace.kill(this.name)
    this.#scheduler.drop(this)
    this.#setup.onKill(this)
    this.#end.abort(new Error(`Process "${this.name}" was killed`))
  }

  now(): number {
    return this.#setup.startMs + this.#scheduler.elapsedMs + this.clockOffsetMs
  }

  monotonicMs(): number {
    return this.#scheduler.elapsedMs - this.#startedMs
  }

  random(): number {
    return this.#random.fraction()
  }

  uuid(): string {
    return this.#random.uuid()
  }

  hostname(): string {
    return this.name
  }

  timer(milliseconds: number, callback: () => void, _options?: TimerOptions): Timer {
    const delayMs = wholeDelay(milliseconds)
    if (!this.#alive) return { cancel: () => {} }
    const completion = this.#scheduler.schedule(this, delayMs, () => {
      this.#setup.trace.timer(this.name, completion.sequence)
      callback()
    })
    return { cancel: () => this.#scheduler.cancel(completion) }
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#alive) return
      if (signal?.aborted) return reject(signal.reason)
      const delayMs = wholeDelay(milliseconds)
      const completion = this.#scheduler.schedule(this, delayMs, () => {
        this.#setup.trace.timer(this.name, completion.sequence)
        release?.()
        resolve()
      })
      const release =
        signal &&
        onAbort(signal, () => {
          this.#scheduler.cancel(completion)
          if (this.#alive) reject(signal.reason)
        })
    })
  }

  deliver<T>(label: string, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const expectation = { owner: this, label }
      if (this.#alive) this.#scheduler.expectations.add(expectation)
      const arrive = (settle: () => void) => {
        if (!this.#alive) return
        this.#scheduler.expectations.delete(expectation)
        const completion = this.#scheduler.schedule(this, 0, () => {
          this.#setup.trace.delivery(this.name, label, completion.sequence)
          settle()
        })
      }
      promise.then(
        (value) => arrive(() => resolve(value)),
        (error: unknown) => arrive(() => reject(error)),
      )
    })
  }

  hold<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#alive) this.#scheduler.hold(this, promise, resolve, reject)
      else promise.catch(() => {})
    })
  }
}

/**
 * A delay in whole milliseconds, in which virtual time runs; it is never cut short.
 *
 * @throws {RangeError} when it is not a finite number.
 */
export function wholeDelay(milliseconds: number): number {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`Cannot wait ${milliseconds} ms: a finite number is expected`)
  return milliseconds > 0 ? Math.ceil(milliseconds) : 0
}
