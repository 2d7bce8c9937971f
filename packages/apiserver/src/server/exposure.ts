import type { ClientConfig } from 'steersman/client'
import type { Environment, Network, TransportUser } from 'steersman/environment'
import type { Logger } from 'steersman/internal'
import type { ApiHandler } from '../endpoints/index.js'

/** A server that others can reach. */
export interface Exposure {
  readonly url: string
  readonly clientConfig: ClientConfig
  readonly kubeconfig: string | undefined
  /** The authority that signed the server's certificate, as PEM; absent in a network without TLS. */
  readonly rootCertificate?: string
  close(): Promise<void>
}

/** Listens in a network inside this process. @throws {TransportError} `EADDRINUSE`. */
export function listenInNetwork(network: Network, url: string, handler: ApiHandler, user: TransportUser): Exposure {
  const listener = network.listen(url, (request) => handler(request))
  return { url: listener.url, clientConfig: { server: listener.url, user }, kubeconfig: undefined, close: () => listener.close() }
}

/** What {@link listenOnSocket} needs. */
export interface SocketOptions {
  readonly handler: ApiHandler
  readonly environment: Environment
  readonly logger: Logger
  readonly host: string
  readonly port: number
  readonly administrator: TransportUser
  readonly kubeconfigPath?: string
}

/**
 * Makes certificates and listens with HTTPS. Nothing stays open when it fails.
 *
 * @throws {ListenError} @throws {KubeconfigWriteError}
 */
export async function listenOnSocket(options: SocketOptions): Promise<Exposure> {
  const { handler, environment, logger, host, port, administrator, kubeconfigPath } = options
  const [{ serveHttps }, { makeServingCertificates, makeClientCertificate }, { kubeconfigText, writeKubeconfig }] = await Promise.all([
    import('./http.js'),
    import('./http-certificates.js'),
    import('./kubeconfig.js'),
  ])
  const now = environment.now()
  const { authority, server } = makeServingCertificates(now, host)
  const client = makeClientCertificate(authority, now, administrator.name, administrator.groups ?? [])
  const listener = await serveHttps({
    handler,
    environment,
    logger,
    host,
    port,
    certificate: server.certificate,
    privateKey: server.privateKey,
    clientAuthority: authority.certificate,
  })
  const url = `https://${reachableHost(host)}:${listener.port}`
  const kubeconfig = kubeconfigText({ url, authority: authority.certificate, client })
  try {
    if (kubeconfigPath !== undefined) await writeKubeconfig(kubeconfigPath, kubeconfig)
  } catch (error) {
    await listener.close()
    throw error
  }
  const tls = {
    certificateAuthority: { data: authority.certificate },
    certificate: { data: client.certificate },
    key: { data: client.privateKey },
  }
  return { url, clientConfig: { server: url, tls }, kubeconfig, rootCertificate: authority.certificate, close: () => listener.close() }
}

/** Who listens on all addresses is reached on this machine's own. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
