/**
 * A virtual world could not go on.
 *
 * - `DEADLOCK`: nothing is runnable and no timer is pending, but the goal is not reached. The message lists what is awaited.
 * - `TIME_LIMIT`, `EVENT_LIMIT`: the goal was not reached within the limit of the run.
 * - `HOLD_TIMEOUT`: work handed to `hold` took too long in real time.
 * - `ALREADY_RUNNING`: `run` or `advance` was called while another call was under way.
 */
export type VirtualWorldErrorCode = 'DEADLOCK' | 'TIME_LIMIT' | 'EVENT_LIMIT' | 'HOLD_TIMEOUT' | 'ALREADY_RUNNING'

/** Thrown by `VirtualWorld.run` and `advance` when they cannot go on; the world can still be inspected. */
export class VirtualWorldError extends Error {
  readonly code: VirtualWorldErrorCode

  constructor(code: VirtualWorldErrorCode, message: string) {
    super(message)
    this.name = 'VirtualWorldError'
    this.code = code
  }
}
