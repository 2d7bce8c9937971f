import { ClientStream } from './client-stream.js'
import { deepFreeze } from './deep-freeze.js'
import type { Environment } from './environment.js'
import { closeStream, copyRequest, freezeResponse, requestTarget, type ServerSide, streamOf, withStream } from './exchange-request.js'
import { onAbort } from './on-abort.js'
import {
  type RequestHandler,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
  type TransportUser,
} from './transport.js'

/** Options of {@link createInProcessTransport}. */
export interface InProcessTransportOptions {
  /** Who asks, in place of authentication. @default the request's own user */
  readonly user?: TransportUser
}

/**
 * A transport to a server in the same process, without sockets, in the time of `environment`.
 *
 * Bodies that are values are checked to be plain JSON and copied on the way in, frozen on the way out. Completions reach the client through
 * `environment.deliver`. A handler that throws breaks the connection: the client gets a {@link TransportError} `ECONNRESET` with the cause.
 */
export function createInProcessTransport(
  handler: RequestHandler,
  environment: Environment,
  options?: InProcessTransportOptions,
): Transport {
  return new InProcessTransport(() => handler, environment, options?.user)
}

/** The transport of {@link createInProcessTransport}, to whatever server there is when a request is made. */
export class InProcessTransport implements Transport {
  readonly #findHandler: () => RequestHandler | undefined
  readonly #environment: Environment
  readonly #user: TransportUser | undefined
  readonly #open = new Set<InProcessExchange>()
  readonly #onClose: () => void
  #closed = false

  /** @param onClose called when the transport closes. */
  constructor(
    findHandler: () => RequestHandler | undefined,
    environment: Environment,
    user: TransportUser | undefined,
    onClose: () => void = () => {},
  ) {
    this.#onClose = onClose
    this.#findHandler = findHandler
    this.#environment = environment
    this.#user = user
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted) return reject(request.signal.reason)
      if (this.#closed) return reject(failure(request, 'ECONNABORTED', 'the transport is closed'))
      const handler = this.#findHandler()
      if (handler === undefined) return reject(failure(request, 'ECONNREFUSED', 'the connection was refused'))
      const exchange = new InProcessExchange(this.#environment, request, this.#user, {
        resolve,
        reject,
        onEnd: () => this.#open.delete(exchange),
      })
      this.#open.add(exchange)
      exchange.send(handler)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.reset('ECONNABORTED', 'the transport was closed')
    this.#onClose()
  }

  /** Ends open exchanges, on both sides. */
  reset(code: string, why: string): void {
    for (const exchange of [...this.#open]) exchange.fail(code, why)
  }
}

interface Answer {
  resolve(response: TransportResponse): void
  reject(error: unknown): void
  onEnd(): void
}

/** One request and its answer, the stream included. */
class InProcessExchange {
  readonly #environment: Environment
  readonly #request: TransportRequest
  readonly #serverSide: ServerSide
  readonly #answer: Answer
  readonly #label: string
  #open = true
  #iterator: AsyncIterator<unknown> | undefined
  #stream: ClientStream<unknown> | undefined
  #pulling = false
  /** Takes the listener on the client's signal back. */
  #release: (() => void) | undefined

  constructor(environment: Environment, request: TransportRequest, user: TransportUser | undefined, answer: Answer) {
    this.#environment = environment
    this.#request = request
    this.#serverSide = copyRequest(request, user)
    this.#answer = answer
    this.#label = `${request.method} ${requestTarget(request)}`
  }

  send(handler: RequestHandler): void {
    const { signal } = this.#request
    if (signal !== undefined) this.#release = onAbort(signal, () => this.#break(signal.reason, true))
    // In a microtask: the server's synchronous part does not run inside the client's call.
    const response = Promise.resolve(this.#serverSide.request).then(handler)
    this.#environment.deliver(this.#label, response).then(
      (answer) => this.#arrive(answer),
      (error: unknown) => this.fail('ECONNRESET', 'the connection was reset', error),
    )
  }

  /** Ends the exchange with a {@link TransportError} for the client. */
  fail(code: string, why: string, cause?: unknown): void {
    this.#break(failure(this.#request, code, why, cause))
  }

  #arrive(response: TransportResponse): void {
    const iterable = streamOf(response)
    if (!this.#open) {
      if (iterable !== undefined) closeStream(iterable[Symbol.asyncIterator]())
      return
    }
    freezeResponse(response)
    if (iterable === undefined) {
      this.#end()
      this.#answer.resolve(response)
      return
    }
    this.#iterator = iterable[Symbol.asyncIterator]()
    this.#stream = new ClientStream(
      () => this.#pull(),
      () => this.#hangUp(),
    )
    this.#answer.resolve(withStream(response, this.#stream))
  }

  #pull(): void {
    if (this.#pulling || !this.#open) return
    this.#pulling = true
    this.#environment.deliver(this.#label, this.#iterator!.next()).then(
      (result) => {
        this.#pulling = false
        if (!this.#open) return
        if (result.done === true) {
          this.#end()
          return this.#stream!.finish()
        }
        this.#stream!.push(result.value instanceof Uint8Array ? result.value : deepFreeze(result.value))
        if (this.#stream!.isAwaited) this.#pull()
      },
      (error: unknown) => this.fail('ECONNRESET', 'the connection was reset', error),
    )
  }

  #break(error: unknown, drop = false): void {
    if (!this.#open) return
    this.#hangUp()
    if (this.#stream === undefined) this.#answer.reject(error)
    else if (drop) this.#stream.abort(error)
    else this.#stream.fail(error)
  }

  /** The client reads no more: the server is told. */
  #hangUp(): void {
    this.#end()
    this.#serverSide.abort(failure(this.#request, 'ECONNRESET', 'the client ended the exchange'))
    if (this.#iterator !== undefined) closeStream(this.#iterator)
  }

  #end(): void {
    this.#open = false
    this.#release?.()
    this.#answer.onEnd()
  }
}

function failure({ method, path }: TransportRequest, code: string, why: string, cause?: unknown): TransportError {
  return new TransportError(code, `Cannot ${method} ${path}: ${why}`, { cause })
}
