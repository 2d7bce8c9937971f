import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2SecureServer, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Environment } from 'steersman/environment'
import type { Logger } from 'steersman/internal'
import type { ApiHandler, ConnectionCredentials } from '../endpoints/index.js'
import { Http1Exchange } from './http-1-exchange.js'
import { Http2Exchange } from './http-2-exchange.js'
import { type ExchangeServer, type HttpExchange, serveExchange } from './http-exchange.js'
import { ListenError } from './http-listen-error.js'

/** Options of {@link serveHttps}. */
export interface HttpsOptions {
  readonly handler: ApiHandler
  readonly environment: Environment
  readonly logger: Logger
  /** Address to listen on. */
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
  /** PEM of the server. */
  readonly certificate: string
  readonly privateKey: string
  /** PEM of the authority whose client certificates prove who a client is. Empty: no certificate does. */
  readonly clientAuthority: string
  /** After so long without a frame a peer on HTTP/2 is asked whether it is there. @default 3 minutes */
  readonly silenceMs?: number
}

/** A server on a socket. */
export interface HttpsListener {
  readonly port: number
  /** Ends watches at once and everything else within {@link stopGraceMs}. Resolves when no connection is left. */
  close(): Promise<void>
}

/** How long a request may still take when the server stops. */
const stopGraceMs = 500

/** How long a peer may take to say that it is there. */
const pingTimeoutMs = 15_000

const maxConcurrentStreams = 1_000
/** What one HTTP/2 connection may buffer for all its streams. Many watches share a connection. */
const maxSessionMemoryMb = 1_000
/** What Go's server takes: selectors and tokens may be long. */
const maxHeaderBytes = 1024 * 1024
/** Over HTTP/2 Node takes no more, and ends a connection with all its watches for it: clients are told, and do not send that. */
const maxHttp2HeaderBytes = 64 * 1024
/** Longer than clients keep idle connections, so that a client never writes into one that the server closes. */
const keepAliveTimeoutMs = 3 * 60 * 1000

/**
 * Serves HTTPS with HTTP/2 and HTTP/1.1 on one port. Client certificates are asked for and not required.
 *
 * @throws {ListenError} when the port is in use or may not be used.
 */
export async function serveHttps(options: HttpsOptions): Promise<HttpsListener> {
  const { createSecureServer } = await import('node:http2')
  const server = createSecureServer({
    allowHTTP1: true,
    cert: options.certificate,
    key: options.privateKey,
    // Without an authority of its own Node trusts all that browsers trust: then nobody is asked for a certificate.
    ...(options.clientAuthority === '' ? {} : { ca: options.clientAuthority, requestCert: true, rejectUnauthorized: false }),
    settings: { maxConcurrentStreams, initialWindowSize: 1024 * 1024, maxHeaderListSize: maxHttp2HeaderBytes },
    maxSessionMemory: maxSessionMemoryMb,
  })
  const listener = new Listener(server, options)
  await listener.listen(options.host, options.port)
  return listener
}

class Listener implements HttpsListener {
  readonly #server: Http2SecureServer
  readonly #options: HttpsOptions
  readonly #exchangeServer: ExchangeServer
  readonly #stop = new AbortController()
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Set<ServerHttp2Session>()
  /** Open requests: while there are some, a stop waits for them. */
  #open = 0
  #onIdle: (() => void) | undefined

  constructor(server: Http2SecureServer, options: HttpsOptions) {
    this.#server = server
    this.#options = options
    this.#exchangeServer = { handler: options.handler, logger: options.logger, stopping: this.#stop.signal }
    Object.assign(server, { keepAliveTimeout: keepAliveTimeoutMs, maxHeaderSize: maxHeaderBytes })
    server.on('request', (request, response) =>
      this.#serveHttp1(request as unknown as IncomingMessage, response as unknown as ServerResponse),
    )
    // Listening to 'request' makes Node handle HTTP/2 in its compatible, slower way as well: streams are ours.
    server.removeAllListeners('stream')
    server.on('stream', (stream, headers) => this.#serveHttp2(stream, headers))
    server.on('session', (session) => this.#trackSession(session))
    server.on('connection', (socket: Socket) => this.#trackSocket(socket))
    // Nobody listens to 'clientError' and 'unknownProtocol': then Node answers, and closes the connection.
    for (const event of ['sessionError', 'tlsClientError']) server.on(event, (error: unknown) => this.#connectionFailed(event, error))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => reject(listenError(host, port, error))
      this.#server.once('error', fail)
      this.#server.listen(port, host, () => {
        this.#server.off('error', fail)
        this.#server.on('error', (error) => this.#options.logger.error(error, 'HTTPS server failed'))
        resolve()
      })
    })
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#stop.abort(new Error('the server is stopping'))
    await this.#untilIdle()
    for (const session of this.#sessions) session.destroy()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Resolves when the open requests are answered, or when they have had their time. */
  #untilIdle(): Promise<void> {
    if (this.#open === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = this.#options.environment.timer(stopGraceMs, resolve)
      this.#onIdle = () => {
        timer.cancel()
        resolve()
      }
    })
  }

  #serveHttp1(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(new Http1Exchange(request, response, credentialsOf(request.socket as TLSSocket)))
  }

  #serveHttp2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const session = stream.session
    if (session === undefined) return
    this.#serve(new Http2Exchange(stream, headers, credentialsOf(session.socket as TLSSocket, session)))
  }

  #serve(exchange: HttpExchange): void {
    this.#open++
    exchange.onClose(() => {
      this.#open--
      if (this.#open === 0) this.#onIdle?.()
    })
    void serveExchange(this.#exchangeServer, exchange)
  }

  #trackSession(session: ServerHttp2Session): void {
    this.#sessions.add(session)
    session.on('close', () => this.#sessions.delete(session))
    session.on('error', (error) => this.#connectionFailed('session', error))
    session.on('timeout', () => this.#ping(session))
    session.setTimeout(this.#options.silenceMs ?? keepAliveTimeoutMs)
  }

  /**
   * Asks a silent peer whether it is there. After a frame that breaks the protocol Node reads no more and does not say so: without this the connection
   * would stay open when the peer has gone.
   */
  #ping(session: ServerHttp2Session): void {
    if (session.destroyed) return
    const { environment, silenceMs = keepAliveTimeoutMs } = this.#options
    const timer = environment.timer(Math.min(silenceMs, pingTimeoutMs), () => session.destroy())
    const cancel = (): void => timer.cancel()
    session.once('close', cancel)
    const answered = (): void => {
      cancel()
      session.off('close', cancel)
      if (!session.destroyed) session.setTimeout(silenceMs)
    }
    if (!session.ping(answered)) session.destroy()
  }

  #trackSocket(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
  }

  /** Peers go without a word or speak no TLS: nothing that an operator must act on. */
  #connectionFailed(event: string, error: unknown): void {
    this.#options.logger.debug('Connection failed', { event, error: error instanceof Error ? error.message : String(error) })
  }
}

function listenError(host: string, port: number, cause: NodeJS.ErrnoException): ListenError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use; stop what uses it or choose another port (0: one that is free)',
    EACCES: 'the port may not be used without privileges; choose one above 1023 (0: one that is free)',
    EADDRNOTAVAIL: 'this machine does not have the address',
  }
  return new ListenError(`Cannot listen on ${host}:${port}: ${reasons[cause.code ?? ''] ?? cause.message}`, { cause })
}

/** What connections present does not change: it is read once each. */
const known = new WeakMap<object, ConnectionCredentials>()

function credentialsOf(socket: TLSSocket, connection: object = socket): ConnectionCredentials {
  let credentials = known.get(connection)
  if (credentials === undefined) {
    credentials = readCredentials(socket)
    known.set(connection, credentials)
  }
  return credentials
}

function readCredentials(socket: TLSSocket): ConnectionCredentials {
  const peer = socket.getPeerCertificate()
  const subject = peer.subject as { readonly CN?: string | string[]; readonly O?: string | string[] } | undefined
  if (subject === undefined) return {}
  if (!socket.authorized) return { hasWrongCertificate: true }
  // Of several names the last one counts, as Go reads them.
  const commonName = [subject.CN ?? ''].flat().at(-1) ?? ''
  const sha256 = peer.fingerprint256.replaceAll(':', '').toLowerCase()
  return { certificate: { commonName, organizations: [subject.O ?? []].flat(), sha256 } }
}
