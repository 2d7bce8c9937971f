import type { Agent, ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionPool, Exchange, ResponseHead, ServerAddress } from './http-exchange.js'
import { ExchangeFailure } from './http-exchange.js'

/** Each exchange has a connection of its own, and every watch holds one; more wait for their turn. */
const maxConnections = 1024
const maxIdleConnections = 32
/** TCP keep-alive finds a peer that vanished without a word. */
const keepAliveProbeMs = 30_000

type SendRequest = (exchange: Exchange, agent: Agent) => ClientRequest

/** Opens a pool of HTTP/1.1 connections. `spare` is one that is already open. */
export async function openHttp1Pool(address: ServerAddress, spare?: Socket): Promise<ConnectionPool> {
  const options = {
    keepAlive: true,
    keepAliveMsecs: keepAliveProbeMs,
    maxSockets: maxConnections,
    maxFreeSockets: maxIdleConnections,
    // Use the connection that was used last: the others become idle and are let go.
    scheduling: 'lifo' as const,
  }
  const base = { host: address.host, port: address.port }
  if (address.tls === undefined) {
    const { Agent, request } = await import('node:http')
    return new Http1Pool(new Agent(options), (exchange, agent) => request({ ...base, ...requestOptions(exchange), agent }))
  }
  const { Agent, request } = await import('node:https')
  const agent = new Agent({ ...options, ...address.tls })
  if (spare !== undefined) useFirst(agent, spare)
  return new Http1Pool(agent, (exchange, given) => request({ ...base, ...requestOptions(exchange), agent: given }))
}

/** The connection that was opened to ask which protocol the server speaks serves the first request. */
function useFirst(agent: Agent, spare: Socket): void {
  const connectable = agent as Agent & { createConnection(...args: unknown[]): Socket }
  const createConnection = connectable.createConnection
  connectable.createConnection = (...args) => {
    connectable.createConnection = createConnection
    return spare.destroyed ? createConnection.apply(agent, args) : spare
  }
}

function requestOptions({ request }: Exchange) {
  return { method: request.method, path: request.target, headers: request.headers }
}

class Http1Pool implements ConnectionPool {
  readonly #agent: Agent
  readonly #open: SendRequest

  constructor(agent: Agent, open: SendRequest) {
    this.#agent = agent
    this.#open = open
  }

  send(exchange: Exchange): Promise<ResponseHead> {
    return new Promise((resolve, reject) => {
      const request = this.#open(exchange, this.#agent)
      let socket: Socket | undefined
      let bytesBefore = 0
      request.once('socket', (assigned) => {
        socket = assigned
        bytesBefore = assigned.bytesWritten
      })
      request.once('response', (response) => {
        // Whoever reads the body also listens; until then an error must not be an uncaught one.
        response.on('error', ignoreError)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, stream: response })
      })
      // Stays after the head: an error then also reaches the body, where it is handled.
      request.on('error', (cause) => {
        const isUnsent = socket === undefined || socket.bytesWritten === bytesBefore
        reject(new ExchangeFailure(cause, { onUsedConnection: request.reusedSocket, isUnsent }))
      })
      exchange.whenCancelled(() => request.destroy())
      request.end(exchange.request.body)
    })
  }

  retire(): void {
    this.#agent.maxFreeSockets = 0
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
  }

  close(): void {
    this.#agent.destroy()
  }
}

function ignoreError(): void {
  // See the caller.
}
