import { createHash } from 'node:crypto'
import { stringifyJson } from 'steersman/api'
import type { Registry, ServedResource } from '../contracts/index.js'

/** An aggregated discovery document and its tag. */
export interface AggregatedDocument {
  readonly value: unknown
  readonly etag: string
}

/** The versions of the aggregated form that clients ask for. */
export const aggregatedVersions: readonly string[] = ['v2', 'v2beta1']

interface GroupVersion {
  readonly version: string
  readonly resources: readonly ServedResource[]
}

/** A group as served: its versions in order of preference. */
interface Group {
  readonly name: string
  readonly versions: readonly GroupVersion[]
}

/** The discovery documents of what a registry serves now. Each is made on first use and kept until the registry changes. */
export class Discovery {
  readonly #registry: Registry
  #groups: { readonly of: readonly ServedResource[]; readonly list: readonly Group[] } | undefined
  #aggregated = new Map<string, AggregatedDocument>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** `/api` in its old form. */
  legacyVersions(serverAddress: string): object {
    const versions =
      this.#groupList()
        .find(({ name }) => name === '')
        ?.versions.map(({ version }) => version) ?? []
    return { kind: 'APIVersions', versions, serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] }
  }

  /** `/apis` in its old form. */
  groupList(): object {
    const groups = this.#named().map(({ name, versions }) => ({ name, ...groupVersions(name, versions) }))
    return { kind: 'APIGroupList', apiVersion: 'v1', groups }
  }

  /** `/apis/<group>`; `undefined` when it is not served. */
  group(name: string): object | undefined {
    const group = this.#named().find((candidate) => candidate.name === name)
    return group === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', name, ...groupVersions(name, group.versions) }
  }

  /** `/api/v1` and `/apis/<group>/<version>`; `undefined` when it is not served. */
  resourceList(groupName: string, version: string): object | undefined {
    const served = this.resources(groupName, version)
    if (served === undefined) return undefined
    const groupVersion = groupName === '' ? version : `${groupName}/${version}`
    const apiVersion = groupName === '' ? {} : { apiVersion: 'v1' }
    return { kind: 'APIResourceList', ...apiVersion, groupVersion, resources: served.flatMap(legacyResources) }
  }

  /** What a group version serves; `undefined` when there is no such. */
  resources(groupName: string, version: string): readonly ServedResource[] | undefined {
    const group = this.#groupList().find(({ name }) => name === groupName)
    return group?.versions.find((candidate) => candidate.version === version)?.resources
  }

  /** Every group version, in order. */
  groupVersions(): readonly { readonly group: string; readonly version: string; readonly resources: readonly ServedResource[] }[] {
    return this.#groupList().flatMap(({ name, versions }) => versions.map((entry) => ({ group: name, ...entry })))
  }

  /** Whether the group is compiled in: refusals of its paths are a Status, those of other groups are text. */
  isBuiltIn(groupName: string): boolean {
    const group = this.#groupList().find(({ name }) => name === groupName)
    return group?.versions.some(({ resources }) => resources.some(({ builtIn }) => builtIn)) ?? false
  }

  /** `/api` or `/apis` in the aggregated form. */
  aggregated(path: '/api' | '/apis', apiVersion: string): AggregatedDocument {
    const groups = path === '/api' ? this.#groupList().filter(({ name }) => name === '') : this.#named()
    const key = `${path} ${apiVersion}`
    const known = this.#aggregated.get(key)
    if (known !== undefined) return known
    const items = groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({ version, resources: resources.map(aggregatedResource), freshness: 'Current' })),
    }))
    const value = { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${apiVersion}`, metadata: {}, items }
    const document = { value, etag: `"${digest(stringifyJson(value))}"` }
    this.#aggregated.set(key, document)
    return document
  }

  #named(): readonly Group[] {
    return this.#groupList().filter(({ name }) => name !== '')
  }

  #groupList(): readonly Group[] {
    const of = this.#registry.resources()
    if (this.#groups?.of === of) return this.#groups.list
    const groups = new Map<string, Map<string, ServedResource[]>>()
    for (const resource of of) {
      const { group, version } = resource.type
      const versions = groups.get(group) ?? new Map<string, ServedResource[]>()
      groups.set(group, versions)
      versions.set(version, [...(versions.get(version) ?? []), resource])
    }
    const list = Array.from(groups, ([name, versions]) => ({
      name,
      versions: Array.from(versions, ([version, resources]) => ({ version, resources })),
    }))
    this.#groups = { of, list }
    this.#aggregated = new Map()
    return list
  }
}

/** A short opaque tag of a text, in the form that kube-apiserver uses. */
export function digest(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase()
}

function groupVersions(group: string, versions: readonly GroupVersion[]) {
  const entries = versions.map(({ version }) => ({ groupVersion: `${group}/${version}`, version }))
  return { versions: entries, preferredVersion: entries[0] }
}

/** Verbs of custom resources come in an order of their own. */
const customVerbs: readonly string[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

function verbsOf({ builtIn, verbs }: ServedResource): readonly string[] {
  return builtIn ? verbs : customVerbs.filter((verb) => verbs.includes(verb))
}

function legacyResources(resource: ServedResource): object[] {
  const { type, storageVersionHash } = resource
  const namespaced = type.scope === 'Namespaced'
  const main = {
    name: type.plural,
    singularName: type.singular,
    namespaced,
    kind: type.kind,
    verbs: verbsOf(resource),
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  }
  const subresources = resource.subresources.map((subresource) => ({
    name: `${type.plural}/${subresource.name}`,
    singularName: '',
    namespaced,
    ...foreignGroupVersion(resource, subresource),
    kind: subresource.kind,
    verbs: subresource.verbs,
  }))
  return [main, ...subresources]
}

/** Group and version of a subresource's kind, where they are not those of the list. */
function foreignGroupVersion({ type }: ServedResource, kind: { readonly group: string; readonly version: string }): object {
  return kind.group === type.group && kind.version === type.version ? {} : { group: kind.group, version: kind.version }
}

function aggregatedResource(resource: ServedResource): object {
  const { type, subresources } = resource
  return {
    resource: type.plural,
    responseKind: responseKind(resource, type),
    scope: type.scope,
    singularResource: type.singular,
    verbs: verbsOf(resource),
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(subresources.length > 0 ? { subresources: subresources.map((subresource) => aggregatedSubresource(resource, subresource)) } : {}),
  }
}

function aggregatedSubresource(resource: ServedResource, subresource: ServedResource['subresources'][number]): object {
  return { subresource: subresource.name, responseKind: responseKind(resource, subresource), verbs: subresource.verbs }
}

/** Built-in resources leave their own group and version empty. */
function responseKind(resource: ServedResource, kind: { readonly group: string; readonly version: string; readonly kind: string }): object {
  const isOwn = kind.group === resource.type.group && kind.version === resource.type.version
  return resource.builtIn && isOwn
    ? { group: '', version: '', kind: kind.kind }
    : { group: kind.group, version: kind.version, kind: kind.kind }
}
