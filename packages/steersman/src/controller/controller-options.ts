import type { Client } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import type { Logger } from '../internal/index.js'
import type { RateLimiter } from '../workqueue/index.js'
import type { ReconcileRequest, Reconciler } from './reconcile.js'

/** Options of a {@link Controller}. */
export interface ControllerOptions {
  /** Unique in its manager; also the field manager of its writes. */
  readonly name: string
  readonly reconciler: Reconciler
  readonly environment: Environment
  readonly client: Client
  readonly logger: Logger
  /** Reconciles at the same time, of different keys. @default 1 */
  readonly maxConcurrentReconciles?: number
  /** How long a source may take to report what exists. 0: for ever. @default 120000 */
  readonly cacheSyncTimeoutMs?: number
  /** How long one reconcile may take before its signal aborts. 0: for ever. @default 0 */
  readonly reconcileTimeoutMs?: number
  /** Waits between retries of a failing key. @default exponential, 5 ms to 1000 s */
  readonly rateLimiter?: RateLimiter<ReconcileRequest>
  /** Ends reconciles under way: after the start signal has aborted they may finish until this one aborts too. */
  readonly abandonSignal?: AbortSignal
  /** Key of the reconciled object on every log line, e.g. `Widget`. */
  readonly kind?: string
}
