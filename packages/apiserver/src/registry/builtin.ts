import type { AnyResourceType } from 'steersman/api'
import { validateDns1123Subdomain } from 'steersman/api'
import type { ServedSubresource, SubresourceStore } from '../contracts/index.js'
import type { BuiltinResource, BuiltinSubresource } from '../schema/index.js'
import { builtinGroupVersions, builtinResources } from '../schema/index.js'
import { admissionRegistrationKinds } from './admissionregistration/kinds.js'
import { apiRegistrationKinds } from './apiregistration/kinds.js'
import { apiServerInternalKinds } from './apiserverinternal/kinds.js'
import { appsKinds } from './apps/kinds.js'
import { autoscalingKinds } from './autoscaling/kinds.js'
import { batchKinds } from './batch/kinds.js'
import type { BuiltinKind } from './builtin-kind.js'
import { certificatesKinds } from './certificates/kinds.js'
import { coordinationKinds } from './coordination/kinds.js'
import { coreKinds } from './core/kinds.js'
import { discoveryKinds } from './discovery/kinds.js'
import { eventsKinds } from './events/kinds.js'
import { flowControlKinds } from './flowcontrol/kinds.js'
import { networkingKinds } from './networking/kinds.js'
import { nodeKinds } from './node/kinds.js'
import { policyKinds } from './policy/kinds.js'
import { rbacKinds } from './rbac/kinds.js'
import { resourceKinds } from './resource/kinds.js'
import type { ServesResource } from './runtime-config.js'
import { schedulingKinds } from './scheduling/kinds.js'
import { storageKinds } from './storage/kinds.js'
import { storageMigrationKinds } from './storagemigration/kinds.js'
import type { Decode } from './store.js'
import type { StoreContext } from './store-context.js'
import type { ResourceKind, Strategy } from './strategy.js'
import { ObjectSubresource } from './subresources/object-subresource.js'
import type { ScaleFields } from './subresources/scale.js'
import { ScaleSubresource } from './subresources/scale.js'
import { statusRules } from './update-rules.js'

/** A subresource of a kind, ready to be bound to its store. */
export interface SubresourceDefinition {
  readonly served: ServedSubresource
  create(context: StoreContext, decode: Decode): SubresourceStore
}

/** A built-in resource, ready to be served. */
export interface ServedBuiltin extends BuiltinKind {
  readonly verbs: readonly string[]
  readonly storageVersionHash: string
  readonly subresourceDefinitions: readonly SubresourceDefinition[]
}

/** What can be done with most resources, as discovery lists it. */
export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** The status subresource of a kind. */
export function statusSubresource({ group, version, kind }: AnyResourceType): SubresourceDefinition {
  const served = { name: 'status', group, version, kind, verbs: ['get', 'patch', 'update'] }
  return { served, create: (context, decode) => new ObjectSubresource(served, context, decode, statusRules(context)) }
}

/** The scale subresource of a kind. */
export function scaleSubresource(fields: ScaleFields): SubresourceDefinition {
  const served = { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] }
  return { served, create: (context, decode) => new ScaleSubresource(served, context, decode, fields) }
}

/** The kinds with rules of their own, beside CustomResourceDefinition. All others have those of {@link plainKind}. */
const ownKinds: readonly (readonly BuiltinKind[])[] = [
  admissionRegistrationKinds,
  apiRegistrationKinds,
  apiServerInternalKinds,
  appsKinds,
  autoscalingKinds,
  batchKinds,
  certificatesKinds,
  coordinationKinds,
  coreKinds,
  discoveryKinds,
  eventsKinds,
  flowControlKinds,
  networkingKinds,
  nodeKinds,
  policyKinds,
  rbacKinds,
  resourceKinds,
  schedulingKinds,
  storageKinds,
  storageMigrationKinds,
]

/** The built-in resources that are stored and served, in the order of discovery; `definitions` is how CustomResourceDefinitions behave. */
export function servedBuiltins(definitions: BuiltinKind, serves: ServesResource): readonly ServedBuiltin[] {
  const own = new Map([definitions, ...ownKinds.flat()].map((builtin) => [resourceKey(builtin.kind.type), builtin]))
  const served: ServedBuiltin[] = []
  for (const { group, version } of builtinGroupVersions) {
    for (const resource of builtinResources[group === '' ? version : `${group}/${version}`] ?? []) {
      if (!resource.verbs.includes('get') || !serves(group, version, resource.plural)) continue
      const type = resourceType(group, version, resource)
      served.push(serve(resource, own.get(resourceKey(type)) ?? { kind: plainKind(type, resource) }))
    }
  }
  return served
}

/** The built-in resources that are created in order to ask or to do something, and never stored. */
export function servedReviews(serves: ServesResource): readonly { readonly type: AnyResourceType; readonly verbs: readonly string[] }[] {
  return builtinGroupVersions.flatMap(({ group, version }) =>
    (builtinResources[group === '' ? version : `${group}/${version}`] ?? [])
      .filter(({ verbs, plural }) => !verbs.includes('get') && serves(group, version, plural))
      .map((resource) => ({ type: resourceType(group, version, resource), verbs: resource.verbs })),
  )
}

function resourceKey({ group, version, plural }: AnyResourceType): string {
  return `${group}/${version}/${plural}`
}

function serve(resource: BuiltinResource, builtin: BuiltinKind): ServedBuiltin {
  const { verbs, storageVersionHash, subresources } = resource
  const definitions = subresources.flatMap((subresource) => defineSubresource(builtin, subresource) ?? [])
  return { ...builtin, verbs, storageVersionHash, subresourceDefinitions: definitions }
}

function defineSubresource({ kind, scale, subresources = {} }: BuiltinKind, facts: BuiltinSubresource): SubresourceDefinition | undefined {
  const { name } = facts
  if (name === 'status' && subresources.status === undefined) return statusSubresource(kind.type)
  if (name === 'scale' && scale !== undefined) return scaleSubresource(scale)
  const create = subresources[name]
  if (create === undefined) return undefined
  const own = facts.version === '' ? { group: kind.type.group, version: kind.type.version } : { group: facts.group, version: facts.version }
  const served = { name, ...own, kind: facts.kind, verbs: facts.verbs }
  return { served, create: (context, decode) => create(served, context, decode) }
}

function resourceType(group: string, version: string, resource: BuiltinResource): AnyResourceType {
  const { kind, plural, singular, shortNames, categories, namespaced } = resource
  const scope = namespaced ? 'Namespaced' : 'Cluster'
  return { group, version, kind, plural, singular, listKind: `${kind}List`, shortNames, categories, scope }
}

/** A kind without rules of its own: what its schema says, and a status if discovery has one. */
function plainKind(type: AnyResourceType, { subresources }: BuiltinResource): ResourceKind {
  const hasStatus = subresources.some(({ name }) => name === 'status')
  const strategy: Strategy = { validateName: validateDns1123Subdomain, ...(hasStatus ? { status: {} } : {}) }
  return { type, strategy }
}
