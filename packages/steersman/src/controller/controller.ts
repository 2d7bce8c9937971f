import { isAbortOf, type Logger, linkAbort, onAbort } from '../internal/index.js'
import { PriorityQueue } from '../workqueue/index.js'
import type { ControllerOptions } from './controller-options.js'
import type { Enqueue } from './handler.js'
import type { ReconcileRequest, ReconcileResult } from './reconcile.js'
import { isTerminalError } from './reconcile.js'
import { Reconciliation } from './reconciliation.js'
import type { Source } from './source.js'

/** Results of reconciles, by kind, since the start. The names are those of `controller_runtime_reconcile_total`. */
export interface ReconcileCounts {
  success: number
  error: number
  requeue: number
  requeue_after: number
  /** Also counted as `error`. */
  terminal: number
  /** Reconciles whose timeout passed. */
  timeout: number
}

/** A controller did not start because what it watches did not come. */
export class CacheSyncTimeoutError extends Error {
  readonly code = 'CACHE_SYNC_TIMEOUT'

  constructor(controller: string, source: string, timeoutMs: number) {
    super(`Cannot start controller "${controller}": ${source} did not sync within ${timeoutMs} ms`)
    this.name = 'CacheSyncTimeoutError'
  }
}

/** Takes requests from its sources and reconciles them, each key by one worker at a time. */
export class Controller {
  readonly name: string
  readonly #options: ControllerOptions
  readonly #queue: PriorityQueue<ReconcileRequest>
  readonly #log: Logger
  readonly #sources: Source[] = []
  readonly counts: ReconcileCounts = { success: 0, error: 0, requeue: 0, requeue_after: 0, terminal: 0, timeout: 0 }
  #activeWorkers = 0
  #signal: AbortSignal | undefined

  constructor(options: ControllerOptions) {
    const workers = options.maxConcurrentReconciles ?? 1
    if (!Number.isInteger(workers) || workers < 1) {
      throw new RangeError(
        `Cannot make controller "${options.name}": maxConcurrentReconciles is ${workers}, expected an integer of at least 1`,
      )
    }
    this.name = options.name
    this.#options = options
    this.#log = options.logger.with({ controller: options.name })
    this.#queue = new PriorityQueue<ReconcileRequest>(options.environment, {
      keyOf: requestKey,
      ...(options.rateLimiter === undefined ? {} : { rateLimiter: options.rateLimiter }),
    })
  }

  /** Reconciles running now. */
  get activeWorkers(): number {
    return this.#activeWorkers
  }

  /** The queue, for metrics and tests. */
  get queue(): PriorityQueue<ReconcileRequest> {
    return this.#queue
  }

  /** Adds a source. After the start it begins at once and is not waited for. */
  watch(source: Source): void {
    this.#sources.push(source)
    if (this.#signal !== undefined && !this.#signal.aborted) source.start(this.#enqueue, this.#signal)
  }

  /**
   * Starts the sources, waits until they reported what exists, then reconciles until the signal aborts. Settles after the last reconcile ended.
   *
   * @throws {CacheSyncTimeoutError} when a source does not sync in time.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new TypeError(`Cannot start controller "${this.name}": it was started before`)
    this.#signal = signal
    this.#log.info('Starting Controller', { sources: this.#sources.map((source) => source.name) })
    const release = onAbort(signal, () => this.#queue.shutDown())
    if (signal.aborted) this.#queue.shutDown()
    try {
      for (const source of this.#sources) source.start(this.#enqueue, signal)
      for (const source of this.#sources) await this.#waitForSource(source, signal)
      const workers = this.#options.maxConcurrentReconciles ?? 1
      this.#log.info('Starting workers', { workerCount: workers })
      await Promise.all(Array.from({ length: workers }, () => this.#work()))
    } catch (error) {
      if (!isAbortOf(error, signal)) throw error
    } finally {
      this.#queue.shutDown()
      release()
    }
    this.#log.info('All workers finished')
  }

  readonly #enqueue: Enqueue = (request, options = {}) => {
    const { priority, afterMs } = options
    this.#queue.addWithOptions({ ...(priority === undefined ? {} : { priority }), ...(afterMs === undefined ? {} : { afterMs }) }, request)
  }

  async #waitForSource(source: Source, signal: AbortSignal): Promise<void> {
    const timeoutMs = this.#options.cacheSyncTimeoutMs ?? 120_000
    if (timeoutMs === 0) return source.waitForSync(signal)
    for (;;) {
      const wasWaiting = source.isWaitingForKind?.() === true
      const attempt = new AbortController()
      const unlink = linkAbort(attempt, signal)
      const timer = this.#options.environment.timer(timeoutMs, () =>
        attempt.abort(new CacheSyncTimeoutError(this.name, source.name, timeoutMs)),
      )
      try {
        return await source.waitForSync(attempt.signal)
      } catch (error) {
        const isTimeout = error instanceof CacheSyncTimeoutError
        // A kind that is not installed yet may be installed at any time: wait for it, visibly. Once it is, it gets the whole time.
        if (!isTimeout || !(wasWaiting || source.isWaitingForKind?.() === true)) throw error
        this.#log.warn('Still waiting for a kind that is not installed', { source: source.name })
      } finally {
        timer.cancel()
        unlink()
      }
    }
  }

  async #work(): Promise<void> {
    for (;;) {
      const next = this.#queue.tryGet() ?? (await this.#queue.get())
      if (next === undefined || this.#signal?.aborted === true) return
      this.#activeWorkers += 1
      try {
        await this.#reconcile(next.item, next.priority)
      } finally {
        this.#activeWorkers -= 1
        this.#queue.done(next.item)
      }
    }
  }

  /** Runs one reconcile and decides in one place what becomes of its key. */
  async #reconcile(request: ReconcileRequest, priority: number): Promise<void> {
    const run = new Reconciliation(request, this.#options, this.#log)
    let result: ReconcileResult | undefined
    try {
      result = (await this.#options.reconciler.reconcile(request, run)) ?? undefined
    } catch (error) {
      this.#failed(error, { request, priority, run })
      return
    } finally {
      run.end()
    }
    const requeueAfterMs = result?.requeueAfterMs ?? 0
    this.#queue.forget(request)
    if (requeueAfterMs > 0) {
      this.counts.requeue_after += 1
      this.#queue.addWithOptions({ afterMs: requeueAfterMs, priority: result?.priority ?? priority }, request)
    } else {
      this.counts.success += 1
    }
  }

  #failed(error: unknown, { request, priority, run }: { request: ReconcileRequest; priority: number; run: Reconciliation }): void {
    if (run.hasTimedOut) this.counts.timeout += 1
    if (this.#options.abandonSignal?.aborted === true && error === this.#options.abandonSignal.reason) return
    this.counts.error += 1
    if (isTerminalError(error)) {
      this.counts.terminal += 1
      this.#queue.forget(request)
    } else {
      this.#queue.addWithOptions({ rateLimited: true, priority }, request)
    }
    run.log.error(error, 'Reconciler error')
  }
}

function requestKey(request: ReconcileRequest): string {
  return `${request.cluster}/${request.namespace}/${request.name}`
}
