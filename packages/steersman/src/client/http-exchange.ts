import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Environment } from '../environment/index.js'
import { TransportError } from '../environment/index.js'
import { abortable, onAbort } from '../internal/index.js'
import type { TlsMaterial } from './http-credentials.js'

/** What goes on the wire. */
export interface WireRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: OutgoingHttpHeaders
  readonly body?: Uint8Array
}

/** The beginning of an answer. Nobody has read `stream` yet. */
export interface ResponseHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly stream: Readable
}

/** Where a server is and what its connections need. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  /** Absent: no TLS. */
  readonly tls?: TlsOptions
}

/** TLS options in Node's words. */
export interface TlsOptions extends TlsMaterial {
  readonly servername?: string
  readonly rejectUnauthorized: boolean
}

/** Connections to one server that speak one protocol. */
export interface ConnectionPool {
  /** @throws {ExchangeFailure} when no head came. */
  send(exchange: Exchange): Promise<ResponseHead>
  /** Takes no more requests and closes its connections as they become idle. */
  retire(): void
  /** Closes every connection at once. */
  close(): void
}

/** No head came. */
export class ExchangeFailure extends Error {
  /** The connection had been used before, so it may have been closed by the server while it was idle. */
  readonly onUsedConnection: boolean
  /** The server certainly did not process the request. */
  readonly isUnsent: boolean

  constructor(cause: unknown, facts: { readonly onUsedConnection: boolean; readonly isUnsent: boolean }) {
    super('exchange failed', { cause })
    this.onUsedConnection = facts.onUsedConnection
    this.isUnsent = facts.isUnsent
  }
}

/** What can end an {@link Exchange} from outside. */
export interface ExchangeLimits {
  readonly environment: Environment
  readonly headTimeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Called once when the exchange is over, body included. */
  readonly onFinish: (exchange: Exchange) => void
}

/**
 * One request and its answer, from the attempt to send it to the end of its body. It can be cancelled at any time, by the caller's signal,
 * by the time limit for the head or by the transport's end; whoever works on it then closes what it holds.
 */
export class Exchange {
  readonly request: WireRequest
  readonly #onFinish: (exchange: Exchange) => void
  readonly #closers: (() => void)[] = []
  readonly #releaseSignal: (() => void) | undefined
  readonly #headTimer: { cancel(): void }
  #cancelled: { readonly reason: unknown } | undefined
  #isFinished = false

  constructor(request: WireRequest, limits: ExchangeLimits) {
    const { environment, headTimeoutMs, signal } = limits
    this.request = request
    this.#onFinish = limits.onFinish
    this.#releaseSignal = signal && onAbort(signal, () => this.cancel(signal.reason))
    this.#headTimer = environment.timer(headTimeoutMs, () =>
      this.cancel(new TransportError('ETIMEDOUT', `the server sent no answer within ${headTimeoutMs} ms`)),
    )
  }

  /** Why the exchange was cancelled, if it was: an abort reason or a {@link TransportError}. */
  get cancelled(): { readonly reason: unknown } | undefined {
    return this.#cancelled
  }

  /** Calls `close` when the exchange is cancelled, at once if it was already. */
  whenCancelled(close: () => void): void {
    if (this.#cancelled !== undefined) close()
    else this.#closers.push(close)
  }

  /** Settles as `promise` does, or rejects as soon as the exchange is cancelled. */
  race<Value>(promise: Promise<Value>): Promise<Value> {
    const controller = new AbortController()
    this.whenCancelled(() => controller.abort(this.#cancelled?.reason))
    return abortable(promise, controller.signal)
  }

  cancel(reason: unknown): void {
    if (this.#isFinished) return
    this.#cancelled = { reason }
    this.finish()
    for (const close of this.#closers.splice(0)) close()
  }

  /** The head has come: only the signal and the transport's end can cancel now. */
  headArrived(): void {
    this.#headTimer.cancel()
  }

  finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#headTimer.cancel()
    this.#releaseSignal?.()
    this.#onFinish(this)
  }
}

/** Turns what Node.js reports into a {@link TransportError}. `doing` completes "Cannot …". */
export function transportError(cause: unknown, doing: string): TransportError {
  const root = rootCause(cause)
  const found = root instanceof Error && 'code' in root ? String(root.code) : 'ECONNRESET'
  // A reset stream or session is to the caller what a reset connection is.
  const code = found.startsWith('ERR_HTTP2_') ? 'ECONNRESET' : found
  return new TransportError(code, `Cannot ${doing}: ${describe(root, code)}`, { cause: root })
}

/** The first attempt of several addresses says as much as all of them. */
function rootCause(cause: unknown): unknown {
  if (cause instanceof ExchangeFailure) return rootCause(cause.cause)
  return cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : cause
}

function describe(cause: unknown, code: string): string {
  if (!(cause instanceof Error) || cause.message === '') return code
  return cause.message
}
