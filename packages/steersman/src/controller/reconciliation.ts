import type { Client } from '../client/index.js'
import type { Environment, Timer } from '../environment/index.js'
import { type Logger, linkAbort } from '../internal/index.js'
import type { ControllerOptions } from './controller-options.js'
import type { ReconcileContext, ReconcileRequest } from './reconcile.js'

/** The context of one reconcile. What most reconciles do not use is made on first access: an AbortController costs microseconds. */
export class Reconciliation implements ReconcileContext {
  readonly environment: Environment
  readonly #request: ReconcileRequest
  readonly #options: ControllerOptions
  readonly #controllerLog: Logger
  readonly #timer: Timer | undefined
  #client: Client | undefined
  #log: Logger | undefined
  #reconcileId: string | undefined
  #controller: AbortController | undefined
  #unlink: (() => void) | undefined
  #timeoutReason: Error | undefined

  constructor(request: ReconcileRequest, options: ControllerOptions, log: Logger) {
    this.environment = options.environment
    this.#request = request
    this.#options = options
    this.#controllerLog = log
    const timeoutMs = options.reconcileTimeoutMs ?? 0
    if (timeoutMs > 0) this.#timer = options.environment.timer(timeoutMs, () => this.#timeOut(timeoutMs))
  }

  get hasTimedOut(): boolean {
    return this.#timeoutReason !== undefined
  }

  get client(): Client {
    this.#client ??= this.#options.client.with({
      signal: () => this.signal,
      fieldManager: this.#options.name,
      caller: `controller/${this.#options.name}`,
    })
    return this.#client
  }

  get reconcileId(): string {
    this.#reconcileId ??= this.environment.uuid()
    return this.#reconcileId
  }

  get log(): Logger {
    const { namespace, name } = this.#request
    const { kind } = this.#options
    this.#log ??= this.#controllerLog.with({
      ...(kind === undefined ? {} : { [kind]: { name, namespace } }),
      namespace,
      name,
      reconcileID: this.reconcileId,
    })
    return this.#log
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#timeoutReason !== undefined) this.#controller.abort(this.#timeoutReason)
      else this.#unlink = linkAbort(this.#controller, this.#options.abandonSignal)
    }
    return this.#controller.signal
  }

  /** Releases what the reconcile held. Its signal does not abort any more. */
  end(): void {
    this.#timer?.cancel()
    this.#unlink?.()
  }

  #timeOut(timeoutMs: number): void {
    this.#timeoutReason = new Error(
      `Reconcile of "${this.#request.name}" by controller "${this.#options.name}" took longer than ${timeoutMs} ms`,
    )
    this.#controller?.abort(this.#timeoutReason)
  }
}
