/**
 * Room `server`: the control plane as a whole, and the ways to it.
 *
 * `startControlPlane` puts storage, registry, admission, access control and endpoints together, runs controllers and nodes beside them as clients, and
 * exposes the result: as a transport inside the process, in a network of the environment, or over HTTPS with HTTP/1.1 and HTTP/2.
 *
 * Promises: in process nothing is encoded to JSON and no certificate made; over HTTPS the JSON of an object is made once and shared by every answer and
 * watch that shows it; writes are coalesced per turn of the event loop; a peer that does not read is not written to, and cut off by the bound of
 * its watch; a stop ends watches at once and everything within a second.
 *
 * Deliberately not here: what requests mean (room `endpoints`).
 */
export type { AuthorizationMode, TokenSignerOptions } from '../auth/index.js'
export type { RuntimeConfig } from '../registry/index.js'
export type { Component, ComponentOptions, ControllerSelection } from './components.js'
export type { ControlPlane, ControlPlaneOptions } from './control-plane.js'
export { startControlPlane } from './control-plane.js'
export { ListenError } from './http-listen-error.js'
export { KubeconfigWriteError } from './kubeconfig-error.js'
