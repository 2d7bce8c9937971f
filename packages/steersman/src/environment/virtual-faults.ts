import type { TransportRequest, TransportResponse } from './transport.js'
import type { VirtualProcess } from './virtual-process.js'

/** One exchange, as an {@link Interceptor} sees it. */
export interface InterceptedExchange {
  /** Who asks. May be killed by the interceptor. */
  readonly client: VirtualProcess
  /** Who answers; `undefined` until the request has reached a server. */
  readonly server: VirtualProcess | undefined
  /** The origin that was asked. */
  readonly origin: string
  /** As the server gets it. Not to be changed. */
  readonly request: TransportRequest
}

/**
 * What happens to a request.
 *
 * - `pass`, or nothing: it travels.
 * - `refuse`: nobody listens; the client gets `ECONNREFUSED`.
 * - `fail`: it is lost before it reaches the server; the client gets `code`, by default `ECONNRESET`.
 * - `lose-response`: the server handles it; the client gets `ECONNRESET` instead of the answer.
 * - `delay`: it travels `ms` longer.
 * - `stall`: it never arrives; the client waits until it gives up.
 */
export type RequestFault =
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'fail'; readonly code?: string }
  | { readonly kind: 'lose-response' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'stall' }

/**
 * What happens to a response or to a batch of a stream: it passes, is delayed (later batches of the stream wait behind it), is lost with
 * the connection (`reset`), or never comes (`stall`: a stream stays silent from then on). A batch can also vanish while the stream goes on
 * (`drop`).
 */
export type DeliveryFault =
  | { readonly kind: 'pass' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stall' }

/** What happens to one batch of a stream. */
export type BatchFault = DeliveryFault | { readonly kind: 'drop' }

/**
 * Decides the fate of what travels. Each hook is called once per request, response or batch, as it is sent. A hook may act on the world,
 * for instance kill the client between a write and its answer. With several interceptors the first answer other than `pass` counts.
 */
export interface Interceptor {
  request?(exchange: InterceptedExchange): RequestFault | undefined
  response?(exchange: InterceptedExchange, response: TransportResponse): DeliveryFault | undefined
  batch?(exchange: InterceptedExchange, batch: unknown): BatchFault | undefined
}
