import type { ClientConfig } from './client-config.js'
import { ClientConfigError } from './client-config.js'
import { isInCluster, loadInClusterConfig } from './in-cluster.js'
import { kubeconfigPaths, loadKubeconfig } from './kubeconfig.js'

/** What a program already knows about its configuration. */
export interface LoadClientConfigOptions {
  /** The value of a `--kubeconfig` flag; this file must exist. */
  readonly kubeconfig?: string
  /** A context other than the current one. */
  readonly context?: string
  /** Environment variables. @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Folder of the service account's files, for tests. */
  readonly serviceAccountFolder?: string
}

/** See `configuration.ts`. */
export async function loadClientConfig(options: LoadClientConfigOptions = {}): Promise<ClientConfig> {
  const env = options.env ?? process.env
  const context = options.context === undefined ? {} : { context: options.context }
  if (options.kubeconfig) return loadKubeconfig({ path: options.kubeconfig, env, ...context })
  const inCluster = { env, ...(options.serviceAccountFolder !== undefined && { folder: options.serviceAccountFolder }) }
  let inClusterFailure: unknown
  if (!env.KUBECONFIG && isInCluster(inCluster)) {
    try {
      return await loadInClusterConfig(inCluster)
    } catch (error) {
      // A pod without a token may still mount a kubeconfig; if not, this failure is the one to show.
      inClusterFailure = error
    }
  }
  try {
    return await loadKubeconfig({ env, ...context })
  } catch (error) {
    if (!(error instanceof ClientConfigError) || error.code !== 'CONFIG_NOT_FOUND') throw error
    if (inClusterFailure !== undefined) throw inClusterFailure
    throw notFound(Boolean(env.KUBECONFIG), kubeconfigPaths({ env }), error)
  }
}

function notFound(isNamed: boolean, paths: readonly string[], cause: unknown): ClientConfigError {
  const message = isNamed
    ? `KUBECONFIG names ${paths.join(', ')}, and no such file exists`
    : `KUBECONFIG is not set, this is not a pod (KUBERNETES_SERVICE_HOST is not set), and ${paths.join(', ')} does not exist`
  return new ClientConfigError('CONFIG_NOT_FOUND', `Cannot find a Kubernetes cluster: ${message}`, { cause })
}
