/**
 * The one shape of a request to an API server, over HTTP or inside one process, and of its answer.
 *
 * Over HTTP bodies are bytes. In process they are values: plain JSON, deeply frozen when they come from the server.
 */
export interface TransportRequest {
  /** Upper case: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`. */
  readonly method: string
  /** Percent-encoded path without query, e.g. `/apis/apps/v1/namespaces/default/deployments`. */
  readonly path: string
  /** Query parameters; repeated names are kept. */
  readonly query?: URLSearchParams
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody
  /** Ends the exchange, the answer's stream included. */
  readonly signal?: AbortSignal
  /** Who asks, supplied by an in-process transport. An HTTP server authenticates the connection instead and ignores it. */
  readonly user?: TransportUser
}

/** Identity as Kubernetes knows it. */
export interface TransportUser {
  readonly name: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A request body: bytes in the media type of the `content-type` header, or a plain JSON value. */
export type RequestBody = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'value'; readonly value: unknown }

/** The answer to a {@link TransportRequest}. */
export interface TransportResponse {
  readonly status: number
  /** Header names in lower case. Several `warning` headers are an array. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: ResponseBody
}

/**
 * What an answer carries.
 *
 * - `value`: a plain JSON value, in process only.
 * - `bytes`: a whole body.
 * - `byte-stream`: a body in chunks; iterating reads, ending the iteration closes the exchange.
 * - `value-stream`: a watch, in process: batches of events `{ type, object }`, one await per batch.
 */
export type ResponseBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'byte-stream'; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: 'value-stream'; readonly batches: AsyncIterable<readonly unknown[]> }

/** Sends requests to one server. Safe for concurrent use. */
export interface Transport {
  /**
   * Resolves once the answer's head is there (for a stream) or its whole body (otherwise). An error status is an answer, not a throw.
   *
   * @throws {TransportError} when there is no answer: refused, reset, timed out.
   * @throws `request.signal.reason` on abort.
   */
  request(request: TransportRequest): Promise<TransportResponse>
  /**
   * Reads what every request needs, such as certificate files and credentials, without asking the server: a program can tell at its start
   * that it will never get an answer. Absent where nothing is needed.
   *
   * @throws what each request would fail with.
   */
  prepare?(): Promise<void>
  /** Ends open connections. Requests under way fail with a {@link TransportError}. */
  close(): Promise<void>
}

/** A server: the one function that answers. It never throws for what a client sent. */
export type RequestHandler = (request: TransportRequest) => Promise<TransportResponse>

/** A network inside one process, in both directions. URLs are compared by origin (`https://name:port`). */
export interface Network {
  /** A transport to whoever listens on the URL's origin when a request is made. */
  connect(url: string, options?: { readonly user?: TransportUser }): Transport
  /**
   * Answers requests to the URL's origin until closed.
   *
   * @throws {TransportError} with code `EADDRINUSE` when the origin is taken.
   */
  listen(url: string, handler: RequestHandler): Listener
}

/** A listening server in a {@link Network}. */
export interface Listener {
  readonly url: string
  /** Stops listening and ends open exchanges. */
  close(): Promise<void>
}

/** No answer came: the connection was refused, reset or lost. `code` is Node's: `ECONNREFUSED`, `ECONNRESET`, `ETIMEDOUT`, … */
export class TransportError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransportError'
    this.code = code
  }
}
