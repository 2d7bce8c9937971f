import type { KubernetesObject, WatchEvent } from '../api/index.js'
import { initialEventsEndAnnotation, isExpired, StatusError } from '../api/index.js'
import type { WatchOptions } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import { Backoff, isAbortOf, type Logger, linkAbort } from '../internal/index.js'
import type { InformerHealth } from './cache.js'
import type { DecodedObject, Decoder } from './decoder.js'
import type { ListWatch } from './list-watch.js'
import type { AttemptEnd, NextStep, ReflectorPhase } from './reflector-policy.js'
import { nextStep, OtherHistoryError, SilentWatchError } from './reflector-policy.js'
import { compareResourceVersions } from './resource-version.js'
import { SilenceWatchdog } from './silence-watchdog.js'

/** What a reflector keeps current. Called synchronously, in the order of the server's changes. */
export interface ReflectorSink {
  /** The complete state at a resourceVersion, by store key. */
  replace(objects: ReadonlyMap<string, DecodedObject>, resourceVersion: string): void
  /** An object was added or modified. */
  upsert(decoded: DecodedObject): void
  /** An object was deleted, or no longer matches the selector. */
  remove(decoded: DecodedObject): void
  /** Everything up to this resourceVersion has been told. */
  advance(resourceVersion: string): void
}

/** Knobs of a reflector. The defaults are for production. */
export interface ReflectorOptions {
  /** Cut a watch that brings neither event nor bookmark for so long. @default the watch's own timeout (5 to 10 minutes) and 30 s */
  readonly silentWatchTimeoutMs?: number
  /** Ask for the initial list as a stream first. @default true */
  readonly streamInitialList?: boolean
  /** Objects per page of a list. @default 500 */
  readonly pageSize?: number
}

/** What a reflector is made of. */
export interface ReflectorParts {
  readonly environment: Environment
  readonly log: Logger
  readonly listWatch: ListWatch
  readonly decoder: Decoder
  readonly sink: ReflectorSink
  readonly options?: ReflectorOptions
}

/** A server that streams initial lists sends without pause; this long a silence means that it does not know the parameter. */
const initialStreamSilenceMs = 30_000
const silenceGraceMs = 30_000
const brokenStreamsAllowed = 3

/** Everything a reflector remembers between attempts. */
interface Position {
  /** Where to resume; absent: list first. */
  resourceVersion: string | undefined
  /** Whether a list must not be older than what was seen; the first one may come from a server's cache. */
  consistentList: boolean
  /** Whether to ask for the initial list as a stream. */
  streaming: boolean
  brokenStreams: number
}

/**
 * Keeps a sink current with one kind on a server: lists, watches, resumes, and lists again when the history is lost.
 *
 * One loop makes one attempt after another; {@link nextStep} alone decides what follows an attempt, {@link Reflector.#apply} alone changes
 * the position. Nothing but the signal ends it.
 */
export class Reflector {
  readonly #environment: Environment
  readonly #log: Logger
  readonly #listWatch: ListWatch
  readonly #decoder: Decoder
  readonly #sink: ReflectorSink
  readonly #options: ReflectorOptions
  readonly #backoff: Backoff
  /** A missing kind costs a server little and its users wait for it: look more often than after errors. */
  readonly #notInstalledBackoff: Backoff
  readonly #position: Position
  #phase: ReflectorPhase = 'list'
  #progressed = false
  /** How long watches have brought nothing, one after the other. */
  #silentMs = 0
  #state: InformerHealth['state'] = 'waiting'
  #lastError: unknown

  constructor(parts: ReflectorParts) {
    const { environment, options = {} } = parts
    this.#environment = environment
    this.#log = parts.log
    this.#listWatch = parts.listWatch
    this.#decoder = parts.decoder
    this.#sink = parts.sink
    this.#options = options
    this.#backoff = new Backoff(environment, { initialMs: 800, maxMs: 30_000, jitter: 1, resetAfterMs: 120_000 })
    this.#notInstalledBackoff = new Backoff(environment, { initialMs: 800, maxMs: 5_000, jitter: 1, resetAfterMs: 120_000 })
    this.#position = {
      resourceVersion: undefined,
      consistentList: false,
      streaming: options.streamInitialList ?? true,
      brokenStreams: 0,
    }
  }

  get state(): InformerHealth['state'] {
    return this.#state
  }

  /** Why the last attempt failed; absent once the server answers again. */
  get lastError(): unknown {
    return this.#lastError
  }

  /** Runs until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const startedMs = this.#environment.monotonicMs()
        const error = await this.#attempt(signal)
        if (signal.aborted) return
        const tookMs = this.#environment.monotonicMs() - startedMs
        this.#silentMs = this.#phase === 'watch' && !this.#progressed ? this.#silentMs + tookMs : 0
        const waitMs = this.#apply({ phase: this.#phase, error, tookMs, progressed: this.#progressed, silentMs: this.#silentMs })
        if (waitMs > 0) await this.#environment.sleep(waitMs, signal)
      }
    } catch (error) {
      if (!isAbortOf(error, signal)) throw error
    } finally {
      this.#state = 'stopped'
    }
  }

  /** Takes the policy's decision over into the position. Returns how long to wait before the next attempt. */
  #apply(end: AttemptEnd): number {
    const next = nextStep(end)
    const position = this.#position
    if (next.relist) {
      position.resourceVersion = undefined
      position.consistentList = true
    }
    if (next.brokenStream) position.brokenStreams++
    if (next.abandonStreaming || position.brokenStreams >= brokenStreamsAllowed) position.streaming = false
    if (end.error !== undefined) this.#lastError = end.error
    const waitMs = Math.max(next.minimumWaitMs, this.#pauseMs(next))
    this.#logEnd(end, next, waitMs)
    if (next.wait === 'not-installed') this.#state = 'kind-not-installed'
    else if (waitMs > 0) this.#state = 'backing-off'
    return waitMs
  }

  #pauseMs(next: NextStep): number {
    if (next.wait === 'none') return 0
    return (next.wait === 'not-installed' ? this.#notInstalledBackoff : this.#backoff).nextMs()
  }

  #logEnd(end: AttemptEnd, next: NextStep, waitMs: number): void {
    const facts = { phase: end.phase, relist: next.relist, retryAfterMs: waitMs }
    const isNews = this.#state !== 'kind-not-installed'
    if (next.wait === 'not-installed') this.#log[isNews ? 'info' : 'debug']('Waiting: the kind is not installed', facts)
    else if (next.abandonStreaming) this.#log.debug('Listing page by page: the server does not stream the initial list', facts)
    else if (isExpired(end.error)) this.#log.debug('Listing again: the server no longer has the history', facts)
    else if (end.error !== undefined) this.#log.warn('List or watch failed', { ...facts, error: String(end.error) })
  }

  /** One list or one watch. Resolves to the error that ended it, if any. */
  async #attempt(signal: AbortSignal): Promise<unknown> {
    this.#progressed = false
    const { resourceVersion, streaming } = this.#position
    try {
      if (resourceVersion !== undefined) await this.#watch(resourceVersion, signal)
      else if (streaming) await this.#streamList(signal)
      else await this.#list(signal)
      return undefined
    } catch (error) {
      return error ?? new Error('List or watch threw nothing')
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    this.#beginListing('list')
    const { pageSize = 500 } = this.#options
    const { consistentList } = this.#position
    // "0" takes any state a server has at hand, which is enough to begin with; after that a list must not go back in time.
    const first = { signal, limit: pageSize, ...(consistentList ? {} : { resourceVersion: '0' }) }
    const objects = new Map<string, DecodedObject>()
    let page = await this.#listWatch.list(first)
    for (;;) {
      this.#healthy()
      for (const item of page.items ?? []) {
        const decoded = this.#decoder.decode(item)
        if (decoded !== undefined) objects.set(decoded.key, decoded)
      }
      const token = page.metadata?.continue
      if (!token) break
      try {
        page = await this.#listWatch.list({ signal, limit: pageSize, continue: token })
      } catch (error) {
        if (!isExpired(error)) throw error
        // The list took longer than the server keeps history: take it whole, in one answer.
        objects.clear()
        page = await this.#listWatch.list({ signal })
      }
      if (page.metadata?.continue === token) throw new Error('List does not end: the server repeats its continue token')
    }
    const { resourceVersion } = page.metadata
    if (!resourceVersion) throw new Error('List cannot be used: it has no resourceVersion')
    if (!signal.aborted) this.#replace(objects, resourceVersion)
  }

  /** A watch that begins with the objects that exist, up to a marked bookmark, and goes on with changes. */
  async #streamList(signal: AbortSignal): Promise<void> {
    this.#beginListing('initial-stream')
    const initial = new Map<string, DecodedObject>()
    // Without a resourceVersion the state is the newest there is.
    const options = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const
    await this.#consume(options, initialStreamSilenceMs, signal, (event, watchdog) => {
      if (this.#phase === 'watch') this.#onChange(event)
      else if (event.type !== 'BOOKMARK') this.#onInitialEvent(initial, event)
      else if (event.object.metadata?.annotations?.[initialEventsEndAnnotation] === 'true') {
        const resourceVersion = resourceVersionOf(event.object)
        if (resourceVersion === undefined) throw new Error('Initial list cannot be used: its last bookmark has no resourceVersion')
        this.#phase = 'watch'
        this.#replace(initial, resourceVersion)
        initial.clear()
        watchdog.allowSilenceOfWatch()
      }
    })
  }

  #onInitialEvent(initial: Map<string, DecodedObject>, event: WatchEvent<KubernetesObject>): void {
    if (event.type === 'ERROR') throw new StatusError(event.object)
    const decoded = this.#decoder.decode(event.object)
    if (decoded === undefined) return
    if (event.type === 'DELETED') initial.delete(decoded.key)
    else initial.set(decoded.key, decoded)
  }

  #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    this.#phase = 'watch'
    this.#state = 'watching'
    return this.#consume({ resourceVersion }, undefined, signal, (event) => {
      refuseOlder(event, resourceVersion)
      this.#onChange(event)
    })
  }

  /**
   * Reads a watch to its end.
   *
   * @param silenceMs how much silence to bear at first; absent: as much as the watch may last.
   */
  async #consume(
    options: WatchOptions,
    silenceMs: number | undefined,
    signal: AbortSignal,
    onEvent: (event: WatchEvent<KubernetesObject>, watchdog: { allowSilenceOfWatch(): void }) => void,
  ): Promise<void> {
    const timeoutSeconds = 300 + Math.floor(this.#environment.random() * 300)
    const watchSilenceMs = this.#options.silentWatchTimeoutMs ?? timeoutSeconds * 1000 + silenceGraceMs
    const cut = new AbortController()
    const unlink = linkAbort(cut, signal)
    const watchdog = new SilenceWatchdog(this.#environment, silenceMs ?? watchSilenceMs, (ms) => cut.abort(new SilentWatchError(ms)))
    const control = { allowSilenceOfWatch: () => watchdog.setLimit(watchSilenceMs) }
    try {
      for await (const batch of this.#listWatch.watch({ ...options, allowWatchBookmarks: true, timeoutSeconds, signal: cut.signal })) {
        watchdog.note()
        this.#healthy()
        for (const event of batch) {
          // A handler may have stopped this informer.
          if (cut.signal.aborted) break
          onEvent(event, control)
        }
      }
      if (cut.signal.aborted) throw cut.signal.reason
    } finally {
      watchdog.stop()
      unlink()
    }
  }

  #onChange(event: WatchEvent<KubernetesObject>): void {
    if (event.type === 'ERROR') throw new StatusError(event.object)
    if (event.type === 'BOOKMARK') {
      // Only its resourceVersion counts: servers and proxies disagree about the kind on a bookmark.
      const resourceVersion = resourceVersionOf(event.object)
      if (resourceVersion !== undefined) this.#advance(resourceVersion)
      return
    }
    const decoded = this.#decoder.decode(event.object)
    if (decoded === undefined) return
    // The sink changes the store and calls handlers in one synchronous step: nobody sees the version before the state.
    this.#advance(decoded.resourceVersion)
    if (event.type === 'DELETED') this.#sink.remove(decoded)
    else this.#sink.upsert(decoded)
  }

  #replace(objects: ReadonlyMap<string, DecodedObject>, resourceVersion: string): void {
    this.#position.resourceVersion = resourceVersion
    this.#position.brokenStreams = 0
    this.#state = 'watching'
    this.#sink.replace(objects, resourceVersion)
  }

  #advance(resourceVersion: string): void {
    const { resourceVersion: before } = this.#position
    if (before !== undefined && (compareResourceVersions(resourceVersion, before) ?? 1) <= 0) return
    this.#position.resourceVersion = resourceVersion
    this.#sink.advance(resourceVersion)
  }

  #beginListing(phase: ReflectorPhase): void {
    this.#phase = phase
    // A kind that is not installed stays visible as such until the server answers.
    if (this.#state !== 'kind-not-installed') this.#state = 'listing'
  }

  #healthy(): void {
    this.#progressed = true
    this.#lastError = undefined
    if (this.#state === 'kind-not-installed') this.#state = 'listing'
  }
}

/** A watch brings what comes after its beginning, bookmarks included. */
function refuseOlder(event: WatchEvent<KubernetesObject>, beginning: string): void {
  if (event.type === 'ERROR') return
  const resourceVersion = resourceVersionOf(event.object)
  if (resourceVersion !== undefined && (compareResourceVersions(resourceVersion, beginning) ?? 0) < 0) {
    throw new OtherHistoryError(resourceVersion, beginning)
  }
}

function resourceVersionOf(object: KubernetesObject): string | undefined {
  const resourceVersion: unknown = object?.metadata?.resourceVersion
  return typeof resourceVersion === 'string' && resourceVersion !== '' ? resourceVersion : undefined
}
