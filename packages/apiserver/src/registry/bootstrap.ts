import type { UnstructuredObject } from 'steersman/api'
import { isAlreadyExists } from 'steersman/api'
import { bootstrapObjects } from './bootstrap.generated.js'
import type { ResourceRegistry } from './registry.js'
import { systemWrite } from './system-write.js'

/** Namespaces that every cluster has. */
const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

/** Creates what every cluster has and is not there yet: system namespaces, the service `kubernetes`, and what a real server made at its first start. */
export async function bootstrap(registry: ResourceRegistry, options: { readonly securePort?: number } = {}): Promise<void> {
  for (const name of systemNamespaces) {
    await ensure(registry, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  await ensure(registry, services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: options.securePort ?? 6443 }],
      clusterIP: registry.firstServiceAddress,
      clusterIPs: [registry.firstServiceAddress],
      type: 'ClusterIP',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  })
  await ensureServiceRange(registry)
  for (const collection of Object.keys(bootstrapObjects)) await createRecorded(registry, collection)
  await registry.keepApiServices()
}

/** The range of addresses that services get theirs from, as ready as it is. */
async function ensureServiceRange(registry: ResourceRegistry): Promise<void> {
  const { group, version, plural } = serviceCidrs
  await ensure(registry, serviceCidrs, {
    apiVersion: `${group}/${version}`,
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [registry.serviceRange] },
  })
  const markReady = (current: UnstructuredObject | undefined): UnstructuredObject => {
    const { metadata, status, ...rest } = current ?? { metadata: {} }
    const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly object[] }
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: '',
      message: 'Kubernetes default Service CIDR is ready',
      lastTransitionTime: metadata.creationTimestamp,
    }
    return { ...rest, metadata, status: { conditions: conditions.length > 0 ? conditions : [ready] } }
  }
  await registry.resource(group, version, plural)?.subresource('status')?.update({ name: 'kubernetes' }, markReady, systemWrite)
}

interface Collection {
  readonly group: string
  readonly version: string
  readonly plural: string
}

const namespaces: Collection = { group: '', version: 'v1', plural: 'namespaces' }
const services: Collection = { group: '', version: 'v1', plural: 'services' }
const serviceCidrs: Collection = { group: 'networking.k8s.io', version: 'v1', plural: 'servicecidrs' }

/** A group whose objects are what they were sent as: nothing has to be made of them, and there are many. */
const storedAsRecorded = 'rbac.authorization.k8s.io'

/** Creates the recorded objects of a collection, `/apis/<group>/<version>/<plural>`. */
async function createRecorded(registry: ResourceRegistry, path: string): Promise<void> {
  const [, , group = '', version = '', plural = ''] = path.split('/')
  if (registry.resource(group, version, plural) === undefined) return
  const objects = (bootstrapObjects[path] ?? []).map((text) => JSON.parse(text) as UnstructuredObject)
  if (group === storedAsRecorded) return registry.adopt(group, version, plural, objects)
  for (const object of objects) await ensure(registry, { group, version, plural }, object)
}

async function ensure(registry: ResourceRegistry, { group, version, plural }: Collection, object: UnstructuredObject): Promise<void> {
  const store = registry.resource(group, version, plural)
  // An API that is turned off has no objects.
  if (store === undefined) return
  try {
    await store.create(object, { ...systemWrite, namespace: object.metadata.namespace ?? '' })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
