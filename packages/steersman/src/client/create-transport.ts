import type { Environment, Transport } from '../environment/index.js'
import type { ClientConfig } from './client-config.js'
import type { HttpTransportOptions } from './http-transport.js'
import { createHttpTransport } from './http-transport.js'

/**
 * A transport to the server that `config` names: through the environment's own network if it has one, else through sockets.
 *
 * @param options only for sockets.
 */
export function createTransport(
  environment: Environment,
  config: ClientConfig,
  options: Omit<HttpTransportOptions, 'environment' | 'config'> = {},
): Transport {
  if (environment.network === undefined) return createHttpTransport({ ...options, environment, config })
  return environment.network.connect(config.server, config.user && { user: config.user })
}
