/**
 * `@steersman/apiserver`: an embedded Kubernetes control plane in one Node.js process.
 *
 * {@link startControlPlane} is the door: an API server, the built-in controllers and simulated nodes, for development, tests and embedding. `kubectl` and
 * any client library can use it over HTTPS; a client in the same process uses its transport, without sockets.
 *
 * It keeps everything in memory and makes a certificate authority of its own at each start. It is not a production cluster.
 */
export type {
  AuthorizationMode,
  Component,
  ComponentOptions,
  ControllerSelection,
  ControlPlane,
  ControlPlaneOptions,
  RuntimeConfig,
  TokenSignerOptions,
} from './server/index.js'
export { KubeconfigWriteError, ListenError, startControlPlane } from './server/index.js'
