import { isExpired, isForbidden, isNotFound, isTooLargeResourceVersion, isUnauthorized, retryAfterSeconds, statusOf } from '../api/index.js'
import { TransportError } from '../environment/index.js'

/**
 * What a reflector was doing when an attempt ended.
 *
 * - `initial-stream`: a watch that was still sending the initial events.
 * - `list`: a paged list.
 * - `watch`: a watch that was bringing changes, however it began.
 */
export type ReflectorPhase = 'initial-stream' | 'list' | 'watch'

/** How an attempt of a reflector ended. */
export interface AttemptEnd {
  readonly phase: ReflectorPhase
  /** Absent: the list is complete, or the server ended the watch. */
  readonly error?: unknown
  /** How long the attempt took. */
  readonly tookMs: number
  /** Whether the stream had brought anything. */
  readonly progressed: boolean
  /** How long watches have now brought nothing at all, one after the other. */
  readonly silentMs: number
}

/** What a reflector does next. */
export interface NextStep {
  /** Forget the position and list again, by a read that is not older than anything seen. */
  readonly relist: boolean
  /** List page by page from now on: the server does not stream the initial list. */
  readonly abandonStreaming: boolean
  /** A stream that ended before the initial list was complete; the third one in a row abandons streaming. */
  readonly brokenStream: boolean
  readonly wait: 'none' | 'backoff' | 'not-installed'
  /** The server asked for a pause of at least this long. */
  readonly minimumWaitMs: number
}

/** A watch that brought neither event nor bookmark for too long. */
export class SilentWatchError extends Error {
  constructor(silentMs: number) {
    super(`Watch brought nothing for ${silentMs} ms`)
    this.name = 'SilentWatchError'
  }
}

/** A watch brought something older than what it was to begin after: the server's history is not the one of the position. */
export class OtherHistoryError extends Error {
  constructor(resourceVersion: string, position: string) {
    super(`Watch from resourceVersion ${position} brought ${resourceVersion}: the server has another history`)
    this.name = 'OtherHistoryError'
  }
}

/**
 * A server that sends bookmarks says at least every minute or two where it is. One that says nothing for so long may have lost its history (a restored
 * backup) and be far behind the position: it would stay silent until its revisions have caught up, and nobody would notice what changes meanwhile.
 */
export const suspiciousSilenceMs = 300_000

/**
 * A watch that lasted at least this long is followed by the next at once, whatever ended it. Load balancers cut streams after as little
 * as half a minute, and a quiet kind must not go unwatched between two streams; a shorter life waits, so that no pattern of errors
 * makes more than six attempts a minute for long.
 */
export const settledMs = 10_000

/** The longest pause that a server's Retry-After can ask for. */
const maximumRetryAfterMs = 300_000

/** The whole retry policy of a reflector: a pure function of how the last attempt ended. */
export function nextStep(end: AttemptEnd): NextStep {
  const { phase, error, tookMs, progressed, silentMs } = end
  // A refusal is no watch, however long the client kept asking.
  const wasWatching = phase === 'watch' && (progressed || statusOf(error) === undefined)
  const pause = wasWatching && tookMs >= settledMs ? 'none' : 'backoff'
  const stay: NextStep = { relist: false, abandonStreaming: false, brokenStream: false, wait: pause, minimumWaitMs: retryAfterMs(error) }
  if (wasWatching && silentMs >= suspiciousSilenceMs) return { ...stay, relist: true }
  if (error === undefined) {
    if (phase === 'list') return { ...stay, wait: 'none' }
    return { ...stay, brokenStream: phase === 'initial-stream' }
  }
  if (error instanceof SilentWatchError) return phase === 'initial-stream' ? { ...stay, abandonStreaming: true, wait: 'none' } : stay
  if (isExpired(error) || isTooLargeResourceVersion(error)) return { ...stay, relist: true }
  // The position is of no use once the kind was away: it may have been deleted and created anew.
  if (isNotFound(error)) return { ...stay, relist: true, wait: 'not-installed' }
  // Listing instead of streaming would not help: the watch that follows needs the same permission.
  if (isForbidden(error) || isUnauthorized(error)) return { ...stay, wait: 'backoff' }
  if (isRetriable(error)) return { ...stay, brokenStream: phase === 'initial-stream' && progressed }
  if (phase === 'initial-stream') {
    return statusOf(error) !== undefined ? { ...stay, abandonStreaming: true, wait: 'none' } : { ...stay, brokenStream: true }
  }
  // The server rejects the request as such, or the stream cannot be understood at this position: start over.
  return { ...stay, relist: true }
}

/** Whether the same request may succeed later: no answer, an overloaded or failing server. */
function isRetriable(error: unknown): boolean {
  const status = statusOf(error)
  if (status === undefined) return error instanceof TransportError
  const { code = 500 } = status
  return code >= 500 || code === 429 || code === 408
}

function retryAfterMs(error: unknown): number {
  return error === undefined ? 0 : Math.min((retryAfterSeconds(error) ?? 0) * 1000, maximumRetryAfterMs)
}
