import type { AnyResourceType } from 'steersman/api'
import { type DiscoveredResource, type DiscoveryResult, resourceTypeOf } from 'steersman/client'

/** One descriptor per resource that has all the verbs, in the version that the server prefers among those that have them. */
export function resourcesWithVerbs(discovered: DiscoveryResult, verbs: readonly string[]): readonly DiscoveredResource[] {
  const chosen = new Map<string, DiscoveredResource>()
  for (const { group, versions } of discovered.groups) {
    for (const version of versions) {
      for (const resource of discovered.resources) {
        if (resource.group !== group || resource.version !== version || !verbs.every((verb) => resource.verbs.includes(verb))) continue
        const key = `${group}/${resource.plural}`
        if (!chosen.has(key)) chosen.set(key, resource)
      }
    }
  }
  return [...chosen.values()]
}

/** `apps/v1`, `v1`. */
export function apiVersionOfType(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** Every kind of the server that can be read, by apiVersion and kind. */
export function kindTable(discovered: DiscoveryResult): Map<string, AnyResourceType> {
  const table = new Map<string, AnyResourceType>()
  for (const resource of discovered.resources) {
    const key = kindKey(apiVersionOfType(resource), resource.kind)
    if (!table.has(key) && resource.verbs.includes('get')) table.set(key, resourceTypeOf(resource))
  }
  return table
}

export function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`
}
