import type { UnstructuredObject } from 'steersman/api'
import { isAlreadyExists } from 'steersman/api'
import type { WriteRequest } from '../contracts/index.js'
import type { ResourceRegistry } from './registry.js'

/** Namespaces that every cluster has. */
export const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

const systemWrite: WriteRequest = {
  user: { name: 'system:apiserver', groups: ['system:masters'] },
  dryRun: false,
  fieldManager: 'kube-apiserver',
  options: {},
  admission: { name: 'none' },
  warn: () => {},
}

/** Creates what every cluster has and is not there yet: the system namespaces and the service `kubernetes`. */
export async function bootstrap(registry: ResourceRegistry, options: { readonly securePort?: number } = {}): Promise<void> {
  for (const name of systemNamespaces) {
    await ensure(registry, 'namespaces', '', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  await ensure(registry, 'services', 'default', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: options.securePort ?? 6443 }],
      clusterIP: registry.firstServiceAddress,
      clusterIPs: [registry.firstServiceAddress],
      type: 'ClusterIP',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  })
  await registry.keepApiServices()
}

async function ensure(registry: ResourceRegistry, plural: string, namespace: string, object: UnstructuredObject): Promise<void> {
  const store = registry.resource('', 'v1', plural)
  if (store === undefined) throw new TypeError(`Cannot create ${plural}: the registry does not serve them`)
  try {
    await store.create(object, { ...systemWrite, namespace })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
