import type { Scheduler } from './scheduler.js'
import type { SeededRandom } from './seeded-random.js'
import { type Call, type Carrier, type ListeningServer, SimulatedExchange } from './simulated-exchange.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { TraceRecorder } from './trace.js'
import {
  type Listener,
  type Network,
  type RequestHandler,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
  type TransportUser,
} from './transport.js'
import type { BatchFault, DeliveryFault, InterceptedExchange, Interceptor, RequestFault } from './virtual-faults.js'
import type { VirtualNetwork } from './virtual-network.js'

interface Parked {
  readonly exchange: SimulatedExchange
  readonly arrive: () => void
}

/** How long a request that cannot get through waits before it fails with `ETIMEDOUT`, as a dialer does. */
const CONNECT_TIMEOUT_MS = 30_000

/**
 * The {@link VirtualNetwork} of a virtual world.
 *
 * Requests, responses, batches, resets and hang-ups each travel as an event of their own, with a latency drawn for each.
 */
export class SimulatedNetwork implements VirtualNetwork, Carrier {
  readonly trace: TraceRecorder
  readonly #scheduler: Scheduler
  readonly #random: SeededRandom
  readonly #maxLatencyMs: number
  readonly #listeners = new Map<string, ListeningServer>()
  readonly #interceptors = new Set<Interceptor>()
  readonly #cut = new Set<string>()
  #parked: Parked[] = []
  #exchangeId = 0

  /** @param maxLatencyMs each journey takes 0 to this many whole milliseconds. */
  constructor(scheduler: Scheduler, trace: TraceRecorder, random: SeededRandom, maxLatencyMs: number) {
    this.#scheduler = scheduler
    this.trace = trace
    this.#random = random
    this.#maxLatencyMs = maxLatencyMs
  }

  intercept(interceptor: Interceptor | ((exchange: InterceptedExchange) => RequestFault | undefined)): () => void {
    const added: Interceptor = typeof interceptor === 'function' ? { request: interceptor } : interceptor
    this.#interceptors.add(added)
    return () => {
      this.#interceptors.delete(added)
    }
  }

  partition(who: string, on: boolean): void {
    const name = who.includes('://') ? new URL(who).origin : who
    if (on === this.#cut.has(name)) return
    this.trace.note(`${name} is ${on ? 'cut off' : 'connected again'}`)
    if (on) {
      this.#cut.add(name)
      return
    }
    this.#cut.delete(name)
    const parked = this.#parked
    this.#parked = []
    for (const { exchange, arrive } of parked) this.travel(exchange, arrive, 0)
  }

  /** The network as `process` sees it. */
  viewOf(process: SimulatedProcess): Network {
    return {
      connect: (url, options) => new SimulatedTransport(this, process, new URL(url).origin, options?.user),
      listen: (url, handler) => this.#listen(new URL(url).origin, process, handler),
    }
  }

  /** Breaks all that `process` has open. */
  processDied(process: SimulatedProcess): void {
    for (const listener of this.#listeners.values()) if (listener.process === process) this.#close(listener)
    for (const exchange of [...process.exchanges]) exchange.clientDied()
  }

  listenerAt(origin: string): ListeningServer | undefined {
    return this.#listeners.get(origin)
  }

  /**
   * Sends what a client asks.
   *
   * @throws {TypeError} when the body is not plain JSON.
   */
  send(call: Omit<Call, 'id'>): void {
    const exchange = new SimulatedExchange(this, { id: ++this.#exchangeId, ...call })
    exchange.send(this.#interceptRequest(exchange))
    if (this.#cut.size === 0 || !call.client.alive || !this.#isCut(exchange)) return
    this.#scheduler.schedule(exchange.client, CONNECT_TIMEOUT_MS, () => {
      if (exchange.server === undefined && this.#isCut(exchange)) exchange.timeOut()
    })
  }

  #interceptRequest(exchange: SimulatedExchange): RequestFault | undefined {
    for (const interceptor of this.#interceptors) {
      const fault = interceptor.request?.(exchange)
      if (fault !== undefined && fault.kind !== 'pass') return fault
    }
    return undefined
  }

  interceptResponse(exchange: SimulatedExchange, response: TransportResponse): DeliveryFault | undefined {
    for (const interceptor of this.#interceptors) {
      const fault = interceptor.response?.(exchange, response)
      if (fault !== undefined && fault.kind !== 'pass') return fault
    }
    return undefined
  }

  interceptBatch(exchange: SimulatedExchange, batch: unknown): BatchFault | undefined {
    for (const interceptor of this.#interceptors) {
      const fault = interceptor.batch?.(exchange, batch)
      if (fault !== undefined && fault.kind !== 'pass') return fault
    }
    return undefined
  }

  travel(exchange: SimulatedExchange, arrive: () => void, extraMs: number): void {
    const latencyMs = this.#maxLatencyMs > 0 ? this.#random.below(this.#maxLatencyMs + 1) : 0
    this.#scheduler.schedule(undefined, latencyMs + extraMs, () => {
      if (this.#cut.size > 0 && this.#isCut(exchange)) this.#parked.push({ exchange, arrive })
      else arrive()
    })
  }

  crash(error: unknown): void {
    this.#scheduler.schedule(undefined, 0, () => {
      throw error
    })
  }

  #isCut(exchange: SimulatedExchange): boolean {
    const server = (exchange.server ?? this.listenerAt(exchange.origin)?.process)?.name
    if (this.#cut.has(exchange.origin)) return true
    const client = exchange.client.name
    // A process always reaches itself.
    return client !== server && (this.#cut.has(client) || (server !== undefined && this.#cut.has(server)))
  }

  #listen(origin: string, process: SimulatedProcess, handler: RequestHandler): Listener {
    const listener: ListeningServer = { origin, process, handler, exchanges: new Set() }
    if (process.alive) {
      if (this.#listeners.has(origin)) throw new TransportError('EADDRINUSE', `Cannot listen on ${origin}: the address is in use`)
      this.#listeners.set(origin, listener)
    }
    return {
      url: origin,
      close: async () => this.#close(listener),
    }
  }

  #close(listener: ListeningServer): void {
    if (this.#listeners.get(listener.origin) !== listener) return
    this.#listeners.delete(listener.origin)
    for (const exchange of [...listener.exchanges]) exchange.serverGone()
    listener.exchanges.clear()
  }
}

/** What a process of a virtual world sends its requests through. */
class SimulatedTransport implements Transport {
  readonly #network: SimulatedNetwork
  readonly #process: SimulatedProcess
  readonly #origin: string
  readonly #user: TransportUser | undefined
  #closed = false

  constructor(network: SimulatedNetwork, process: SimulatedProcess, origin: string, user: TransportUser | undefined) {
    this.#network = network
    this.#process = process
    this.#origin = origin
    this.#user = user
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      if (!this.#process.alive) return
      if (request.signal?.aborted) return reject(request.signal.reason)
      if (this.#closed)
        return reject(new TransportError('ECONNABORTED', `Cannot ${request.method} ${request.path}: the transport is closed`))
      this.#network.send({ client: this.#process, transport: this, origin: this.#origin, request, user: this.#user, resolve, reject })
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const exchange of [...this.#process.exchanges]) {
      if (exchange.transport === this)
        exchange.abort(
          new TransportError('ECONNABORTED', `Cannot ${exchange.request.method} ${exchange.request.path}: the transport was closed`),
        )
    }
  }
}
