import type { InterceptedExchange, Interceptor, RequestFault } from './virtual-faults.js'

/** The faults of the network between the processes of a virtual world. Each process connects and listens through a view of its own. */
export interface VirtualNetwork {
  /**
   * Lets `interceptor` decide about what travels; a function decides about requests. They are asked in the order of registration.
   *
   * @returns a function that ends it.
   */
  intercept(interceptor: Interceptor | ((exchange: InterceptedExchange) => RequestFault | undefined)): () => void
  /**
   * Cuts a process or an origin off from all others, or connects it again.
   *
   * While it is cut off nothing passes in either direction: open exchanges and streams fall silent and go on afterwards, a new request
   * fails with `ETIMEDOUT` after 30 s. A process always reaches itself.
   *
   * @param who the name of a process (of all its incarnations), or an origin such as `https://server:6443`.
   */
  partition(who: string, on: boolean): void
}
