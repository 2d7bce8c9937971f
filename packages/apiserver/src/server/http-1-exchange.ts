import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionCredentials } from '../endpoints/index.js'
import { readBoundedBody } from './http-body.js'
import type { HttpExchange } from './http-exchange.js'

/** A request over HTTP/1.1. */
export class Http1Exchange implements HttpExchange {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly connection: ConnectionCredentials
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse, connection: ConnectionCredentials) {
    this.#request = request
    this.#response = response
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.headers = joinHeaders(request)
    this.connection = connection
    response.on('error', ignoreLostPeer)
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    return readBoundedBody(this.#request, maxBytes)
  }

  respond(status: number, headers: Readonly<Record<string, string | readonly string[]>>): void {
    this.#response.writeHead(status, headers as Record<string, string | string[]>)
    // A watch without events still tells at once that it was accepted.
    if (headers['content-length'] === undefined) this.#response.flushHeaders()
  }

  write(bytes: Uint8Array): boolean {
    return this.#response.write(bytes)
  }

  drained(): Promise<void> {
    const response = this.#response
    if (!response.writableNeedDrain || response.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        response.off('drain', settle)
        response.off('close', settle)
        resolve()
      }
      response.on('drain', settle)
      response.on('close', settle)
    })
  }

  end(bytes?: Uint8Array): void {
    if (bytes === undefined) this.#response.end()
    else this.#response.end(bytes)
  }

  destroy(): void {
    this.#response.destroy()
  }

  onClose(listener: () => void): void {
    this.#response.on('close', listener)
  }
}

/** A write to a peer that has gone fails; `close` tells whoever waits. */
function ignoreLostPeer(): void {}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(',') : value
  }
  return headers
}
