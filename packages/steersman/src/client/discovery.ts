import { isNotFound, isStatus, StatusError } from '../api/index.js'
import { deepFreeze } from '../internal/index.js'
import type { DiscoveredGroup, DiscoveredResource, DiscoveryFailure, DiscoveryResult } from './discovered.js'
import type { Json } from './discovery-document.js'
import { aggregatedGroups, legacyGroups, legacyResources } from './discovery-document.js'
import type { RequesterOptions } from './request.js'
import { Requester, UnexpectedResponseError } from './request.js'

/** Asks a server which resources it has. Nothing is cached: see {@link RestMapper}. */
export interface Discovery {
  /**
   * Two requests with a server that has aggregated discovery, else one for each group version.
   *
   * @throws {StatusError} {@link TransportError} when nothing can be learned; a failure of some group versions is in the result.
   */
  resources(signal?: AbortSignal): Promise<DiscoveryResult>
}

/** Discovery of the server behind `options.transport`. */
export function createDiscovery(options: RequesterOptions): Discovery {
  return new ServerDiscovery(new Requester(options))
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

interface Answer {
  readonly group: DiscoveredGroup
  readonly resources: readonly DiscoveredResource[]
  readonly failures: readonly DiscoveryFailure[]
}

class ServerDiscovery implements Discovery {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  async resources(signal?: AbortSignal): Promise<DiscoveryResult> {
    const answers = [...(await this.#root('/api', signal)), ...(await this.#root('/apis', signal))]
    // Failures hold errors, which are not frozen in depth.
    return Object.freeze({
      groups: deepFreeze(answers.map(({ group }) => group)),
      resources: deepFreeze(answers.flatMap(({ resources }) => resources)),
      failures: Object.freeze(answers.flatMap(({ failures }) => failures)),
    })
  }

  /** Groups under `/api` (the core group) or `/apis`. A server that serves only one of them answers 404 to the other. */
  async #root(path: '/api' | '/apis', signal: AbortSignal | undefined): Promise<readonly Answer[]> {
    const document = await this.#get(path, aggregated, signal).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
    if (document === undefined) return []
    if (document.kind === 'APIGroupDiscoveryList') return aggregatedGroups(document)
    const answers: Answer[] = []
    for (const group of legacyGroups(document)) answers.push(await this.#legacyGroup(path, group, signal))
    return answers
  }

  async #legacyGroup(path: string, group: DiscoveredGroup, signal: AbortSignal | undefined): Promise<Answer> {
    const resources: DiscoveredResource[] = []
    const failures: DiscoveryFailure[] = []
    for (const version of group.versions) {
      try {
        const document = await this.#get(`${path}/${group.group ? `${group.group}/` : ''}${version}`, undefined, signal)
        resources.push(...legacyResources(group.group, version, document))
      } catch (error) {
        if (signal?.aborted || !(error instanceof Error)) throw error
        // A group that was removed since it was listed is no failure.
        if (!isNotFound(error)) failures.push({ group: group.group, version, error })
      }
    }
    return { group, resources, failures }
  }

  async #get(path: string, accept: string | undefined, signal: AbortSignal | undefined): Promise<Json> {
    const value = await this.#requester.json({ method: 'GET', path, ...(accept !== undefined && { accept }), signal })
    if (isStatus(value)) throw new StatusError(value)
    if (typeof value === 'object' && value !== null && 'kind' in value) return value as Json
    throw new UnexpectedResponseError(`Cannot read the answer to GET ${path}: expected a discovery document`)
  }
}
