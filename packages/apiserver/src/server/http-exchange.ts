import type { TransportRequest, TransportResponse } from 'steersman/environment'
import { type Logger, linkAbort } from 'steersman/internal'
import { type ApiHandler, type ApiResponseBody, type ConnectionCredentials, maxBodyBytes } from '../endpoints/index.js'
import { encodeValue, watchFrame } from './encode.js'

type ResponseHeaders = TransportResponse['headers']

/** What both versions of HTTP offer for one request and its answer. */
export interface HttpExchange {
  readonly method: string
  /** Path and query as in the request line. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly connection: ConnectionCredentials
  /** Reads the body up to one byte more than `maxBytes`; what follows is read and dropped. */
  readBody(maxBytes: number): Promise<Uint8Array>
  /** Sends the head. The answer has a body unless the head says otherwise. */
  respond(status: number, headers: ResponseHeaders): void
  /** Queues bytes. Returns false when the peer is behind: wait for {@link HttpExchange.drained}. */
  write(bytes: Uint8Array): boolean
  /** Resolves when queued bytes have gone out, or when the exchange has closed. */
  drained(): Promise<void>
  end(bytes?: Uint8Array): void
  /** Ends the exchange without a proper end. */
  destroy(): void
  onClose(listener: () => void): void
}

/** What serves exchanges. */
export interface ExchangeServer {
  readonly handler: ApiHandler
  readonly logger: Logger
  /** Aborted when the server stops: watches end. */
  readonly stopping: AbortSignal
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Smaller answers cost more time to compress than to send. */
const minCompressedBytes = 128 * 1024

/** Headers are bytes: Node writes one for each character, so text beyond ASCII goes out as its UTF-8. Only warnings quote what clients sent. */
function wireHeaders(headers: ResponseHeaders): ResponseHeaders {
  const { warning } = headers
  if (warning === undefined) return headers
  return { ...headers, warning: [warning].flat().map((text) => Buffer.from(text).toString('latin1')) }
}

/** Answers one exchange. Never rejects. */
export async function serveExchange(server: ExchangeServer, exchange: HttpExchange): Promise<void> {
  const life = new ExchangeLife(exchange, server.stopping)
  try {
    const request = await readRequest(exchange, life)
    const response = await server.handler(request, exchange.connection)
    await sendResponse(exchange, request, response, life)
  } catch (error) {
    // The peer has gone or the server stops: there is nobody to tell.
    if (!life.isOver) server.logger.error(error, 'Cannot serve a request', { method: exchange.method, target: exchange.target })
    exchange.destroy()
  }
}

/**
 * The life of an exchange: it ends when the client goes or the server stops. The signal is made when first asked for: most requests end without
 * anyone looking.
 */
class ExchangeLife {
  readonly #exchange: HttpExchange
  readonly #stopping: AbortSignal
  #controller: AbortController | undefined
  #isClosed = false

  constructor(exchange: HttpExchange, stopping: AbortSignal) {
    this.#exchange = exchange
    this.#stopping = stopping
    exchange.onClose(() => {
      this.#isClosed = true
      this.#controller?.abort(new Error('the client closed the exchange'))
    })
  }

  get isOver(): boolean {
    return this.#isClosed || this.#stopping.aborted
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      const unlink = linkAbort(controller, this.#stopping)
      if (this.#isClosed) controller.abort(new Error('the client closed the exchange'))
      else this.#exchange.onClose(unlink)
    }
    return this.#controller.signal
  }
}

async function readRequest(exchange: HttpExchange, life: ExchangeLife): Promise<TransportRequest> {
  const { method, headers } = exchange
  const target = withoutOrigin(exchange.target)
  const question = target.indexOf('?')
  const bytes = bodyMethods.has(method) ? await exchange.readBody(maxBodyBytes) : undefined
  return {
    method,
    path: question < 0 ? target : target.slice(0, question),
    query: new URLSearchParams(question < 0 ? '' : target.slice(question + 1)),
    headers,
    ...(bytes === undefined || bytes.length === 0 ? {} : { body: { kind: 'bytes', bytes } }),
    get signal() {
      return life.signal
    },
  }
}

/** Clients may send the whole URL, as they do to proxies: RFC 9112, section 3.2.2. */
function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
}

async function sendResponse(
  exchange: HttpExchange,
  request: TransportRequest,
  response: TransportResponse,
  life: ExchangeLife,
): Promise<void> {
  const body: ApiResponseBody = response.body
  switch (body.kind) {
    case 'value':
      return sendBytes(exchange, request, response, encodeValue(body.value, body.itemsOmitType))
    case 'bytes':
      return sendBytes(exchange, request, response, body.bytes)
    case 'empty':
      return sendBytes(exchange, request, response, new Uint8Array())
    case 'byte-stream':
      return sendStream(exchange, response, body.chunks, (chunk) => chunk, life)
    case 'value-stream':
      return sendStream(exchange, response, body.batches, batchBytes, life)
  }
}

async function sendBytes(exchange: HttpExchange, request: TransportRequest, response: TransportResponse, bytes: Uint8Array): Promise<void> {
  const acceptsGzip = bytes.length >= minCompressedBytes && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const content = acceptsGzip && request.method === 'GET' ? await gzip(bytes) : bytes
  const encoding: Record<string, string> = content === bytes ? {} : { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
  // 304 tells what a whole answer would have told, and carries nothing.
  const length: Record<string, string> = response.status === 304 ? {} : { 'content-length': String(content.length) }
  exchange.respond(response.status, { ...wireHeaders(response.headers), ...encoding, ...length })
  if (request.method === 'HEAD' || content.length === 0) exchange.end()
  else exchange.end(content)
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { gzip: compress } = await import('node:zlib')
  return new Promise((resolve, reject) => {
    compress(bytes, { level: 1 }, (error, result) => (error === null ? resolve(result) : reject(error)))
  })
}

function batchBytes(batch: readonly unknown[]): Uint8Array {
  const parts = batch.map((event) => watchFrame(event as object))
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/**
 * Sends a stream chunk by chunk. While the peer is behind nothing more is read, so that what waits for it is bounded by the source: the store
 * ends a watch whose reader is too slow. A stop of the server is a proper end: clients resume elsewhere.
 */
async function sendStream<Item>(
  exchange: HttpExchange,
  response: TransportResponse,
  items: AsyncIterable<Item>,
  encode: (item: Item) => Uint8Array,
  life: ExchangeLife,
): Promise<void> {
  const writer = new TurnWriter(exchange)
  exchange.respond(response.status, wireHeaders(response.headers))
  try {
    for await (const item of items) {
      writer.write(encode(item))
      if (writer.isBehind) await writer.drained()
      if (life.isOver) break
    }
  } catch (error) {
    if (!life.isOver) throw error
  }
  writer.flush()
  exchange.end()
}

/** Writes what one turn of the event loop brings in one piece: one record of TLS and one system call instead of many. */
class TurnWriter {
  readonly #exchange: HttpExchange
  #pending: Uint8Array[] = []
  /** Whether the peer does not take what was written as fast as it comes. */
  isBehind = false

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange
  }

  write(bytes: Uint8Array): void {
    if (this.#pending.length === 0) setImmediate(() => this.flush())
    this.#pending.push(bytes)
  }

  flush(): void {
    const parts = this.#pending
    if (parts.length === 0) return
    this.#pending = []
    if (!this.#exchange.write(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts))) this.isBehind = true
  }

  async drained(): Promise<void> {
    this.flush()
    await this.#exchange.drained()
    this.isBehind = false
  }
}
