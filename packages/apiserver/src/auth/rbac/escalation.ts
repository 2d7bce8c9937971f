import type { Status, UnstructuredObject } from 'steersman/api'
import { badRequest, forbidden, notFound, StatusError } from 'steersman/api'
import type { PolicyRule, RoleRef } from 'steersman/api/types/rbac/v1'
import { deepEqual } from 'steersman/internal'
import type {
  AccessRule,
  AdmissionAttributes,
  AdmissionPlugin,
  Authorizer,
  RequestInfo,
  RuleResolver,
  UserInfo,
} from '../../contracts/index.js'
import { mastersGroup } from '../authorizers.js'
import { describeRules, missingRules, quoteList } from './policy-rules.js'
import type { RoleIndex } from './role-index.js'

const group = 'rbac.authorization.k8s.io'

/** Everything. Who may not do it may not let roles gather what others hold. */
const fullAuthority: readonly AccessRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/**
 * Sees to it that nobody gives what they do not have: rules by a role, a role by a binding. It belongs at the end of the chain, where the object is
 * as it will be validated.
 */
export class EscalationCheck implements AdmissionPlugin {
  readonly name = 'RoleEscalation'
  readonly #authorizer: Authorizer & RuleResolver
  readonly #index: RoleIndex

  constructor(authorizer: Authorizer & RuleResolver, index: RoleIndex) {
    this.#authorizer = authorizer
    this.#index = index
  }

  readonly admit = async (attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined> => {
    const { type, object, oldObject, subresource, user } = attributes
    if (type.group !== group || object === undefined || subresource !== '' || user.groups.includes(mastersGroup)) return object
    if (oldObject !== undefined && changesCollectionOnly(object, oldObject)) return object
    if (type.kind.endsWith('RoleBinding')) await this.#checkBinding(attributes, object)
    else await this.#checkRole(attributes, object)
    return object
  }

  async #checkRole(attributes: AdmissionAttributes, object: UnstructuredObject): Promise<void> {
    const { type, namespace, name, oldObject, operation, user } = attributes
    const escalate = requestOf({ verb: 'escalate', resource: type.plural, namespace, name: operation === 'CREATE' ? '' : name })
    if ((await this.#authorizer.authorize(user, escalate)).allowed) return
    await this.#requireHeld(attributes, (object.rules ?? []) as readonly PolicyRule[])
    if (![object, oldObject].some(gathersRules)) return
    const { rules } = await this.#authorizer.rulesFor(user, namespace)
    if (missingRules(rules, fullAuthority).length === 0) return
    throw refusal(attributes, 'must have cluster-admin privileges to use the aggregationRule')
  }

  async #checkBinding(attributes: AdmissionAttributes, object: UnstructuredObject): Promise<void> {
    const { namespace, user, type } = attributes
    const roleRef = (object.roleRef ?? { kind: '', name: '' }) as RoleRef
    if (roleRef.kind === 'Role' || roleRef.kind === 'ClusterRole') {
      const resource = `${roleRef.kind.toLowerCase()}s`
      const bind = requestOf({ verb: 'bind', resource, namespace, name: roleRef.name, group: roleRef.apiGroup ?? '' })
      if ((await this.#authorizer.authorize(user, bind)).allowed) return
    }
    // What the real server says when it looks for a role where there are none.
    if (roleRef.kind === 'Role' && namespace === '') throw new StatusError(badRequest('Namespace parameter required.'))
    const rules = await this.#index.rulesOf(roleRef, namespace)
    // The real server says so in the name of the resource that was asked for.
    if ('error' in rules) throw new StatusError(rules.isMissing ? notFound(type, roleRef.name) : failure(rules.error))
    await this.#requireHeld(attributes, rules.rules)
  }

  async #requireHeld(attributes: AdmissionAttributes, wanted: readonly AccessRule[]): Promise<void> {
    const { namespace, user } = attributes
    const { rules, errors } = await this.#authorizer.rulesFor(user, namespace)
    const missing = missingRules(rules, wanted)
    if (missing.length === 0) return
    const unresolved = errors.length === 0 ? '' : `; resolution errors: [${errors.join(' ')}]`
    throw refusal(attributes, `${attempt(user)}:\n${describeRules(missing)}${unresolved}`)
  }
}

function failure(message: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
}

function attempt({ name, groups }: UserInfo): string {
  return `user "${name}" (groups=${quoteList(groups)}) is attempting to grant RBAC permissions not currently held`
}

function refusal({ type, name, object }: AdmissionAttributes, reason: string): StatusError {
  return new StatusError(forbidden(type, object?.metadata.name ?? name, reason))
}

function requestOf(asked: Pick<RequestInfo, 'verb' | 'resource' | 'namespace' | 'name'> & { readonly group?: string }): RequestInfo {
  return { isResourceRequest: true, path: '', group, version: '*', subresource: '', ...asked }
}

function gathersRules(role: UnstructuredObject | undefined): boolean {
  const { clusterRoleSelectors = [] } = (role?.aggregationRule ?? {}) as { readonly clusterRoleSelectors?: readonly unknown[] }
  return clusterRoleSelectors.length > 0
}

/** Whether only those fields differ that the garbage collector writes. */
function changesCollectionOnly(object: UnstructuredObject, old: UnstructuredObject): boolean {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...metadata } = object.metadata
  const { ownerReferences: _oldOwners, finalizers: _oldFinalizers, managedFields: _oldFields, ...oldMetadata } = old.metadata
  return deepEqual({ ...object, metadata }, { ...old, metadata: oldMetadata })
}
