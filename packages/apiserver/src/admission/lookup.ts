import { isNotFound, type UnstructuredObject } from 'steersman/api'
import type { Registry } from '../contracts/index.js'

/** What a plugin needs of the registry. */
export type Lookup = Pick<Registry, 'resource'>

interface Collection {
  readonly group: string
  readonly version: string
  readonly plural: string
}

/** All objects of a collection; in one namespace if one is given. */
export async function listAll(
  registry: Lookup,
  { group, version, plural }: Collection,
  namespace = '',
): Promise<readonly UnstructuredObject[]> {
  return (await registry.resource(group, version, plural)?.list({ namespace }))?.items ?? []
}

/** A cluster-wide object; `undefined` when it does not exist. */
export async function find(
  registry: Lookup,
  { group, version, plural }: Collection,
  name: string,
): Promise<UnstructuredObject | undefined> {
  try {
    return await registry.resource(group, version, plural)?.get({ name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Of several objects that say to be the default the newest; of those made in the same second the first by name. */
export function newest(objects: readonly UnstructuredObject[]): UnstructuredObject | undefined {
  return objects.reduce<UnstructuredObject | undefined>((best, candidate) => {
    if (best === undefined) return candidate
    const [time, bestTime] = [candidate.metadata.creationTimestamp ?? '', best.metadata.creationTimestamp ?? '']
    if (time !== bestTime) return time > bestTime ? candidate : best
    return (candidate.metadata.name ?? '') < (best.metadata.name ?? '') ? candidate : best
  }, undefined)
}
