import type { Network } from './transport.js'

/**
 * Everything that is not a pure function of its inputs: time, randomness, order, life and the network.
 *
 * Library code takes an `Environment` by construction and uses nothing else for these. In production it is
 * {@link systemEnvironment}; in a simulation every process of the simulated world has one of its own, and when that
 * process dies its promises never settle.
 */
export interface Environment {
  /** Wall clock: milliseconds since the Unix epoch. May jump; use it for timestamps that leave the process. */
  now(): number
  /** Milliseconds since an arbitrary origin; never goes back. Use it for durations. */
  monotonicMs(): number
  /**
   * Resolves after `milliseconds`.
   *
   * @throws `signal.reason`, unchanged, as soon as the signal aborts.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `callback` once after `milliseconds`. Pending timers keep a production process alive unless `unref` is set. */
  timer(milliseconds: number, callback: () => void, options?: TimerOptions): Timer
  /** A number in [0, 1). Not for secrets. */
  random(): number
  /** A version 4 UUID in lower case. */
  uuid(): string
  /** The name of this host or simulated process, e.g. for a leader election identity. */
  hostname(): string
  /**
   * A completion from outside this process (a response, a watch batch) whose order a scheduler may choose.
   * The result settles as `promise` does, later or at once; in a dead process it never settles.
   *
   * @param label what completes, for traces: `GET /api/v1/pods 200`.
   */
  deliver<T>(label: string, promise: Promise<T>): Promise<T>
  /** Real work (WebCrypto, zlib, file access, a thread) during which a virtual clock must not jump. */
  hold<T>(promise: Promise<T>): Promise<T>
  /** A network that replaces sockets. Absent in production: the HTTP adapters then use real ones. */
  readonly network?: Network
}

/** Options of {@link Environment.timer}. */
export interface TimerOptions {
  /** Whether the timer lets a production process end while it is pending. @default false */
  readonly unref?: boolean
}

/** A pending call made by {@link Environment.timer}. */
export interface Timer {
  /** Prevents the call. Does nothing when it already happened. */
  cancel(): void
}
