import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Environment, RequestHandler } from '../environment/index.js'
import { untilAborted } from '../internal/index.js'
import type { Runnable } from './runnable.js'

/** A server could not listen. */
export class ListenError extends Error {
  readonly code = 'CANNOT_LISTEN'

  constructor(address: string, options?: ErrorOptions) {
    super(`Cannot listen on ${address}: expected a free port as host:port or :port`, options)
    this.name = 'ListenError'
  }
}

/** Serves small answers over plain HTTP, as probes expect. `address` is `:8081` or `127.0.0.1:8081`. */
export function probeServer(environment: Environment, address: string, handler: RequestHandler): Runnable {
  return {
    name: `probe server on ${address}`,
    async start(signal) {
      if (environment.network !== undefined) {
        const host = address.startsWith(':') ? environment.hostname() : ''
        const listener = environment.network.listen(`http://${host}${address}`, handler)
        await untilAborted(signal)
        return listener.close()
      }
      await serve(address, handler, signal)
    },
  }
}

async function serve(address: string, handler: RequestHandler, signal: AbortSignal): Promise<void> {
  const separator = address.lastIndexOf(':')
  const port = Number(address.slice(separator + 1))
  if (separator === -1 || !Number.isInteger(port)) throw new ListenError(address)
  const { createServer } = await import('node:http')
  const server = createServer({ maxHeaderSize: 1 << 20, headersTimeout: 32_000, keepAliveTimeout: 90_000 }, (message, response) => {
    answer(message, response, handler).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(address, { cause: error })))
    server.listen({ port, ...(separator === 0 ? {} : { host: address.slice(0, separator) }) }, resolve)
  })
  await untilAborted(signal)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function answer(message: IncomingMessage, response: ServerResponse, handler: RequestHandler): Promise<void> {
  message.resume()
  const [path = '/', query = ''] = (message.url ?? '/').split('?', 2)
  const reply = await handler({ method: message.method ?? 'GET', path, query: new URLSearchParams(query), headers: {} })
  response.writeHead(reply.status, reply.headers as Record<string, string>)
  response.end(reply.body.kind === 'bytes' ? reply.body.bytes : undefined)
}
