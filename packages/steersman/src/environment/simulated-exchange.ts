import { ClientStream } from './client-stream.js'
import { deepFreeze } from './deep-freeze.js'
import { closeStream, copyRequest, freezeResponse, requestTarget, type ServerSide, streamOf, withStream } from './exchange-request.js'
import { onAbort } from './on-abort.js'
import type { OpenExchange, SimulatedProcess } from './simulated-process.js'
import type { TracedRequest, TraceRecorder } from './trace.js'
import { type RequestHandler, TransportError, type TransportRequest, type TransportResponse, type TransportUser } from './transport.js'
import type { BatchFault, DeliveryFault, InterceptedExchange, RequestFault } from './virtual-faults.js'

/** A listening server of a virtual world. */
export interface ListeningServer {
  readonly origin: string
  readonly process: SimulatedProcess
  readonly handler: RequestHandler
  readonly exchanges: Set<SimulatedExchange>
}

/** What an exchange needs of the network. */
export interface Carrier {
  readonly trace: TraceRecorder
  listenerAt(origin: string): ListeningServer | undefined
  interceptResponse(exchange: SimulatedExchange, response: TransportResponse): DeliveryFault | undefined
  interceptBatch(exchange: SimulatedExchange, batch: unknown): BatchFault | undefined
  /** Calls `arrive` as an event of its own, after the latency of the journey and `extraMs`. */
  travel(exchange: SimulatedExchange, arrive: () => void, extraMs: number): void
  /** Ends the run with an error that is not part of the simulation. */
  crash(error: unknown): void
}

/** What a client asks, and how it gets the answer. */
export interface Call {
  /** Counts the requests of the world. */
  readonly id: number
  readonly client: SimulatedProcess
  readonly transport: object
  readonly origin: string
  readonly request: TransportRequest
  readonly user: TransportUser | undefined
  resolve(response: TransportResponse): void
  reject(error: unknown): void
}

/** So many batches may wait for a slow reader; then the server's stream is not read on, and its own bound applies. */
const MAX_UNREAD_BATCHES = 16

/**
 * One request and its answer on their way through the virtual network.
 *
 * Each side knows only what has reached it: `#open` is the client's view, `#served` the server's. What one side does travels to the other
 * as an event of its own, so the scheduler may let it arrive before or after anything else, except that the batches of one stream keep
 * their order.
 */
export class SimulatedExchange implements TracedRequest, InterceptedExchange, OpenExchange {
  readonly id: number
  readonly client: SimulatedProcess
  readonly origin: string
  readonly target: string
  readonly #call: Call
  readonly #carrier: Carrier
  readonly #serverSide: ServerSide
  /** The client waits for the answer or reads the stream. */
  #open = true
  #hungUp = false
  #listener: ListeningServer | undefined
  /** The server works on the answer or sends the stream. */
  #served = false
  #loseResponse = false
  #iterator: AsyncIterator<unknown> | undefined
  #pulling = false
  /** Takes the listener on the client's signal back. */
  #release: (() => void) | undefined
  #stream: ClientStream<unknown> | undefined

  /** @throws {TypeError} when the body is not plain JSON. */
  constructor(carrier: Carrier, call: Call) {
    this.id = call.id
    this.client = call.client
    this.origin = call.origin
    this.target = requestTarget(call.request)
    this.#carrier = carrier
    this.#call = call
    this.#serverSide = copyRequest(call.request, call.user)
  }

  get transport(): object {
    return this.#call.transport
  }

  get method(): string {
    return this.#serverSide.request.method
  }

  get request(): TransportRequest {
    return this.#serverSide.request
  }

  get server(): SimulatedProcess | undefined {
    return this.#listener?.process
  }

  describe(): string {
    const state = this.#stream !== undefined ? 'stream open' : this.#listener === undefined ? 'on its way' : 'not answered'
    return `${this.client.name}: ${this.method} ${this.origin}${this.target} (${state})`
  }

  /** Sends the request. */
  send(fault: RequestFault | undefined): void {
    if (!this.client.alive) {
      this.#open = false
      return
    }
    this.client.exchanges.add(this)
    const { signal } = this.#call.request
    if (signal !== undefined) this.#release = onAbort(signal, () => this.abort(signal.reason))
    const arrive = () => this.#arriveRequest()
    switch (fault?.kind) {
      case 'refuse':
        this.#fail('ECONNREFUSED')
        break
      case 'fail':
        this.#fail(fault.code ?? 'ECONNRESET')
        break
      case 'stall':
        break
      default:
        this.#loseResponse = fault?.kind === 'lose-response'
        this.#carrier.travel(this, arrive, fault?.kind === 'delay' ? fault.ms : 0)
    }
  }

  /** The connection could not be made in time. */
  timeOut(): void {
    this.#hungUp = true
    this.#arriveFailure('ETIMEDOUT')
  }

  clientDied(): void {
    this.#stream?.die()
    this.#hangUp()
  }

  #hangUp(): void {
    if (!this.#open) return
    this.#closeClient()
    this.#carrier.travel(this, () => this.#arriveHangUp(), 0)
  }

  abort(error: unknown): void {
    if (!this.#open) return
    this.#hangUp()
    if (this.#stream === undefined) this.#call.reject(error)
    else this.#stream.abort(error)
  }

  /** The server's process died, or its listener closed. */
  serverGone(): void {
    const { alive } = this.#listener!.process
    if (alive) this.#closeServer('the server stopped listening')
    this.#served = false
    this.#fail('ECONNRESET')
  }

  /** An interceptor threw, or an answer has no valid body. */
  readonly #onCrash = (error: unknown): void => this.#carrier.crash(error)

  #arriveRequest(): void {
    if (this.#hungUp) return
    const listener = this.#carrier.listenerAt(this.origin)
    if (listener === undefined) {
      this.#fail('ECONNREFUSED')
      return
    }
    this.#listener = listener
    this.#served = true
    listener.exchanges.add(this)
    this.#carrier.trace.request(this, listener.process.name, this.request.body)
    // Inside a promise, so that a handler that throws at once is like one that rejects.
    new Promise<TransportResponse>((resolve) => resolve(listener.handler(this.request)))
      .then(
        (response) => this.#respond(response),
        (error: unknown) => {
          if (this.#served) this.#endServer()
          if (listener.process.alive) this.#fail('ECONNRESET', error)
        },
      )
      .catch(this.#onCrash)
  }

  #respond(response: TransportResponse): void {
    const iterable = streamOf(response)
    if (!this.#served) {
      if (iterable !== undefined && this.server!.alive) closeStream(iterable[Symbol.asyncIterator]())
      return
    }
    freezeResponse(response)
    if (iterable !== undefined) this.#iterator = iterable[Symbol.asyncIterator]()
    const fault = this.#loseResponse ? RESET : this.#carrier.interceptResponse(this, response)
    // The interceptor may have killed the server.
    if (this.#served) this.#travel(fault, () => this.#arriveResponse(response))
  }

  #arriveResponse(response: TransportResponse): void {
    if (!this.#open) return
    this.#carrier.trace.response(this, response.status, response.body)
    if (this.#iterator === undefined) {
      this.#closeClient()
      this.#endServer()
      this.#call.resolve(response)
      return
    }
    this.#stream = new ClientStream(
      () => this.#pull(),
      () => this.#hangUp(),
    )
    this.#call.resolve(withStream(response, this.#stream))
    this.#pull()
  }

  /** Asks the server's stream for the next batch, if the last one has arrived and the reader keeps up. */
  #pull(): void {
    if (this.#pulling || !this.#served || !this.#open || this.#stream!.unread >= MAX_UNREAD_BATCHES) return
    this.#pulling = true
    this.#iterator!.next()
      .then(
        (result) => {
          if (!this.#served) return
          if (result.done === true) return this.#carrier.travel(this, () => this.#arriveEnd(), 0)
          const batch = freezeBatch(result.value)
          const fault = this.#carrier.interceptBatch(this, batch)
          if (!this.#served) return
          if (fault?.kind === 'drop') {
            this.#pulling = false
            return this.#pull()
          }
          this.#travel(fault, () => this.#arriveBatch(batch))
        },
        (error: unknown) => {
          if (!this.#served) return
          this.#endServer()
          this.#fail('ECONNRESET', error)
        },
      )
      .catch(this.#onCrash)
  }

  #arriveBatch(batch: unknown): void {
    this.#pulling = false
    if (!this.#open) return
    this.#carrier.trace.batch(this, batch)
    this.#stream!.push(batch)
    this.#pull()
  }

  #arriveEnd(): void {
    this.#endServer()
    if (!this.#open) return
    this.#carrier.trace.end(this)
    this.#closeClient()
    this.#stream!.finish()
  }

  #travel(fault: BatchFault | DeliveryFault | undefined, arrive: () => void): void {
    switch (fault?.kind) {
      case 'stall':
        break
      case 'reset':
        this.#closeServer('the connection was reset')
        this.#fail('ECONNRESET')
        break
      default:
        this.#carrier.travel(this, arrive, fault?.kind === 'delay' ? fault.ms : 0)
    }
  }

  #fail(code: string, cause?: unknown): void {
    this.#carrier.travel(this, () => this.#arriveFailure(code, cause), 0)
  }

  #arriveFailure(code: string, cause?: unknown): void {
    if (!this.#open) return
    this.#carrier.trace.failure(this, code)
    this.#closeClient()
    const error = new TransportError(code, `Cannot ${this.method} ${this.origin}${this.request.path}: ${FAILURES[code] ?? code}`, { cause })
    if (this.#stream === undefined) this.#call.reject(error)
    else this.#stream.fail(error)
  }

  #arriveHangUp(): void {
    this.#hungUp = true
    if (!this.#served) return
    this.#carrier.trace.hangup(this, this.server!.name)
    this.#closeServer('the client ended the exchange')
  }

  /** The server is to stop working on the answer. */
  #closeServer(why: string): void {
    if (!this.#served) return
    this.#endServer()
    this.#serverSide.abort(new TransportError('ECONNRESET', `Cannot answer ${this.method} ${this.request.path}: ${why}`))
    if (this.#iterator !== undefined) closeStream(this.#iterator)
  }

  #endServer(): void {
    this.#served = false
    this.#listener?.exchanges.delete(this)
  }

  #closeClient(): void {
    this.#open = false
    this.client.exchanges.delete(this)
    this.#release?.()
  }
}

const RESET: DeliveryFault = { kind: 'reset' }

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
}

/** Bytes are shared with other readers as they are; events are frozen. */
function freezeBatch(batch: unknown): unknown {
  return batch instanceof Uint8Array ? batch : deepFreeze(batch)
}
