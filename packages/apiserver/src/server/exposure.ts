import type { ClientConfig } from 'steersman/client'
import type { Environment, Network, TransportUser } from 'steersman/environment'
import type { Logger } from 'steersman/internal'
import type { ApiHandler } from '../endpoints/index.js'

/** A server that others can reach. */
export interface Exposure {
  readonly url: string
  /** Of an administrator; `undefined` when somebody else signs certificates. */
  readonly clientConfig: ClientConfig | undefined
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

/** Certificates that somebody else made. PEM. */
export interface ServingFiles {
  readonly certificate: string
  readonly privateKey: string
  /** Signs the certificates of clients: the common name is the user, organizations are the groups. Empty: certificates prove nothing. */
  readonly clientAuthority: string
}

/** What {@link listenOnSocket} needs. */
export interface SocketOptions {
  readonly handler: ApiHandler
  readonly environment: Environment
  readonly logger: Logger
  readonly host: string
  readonly port: number
  readonly administrator: TransportUser
  readonly certificates?: ServingFiles
  readonly kubeconfigPath?: string
}

/**
 * Listens with HTTPS, with certificates made for it unless there are some. Nothing stays open when it fails.
 *
 * @throws {ListenError} @throws {KubeconfigWriteError}
 */
export async function listenOnSocket(options: SocketOptions): Promise<Exposure> {
  return options.certificates === undefined ? listenWithOwnAuthority(options) : listenWithCertificates(options, options.certificates)
}

async function listenWithCertificates(options: SocketOptions, certificates: ServingFiles): Promise<Exposure> {
  const { serveHttps } = await import('./http.js')
  const { handler, environment, logger, host, port } = options
  const listener = await serveHttps({ handler, environment, logger, host, port, ...certificates })
  const url = `https://${reachableHost(host)}:${listener.port}`
  return { url, clientConfig: undefined, kubeconfig: undefined, close: () => listener.close() }
}

async function listenWithOwnAuthority(options: SocketOptions): Promise<Exposure> {
  const { environment, host, administrator, kubeconfigPath } = options
  const [{ makeServingCertificates, makeClientCertificate }, { kubeconfigText, writeKubeconfig }] = await Promise.all([
    import('./http-certificates.js'),
    import('./kubeconfig.js'),
    import('./http.js'),
  ])
  const now = environment.now()
  const { authority, server } = makeServingCertificates(now, host)
  const client = makeClientCertificate(authority, now, administrator.name, administrator.groups ?? [])
  const certificates = { certificate: server.certificate, privateKey: server.privateKey, clientAuthority: authority.certificate }
  const listening = await listenWithCertificates(options, certificates)
  const { url } = listening
  const kubeconfig = kubeconfigText({ url, authority: authority.certificate, client })
  try {
    if (kubeconfigPath !== undefined) await writeKubeconfig(kubeconfigPath, kubeconfig)
  } catch (error) {
    await listening.close()
    throw error
  }
  const tls = {
    certificateAuthority: { data: authority.certificate },
    certificate: { data: client.certificate },
    key: { data: client.privateKey },
  }
  return { ...listening, clientConfig: { server: url, tls }, kubeconfig, rootCertificate: authority.certificate }
}

/** Who listens on all addresses is reached on this machine's own. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
