import type { ClientConfig } from './client-config.js'
import type { InClusterOptions } from './in-cluster.js'
import type { KubeconfigOptions, KubeconfigTextOptions } from './kubeconfig.js'
import type { LoadClientConfigOptions } from './load-client-config.js'

// Most programs configure one client, and many none: what reads files is loaded when it is asked for.

/**
 * Finds the configuration as controller-runtime's `GetConfig` does. The first of these that exists wins: `options.kubeconfig`; the files in
 * `KUBECONFIG`; the service account of the pod this runs in; `$HOME/.kube/config`.
 *
 * @throws {ClientConfigError} saying where it looked.
 */
export async function loadClientConfig(options?: LoadClientConfigOptions): Promise<ClientConfig> {
  return (await import('./load-client-config.js')).loadClientConfig(options)
}

/**
 * Loads what `kubectl` would load: files merged so that the first one to name a cluster, user or context wins.
 *
 * @throws {ClientConfigError}
 */
export async function loadKubeconfig(options?: KubeconfigOptions): Promise<ClientConfig> {
  return (await import('./kubeconfig.js')).loadKubeconfig(options)
}

/**
 * Makes a configuration of kubeconfig text.
 *
 * @throws {ClientConfigError}
 */
export async function clientConfigFromKubeconfig(text: string, options?: KubeconfigTextOptions): Promise<ClientConfig> {
  return (await import('./kubeconfig.js')).clientConfigFromKubeconfig(text, options)
}

/**
 * The configuration of a process inside a pod: its service account's token (a file that Kubernetes renews, read again at
 * most every 60 s), the cluster's certificate authority and the pod's namespace.
 *
 * @throws {ClientConfigError} `CONFIG_NOT_FOUND` outside a pod, `CONFIG_UNREADABLE` when the files are not mounted.
 */
export async function loadInClusterConfig(options?: InClusterOptions): Promise<ClientConfig> {
  return (await import('./in-cluster.js')).loadInClusterConfig(options)
}
