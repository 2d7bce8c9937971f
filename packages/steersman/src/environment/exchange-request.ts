import { deepFreeze } from './deep-freeze.js'
import { toPlainJson } from './plain-json.js'
import type { RequestBody, TransportRequest, TransportResponse, TransportUser } from './transport.js'

/** A request as a server in the same process sees it: nothing of the client's is shared with it. */
export interface ServerSide {
  readonly request: TransportRequest
  /** Tells the server, through the request's signal, that nobody waits for the answer. */
  abort(reason: unknown): void
}

/**
 * Copies a request for a server in the same process. The body's value is a mutable copy that belongs to the server.
 *
 * The signal is made when first asked for: most requests end without anyone looking, and an AbortController is dear.
 *
 * @param user replaces the request's own, if given.
 * @throws {TypeError} when the body's value is not plain JSON.
 */
export function copyRequest(request: TransportRequest, user: TransportUser | undefined): ServerSide {
  let controller: AbortController | undefined
  let aborted: { readonly reason: unknown } | undefined
  const { method, path, query, headers, body } = request
  const copy: TransportRequest = {
    method,
    path,
    query: query && new URLSearchParams(query),
    headers: { ...headers },
    body: body && copyBody(body),
    user: user ?? request.user,
    get signal() {
      if (controller === undefined) {
        controller = new AbortController()
        if (aborted !== undefined) controller.abort(aborted.reason)
      }
      return controller.signal
    },
  }
  return {
    request: copy,
    abort(reason) {
      aborted ??= { reason }
      controller?.abort(reason)
    },
  }
}

/** Freezes the headers of a response and what it carries as a value, and returns the response. */
export function freezeResponse(response: TransportResponse): TransportResponse {
  deepFreeze(response.headers)
  if (response.body.kind === 'value') deepFreeze(response.body.value)
  return response
}

/** Path and query as in a request line. */
export function requestTarget(request: TransportRequest): string {
  const query = request.query?.toString()
  return query ? `${request.path}?${query}` : request.path
}

/** The items of a streaming body, of either kind; `undefined` for a whole body. */
export function streamOf(response: TransportResponse): AsyncIterable<unknown> | undefined {
  const { body } = response
  if (body.kind === 'value-stream') return body.batches
  return body.kind === 'byte-stream' ? body.chunks : undefined
}

/** The response with another stream in place of its own. */
export function withStream(response: TransportResponse, stream: AsyncIterable<unknown>): TransportResponse {
  const { status, headers, body } = response
  if (body.kind === 'value-stream')
    return { status, headers, body: { kind: 'value-stream', batches: stream as AsyncIterable<readonly unknown[]> } }
  return { status, headers, body: { kind: 'byte-stream', chunks: stream as AsyncIterable<Uint8Array> } }
}

/** Ends a server's stream that nobody reads any more. What its clean-up throws concerns nobody: the exchange is over. */
export function closeStream(iterator: AsyncIterator<unknown>): void {
  new Promise((resolve) => resolve(iterator.return?.())).catch(ignore)
}

function ignore(): void {}

function copyBody(body: RequestBody): RequestBody {
  return body.kind === 'bytes' ? { kind: 'bytes', bytes: new Uint8Array(body.bytes) } : { kind: 'value', value: toPlainJson(body.value) }
}
