import {
  type AnyResourceType,
  isMethodNotAllowed,
  isNotFound,
  type KubernetesList,
  type PartialObjectMetadata,
  statusOf,
} from 'steersman/api'
import { Pod } from 'steersman/api/types/core/v1'
import { type Client, type DiscoveredResource, type DiscoveryResult, resourceTypeOf } from 'steersman/client'
import { apiVersionOfType, resourcesWithVerbs } from './deletable-resources.js'
import type { ContentDeletion } from './namespace-conditions.js'

/** Resources that are asked at the same time. */
const parallelResources = 8

/** What {@link deleteContent} did. */
export interface ContentDeletionProgress extends ContentDeletion {
  /** Whether nothing is left, as far as everything could be asked. */
  readonly isEmpty: boolean
  /** Whether what is left is only waited for: nothing failed. */
  readonly isGoingWell: boolean
}

/**
 * Asks the server to delete everything in a namespace and tells what is left: pods first, and only when none is left, everything else.
 *
 * @param nowMs while pods may still use their grace period, their being there is no failure
 */
export async function deleteContent(
  client: Client,
  namespace: { readonly name: string; readonly deletedAtMs: number },
  { discovered, nowMs }: { readonly discovered: DiscoveryResult; readonly nowMs: number },
): Promise<ContentDeletionProgress> {
  const resources = resourcesWithVerbs(discovered, ['delete']).filter(({ scope }) => scope === 'Namespaced')
  const isPods = ({ group, plural }: DiscoveredResource): boolean => group === Pod.group && plural === Pod.plural
  const tally = new Tally(discovered)
  for (const resource of resources.filter(isPods)) {
    const graceMs = await longestGraceMs(client, namespace.name)
    tally.add(resource, await deleteAll(client, resource, namespace.name, nowMs - namespace.deletedAtMs < graceMs))
  }
  const others = tally.remaining.size > 0 ? [] : resources.filter((resource) => !isPods(resource))
  for (let start = 0; start < others.length; start += parallelResources) {
    const batch = others.slice(start, start + parallelResources)
    const outcomes = await Promise.all(batch.map((resource) => deleteAll(client, resource, namespace.name, false)))
    for (const [index, outcome] of outcomes.entries()) tally.add(batch[index] as DiscoveredResource, outcome)
  }
  return tally
}

interface Outcome {
  readonly items: readonly PartialObjectMetadata[]
  readonly failure?: string
}

class Tally implements ContentDeletionProgress {
  readonly discoveryFailure?: string
  readonly failures: string[] = []
  readonly remaining = new Map<string, number>()
  readonly finalizers = new Map<string, number>()

  constructor({ failures }: DiscoveryResult) {
    if (failures.length === 0) return
    const details = failures.map(({ group, version, error }) => `${apiVersionOfType({ group, version })}: ${error.message}`).join(', ')
    this.discoveryFailure = `Discovery failed for some groups, ${failures.length} failing: unable to retrieve the complete list of server APIs: ${details}`
  }

  get isEmpty(): boolean {
    return this.remaining.size === 0 && this.isGoingWell
  }

  get isGoingWell(): boolean {
    return this.failures.length === 0 && this.discoveryFailure === undefined
  }

  add({ group, plural }: DiscoveredResource, { items, failure }: Outcome): void {
    if (failure !== undefined) this.failures.push(failure)
    if (items.length > 0) this.remaining.set(`${plural}.${group}`, items.length)
    for (const { metadata } of items)
      for (const finalizer of metadata.finalizers ?? []) this.finalizers.set(finalizer, (this.finalizers.get(finalizer) ?? 0) + 1)
  }
}

async function deleteAll(client: Client, resource: DiscoveredResource, namespace: string, mayTakeTime: boolean): Promise<Outcome> {
  const type = resourceTypeOf(resource)
  try {
    const before = await listAll(client, resource, type, namespace)
    if (before.length === 0) return { items: [] }
    await deleteItems(client, resource, type, { namespace, items: before })
    const items = await listAll(client, resource, type, namespace)
    if (items.length === 0 || mayTakeTime || items.some(({ metadata }) => (metadata.finalizers?.length ?? 0) > 0)) return { items }
    const gvr = `${resource.group}/${resource.version}, Resource=${resource.plural}`
    return { items, failure: `unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}` }
  } catch (error) {
    // What did not come from the server, such as an abort, is no outcome of this resource.
    if (statusOf(error) === undefined) throw error
    return { items: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

async function listAll(
  client: Client,
  { verbs }: DiscoveredResource,
  type: AnyResourceType,
  namespace: string,
): Promise<readonly PartialObjectMetadata[]> {
  if (!verbs.includes('list')) return []
  try {
    const list: KubernetesList<PartialObjectMetadata> = await client.metadata.list(type, { namespace })
    return list.items
  } catch (error) {
    if (isNotFound(error) || isMethodNotAllowed(error)) return []
    throw error
  }
}

/** In the background: whatever owner an object has, it goes with the namespace, and nothing of it is orphaned. */
async function deleteItems(
  client: Client,
  { verbs }: DiscoveredResource,
  type: AnyResourceType,
  { namespace, items }: { readonly namespace: string; readonly items: readonly PartialObjectMetadata[] },
): Promise<void> {
  const gone = (error: unknown): undefined => {
    if (!isNotFound(error) && !isMethodNotAllowed(error)) throw error
    return undefined
  }
  if (verbs.includes('deletecollection')) {
    await client.deleteCollection(type, { namespace, propagationPolicy: 'Background' }).catch(gone)
    return
  }
  for (const { metadata } of items)
    await client.delete(type, { namespace, name: metadata.name }, { propagationPolicy: 'Background' }).catch(gone)
}

async function longestGraceMs(client: Client, namespace: string): Promise<number> {
  const pods = await client.list(Pod, { namespace })
  const running = pods.items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
  return 1000 * Math.max(0, ...running.map(({ spec }) => spec?.terminationGracePeriodSeconds ?? 0))
}
