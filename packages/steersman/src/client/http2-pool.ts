import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Environment, Timer } from '../environment/index.js'
import type { ConnectionPool, Exchange, ResponseHead } from './http-exchange.js'
import { ExchangeFailure } from './http-exchange.js'

type Http2 = typeof import('node:http2')

/** A server allows 100 to 250 streams on a connection, and every watch is one. */
const maxSessions = 64
const maxStreamsPerSession = 1000
/** Windows as large as Go's: with the 64 KiB of the protocol's default a list over a long line crawls. */
const streamWindowBytes = 4 * 1024 * 1024
const connectionWindowBytes = 64 * 1024 * 1024
/** Node.js refuses streams above this; the windows above are what really bounds memory. */
const maxSessionMemoryMb = 1024
/** As in client-go: a connection that says nothing for 30 s is asked whether it lives and given up after 15 s more. */
const readIdleMs = 30_000
const pingTimeoutMs = 15_000
const settingsTimeoutMs = 15_000
/** An extra connection is kept this long without streams. */
const idleSessionMs = 30_000
/** NGHTTP2_REFUSED_STREAM: the server did not process the request (RFC 9113, 8.7). */
const refusedStream = 7
const cancelStream = 8

export interface Http2PoolOptions {
  readonly environment: Environment
  /** `https://host:port`. */
  readonly authority: string
  /** Opens a TLS connection and negotiates the protocol. */
  readonly connect: () => Promise<TLSSocket>
  /** Called when the server no longer speaks HTTP/2. */
  readonly onProtocolLost: () => void
}

/** Opens a pool of HTTP/2 connections that begins with `socket`. */
export async function openHttp2Pool(options: Http2PoolOptions, socket: TLSSocket): Promise<ConnectionPool> {
  const pool = new Http2Pool(await import('node:http2'), options)
  try {
    await pool.adopt(socket)
  } catch (error) {
    pool.close()
    throw error
  }
  return pool
}

/**
 * Connections to one server, many exchanges on each. A new one is opened when all are full, closed or told to go away; requests
 * that wait for it share the attempt.
 */
class Http2Pool implements ConnectionPool {
  readonly #http2: Http2
  readonly #options: Http2PoolOptions
  readonly #sessions = new Set<PooledSession>()
  #opening: Promise<PooledSession> | undefined
  #isRetired = false

  constructor(http2: Http2, options: Http2PoolOptions) {
    this.#http2 = http2
    this.#options = options
  }

  async send(exchange: Exchange): Promise<ResponseHead> {
    for (let round = 0; round <= maxSessions; round++) {
      const session = this.#available() ?? (await exchange.race(this.#open()))
      // Others that waited for the same connection may have filled it; then there is another round, and another connection.
      if (!session.hasCapacity) continue
      const stream = session.request(exchange)
      if (stream !== undefined) return headOf(stream, exchange, session)
    }
    const error = Object.assign(new Error('every connection was told to go away or was full at once'), { code: 'ECONNRESET' })
    throw new ExchangeFailure(error, { onUsedConnection: false, isUnsent: true })
  }

  async adopt(socket: TLSSocket): Promise<PooledSession> {
    const session = new PooledSession(this.#http2, this.#options, socket, {
      isSpare: () => this.#isRetired || this.#sessions.size > 1,
      onClose: () => this.#sessions.delete(session),
    })
    this.#sessions.add(session)
    await session.ready
    return session
  }

  retire(): void {
    this.#isRetired = true
    for (const session of this.#sessions) session.closeWhenIdle()
  }

  close(): void {
    for (const session of this.#sessions) session.destroy()
  }

  #available(): PooledSession | undefined {
    for (const session of this.#sessions) {
      if (session.isReady && session.hasCapacity) return session
    }
    return undefined
  }

  #open(): Promise<PooledSession> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #connect(): Promise<PooledSession> {
    if (this.#sessions.size >= maxSessions) {
      const error = Object.assign(new Error(`all ${maxSessions} connections are full`), { code: 'EMFILE' })
      throw new ExchangeFailure(error, { onUsedConnection: false, isUnsent: true })
    }
    const socket = await this.#options.connect()
    if (socket.alpnProtocol === 'h2') return this.adopt(socket)
    socket.destroy()
    this.#options.onProtocolLost()
    // Counts as a stale connection, so that the transport asks again, in the other protocol.
    throw new ExchangeFailure(new Error('the server no longer speaks HTTP/2'), { onUsedConnection: true, isUnsent: true })
  }
}

/** One connection. */
class PooledSession {
  /** Resolves when the server's settings are known, and with them how many streams it allows. */
  readonly ready: Promise<void>
  isReady = false
  served = 0
  readonly #session: ClientHttp2Session
  readonly #socket: TLSSocket
  readonly #environment: Environment
  readonly #hooks: { readonly isSpare: () => boolean; readonly onClose: () => void }
  #active = 0
  #timer: Timer | undefined
  #bytesSeen = 0

  constructor(
    http2: Http2,
    { environment, authority }: Http2PoolOptions,
    socket: TLSSocket,
    hooks: { readonly isSpare: () => boolean; readonly onClose: () => void },
  ) {
    this.#environment = environment
    this.#socket = socket
    this.#hooks = hooks
    const session = http2.connect(authority, {
      createConnection: () => socket,
      maxSessionMemory: maxSessionMemoryMb,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
    })
    this.#session = session
    this.#destroyAfter(settingsTimeoutMs, 'send its settings')
    this.ready = new Promise((resolve, reject) => {
      session.once('remoteSettings', () => {
        this.isReady = true
        this.#timer?.cancel()
        session.setLocalWindowSize(connectionWindowBytes)
        session.unref()
        resolve()
      })
      // Streams report the failure of their session to whoever waits for them.
      session.on('error', reject)
      session.once('close', () => {
        this.#timer?.cancel()
        hooks.onClose()
        reject(Object.assign(new Error('the connection was closed before the server sent its settings'), { code: 'ECONNRESET' }))
      })
    })
    // Nobody waits for it when the pool is closed meanwhile.
    this.ready.catch(() => undefined)
  }

  get hasCapacity(): boolean {
    if (this.#session.closed || this.#session.destroyed) return false
    const allowed = this.#session.remoteSettings.maxConcurrentStreams ?? maxStreamsPerSession
    return this.#active < Math.min(allowed, maxStreamsPerSession)
  }

  /** Sends a request; `undefined` when the connection was told to go away this moment, before anything was sent. */
  request({ request }: Exchange): ClientHttp2Stream | undefined {
    const { body } = request
    let stream: ClientHttp2Stream
    try {
      const headers = { ...request.headers, ':method': request.method, ':path': request.target }
      stream = this.#session.request(headers, { endStream: body === undefined })
    } catch (error) {
      if (!this.#session.closed && !this.#session.destroyed) throw error
      return undefined
    }
    if (this.#active++ === 0) this.#becomeActive()
    stream.once('close', () => {
      if (--this.#active === 0) this.#becomeIdle()
    })
    if (body !== undefined) stream.end(body)
    return stream
  }

  closeWhenIdle(): void {
    this.#session.close()
  }

  destroy(): void {
    this.#session.destroy()
  }

  #becomeActive(): void {
    this.#session.ref()
    this.#bytesSeen = this.#socket.bytesRead
    this.#schedule(readIdleMs, () => this.#checkAlive())
  }

  #becomeIdle(): void {
    this.#timer?.cancel()
    if (this.#session.destroyed) return
    this.#session.unref()
    this.#schedule(idleSessionMs, () => {
      if (this.#hooks.isSpare()) this.#session.close()
    })
  }

  #checkAlive(): void {
    const { bytesRead } = this.#socket
    if (bytesRead !== this.#bytesSeen) {
      this.#bytesSeen = bytesRead
      this.#schedule(readIdleMs, () => this.#checkAlive())
      return
    }
    this.#destroyAfter(pingTimeoutMs, 'answer a ping')
    this.#session.ping((error) => {
      if (error === null && this.#active > 0) this.#schedule(readIdleMs, () => this.#checkAlive())
    })
  }

  #destroyAfter(milliseconds: number, expected: string): void {
    this.#schedule(milliseconds, () => {
      const error = new Error(`the server did not ${expected} within ${milliseconds} ms`)
      this.#session.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    })
  }

  /** One timer at a time. */
  #schedule(milliseconds: number, callback: () => void): void {
    this.#timer?.cancel()
    this.#timer = this.#environment.timer(milliseconds, callback, { unref: true })
  }
}

function headOf(stream: ClientHttp2Stream, exchange: Exchange, session: PooledSession): Promise<ResponseHead> {
  const onUsedConnection = session.served > 0
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new ExchangeFailure(cause, { onUsedConnection, isUnsent: stream.rstCode === refusedStream }))
    stream.once('response', (headers: IncomingHttpHeaders) => {
      session.served++
      const { ':status': status, ...rest } = headers
      resolve({ status: Number(status), headers: rest, stream })
    })
    // Both stay after the head: whoever reads the body also listens.
    stream.on('error', fail)
    stream.on('close', () => fail(Object.assign(new Error('the stream was closed before an answer came'), { code: 'ECONNRESET' })))
    exchange.whenCancelled(() => stream.close(cancelStream))
  })
}
