import type { AnyResourceType } from '../api/index.js'
import { Scheme } from '../api/index.js'
import { type Cache, type CachedKindOptions, createCache, createConsistentClient } from '../cache/index.js'
import {
  type Client,
  type ClientConfig,
  createClient,
  createDiscovery,
  createTransport,
  type Discovery,
  loadClientConfig,
} from '../client/index.js'
import { Controller, type ControllerHost } from '../controller/index.js'
import { type Environment, systemEnvironment, type Transport } from '../environment/index.js'
import { abortable, discardLogger, isAbortOf, type Logger, onAbort } from '../internal/index.js'
import { deferredTransport } from './deferred-transport.js'
import { type HealthCheck, HealthChecks, healthHandler } from './health.js'
import { probeServer } from './http-health.js'
import { createLogger, DeferredLogger } from './logging.js'
import { type Runnable, RunnableGroup, type RunnableGroupName } from './runnable.js'

/** Options of a {@link Manager}. Every one has a default that fits a program running in a cluster or beside a kubeconfig. */
export interface ManagerOptions {
  /** @default the system's clock, randomness and network */
  readonly environment?: Environment
  /** How to reach the API server. @default found as kubectl and in-cluster programs find it */
  readonly config?: ClientConfig
  /** A ready transport instead of a configuration. The manager closes it. */
  readonly transport?: Transport
  /** @default JSON lines on standard error; nothing in a simulated environment */
  readonly logger?: Logger
  /** Whether what API servers warn of (deprecated kinds, unknown fields) is not logged; for programs that work with any kind. @default false */
  readonly suppressWarnings?: boolean
  readonly cache?: {
    /** Only this namespace of namespaced kinds is watched. @default all */
    readonly namespace?: string
    /**
     * Kinds to cache besides those that controllers watch, and what to cache of a kind for everybody: its namespace, selectors, shape and transform.
     * Controllers that watch such a kind without options of their own get what is said here.
     */
    readonly kinds?: readonly (AnyResourceType | CachedKindOptions)[]
  }
  /** Where `/healthz` and `/readyz` are served: `:8081`. Empty or `0`: not at all. @default not at all */
  readonly healthProbeBindAddress?: string
  /** How long work may go on after the stop signal before it is cut. @default 30000 */
  readonly gracefulShutdownTimeoutMs?: number
  /** A read after a write through {@link Manager.client} sees it. @default true */
  readonly readYourOwnWrites?: boolean
}

/** The manager gave up waiting for its parts to stop. */
export class ShutdownTimeoutError extends Error {
  readonly code = 'SHUTDOWN_TIMEOUT'

  constructor(group: string, timeoutMs: number) {
    super(`Cannot stop the manager cleanly: ${group} did not end within ${timeoutMs} ms after the stop signal`)
    this.name = 'ShutdownTimeoutError'
  }
}

const startOrder: readonly RunnableGroupName[] = ['servers', 'caches', 'others', 'controllers']

/**
 * Runs controllers and what they share: one connection to the API server, one cache, one log, one stop signal.
 *
 * @example
 * const manager = new Manager()
 * controllerManagedBy(manager).for(Widget).owns(Deployment).complete(new WidgetReconciler())
 * await manager.start(setupSignalHandler())
 */
export class Manager implements ControllerHost {
  readonly environment: Environment
  /** Reads watched kinds from the cache and everything else live; writes live. */
  readonly client: Client
  /** Reads and writes live, always. */
  readonly liveClient: Client
  /** Which resources the server has. */
  readonly discovery: Discovery
  readonly cache: Cache
  readonly logger: Logger
  /** The resource types that this program knows. */
  readonly scheme = new Scheme()
  readonly #options: ManagerOptions
  readonly #transport: Transport
  readonly #deferredLogger: DeferredLogger | undefined
  readonly #groups: Readonly<Record<RunnableGroupName, RunnableGroup>>
  readonly #abandon = new AbortController()
  readonly #healthChecks = new HealthChecks('/healthz')
  readonly #readyChecks = new HealthChecks('/readyz')
  readonly #controllerNames = new Set<string>()
  #failure: { readonly error: unknown } | undefined
  #fail: (() => void) | undefined
  #isStarted = false

  constructor(options: ManagerOptions = {}) {
    this.#options = options
    this.environment = options.environment ?? systemEnvironment
    this.#deferredLogger = options.logger === undefined && this.environment.network === undefined ? new DeferredLogger() : undefined
    this.logger = options.logger ?? this.#deferredLogger ?? discardLogger
    this.#transport = options.transport ?? deferredTransport(() => this.#openTransport())
    const warnings = options.suppressWarnings === true ? {} : { logger: this.logger }
    const requests = { environment: this.environment, transport: this.#transport, ...warnings }
    this.liveClient = createClient(requests)
    this.discovery = createDiscovery(requests)
    this.cache = createCache({
      environment: this.environment,
      client: this.liveClient,
      logger: this.logger,
      ...(options.cache?.namespace === undefined ? {} : { namespace: options.cache.namespace }),
      kinds: (options.cache?.kinds ?? []).map((kind) => (isCachedKind(kind) ? kind : { type: kind })),
    })
    this.client = createConsistentClient({
      environment: this.environment,
      client: this.liveClient,
      cache: this.cache,
      readYourOwnWrites: options.readYourOwnWrites ?? true,
    })
    const group = (name: RunnableGroupName): RunnableGroup => new RunnableGroup(name, (error, runnable) => this.#onFailure(error, runnable))
    this.#groups = { servers: group('servers'), caches: group('caches'), others: group('others'), controllers: group('controllers') }
    this.#groups.caches.add({ name: 'cache', start: (signal) => this.cache.start(signal) })
    this.#addProbeServer()
  }

  /** Aborts when reconciles under way must end, at the end of the grace period. */
  get abandonSignal(): AbortSignal {
    return this.#abandon.signal
  }

  /** Adds something to run. After the start it starts at once. Controllers start last. */
  add(runnable: Runnable): void {
    const group = runnable instanceof Controller ? this.#groups.controllers : this.#groups.others
    group.add(runnable)
  }

  claimControllerName(name: string): void {
    if (this.#controllerNames.has(name)) {
      throw new TypeError(`Cannot make controller "${name}": the name is taken in this manager; name one of them with named()`)
    }
    this.#controllerNames.add(name)
  }

  /** Adds a check to `/healthz`: whether the process should be restarted. */
  addHealthCheck(name: string, check: HealthCheck): void {
    this.#healthChecks.add(name, check)
  }

  /** Adds a check to `/readyz`: whether the process does its work. */
  addReadyCheck(name: string, check: HealthCheck): void {
    this.#readyChecks.add(name, check)
  }

  /**
   * Runs until the signal aborts, then stops everything in reverse order and resolves.
   *
   * A server that does not answer is waited for; a configuration that can never work is not.
   *
   * @throws {ClientConfigError} when no configuration is found or it is broken. Nothing was started then.
   * @throws what a part failed with, after everything has stopped.
   * @throws {ShutdownTimeoutError} when a part does not stop within the grace period.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new TypeError('Cannot start the manager: it was started before')
    this.#isStarted = true
    this.#deferredLogger?.resolve(await this.environment.hold(createLogger({ environment: this.environment })))
    await this.#prepare(signal)
    const ended = new Promise<void>((resolve) => {
      this.#fail = resolve
      if (signal.aborted) resolve()
      else onAbort(signal, resolve)
    })
    if (!signal.aborted) {
      this.logger.info('Starting manager')
      // Controllers wait for their own sources, so nothing here waits for the whole cache: one kind that is missing must not stop the others.
      for (const name of startOrder) this.#groups[name].start()
    }
    if (this.#failure === undefined) await ended
    await this.#stop(signal)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Finds out what no waiting can mend, before anything starts. */
  async #prepare(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#transport.prepare === undefined) return
    try {
      await abortable(this.environment.hold(this.#transport.prepare()), signal)
    } catch (error) {
      if (isAbortOf(error, signal)) return
      await this.#transport.close()
      throw error
    }
  }

  async #stop(signal: AbortSignal): Promise<void> {
    this.logger.info('Stopping manager')
    const reason: unknown = signal.aborted ? signal.reason : new DOMException('The manager is stopping', 'AbortError')
    const timeoutMs = this.#options.gracefulShutdownTimeoutMs ?? 30_000
    const timer = this.environment.timer(timeoutMs, () => this.#abandon.abort(new DOMException('The grace period is over', 'AbortError')))
    try {
      for (const name of [...startOrder].reverse()) await this.#stopGroup(this.#groups[name], reason, timeoutMs)
    } finally {
      timer.cancel()
      await this.#transport.close()
    }
    this.logger.info('Manager stopped')
  }

  /** A part that ignores its signal must not keep the process: it gets a second after the end of the grace period. */
  async #stopGroup(group: RunnableGroup, reason: unknown, timeoutMs: number): Promise<void> {
    const stopped = group.stop(reason)
    const gaveUp = new Promise<'gave up'>((resolve) => {
      const giveUp = (): void => void this.environment.timer(1000, () => resolve('gave up'), { unref: true })
      if (this.#abandon.signal.aborted) giveUp()
      else onAbort(this.#abandon.signal, giveUp)
    })
    if ((await Promise.race([stopped, gaveUp])) !== 'gave up') return
    this.#failure ??= { error: new ShutdownTimeoutError(group.name, timeoutMs) }
  }

  #onFailure(error: unknown, runnable: Runnable): void {
    this.logger.error(error, 'A part of the manager failed; stopping', { part: runnable.name ?? 'runnable' })
    this.#failure ??= { error }
    this.#fail?.()
  }

  async #openTransport(): Promise<Transport> {
    const config = this.#options.config ?? (await this.environment.hold(loadClientConfig()))
    return createTransport(this.environment, config)
  }

  #addProbeServer(): void {
    const address = this.#options.healthProbeBindAddress ?? ''
    if (address === '' || address === '0') return
    this.#healthChecks.add('ping', () => {})
    this.#readyChecks.add('informers', () => this.#checkInformers())
    this.#groups.servers.add(probeServer(this.environment, address, healthHandler([this.#healthChecks, this.#readyChecks])))
  }

  #checkInformers(): void {
    const behind = this.cache.health().filter((informer) => !informer.hasSynced)
    if (behind.length > 0) throw new Error(`not synced: ${behind.map((informer) => `${informer.kind} (${informer.state})`).join(', ')}`)
  }
}

function isCachedKind(kind: AnyResourceType | CachedKindOptions): kind is CachedKindOptions {
  return 'type' in kind
}
