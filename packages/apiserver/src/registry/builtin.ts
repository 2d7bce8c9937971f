import type { AnyResourceType } from 'steersman/api'
import type { ServedSubresource, SubresourceStore } from '../contracts/index.js'
import { deploymentKind, deploymentScale } from './apps/deployment.js'
import { replicaSetKind, replicaSetScale } from './apps/replica-set.js'
import { leaseKind } from './coordination/lease.js'
import { configMapKind } from './core/config-map.js'
import { eventKind } from './core/event.js'
import { finalizeRules, namespaceKind } from './core/namespace.js'
import { nodeKind } from './core/node.js'
import { podKind } from './core/pod.js'
import { secretKind } from './core/secret.js'
import { serviceKind } from './core/service.js'
import { serviceAccountKind } from './core/service-account.js'
import { groupEventKind, toCoreEvent, toGroupEvent } from './events/event.js'
import type { Decode } from './store.js'
import type { StoreContext } from './store-context.js'
import type { ResourceKind } from './strategy.js'
import { BindingSubresource } from './subresources/binding.js'
import { EvictionSubresource } from './subresources/eviction.js'
import { ObjectSubresource } from './subresources/object-subresource.js'
import type { ScaleFields } from './subresources/scale.js'
import { ScaleSubresource } from './subresources/scale.js'
import { statusRules } from './update.js'

/** A built-in kind with what hangs on it. */
export interface BuiltinKind {
  readonly kind: ResourceKind
  readonly verbs: readonly string[]
  readonly subresources: readonly SubresourceDefinition[]
  /** Present: the objects are stored as those of another resource, and this is a view of them. */
  readonly viewOf?: ViewDefinition
}

/** How objects of another resource show as those of this one. Both conversions are pure. */
export interface ViewDefinition {
  readonly group: string
  readonly plural: string
  readonly toServed: StoreContext['toServed']
  readonly toStored: StoreContext['toStored']
}

/** A subresource of a kind, ready to be bound to its store. */
export interface SubresourceDefinition {
  readonly served: ServedSubresource
  /** `decode` reads a body of the kind that `served` names. */
  create(context: StoreContext, decode: Decode): SubresourceStore
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

/** The built-in kinds beside CustomResourceDefinition, in the order of discovery. */
export function builtinKinds(): readonly BuiltinKind[] {
  return [
    builtin(configMapKind),
    builtin(eventKind),
    builtin(
      namespaceKind,
      [finalize, statusSubresource(namespaceKind.type)],
      allVerbs.filter((verb) => verb !== 'deletecollection'),
    ),
    builtin(nodeKind, [statusSubresource(nodeKind.type)]),
    builtin(podKind, [binding, eviction, statusSubresource(podKind.type)]),
    builtin(secretKind),
    builtin(serviceAccountKind),
    builtin(serviceKind, [statusSubresource(serviceKind.type)]),
    builtin(deploymentKind, [scaleSubresource(deploymentScale), statusSubresource(deploymentKind.type)]),
    builtin(replicaSetKind, [scaleSubresource(replicaSetScale), statusSubresource(replicaSetKind.type)]),
    {
      ...builtin(groupEventKind),
      viewOf: { group: '', plural: 'events', toServed: toGroupEvent, toStored: toCoreEvent },
    },
    builtin(leaseKind),
  ]
}

function builtin(
  kind: ResourceKind,
  subresources: readonly SubresourceDefinition[] = [],
  verbs: readonly string[] = allVerbs,
): BuiltinKind {
  return { kind, verbs, subresources }
}

const finalizeServed: ServedSubresource = { name: 'finalize', group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] }
const finalize: SubresourceDefinition = {
  served: finalizeServed,
  create: (context, decode) => new ObjectSubresource(finalizeServed, context, decode, finalizeRules),
}

const bindingServed: ServedSubresource = { name: 'binding', group: '', version: 'v1', kind: 'Binding', verbs: ['create'] }
const binding: SubresourceDefinition = {
  served: bindingServed,
  create: (context, decode) => new BindingSubresource(bindingServed, context, decode),
}

const evictionServed: ServedSubresource = { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] }
const eviction: SubresourceDefinition = {
  served: evictionServed,
  create: (context, decode) => new EvictionSubresource(evictionServed, context, decode),
}
