/**
 * A virtual world could not go on.
 *
 * - `Deadlock`: nothing is runnable and no timer is pending, but the goal is not reached. The message lists what is awaited.
 * - `TimeLimit`, `EventLimit`: the goal was not reached within the limit of the run.
 * - `HoldTimeout`: work handed to `hold` took too long in real time.
 * - `AlreadyRunning`: `run` or `advance` was called while another call was under way.
 */
export type VirtualWorldErrorCode = 'Deadlock' | 'TimeLimit' | 'EventLimit' | 'HoldTimeout' | 'AlreadyRunning'

/** Thrown by `VirtualWorld.run` and `advance` when they cannot go on; the world can still be inspected. */
export class VirtualWorldError extends Error {
  readonly code: VirtualWorldErrorCode

  constructor(code: VirtualWorldErrorCode, message: string) {
    super(message)
    this.name = 'VirtualWorldError'
    this.code = code
  }
}
