/**
 * Room `client`: everything between a program and one API server.
 *
 * Finds the configuration (kubeconfig, service account, credential plugins), carries requests (HTTP/1.1, HTTP/2 or a network inside this process)
 * and offers the typed {@link Client}, discovery, the REST mapper and tools for tests: interceptors and a call recorder.
 *
 * Promises: what is read is deeply frozen and says its apiVersion and kind; a refusal is a StatusError with the server's own Status; an abort reaches
 * every wait and comes back as the signal's reason; no secret is in any message; a transport leaves no socket after `close()`. Importing
 * the room loads no HTTP, TLS or YAML library: the first use does.
 *
 * Deliberately not here: caching (room `cache`), a client-side rate limit (the server's priority and fairness does that better), proxies, and
 * repeating what failed, apart from what a server asks for with `Retry-After` and what a dead kept connection never delivered.
 */
export type { CallKey, CallRecorderOptions, RecordedCall } from './call-recorder.js'
export { CallRecorder } from './call-recorder.js'
export type {
  CallOptions,
  Client,
  ClientBinding,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RawListOptions,
  Reader,
  SubresourceClient,
  WatchOptions,
  WriteOptions,
  Writer,
} from './client.js'
export type { ClientConfig, ClientConfigErrorCode, ClientTlsConfig, ExecConfig, Impersonation, Pem } from './client-config.js'
export { ClientConfigError } from './client-config.js'
export { clientConfigFromKubeconfig, loadClientConfig, loadInClusterConfig, loadKubeconfig } from './configuration.js'
export { createHttpTransport, createTransport } from './create-transport.js'
export type { DiscoveredGroup, DiscoveredResource, DiscoveredSubresource, DiscoveryFailure, DiscoveryResult } from './discovered.js'
export type { Discovery } from './discovery.js'
export { createDiscovery } from './discovery.js'
export type { HttpTransportOptions } from './http-transport.js'
export type { InClusterOptions } from './in-cluster.js'
export type { ClientInterceptor, TransportInterceptor } from './interceptor.js'
export { interceptClient, interceptTransport } from './interceptor.js'
export type { KubeconfigOptions, KubeconfigTextOptions } from './kubeconfig.js'
export { listPages } from './list-pages.js'
export type { LoadClientConfigOptions } from './load-client-config.js'
export type { RequesterOptions } from './request.js'
export { UnexpectedResponseError } from './request.js'
export { NoMatchError, RestMapper, resourceTypeOf } from './rest-mapper.js'
export type { RetryOptions } from './retry.js'
export { retryOnConflict, retryOnError } from './retry.js'
export type { CreateClientOptions } from './typed-client.js'
export { createClient } from './typed-client.js'
