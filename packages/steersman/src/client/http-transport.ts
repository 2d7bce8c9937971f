import type { OutgoingHttpHeaders } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { stringifyJson } from '../api/index.js'
import type { Environment, RequestBody, ResponseBody, Transport, TransportRequest, TransportResponse } from '../environment/index.js'
import { TransportError } from '../environment/index.js'
import { throwIfAborted } from '../internal/index.js'
import type { ClientConfig } from './client-config.js'
import { ClientConfigError } from './client-config.js'
import { BodyStream, readBody } from './http-body.js'
import type { Credentials, TlsMaterial } from './http-credentials.js'
import { CredentialSource } from './http-credentials.js'
import type { ConnectionPool, ResponseHead, ServerAddress } from './http-exchange.js'
import { Exchange, ExchangeFailure, transportError } from './http-exchange.js'
import { openHttp1Pool } from './http1-pool.js'
import { openHttp2Pool } from './http2-pool.js'

/** Where and how to send requests. */
export interface HttpTransportOptions {
  readonly environment: Environment
  readonly config: ClientConfig
  /**
   * - `auto`: over TLS whatever the server prefers of HTTP/2 and HTTP/1.1 (ALPN); without TLS HTTP/1.1.
   * - `http1`: HTTP/1.1, e.g. for a proxy that breaks HTTP/2.
   *
   * @default `auto`
   */
  readonly protocol?: 'auto' | 'http1'
  /**
   * How long to wait for the head of an answer, opening the connection and running a credential plugin not included.
   *
   * @default 65000, a little longer than kube-apiserver itself gives a request
   */
  readonly headTimeoutMs?: number
}

/** Bodies up to this size are read whole before the request resolves; larger ones, and those of unknown size, are streams. */
const maxWholeBodyBytes = 1024 * 1024
/** As in Go's default dialer. */
const connectTimeoutMs = 30_000
/** Safe to send again even if the server may have processed them. */
const repeatableMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The connections for one set of certificates. */
interface CurrentPool {
  readonly tls: TlsMaterial
  readonly promise: Promise<ConnectionPool>
  /** Set once the promise has resolved, because a promise costs every request some time. */
  opened?: ConnectionPool
}

/** The transport of `createHttpTransport`. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  readonly #url: URL
  readonly #prefix: string
  readonly #credentials: CredentialSource
  readonly #acceptsGzip: boolean
  readonly #active = new Set<Exchange>()
  readonly #connecting = new Set<TLSSocket>()
  #pool: CurrentPool | undefined
  /** Pools whose certificates are out of date, until their exchanges have ended. */
  readonly #retired = new Set<ConnectionPool>()
  #isClosed = false

  constructor(options: HttpTransportOptions) {
    const { config, environment } = options
    this.#options = options
    this.#url = new URL(config.server)
    this.#prefix = this.#url.pathname.replace(/\/+$/, '')
    this.#credentials = new CredentialSource(environment, config)
    this.#acceptsGzip = config.disableCompression !== true && !isLoopback(this.#url.hostname)
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    throwIfAborted(request.signal)
    const body = encodeBody(request.body)
    let isRepeated = false
    let isRefreshed = false
    for (;;) {
      if (this.#isClosed) throw this.#failure(this.#closedError(), request)
      const credentials = await this.#credentials.current()
      const exchange = this.#exchange(request, credentials, body)
      try {
        const current = this.#poolFor(credentials.tls)
        const pool = current.opened ?? (await exchange.race(current.promise))
        const head = await pool.send(exchange)
        exchange.headArrived()
        if (head.status !== 401 || isRefreshed) return await this.#response(head, exchange, request)
        isRefreshed = true
        if (!(await this.#credentials.refresh(credentials))) return await this.#response(head, exchange, request)
        exchange.cancel(undefined)
      } catch (error) {
        exchange.finish()
        if (exchange.cancelled !== undefined) throw this.#cancellation(exchange.cancelled.reason, request)
        if (error instanceof ClientConfigError || error instanceof TransportError) throw error
        if (isRepeated || !mayRepeat(error, request.method)) throw this.#failure(error, request)
        isRepeated = true
      }
    }
  }

  async prepare(): Promise<void> {
    await this.#credentials.current()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#credentials.close()
    for (const exchange of this.#active) exchange.cancel(this.#closedError())
    for (const socket of this.#connecting) socket.destroy()
    for (const pool of this.#retired) pool.close()
    // A pool that is just being opened fails, because its socket is gone.
    await this.#pool?.promise.then(
      (pool) => pool.close(),
      () => undefined,
    )
  }

  #exchange(request: TransportRequest, { authorization }: Credentials, body: Uint8Array | undefined): Exchange {
    const headers: OutgoingHttpHeaders = {
      ...(authorization !== undefined && { authorization }),
      ...(this.#acceptsGzip && { 'accept-encoding': 'gzip' }),
      ...impersonationHeaders(this.#options.config),
      ...request.headers,
      ...(body !== undefined && { 'content-length': body.length }),
    }
    const query = request.query?.toString()
    const target = this.#prefix + request.path + (query ? `?${query}` : '')
    const { environment, headTimeoutMs = 65_000 } = this.#options
    const exchange = new Exchange(
      { method: request.method, target, headers, ...(body !== undefined && { body }) },
      { environment, headTimeoutMs, signal: request.signal, onFinish: (finished) => this.#active.delete(finished) },
    )
    this.#active.add(exchange)
    if (request.signal?.aborted) exchange.cancel(request.signal.reason)
    return exchange
  }

  /** The connections for these certificates. After a rotation the old ones serve what they have begun. */
  #poolFor(tls: TlsMaterial): CurrentPool {
    const current = this.#pool
    if (current?.tls === tls) return current
    if (current !== undefined) this.#retire(current.promise)
    const promise = this.#openPool(tls)
    const pool: CurrentPool = { tls, promise }
    this.#pool = pool
    promise.then(
      (opened) => {
        pool.opened = opened
      },
      () => {
        // Whoever waits sees the failure; the next request tries again.
        if (this.#pool === pool) this.#pool = undefined
      },
    )
    return pool
  }

  #retire(promise: Promise<ConnectionPool>): void {
    promise.then(
      (pool) => {
        pool.retire()
        this.#retired.add(pool)
      },
      () => undefined,
    )
  }

  async #openPool(tls: TlsMaterial): Promise<ConnectionPool> {
    const { environment, config, protocol = 'auto' } = this.#options
    const isSecure = this.#url.protocol === 'https:'
    const host = this.#url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(this.#url.port || (isSecure ? 443 : 80))
    if (!isSecure) return openHttp1Pool({ host, port })
    const servername = config.tls?.serverName
    const address: ServerAddress = {
      host,
      port,
      tls: { ...tls, ...(servername && { servername }), rejectUnauthorized: config.tls?.insecureSkipVerify !== true },
    }
    if (protocol === 'http1') return openHttp1Pool(address)
    const connect = () => this.#connect(address)
    const socket = await connect()
    if (socket.alpnProtocol !== 'h2') return openHttp1Pool(address, socket)
    const onProtocolLost = () => {
      const lost = this.#pool
      if (lost?.tls !== tls) return
      this.#retire(lost.promise)
      this.#pool = undefined
    }
    return openHttp2Pool({ environment, authority: this.#url.origin, connect, onProtocolLost }, socket)
  }

  async #connect(address: ServerAddress): Promise<TLSSocket> {
    const { connect } = await import('node:tls')
    const socket = connect({ ...address.tls, host: address.host, port: address.port, ALPNProtocols: ['h2', 'http/1.1'] })
    socket.setNoDelay(true).setKeepAlive(true, 30_000)
    this.#connecting.add(socket)
    const timer = this.#options.environment.timer(connectTimeoutMs, () =>
      socket.destroy(Object.assign(new Error(`no connection within ${connectTimeoutMs} ms`), { code: 'ETIMEDOUT' })),
    )
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('secureConnect', resolve)
        socket.once('error', reject)
        socket.once('close', () => reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })))
      })
      return socket
    } finally {
      timer.cancel()
      this.#connecting.delete(socket)
    }
  }

  async #response(head: ResponseHead, exchange: Exchange, request: TransportRequest): Promise<TransportResponse> {
    return { status: head.status, headers: responseHeaders(head), body: await this.#body(head, exchange, request) }
  }

  async #body(head: ResponseHead, exchange: Exchange, request: TransportRequest): Promise<ResponseBody> {
    const wrap = (cause: unknown) => this.#failure(cause, request)
    const length = Number(head.headers['content-length'] ?? Number.NaN)
    if (head.headers['content-encoding'] === 'gzip') {
      const { createGunzip } = await import('node:zlib')
      const unzipped = createGunzip()
      head.stream.on('error', (error) => unzipped.destroy(error))
      exchange.whenCancelled(() => unzipped.destroy())
      return { kind: 'byte-stream', chunks: new BodyStream(head.stream.pipe(unzipped), exchange, wrap) }
    }
    if (length > maxWholeBodyBytes || Number.isNaN(length))
      return { kind: 'byte-stream', chunks: new BodyStream(head.stream, exchange, wrap) }
    const bytes = await readBody(head.stream, exchange, wrap)
    return bytes.length === 0 ? { kind: 'empty' } : { kind: 'bytes', bytes }
  }

  #cancellation(reason: unknown, request: TransportRequest): unknown {
    return reason instanceof TransportError && reason !== request.signal?.reason ? this.#failure(reason, request) : reason
  }

  #failure(cause: unknown, { method, path }: TransportRequest): TransportError {
    return transportError(cause, `complete ${method} ${path} at ${this.#url.origin}`)
  }

  #closedError(): TransportError {
    return new TransportError('ECONNABORTED', `the transport to ${this.#url.origin} was closed`)
  }
}

/** Only a dead kept connection is a reason to send again; a server that refuses connections is the caller's to wait for. */
function mayRepeat(error: unknown, method: string): boolean {
  return error instanceof ExchangeFailure && error.onUsedConnection && (error.isUnsent || repeatableMethods.has(method))
}

function encodeBody(body: RequestBody | undefined): Uint8Array | undefined {
  if (body === undefined) return undefined
  return body.kind === 'bytes' ? body.bytes : Buffer.from(stringifyJson(body.value))
}

function responseHeaders(head: ResponseHead): TransportResponse['headers'] {
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(head.headers)) {
    if (value !== undefined) headers[name] = value
  }
  return headers
}

function impersonationHeaders({ impersonate }: ClientConfig): OutgoingHttpHeaders {
  if (impersonate === undefined) return {}
  const headers: OutgoingHttpHeaders = { 'impersonate-user': impersonate.user }
  if (impersonate.uid) headers['impersonate-uid'] = impersonate.uid
  if (impersonate.groups?.length) headers['impersonate-group'] = [...impersonate.groups]
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    // Not every character of a key may be in a header's name; the server decodes percent signs.
    headers[`impersonate-extra-${encodeURIComponent(key).replace(/[()]/g, percent)}`.toLowerCase()] = [...values]
  }
  return headers
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}
