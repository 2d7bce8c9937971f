import { Scheduler } from './scheduler.js'
import { SeededRandom } from './seeded-random.js'
import { SimulatedNetwork } from './simulated-network.js'
import { SimulatedProcess, wholeDelay } from './simulated-process.js'
import { TraceRecorder } from './trace.js'
import type { VirtualNetwork } from './virtual-network.js'
import type { VirtualProcess } from './virtual-process.js'

/** Options of a {@link VirtualWorld}. */
export interface VirtualWorldOptions {
  /** Decides every choice. The same seed and program take the same course. */
  readonly seed: number
  /** The wall clock at the beginning, in milliseconds since the Unix epoch. @default 2026-01-01T00:00:00Z */
  readonly startMs?: number
  /** Whether the seed chooses among the events that are ready, or the first one goes first. @default 'random' */
  readonly order?: 'random' | 'fifo'
  /** Everything that crosses the network takes 0 to this many whole virtual milliseconds, drawn anew each time. @default 0 */
  readonly maxLatencyMs?: number
  /** How many entries of the trace to keep as text. @default 0 */
  readonly traceEntries?: number
  /** How long, in real milliseconds, work handed to `hold` may take. @default 30000 */
  readonly holdTimeoutMs?: number
}

/** Options of {@link VirtualWorld.process}. */
export interface ProcessOptions {
  /** What the process's wall clock is ahead of the world's, in milliseconds. @default 0 */
  readonly clockOffsetMs?: number
}

/** Limits of {@link VirtualWorld.run}. */
export interface RunOptions {
  /** Virtual milliseconds from now. @default 86400000, one day */
  readonly maxVirtualMs?: number
  /** Events from now. @default 10000000 */
  readonly maxEvents?: number
}

const DEFAULT_START_MS = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000
const DEFAULT_MAX_EVENTS = 10_000_000

/**
 * A world in virtual time: processes, the network between them and one clock.
 *
 * Nothing happens until `run` or `advance` is called. Then events (a timer, a request at its server, a response at its client, a watch
 * batch, another completion) happen one at a time, each only when all microtasks of the one before have run. Among those that are ready the
 * seed chooses. The clock moves only when none is ready, and then straight to the next timer: an idle hour costs nothing.
 *
 * Code that runs in the world must wait for nothing else than its process's environment; real work goes through `hold`.
 *
 * @example
 * const world = new VirtualWorld({ seed: 1 })
 * const server = world.process('server')
 * server.network.listen('https://server:6443', handle)
 * const operator = world.process('operator')
 * await world.run(runOperator(operator), { maxVirtualMs: 60_000 })
 */
export class VirtualWorld {
  readonly seed: number
  /** The trace of everything that has been delivered. */
  readonly trace: TraceRecorder
  readonly #startMs: number
  readonly #network: SimulatedNetwork
  readonly #scheduler: Scheduler
  readonly #processes = new Map<string, SimulatedProcess>()

  constructor(options: VirtualWorldOptions) {
    const { seed, startMs = DEFAULT_START_MS, order = 'random', maxLatencyMs = 0, traceEntries = 0, holdTimeoutMs = 30_000 } = options
    if (!Number.isFinite(seed)) throw new RangeError(`Cannot seed a virtual world with ${seed}: a finite number is expected`)
    this.seed = seed
    this.#startMs = startMs
    this.#scheduler = new Scheduler(order === 'random' ? new SeededRandom(seed, 'order') : undefined, holdTimeoutMs)
    this.trace = new TraceRecorder(() => this.#scheduler.elapsedMs, traceEntries)
    this.#network = new SimulatedNetwork(this.#scheduler, this.trace, new SeededRandom(seed, 'network'), maxLatencyMs)
  }

  /** The network's faults. Each process has its own view to connect and listen through. */
  get network(): VirtualNetwork {
    return this.#network
  }

  /** The wall clock: milliseconds since the Unix epoch. */
  get now(): number {
    return this.#startMs + this.#scheduler.elapsedMs
  }

  /** Virtual milliseconds since the world began. */
  get elapsedMs(): number {
    return this.#scheduler.elapsedMs
  }

  /** How many events have happened. */
  get events(): number {
    return this.#scheduler.events
  }

  /**
   * Starts a process, or after a kill the next incarnation of it.
   *
   * @throws {Error} when a process of that name is alive.
   */
  process(name: string, options?: ProcessOptions): VirtualProcess {
    const previous = this.#processes.get(name)
    if (previous?.alive) throw new Error(`Cannot start process "${name}": it is running`)
    const process = new SimulatedProcess({
      name,
      incarnation: previous === undefined ? 0 : previous.incarnation + 1,
      seed: this.seed,
      startMs: this.#startMs,
      clockOffsetMs: options?.clockOffsetMs ?? 0,
      scheduler: this.#scheduler,
      trace: this.trace,
      networkOf: (self) => this.#network.viewOf(self),
      onKill: (self) => this.#network.processDied(self),
    })
    this.#processes.set(name, process)
    return process
  }

  /** A random number of the world's own, in [0, 1), for whoever builds a scenario: independent of what the processes draw. */
  seededRandom(label: string): SeededRandom {
    return new SeededRandom(this.seed, `scenario ${label}`)
  }

  /** What the living processes wait for that no timer brings: completions handed to `deliver`, requests, open streams. */
  pending(): string[] {
    const awaited = [...this.#scheduler.expectations].map(({ owner, label }) => `${owner.name}: ${label}`)
    for (const process of this.#processes.values()) for (const exchange of process.exchanges) awaited.push(exchange.describe())
    return awaited
  }

  /**
   * Lets the world run until `until` is true, asked before every event, or has settled.
   *
   * @returns what the promise resolved to.
   * @throws what the promise rejected with, or what a timer's callback threw.
   * @throws {VirtualWorldError} when nothing can happen any more, or a limit is reached.
   */
  run<T>(until: Promise<T>, options?: RunOptions): Promise<T>
  run(until: () => boolean, options?: RunOptions): Promise<void>
  async run<T>(until: Promise<T> | (() => boolean), options: RunOptions = {}): Promise<T | undefined> {
    if (typeof until === 'function') {
      await this.#run(until, options)
      return undefined
    }
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    until.then(settled, settled)
    await this.#run(() => isSettled, options)
    return until
  }

  /**
   * Lets everything happen that is due within the next `milliseconds`; then the clock has moved by exactly that much.
   *
   * @throws what a timer's callback threw.
   * @throws {VirtualWorldError} when a limit is reached.
   */
  async advance(milliseconds: number, options?: Pick<RunOptions, 'maxEvents'>): Promise<void> {
    const untilMs = this.#scheduler.elapsedMs + wholeDelay(milliseconds)
    await this.#scheduler.run({
      isReached: () => false,
      untilMs,
      advance: true,
      maxEvents: options?.maxEvents ?? DEFAULT_MAX_EVENTS,
      pending: () => this.pending(),
    })
    this.#scheduler.elapsedMs = untilMs
  }

  #run(isReached: () => boolean, { maxVirtualMs = DAY_MS, maxEvents = DEFAULT_MAX_EVENTS }: RunOptions): Promise<void> {
    const untilMs = this.#scheduler.elapsedMs + maxVirtualMs
    return this.#scheduler.run({ isReached, untilMs, advance: false, maxEvents, pending: () => this.pending() })
  }
}
