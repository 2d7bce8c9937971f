import type { Client } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import type { Logger } from '../internal/index.js'

/** The name of the object to reconcile. Not what happened to it: a reconcile looks at the present state. */
export interface ReconcileRequest {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string
  readonly name: string
  /** Which cluster, for managers of several; empty for a single one. */
  readonly cluster: string
}

/** What a reconcile asks for when it succeeded. Nothing: it is done until something changes. */
export interface ReconcileResult {
  /** Come back after so many milliseconds even if nothing changes. */
  readonly requeueAfterMs?: number
  /** Priority of the coming back; higher is served first. @default the priority of this request */
  readonly priority?: number
}

/** What a reconcile works with. Everything here is bound to this one reconcile. */
export interface ReconcileContext {
  /** Reads watched kinds from the cache and everything else live; writes live; sees its own writes. Ends with {@link signal}. */
  readonly client: Client
  readonly log: Logger
  /** Aborts when the reconcile must end: its timeout passed, or the manager stopped and its grace period is over. */
  readonly signal: AbortSignal
  /** Time and randomness. */
  readonly environment: Environment
  /** A UUID, also on every log line of this reconcile. */
  readonly reconcileId: string
}

/**
 * Brings the world a step nearer to what an object says.
 *
 * The contract is level triggered: called with a key, never with an event; may be called again at any time with nothing changed; the same key
 * never runs twice at once. A throw means retry with backoff, a {@link TerminalError} means do not retry,
 * {@link ReconcileResult.requeueAfterMs} means come back then.
 */
export interface Reconciler {
  // biome-ignore lint/suspicious/noConfusingVoidType: a reconcile that returns nothing must be assignable.
  reconcile(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult | void>
}

/** A {@link Reconciler} as a function. */
export type ReconcileFunction = Reconciler['reconcile']

/** Thrown by a reconcile to say: retrying cannot help, wait for a change of the object. */
export class TerminalError extends Error {
  readonly code = 'TERMINAL'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TerminalError'
  }
}

/** Whether an error or one of its causes is terminal; works across copies of the package. */
export function isTerminalError(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 16; cause = cause.cause, depth += 1) {
    if ((cause as { code?: unknown }).code === 'TERMINAL') return true
  }
  return false
}
