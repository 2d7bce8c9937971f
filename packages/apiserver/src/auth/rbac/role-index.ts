import type { UnstructuredObject } from 'steersman/api'
import { goQuote } from 'steersman/api'
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding, RoleRef, Subject } from 'steersman/api/types/rbac/v1'
import type { AccessRule, Registry, UserInfo } from '../../contracts/index.js'
import { serviceAccountOf } from '../service-account-name.js'

const group = 'rbac.authorization.k8s.io'

/** A binding that gives a user its role. */
export interface Grant {
  /** `RoleBinding "b/ns" of Role "r" to User "u"`. */
  readonly source: string
  readonly rules: readonly AccessRule[]
  /** Why the role could not be found; there are no rules then. */
  readonly error?: string
}

/** The rules of a role, or why there are none. */
export type ResolvedRole = { readonly rules: readonly AccessRule[] } | { readonly error: string; readonly isMissing: boolean }

type Binding = RoleBinding | ClusterRoleBinding

/** What one subject is given by one binding. */
interface Entry extends Grant {
  readonly binding: Binding
}

/** Where the index reads. */
export interface RoleSource extends Pick<Registry, 'resource'> {
  onWritten(group: string, listener: () => void): () => void
}

/** Entries by subject: `User:u`, `Group:g`, `ServiceAccount:namespace:name`. */
type Entries = ReadonlyMap<string, readonly Entry[]>

interface Snapshot {
  readonly roles: ReadonlyMap<string, readonly AccessRule[]>
  readonly clusterRoles: ReadonlyMap<string, readonly AccessRule[]>
  readonly cluster: Entries
  readonly namespaces: ReadonlyMap<string, Entries>
}

/**
 * Roles and bindings, ready to be asked. It is made when somebody asks for the first time after a write, so a role counts from the moment its write
 * is answered, and no request reads the storage.
 */
export class RoleIndex {
  readonly #source: RoleSource
  #snapshot: Promise<Snapshot> | undefined

  constructor(source: RoleSource) {
    this.#source = source
    source.onWritten(group, () => {
      this.#snapshot = undefined
    })
  }

  /** What a user is given in the cluster and, unless it is empty, in a namespace. */
  async grants(user: UserInfo, namespace: string): Promise<readonly Grant[]> {
    const { cluster, namespaces } = await this.#current()
    const found = grantsOf(cluster, user)
    const inNamespace = namespace === '' ? undefined : namespaces.get(namespace)
    return inNamespace === undefined ? found : [...found, ...grantsOf(inNamespace, user)]
  }

  /** The rules of the role that a binding names. */
  async rulesOf(roleRef: RoleRef, namespace: string): Promise<ResolvedRole> {
    return resolve(await this.#current(), roleRef, namespace)
  }

  #current(): Promise<Snapshot> {
    if (this.#snapshot !== undefined) return this.#snapshot
    const reading = this.#read()
    this.#snapshot = reading
    // What could not be read is read again by who asks next.
    reading.catch(() => {
      if (this.#snapshot === reading) this.#snapshot = undefined
    })
    return reading
  }

  async #read(): Promise<Snapshot> {
    const [roles, clusterRoles, roleBindings, clusterRoleBindings] = await Promise.all([
      this.#list<Role>('roles'),
      this.#list<ClusterRole>('clusterroles'),
      this.#list<RoleBinding>('rolebindings'),
      this.#list<ClusterRoleBinding>('clusterrolebindings'),
    ])
    const rules = {
      roles: new Map(roles.map(({ metadata, rules: held }) => [`${metadata.namespace}/${metadata.name}`, held ?? []])),
      clusterRoles: new Map(clusterRoles.map(({ metadata, rules: held }) => [metadata.name, held ?? []])),
    }
    const byNamespace = new Map<string, RoleBinding[]>()
    for (const binding of roleBindings) {
      const namespace = binding.metadata.namespace ?? ''
      byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), binding])
    }
    const namespaces = new Map(Array.from(byNamespace, ([name, bindings]) => [name, entriesOf(rules, bindings, name)]))
    return { ...rules, cluster: entriesOf(rules, clusterRoleBindings, ''), namespaces }
  }

  async #list<Resource>(plural: string): Promise<readonly Resource[]> {
    const store = this.#source.resource(group, 'v1', plural)
    const listed: readonly UnstructuredObject[] = (await store?.list({ namespace: '' }))?.items ?? []
    return listed as unknown as readonly Resource[]
  }
}

type Rules = Pick<Snapshot, 'roles' | 'clusterRoles'>

function resolve({ roles, clusterRoles }: Rules, { kind, name }: RoleRef, namespace: string): ResolvedRole {
  if (kind !== 'Role' && kind !== 'ClusterRole') return { error: `unsupported role reference kind: ${goQuote(kind)}`, isMissing: false }
  const rules = kind === 'Role' ? roles.get(`${namespace}/${name}`) : clusterRoles.get(name)
  if (rules !== undefined) return { rules }
  return { error: `${kind.toLowerCase()}.${group} "${name}" not found`, isMissing: true }
}

/** `namespace`: of the bindings; empty for those of the cluster. */
function entriesOf(rules: Rules, bindings: readonly Binding[], namespace: string): Entries {
  const entries = new Map<string, Entry[]>()
  for (const binding of bindings) {
    const resolved = resolve(rules, binding.roleRef, namespace)
    for (const subject of binding.subjects ?? []) {
      const key = subjectKey(subject, namespace)
      if (key === undefined) continue
      const entry = {
        binding,
        source: describe(binding, subject),
        rules: 'rules' in resolved ? resolved.rules : [],
        ...('error' in resolved ? { error: resolved.error } : {}),
      }
      const known = entries.get(key)
      if (known === undefined) entries.set(key, [entry])
      else known.push(entry)
    }
  }
  return entries
}

function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === 'User' || kind === 'Group') return `${kind}:${name}`
  const home = namespace || bindingNamespace
  return kind === 'ServiceAccount' && home !== '' ? `ServiceAccount:${home}:${name}` : undefined
}

function describe({ kind, metadata, roleRef }: Binding, subject: Subject): string {
  const { namespace = '', name } = metadata
  const bindingName = kind === 'RoleBinding' ? `${name}/${namespace}` : name
  const subjectName = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name
  return `${kind} "${bindingName}" of ${roleRef.kind} "${roleRef.name}" to ${subject.kind} "${subjectName}"`
}

/** Each binding once, by the first of its subjects that the user is. */
function grantsOf(entries: Entries, { name, groups }: UserInfo): readonly Entry[] {
  const account = serviceAccountOf(name)
  const keys = [
    `User:${name}`,
    ...(account === undefined ? [] : [`ServiceAccount:${account.namespace}:${account.name}`]),
    ...groups.map((member) => `Group:${member}`),
  ]
  const found = new Map<Binding, Entry>()
  for (const key of keys) for (const entry of entries.get(key) ?? []) if (!found.has(entry.binding)) found.set(entry.binding, entry)
  return [...found.values()]
}
