/**
 * Room `environment`: the seams through which everything nondeterministic passes.
 *
 * Time, randomness, order, life and the network come from one `Environment` value, handed down by construction.
 */
export type { Environment, Timer, TimerOptions } from './environment.js'
export type {
  Listener,
  Network,
  RequestBody,
  RequestHandler,
  ResponseBody,
  Transport,
  TransportRequest,
  TransportResponse,
  TransportUser,
} from './transport.js'
export { TransportError } from './transport.js'
