import type { Environment, Transport, TransportRequest, TransportResponse, TransportUser } from '../environment/index.js'
import { TransportError } from '../environment/index.js'
import { throwIfAborted } from '../internal/index.js'
import type { ClientConfig } from './client-config.js'
import { ClientConfigError } from './client-config.js'
import type { HttpTransport, HttpTransportOptions } from './http-transport.js'

/**
 * A transport to the server that `config` names: through the environment's own network if it has one, else through sockets.
 *
 * In a network inside this process nobody authenticates: the user is `config.user`, or whom `config` impersonates.
 *
 * @param options only for sockets.
 * @throws {ClientConfigError} when the server is not a URL.
 */
export function createTransport(
  environment: Environment,
  config: ClientConfig,
  options: Omit<HttpTransportOptions, 'environment' | 'config'> = {},
): Transport {
  if (environment.network === undefined) return createHttpTransport({ ...options, environment, config })
  requireUrl(config.server)
  const user = impersonated(config) ?? config.user
  return environment.network.connect(config.server, user && { user })
}

/**
 * A transport over sockets. Nothing is opened, and no HTTP library loaded, before the first request.
 *
 * When a kept connection turns out to be dead, a request is sent once more if it only reads or if the server certainly has not seen it.
 * After a 401 the credentials are renewed and, if they changed, the request is sent once more.
 *
 * @throws {ClientConfigError} when the server is not a URL.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  requireUrl(options.config.server)
  return new LazyHttpTransport(options)
}

/** Loads the real transport with the first request: a program that never leaves its process never needs it. */
class LazyHttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  #loading: Promise<HttpTransport> | undefined
  #loaded: HttpTransport | undefined
  #isClosed = false

  constructor(options: HttpTransportOptions) {
    this.#options = options
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    if (this.#loaded !== undefined) return this.#loaded.request(request)
    throwIfAborted(request.signal)
    if (this.#isClosed)
      throw new TransportError('ECONNABORTED', `Cannot complete ${request.method} ${request.path}: the transport was closed`)
    this.#loaded = await this.#load()
    return this.#loaded.request(request)
  }

  async prepare(): Promise<void> {
    await (await this.#load()).prepare()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await (await this.#loading)?.close()
  }

  #load(): Promise<HttpTransport> {
    this.#loading ??= import('./http-transport.js').then(({ HttpTransport }) => new HttpTransport(this.#options))
    return this.#loading
  }
}

function impersonated({ impersonate }: ClientConfig): TransportUser | undefined {
  if (impersonate === undefined) return undefined
  const { user: name, ...rest } = impersonate
  return { name, ...rest }
}

function requireUrl(server: string): void {
  if (URL.canParse(server) && /^https?:$/.test(new URL(server).protocol)) return
  throw new ClientConfigError('CONFIG_INVALID', 'Cannot make a transport: the server is not a URL; expected e.g. https://host:6443')
}
