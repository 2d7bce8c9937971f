import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { ConnectionCredentials } from '../endpoints/index.js'
import { readBoundedBody } from './http-body.js'
import type { HttpExchange } from './http-exchange.js'

/** A request over HTTP/2. */
export class Http2Exchange implements HttpExchange {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly connection: ConnectionCredentials
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: ConnectionCredentials) {
    this.#stream = stream
    this.method = headers[':method'] as unknown as string
    this.target = headers[':path'] as unknown as string
    this.headers = joinHeaders(headers)
    this.connection = connection
    stream.on('error', ignoreLostPeer)
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    return readBoundedBody(this.#stream, maxBytes)
  }

  respond(status: number, headers: Readonly<Record<string, string | readonly string[]>>): void {
    if (this.#stream.destroyed) return
    this.#stream.respond({ ':status': status, ...(headers as Record<string, string | string[]>) })
  }

  write(bytes: Uint8Array): boolean {
    return this.#stream.destroyed || this.#stream.write(bytes)
  }

  drained(): Promise<void> {
    const stream = this.#stream
    if (!stream.writableNeedDrain || stream.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        stream.off('drain', settle)
        stream.off('close', settle)
        resolve()
      }
      stream.on('drain', settle)
      stream.on('close', settle)
    })
  }

  end(bytes?: Uint8Array): void {
    if (this.#stream.destroyed) return
    if (bytes === undefined) this.#stream.end()
    else this.#stream.end(bytes)
  }

  destroy(): void {
    this.#stream.destroy()
  }

  onClose(listener: () => void): void {
    this.#stream.on('close', listener)
  }
}

/** A write to a peer that has gone fails; `close` tells whoever waits. */
function ignoreLostPeer(): void {}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || name.charCodeAt(0) === 0x3a) continue
    joined[name] = Array.isArray(value) ? value.join(',') : value
  }
  return joined
}
