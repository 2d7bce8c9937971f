import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from './client-config.js'
import { ClientConfigError } from './client-config.js'

/** Where to look for what Kubernetes gives to a pod. */
export interface InClusterOptions {
  /** Environment variables. @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Folder of the service account's files. @default `/var/run/secrets/kubernetes.io/serviceaccount` */
  readonly folder?: string
}

/** Whether this process seems to run in a pod: the variables that Kubernetes sets are there. */
export function isInCluster(options: InClusterOptions = {}): boolean {
  const env = options.env ?? process.env
  return Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT)
}

/** See `configuration.ts`. */
export async function loadInClusterConfig(options: InClusterOptions = {}): Promise<ClientConfig> {
  const env = options.env ?? process.env
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  if (!host || !port) {
    throw new ClientConfigError(
      'CONFIG_NOT_FOUND',
      'Cannot use the in-cluster configuration: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; expected to run in a pod',
    )
  }
  const folder = options.folder ?? '/var/run/secrets/kubernetes.io/serviceaccount'
  const tokenFile = join(folder, 'token')
  const certificateAuthority = join(folder, 'ca.crt')
  await mustBeReadable(tokenFile, 'the token of a service account; is automountServiceAccountToken off?')
  await mustBeReadable(certificateAuthority, "the cluster's certificate authority")
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').then(
    (text) => text.trim(),
    // Only a default is lost, so this is not worth refusing to start.
    () => '',
  )
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tokenFile,
    tls: { certificateAuthority: { file: certificateAuthority } },
    ...(namespace !== '' && { namespace }),
    source: 'in-cluster',
  }
}

async function mustBeReadable(path: string, expected: string): Promise<void> {
  try {
    await access(path)
  } catch (cause) {
    throw new ClientConfigError('CONFIG_UNREADABLE', `Cannot use the in-cluster configuration: cannot read ${path}; expected ${expected}`, {
      cause,
    })
  }
}
