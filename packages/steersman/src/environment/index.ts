/**
 * Room `environment`: the seams through which everything nondeterministic passes.
 *
 * Time, randomness, order, life and the network come from one `Environment` value, handed down by construction. `systemEnvironment` is
 * production's; a `VirtualWorld` gives each of its simulated processes one of its own, in virtual time and in an order that a seed chooses.
 *
 * Promises: the same seed and program take the same course, on every machine and version of Node, and `trace.hash` shows it; a killed
 * process never goes on; no JSON value is shared between two sides of an exchange unless it is frozen.
 *
 * Deliberately not here: HTTP (the client and the server have their adapters), what a fault means to Kubernetes (the simulator builds on
 * `VirtualNetwork.intercept`), any knowledge of Kubernetes objects.
 */
export { deepFreeze } from './deep-freeze.js'
export type { Environment, Timer, TimerOptions } from './environment.js'
export { createInProcessTransport, type InProcessTransportOptions } from './in-process-transport.js'
export { createLocalNetwork } from './local-network.js'
export { onAbort } from './on-abort.js'
export { toPlainJson } from './plain-json.js'
export { SeededRandom } from './seeded-random.js'
export { systemEnvironment } from './system.js'
export type { TraceRecorder } from './trace.js'
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
export type { BatchFault, DeliveryFault, InterceptedExchange, Interceptor, RequestFault } from './virtual-faults.js'
export type { VirtualNetwork } from './virtual-network.js'
export type { VirtualProcess } from './virtual-process.js'
export { type ProcessOptions, type RunOptions, VirtualWorld, type VirtualWorldOptions } from './virtual-world.js'
export { VirtualWorldError, type VirtualWorldErrorCode } from './virtual-world-error.js'
