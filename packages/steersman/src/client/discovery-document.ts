import type { ResourceScope } from '../api/index.js'
import type { DiscoveredGroup, DiscoveredResource, DiscoveredSubresource, DiscoveryFailure } from './discovered.js'

/** A discovery document, or a part of one, from the wire. */
export type Json = Readonly<Record<string, unknown>>

/** Groups of an `APIGroupDiscoveryList` (apidiscovery.k8s.io/v2). A stale version keeps the resources that the server remembers. */
export function aggregatedGroups(document: Json): {
  readonly group: DiscoveredGroup
  readonly resources: readonly DiscoveredResource[]
  readonly failures: readonly DiscoveryFailure[]
}[] {
  return list(document.items).map((item) => {
    const group = text(record(item.metadata).name)
    const versions = list(item.versions)
    return {
      group: { group, versions: versions.map(({ version }) => text(version)) },
      resources: versions.flatMap((version) =>
        list(version.resources).map((resource) => aggregatedResource(group, text(version.version), resource)),
      ),
      failures: versions.filter(({ freshness }) => freshness === 'Stale').map(({ version }) => staleFailure(group, text(version))),
    }
  })
}

function staleFailure(group: string, version: string): DiscoveryFailure {
  return {
    group,
    version,
    error: new Error(`Cannot discover ${group}/${version}: the server behind it does not answer; what it had before may be out of date`),
  }
}

function aggregatedResource(group: string, version: string, resource: Json): DiscoveredResource {
  return {
    group,
    version,
    kind: text(record(resource.responseKind).kind),
    plural: text(resource.resource),
    singular: text(resource.singularResource),
    scope: scopeOf(resource.scope === 'Namespaced'),
    verbs: texts(resource.verbs),
    shortNames: texts(resource.shortNames),
    categories: texts(resource.categories),
    subresources: list(resource.subresources).map((subresource) => {
      const kind = record(subresource.responseKind)
      return subresourceOf(text(subresource.subresource), group, version, kind, texts(subresource.verbs))
    }),
  }
}

/** A group and version that are left out are those of the parent. */
function subresourceOf(name: string, group: string, version: string, kind: Json, verbs: readonly string[]): DiscoveredSubresource {
  const isOther = text(kind.version) !== ''
  return { name, group: isOther ? text(kind.group) : group, version: isOther ? text(kind.version) : version, kind: text(kind.kind), verbs }
}

/** Groups of an `APIVersions` (core group) or `APIGroupList` document. */
export function legacyGroups(document: Json): DiscoveredGroup[] {
  if (document.kind === 'APIVersions') return [{ group: '', versions: texts(document.versions) }]
  return list(document.groups).map((group) => {
    const preferred = text(record(group.preferredVersion).version)
    const versions = list(group.versions).map(({ version }) => text(version))
    return { group: text(group.name), versions: preferred ? [preferred, ...versions.filter((version) => version !== preferred)] : versions }
  })
}

/** Resources of an `APIResourceList` document, in which subresources are entries of their own: `deployments/status`. */
export function legacyResources(group: string, version: string, document: Json): DiscoveredResource[] {
  const entries = list(document.resources)
  return entries
    .filter(({ name }) => !text(name).includes('/'))
    .map((resource) => {
      const plural = text(resource.name)
      const children = entries.filter(({ name }) => text(name).startsWith(`${plural}/`))
      return {
        group,
        version,
        kind: text(resource.kind),
        plural,
        singular: text(resource.singularName),
        scope: scopeOf(resource.namespaced === true),
        verbs: texts(resource.verbs),
        shortNames: texts(resource.shortNames),
        categories: texts(resource.categories),
        subresources: children.map((child) =>
          subresourceOf(text(child.name).slice(plural.length + 1), group, version, child, texts(child.verbs)),
        ),
      }
    })
}

function scopeOf(isNamespaced: boolean): ResourceScope {
  return isNamespaced ? 'Namespaced' : 'Cluster'
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(record) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}
