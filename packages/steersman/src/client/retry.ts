import { isConflict } from '../api/index.js'
import type { Environment } from '../environment/index.js'

/** How often and at what distance to try. */
export interface RetryOptions {
  /** How many tries in all. @default 5 */
  readonly steps?: number
  /** The wait before the second try. @default 10 */
  readonly initialMs?: number
  /** What each wait is multiplied by to give the next. @default 1 */
  readonly factor?: number
  /** Adds up to this share of a wait, at random. @default 0.1 */
  readonly jitter?: number
  readonly signal?: AbortSignal
}

/**
 * Calls `attempt` again while it fails with a Conflict: somebody else changed the object meanwhile. `attempt` must read the object anew each time.
 * Defaults are those of client-go's `DefaultRetry`.
 *
 * @throws the last Conflict, any other error at once, or `signal.reason`.
 * @example
 * await retryOnConflict(environment, async () => {
 *   const node = await client.get(Node, { name })
 *   await client.update(Node, { ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, zone } } })
 * })
 */
export function retryOnConflict<Result>(
  environment: Environment,
  attempt: () => Promise<Result>,
  options: RetryOptions = {},
): Promise<Result> {
  return retryOnError(environment, isConflict, attempt, options)
}

/**
 * Calls `attempt` again while it fails with an error that `isRetriable` accepts.
 *
 * @throws the last error, an error that is not retriable at once, or `signal.reason`.
 */
export async function retryOnError<Result>(
  environment: Environment,
  isRetriable: (error: unknown) => boolean,
  attempt: () => Promise<Result>,
  { steps = 5, initialMs = 10, factor = 1, jitter = 0.1, signal }: RetryOptions = {},
): Promise<Result> {
  for (let step = 1, waitMs = initialMs; ; step++, waitMs *= factor) {
    try {
      return await attempt()
    } catch (error) {
      if (step >= steps || !isRetriable(error)) throw error
    }
    await environment.sleep(waitMs + environment.random() * jitter * waitMs, signal)
  }
}
