import type { ResourceType } from '../api/index.js'
import { abortable } from '../internal/index.js'
import type { DiscoveredResource, DiscoveryFailure, DiscoveryResult } from './discovered.js'
import type { Discovery } from './discovery.js'

/** The server has no such kind or resource. `failures` are the group versions it could not tell about, if any. */
export class NoMatchError extends Error {
  readonly code = 'NO_MATCH'
  readonly apiVersion: string
  readonly failures: readonly DiscoveryFailure[]

  constructor(apiVersion: string, what: string, failures: readonly DiscoveryFailure[]) {
    const unsure =
      failures.length === 0 ? '' : `; ${failures.map(({ group, version }) => `${group}/${version}`).join(', ')} could not be asked`
    super(`Cannot find ${what} in ${apiVersion}: the server does not have it${unsure}`)
    this.name = 'NoMatchError'
    this.apiVersion = apiVersion
    this.failures = failures
  }
}

/**
 * Finds the resource of a kind, or of a plural, by the server's discovery. What discovery said is kept; on a miss it is asked again, because a
 * CustomResourceDefinition may have been installed since. Callers that miss at the same time share one question.
 */
export class RestMapper {
  readonly #discovery: Discovery
  #index: Promise<Index> | undefined

  constructor(discovery: Discovery) {
    this.#discovery = discovery
  }

  /**
   * The descriptor of `kind` in `apiVersion` (`apps/v1`, `v1`).
   *
   * @throws {NoMatchError} and what {@link Discovery.resources} throws.
   */
  typeFor(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceType> {
    return this.#find(apiVersion, `kind ${kind}`, (index) => index.kinds.get(keyOf(apiVersion, kind)), signal)
  }

  /**
   * The descriptor of the resource named `plural` in `apiVersion`.
   *
   * @throws {NoMatchError} and what {@link Discovery.resources} throws.
   */
  typeForResource(apiVersion: string, plural: string, signal?: AbortSignal): Promise<ResourceType> {
    return this.#find(apiVersion, `resource ${plural}`, (index) => index.plurals.get(keyOf(apiVersion, plural)), signal)
  }

  /** Forgets what discovery said. */
  invalidate(): void {
    this.#index = undefined
  }

  async #find(
    apiVersion: string,
    what: string,
    pick: (index: Index) => ResourceType | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ResourceType> {
    const known = this.#index
    const found = known && pick(await abortable(known, signal))
    if (found !== undefined) return found
    // Unless somebody else has asked again since.
    if (this.#index === known) this.#index = this.#load()
    const index = await abortable(this.#index as Promise<Index>, signal)
    const type = pick(index)
    if (type === undefined) throw new NoMatchError(apiVersion, what, index.failures)
    return type
  }

  #load(): Promise<Index> {
    const loading = this.#discovery.resources().then(indexOf)
    loading.catch(() => {
      // Whoever waits sees the failure; the next caller asks again.
      if (this.#index === loading) this.#index = undefined
    })
    return loading
  }
}

interface Index {
  readonly kinds: ReadonlyMap<string, ResourceType>
  readonly plurals: ReadonlyMap<string, ResourceType>
  readonly failures: readonly DiscoveryFailure[]
}

function indexOf({ resources, failures }: DiscoveryResult): Index {
  const kinds = new Map<string, ResourceType>()
  const plurals = new Map<string, ResourceType>()
  for (const resource of resources) {
    const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
    const type = resourceTypeOf(resource)
    // Two resources may share a kind, such as a review and its subresource; the first one listed that can be read is meant.
    const kindKey = keyOf(apiVersion, resource.kind)
    if (!kinds.has(kindKey)) kinds.set(kindKey, type)
    plurals.set(keyOf(apiVersion, resource.plural), type)
  }
  return { kinds, plurals, failures }
}

/** The descriptor of a resource known by discovery only. */
export function resourceTypeOf(resource: DiscoveredResource): ResourceType {
  const { group, version, kind, plural, singular, scope, shortNames, categories } = resource
  return Object.freeze({
    group,
    version,
    kind,
    plural,
    singular: singular || kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames,
    categories,
    scope,
  })
}

function keyOf(apiVersion: string, name: string): string {
  return `${apiVersion}/${name}`
}
