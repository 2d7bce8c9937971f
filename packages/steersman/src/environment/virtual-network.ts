import type { Scheduler } from './scheduler.js'
import type { SeededRandom } from './seeded-random.js'
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
import { type Call, type Carrier, VirtualExchange, type VirtualListener } from './virtual-exchange.js'
import type { BatchFault, DeliveryFault, InterceptedExchange, Interceptor, RequestFault } from './virtual-faults.js'

interface Parked {
  readonly exchange: VirtualExchange
  readonly arrive: () => void
}

/** How long a request that cannot get through waits before it fails with `ETIMEDOUT`, as a dialer does. */
const CONNECT_TIMEOUT_MS = 30_000

/**
 * The network between the processes of a virtual world, and its faults.
 *
 * Requests, responses, batches, resets and hang-ups each travel as an event of their own, with a latency drawn for each.
 */
export class VirtualNetwork implements Carrier {
  readonly trace: TraceRecorder
  readonly #scheduler: Scheduler
  readonly #random: SeededRandom
  readonly #latencyMs: number
  readonly #listeners = new Map<string, VirtualListener>()
  readonly #interceptors = new Set<Interceptor>()
  readonly #cut = new Set<string>()
  #parked: Parked[] = []
  #exchangeId = 0

  /** @param latencyMs each journey takes 0 to this many whole milliseconds. */
  constructor(scheduler: Scheduler, trace: TraceRecorder, random: SeededRandom, latencyMs: number) {
    this.#scheduler = scheduler
    this.trace = trace
    this.#random = random
    this.#latencyMs = latencyMs
  }

  /**
   * Lets `interceptor` decide about what travels; a function decides about requests. They are asked in the order of registration.
   *
   * @returns a function that ends it.
   */
  intercept(interceptor: Interceptor | ((exchange: InterceptedExchange) => RequestFault | undefined)): () => void {
    const added: Interceptor = typeof interceptor === 'function' ? { request: interceptor } : interceptor
    this.#interceptors.add(added)
    return () => {
      this.#interceptors.delete(added)
    }
  }

  /**
   * Cuts a process or an origin off from all others, or connects it again.
   *
   * While it is cut off nothing passes in either direction: open exchanges and streams fall silent and go on afterwards, a new request fails with
   * `ETIMEDOUT` after 30 s.
   *
   * @param who the name of a process (of all its incarnations), or an origin such as `https://server:6443`.
   */
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
    for (const { exchange, arrive } of parked) this.#travel(exchange, arrive, 0)
  }

  /** The network as `process` sees it. */
  viewOf(process: SimulatedProcess): Network {
    return {
      connect: (url, options) => new VirtualTransport(this, process, new URL(url).origin, options?.user),
      listen: (url, handler) => this.#listen(new URL(url).origin, process, handler),
    }
  }

  /** Breaks all that `process` has open. */
  processDied(process: SimulatedProcess): void {
    for (const listener of this.#listeners.values()) if (listener.process === process) this.#close(listener)
    for (const exchange of [...process.exchanges]) exchange.clientDied()
  }

  listenerAt(origin: string): VirtualListener | undefined {
    return this.#listeners.get(origin)
  }

  /**
   * Sends what a client asks.
   *
   * @throws {TypeError} when the body is not plain JSON.
   */
  send(call: Omit<Call, 'id'>): void {
    const exchange = new VirtualExchange(this, { id: ++this.#exchangeId, ...call })
    exchange.send(this.#interceptRequest(exchange))
  }

  #interceptRequest(exchange: VirtualExchange): RequestFault | undefined {
    for (const interceptor of this.#interceptors) {
      const fault = interceptor.request?.(exchange)
      if (fault !== undefined && fault.kind !== 'pass') return fault
    }
    return undefined
  }

  interceptResponse(exchange: VirtualExchange, response: TransportResponse): DeliveryFault | undefined {
    for (const interceptor of this.#interceptors) {
      const fault = interceptor.response?.(exchange, response)
      if (fault !== undefined && fault.kind !== 'pass') return fault
    }
    return undefined
  }

  interceptBatch(exchange: VirtualExchange, batch: unknown): BatchFault | undefined {
    for (const interceptor of this.#interceptors) {
      const fault = interceptor.batch?.(exchange, batch)
      if (fault !== undefined && fault.kind !== 'pass') return fault
    }
    return undefined
  }

  travelToServer(exchange: VirtualExchange, arrive: () => void, extraMs: number): void {
    this.#travel(exchange, arrive, extraMs)
    if (this.#cut.size > 0 && exchange.server === undefined && this.#isCut(exchange)) {
      this.#scheduler.schedule(exchange.client, CONNECT_TIMEOUT_MS, () => {
        if (exchange.server === undefined && this.#isCut(exchange)) exchange.timeOut()
      })
    }
  }

  travelToClient(exchange: VirtualExchange, arrive: () => void, extraMs: number): void {
    this.#travel(exchange, arrive, extraMs)
  }

  #travel(exchange: VirtualExchange, arrive: () => void, extraMs: number): void {
    const latencyMs = this.#latencyMs > 0 ? this.#random.below(this.#latencyMs + 1) : 0
    this.#scheduler.schedule(undefined, latencyMs + extraMs, () => {
      if (this.#cut.size > 0 && this.#isCut(exchange)) this.#parked.push({ exchange, arrive })
      else arrive()
    })
  }

  #isCut(exchange: VirtualExchange): boolean {
    const server = (exchange.server ?? this.listenerAt(exchange.origin)?.process)?.name
    if (this.#cut.has(exchange.origin)) return true
    const client = exchange.client.name
    // A process always reaches itself.
    return client !== server && (this.#cut.has(client) || (server !== undefined && this.#cut.has(server)))
  }

  #listen(origin: string, process: SimulatedProcess, handler: RequestHandler): Listener {
    const listener: VirtualListener = { origin, process, handler, exchanges: new Set() }
    if (process.alive) {
      if (this.#listeners.has(origin)) throw new TransportError('EADDRINUSE', `Cannot listen on ${origin}: the address is in use`)
      this.#listeners.set(origin, listener)
    }
    return {
      url: origin,
      close: async () => this.#close(listener),
    }
  }

  #close(listener: VirtualListener): void {
    if (this.#listeners.get(listener.origin) !== listener) return
    this.#listeners.delete(listener.origin)
    for (const exchange of [...listener.exchanges]) exchange.serverGone()
    listener.exchanges.clear()
  }
}

/** What a process of a virtual world sends its requests through. */
class VirtualTransport implements Transport {
  readonly #network: VirtualNetwork
  readonly #process: SimulatedProcess
  readonly #origin: string
  readonly #user: TransportUser | undefined
  #closed = false

  constructor(network: VirtualNetwork, process: SimulatedProcess, origin: string, user: TransportUser | undefined) {
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
        exchange.abort(new TransportError('ECONNABORTED', `Cannot ${exchange.method} ${exchange.request.path}: the transport was closed`))
    }
  }
}
