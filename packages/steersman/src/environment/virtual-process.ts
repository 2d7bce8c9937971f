import type { Environment } from './environment.js'
import type { Network } from './transport.js'

/**
 * One incarnation of a simulated process: an {@link Environment} that can die.
 *
 * After `kill` nothing of it goes on: its promises never settle, its timers never fire, its connections break for the others. Starting it
 * again is a new process of the same name, with other random numbers.
 */
export interface VirtualProcess extends Environment {
  readonly name: string
  /** How many processes of this name were started before this one. */
  readonly incarnation: number
  readonly alive: boolean
  /**
   * Aborted by `kill`, for what stands outside the process and has to let go of it. Code of the process must not listen: a killed process
   * does not get to clean up.
   */
  readonly signal: AbortSignal
  /**
   * What `now()` is ahead of the world's clock, in milliseconds. May be changed to let the wall clock jump; timers and `monotonicMs` are
   * not affected.
   */
  clockOffsetMs: number
  readonly network: Network
  /** Ends the process at once, as SIGKILL does. Does nothing when it is dead. */
  kill(): void
}
