import type { Json, JsonObject } from './steps.js'

/** A resource that scenarios ask for. */
export interface Resource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly isNamespaced: boolean
}

const core = (kind: string, plural: string, isNamespaced = true): Resource => ({ group: '', version: 'v1', plural, kind, isNamespaced })

export const configMaps = core('ConfigMap', 'configmaps')
export const secrets = core('Secret', 'secrets')
export const services = core('Service', 'services')
export const pods = core('Pod', 'pods')
export const serviceAccounts = core('ServiceAccount', 'serviceaccounts')
export const coreEvents = core('Event', 'events')
export const nodes = core('Node', 'nodes', false)
export const namespaces = core('Namespace', 'namespaces', false)
export const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', isNamespaced: true }
export const replicaSets: Resource = { group: 'apps', version: 'v1', plural: 'replicasets', kind: 'ReplicaSet', isNamespaced: true }
export const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', isNamespaced: true }
const rbac = (kind: string, plural: string, isNamespaced: boolean): Resource => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced,
})
export const roles = rbac('Role', 'roles', true)
export const roleBindings = rbac('RoleBinding', 'rolebindings', true)
export const clusterRoles = rbac('ClusterRole', 'clusterroles', false)
export const clusterRoleBindings = rbac('ClusterRoleBinding', 'clusterrolebindings', false)
export const events: Resource = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', isNamespaced: true }
export const customResourceDefinitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  isNamespaced: false,
}

/** The media type of tables. */
export const tableMediaType = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** Asks for a table. */
export const table = { accept: tableMediaType }

/** `apps/v1`, `v1`. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`
}

/** The path of a collection. An empty namespace: of all namespaces. */
export function collectionPath(resource: Resource, namespace: string): string {
  const prefix = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  const scope = resource.isNamespaced && namespace !== '' ? `/namespaces/${namespace}` : ''
  return `${prefix}${scope}/${resource.plural}`
}

/** An object with its apiVersion and kind, unless it has some of its own. */
export function stamped(resource: Resource, body: JsonObject): JsonObject {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...body }
}

/** The least that a pod can be. */
export function podSpec(more: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'main', image: 'busybox:1.36' }], ...more }
}

/** The least that a deployment or replica set can be; labels are `app: web`. */
export function workloadSpec(more: JsonObject = {}): JsonObject {
  return {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec() },
    ...more,
  }
}

/** Metadata with a name and whatever else. */
export function named(name: string, more: { readonly [key: string]: Json } = {}): JsonObject {
  return { metadata: { name, ...more } }
}
