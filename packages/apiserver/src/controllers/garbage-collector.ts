import {
  type ControllerHost,
  controllerManagedBy,
  createEventRecorder,
  type Enqueue,
  type EventRecorder,
  ignoreNotFound,
  isConflict,
  mergePatch,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from 'steersman'
import type { AnyResourceType, KubernetesObject, OwnerReference } from 'steersman/api'
import type { Client } from 'steersman/client'
import { deepEqual } from 'steersman/internal'
import { foregroundFinalizer, type GraphNode, OwnerGraph, orphanFinalizer } from './garbage-collector-graph.js'
import { ResourceMonitors } from './garbage-collector-monitors.js'

/** Objects handled at the same time; deleting an owner of a thousand dependents makes this many requests at once. */
const workers = 20
const maxRememberedUids = 4096
const patchAttempts = 5
/** How often an object is looked at again whose owner exists but was not seen by any informer. */
const unseenOwnerMs = 30_000
const unknownKindMs = 60_000
/** The API of a new kind may be served a moment after its definition says so. */
const followUpsMs: readonly number[] = [1_000, 5_000]

/**
 * Deletes what has no owner any more, and does what a foreground or orphaning deletion asks for.
 *
 * Owners are followed by uid over every resource of the server that can be deleted. Before anything is deleted the server itself has said that the
 * owner is gone; an owner of a kind that the server does not know is never taken for gone.
 */
export function addGarbageCollector(manager: ControllerHost): void {
  const collector = new GarbageCollector(manager)
  const name = 'garbage-collector-controller'
  controllerManagedBy(manager)
    .named(name)
    .watchesRawSource({
      name: 'owner graph',
      start: (enqueue) => collector.examineWith(enqueue),
      waitForSync: (signal) => collector.monitors.waitForSync(signal),
    })
    // Everything must be known before the first finalizer is removed, however long that takes.
    .withOptions({ maxConcurrentReconciles: workers, cacheSyncTimeoutMs: 0 })
    .complete((request, context) => collector.reconcile(request, context))
  controllerManagedBy(manager)
    .named(`${name}-discovery`)
    .watchesRawSource({
      name: 'resources of the server',
      start: (enqueue) => collector.discoverWith(enqueue),
      waitForSync: async () => {},
    })
    .complete((_, context) => collector.rediscover(context))
}

type Verdict = 'solid' | 'dangling' | 'waiting' | 'unknown-kind' | 'invalid'

/** What one examination works with. */
interface Examination {
  readonly node: GraphNode
  readonly type: AnyResourceType
  readonly context: ReconcileContext
}

class GarbageCollector {
  readonly monitors: ResourceMonitors
  readonly #live: Client
  readonly #events: EventRecorder
  readonly #graph = new OwnerGraph()
  /** Owners that are gone for good: a uid never comes back. The namespace is that of the dependent that asked. */
  readonly #absent = new Set<string>()
  /** Uids whose deletion was seen. */
  readonly #deleted = new Set<string>()
  /** Objects that wait for the kind of an owner to appear. */
  readonly #waitingForKind = new Set<string>()
  #enqueue: Enqueue | undefined
  #enqueueDiscovery: Enqueue | undefined
  readonly #unsent = new Set<string>()
  #followUps = 0

  constructor(host: ControllerHost) {
    if (host.discovery === undefined) throw new TypeError('Cannot collect garbage: the manager offers no discovery')
    this.#live = host.liveClient ?? host.client
    this.#events = createEventRecorder(host, { component: 'garbage-collector-controller' })
    this.monitors = new ResourceMonitors(host, {
      onObject: (kind, object) => this.#examine(this.#graph.observe(kind, object)),
      onGone: (object, isCertain) => this.#gone(object.metadata.uid, isCertain),
      onKindGone: (kind) => this.#examine(this.#graph.removeKind(kind)),
      onKindsChanged: () => this.#discover(),
    })
  }

  examineWith(enqueue: Enqueue): void {
    this.#enqueue = enqueue
    this.#examine([...this.#unsent])
    this.#unsent.clear()
  }

  discoverWith(enqueue: Enqueue): void {
    this.#enqueueDiscovery = enqueue
    this.#discover()
  }

  async rediscover({ signal }: ReconcileContext): Promise<ReconcileResult | undefined> {
    const isComplete = await this.monitors.resync(signal)
    const waiting = [...this.#waitingForKind]
    this.#waitingForKind.clear()
    this.#examine(waiting)
    if (!isComplete) return { requeueAfterMs: 10_000 }
    const requeueAfterMs = followUpsMs[this.#followUps]
    this.#followUps += 1
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs }
  }

  async reconcile(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const node = this.#graph.get(request.name)
    if (node === undefined || node.deletion === 'deleting') return undefined
    const type = this.monitors.typeFor(node.apiVersion, node.kind)
    if (type === undefined) return this.#waitForKind(node, context)
    const examination: Examination = { node, type, context }
    try {
      if (node.deletion === 'orphan') return await this.#orphanDependents(examination)
      if (node.deletion === 'foreground') return await this.#finishForeground(examination)
      return await this.#collect(examination)
    } catch (error) {
      if (!isConflict(error)) throw error
      context.log.debug('Object changed meanwhile', { uid: node.uid, error: String(error) })
      return { requeueAfterMs: 1000 }
    }
  }

  #examine(uids: readonly string[]): void {
    for (const uid of uids) {
      if (this.#enqueue === undefined) this.#unsent.add(uid)
      else this.#enqueue({ namespace: '', name: uid, cluster: '' })
    }
  }

  #discover(): void {
    this.#followUps = 0
    this.#enqueueDiscovery?.({ namespace: '', name: 'resources', cluster: '' })
  }

  #gone(uid: string | undefined, isCertain: boolean): void {
    if (uid === undefined) return
    if (isCertain) remember(this.#deleted, uid)
    this.#waitingForKind.delete(uid)
    this.#examine(this.#graph.remove(uid))
  }

  #waitForKind(node: GraphNode, { log }: ReconcileContext): ReconcileResult {
    log.debug('Waiting for a kind that the server does not know', {
      uid: node.uid,
      owners: node.owners.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    })
    remember(this.#waitingForKind, node.uid)
    return { requeueAfterMs: unknownKindMs }
  }

  /** Deletes the object if it has no owner left, or takes references away that mean nothing any more. */
  async #collect({ node, type, context }: Examination): Promise<ReconcileResult | undefined> {
    if (this.#graph.isSettled(node)) return undefined
    const latest = await this.#read(type, node, context.signal)
    if (latest === undefined) return this.#vanished(node)
    const references = latest.metadata.ownerReferences ?? []
    const verdicts = new Map<OwnerReference, Verdict>()
    for (const reference of references) verdicts.set(reference, await this.#judge(node, reference, context))
    const having = (verdict: Verdict): readonly OwnerReference[] => references.filter((reference) => verdicts.get(reference) === verdict)

    if (having('invalid').length > 0) return undefined
    if (having('unknown-kind').length > 0) return this.#waitForKind(node, context)
    const [solid, waiting] = [having('solid'), having('waiting')]
    if (solid.length > 0) {
      // Waiting owners lose this dependent, or they would wait for an object that stays.
      if (solid.length < references.length) await this.#setOwners({ node, type, context }, references, solid)
      return solid.some((reference) => this.#graph.ownerOf(node, reference) === undefined) ? { requeueAfterMs: unseenOwnerMs } : undefined
    }
    if (references.length === 0 || latest.metadata.deletionTimestamp !== undefined) return undefined
    const isMiddle = waiting.length > 0 && this.#graph.dependentsOf(node.uid).length > 0
    if (isMiddle) await this.#breakCycle({ node, type, context }, references)
    context.log.info('Deleting item', { kind: node.kind, namespace: node.namespace, item: node.name })
    return this.#delete({ node, type, context }, latest, isMiddle ? 'Foreground' : policyOf(latest))
  }

  /** Owners in a circle would each wait for the other: their references stop blocking. */
  async #breakCycle(examination: Examination, references: readonly OwnerReference[]): Promise<void> {
    const { node } = examination
    if (!this.#graph.dependentsOf(node.uid).some((dependent) => dependent.deletion === 'foreground')) return
    if (!references.some((reference) => reference.blockOwnerDeletion === true)) return
    await this.#setOwners(
      examination,
      references,
      references.map((reference) => (reference.blockOwnerDeletion === true ? { ...reference, blockOwnerDeletion: false } : reference)),
    )
  }

  async #delete(
    { node, type, context }: Examination,
    latest: KubernetesObject,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<undefined> {
    const { resourceVersion, ownerReferences } = latest.metadata
    const remove = (preconditions: { readonly uid: string; readonly resourceVersion?: string }) =>
      context.client.delete(type, keyOfNode(node), { propagationPolicy, preconditions }).catch(ignoreNotFound)
    try {
      await remove({ uid: node.uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) })
    } catch (error) {
      if (!isConflict(error)) throw error
      const now = await this.#read(type, node, context.signal)
      if (now === undefined) return this.#vanished(node)
      // An object that changes all the time would never be collected otherwise.
      if (!deepEqual(now.metadata.ownerReferences, ownerReferences)) throw error
      await remove({ uid: node.uid })
    }
    return undefined
  }

  async #judge(node: GraphNode, reference: OwnerReference, { signal }: ReconcileContext): Promise<Verdict> {
    const known = this.#graph.ownerOf(node, reference)
    if (known !== undefined) return known.deletion === 'foreground' ? 'waiting' : 'solid'
    if (this.#absent.has(`${node.namespace}/${reference.uid}`)) return 'dangling'
    const type = this.monitors.typeFor(reference.apiVersion, reference.kind)
    if (type === undefined) {
      if (this.#deleted.has(reference.uid)) return 'dangling'
      return 'unknown-kind'
    }
    if (type.scope === 'Namespaced' && node.namespace === '') {
      this.#reportWrongNamespace(node, reference)
      return 'invalid'
    }
    const owner = await this.#read(type, { ...reference, namespace: type.scope === 'Namespaced' ? node.namespace : '' }, signal)
    if (owner !== undefined) {
      const isWaiting = owner.metadata.deletionTimestamp !== undefined && owner.metadata.finalizers?.includes(foregroundFinalizer) === true
      return isWaiting ? 'waiting' : 'solid'
    }
    if (this.#graph.get(reference.uid) !== undefined) this.#reportWrongNamespace(node, reference)
    remember(this.#absent, `${node.namespace}/${reference.uid}`)
    return 'dangling'
  }

  #reportWrongNamespace(node: GraphNode, { apiVersion, kind, name, uid }: OwnerReference): void {
    const owner = `[${apiVersion}/${kind}, namespace: ${node.namespace}, name: ${name}, uid: ${uid}]`
    this.#events.event(
      {
        apiVersion: node.apiVersion,
        kind: node.kind,
        metadata: { name: node.name, uid: node.uid, ...(node.namespace === '' ? {} : { namespace: node.namespace }) },
      },
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef ${owner} does not exist in namespace "${node.namespace}"`,
      },
    )
  }

  /** The object of this key on the server, if it is still the one of this uid. */
  async #read(
    type: AnyResourceType,
    { uid, name, namespace }: { readonly uid: string; readonly name: string; readonly namespace: string },
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const key = { name, ...(namespace === '' ? {} : { namespace }) }
    const object: KubernetesObject | undefined = await this.#live.get(type, key, { signal }).catch(ignoreNotFound)
    return object?.metadata.uid === uid ? object : undefined
  }

  /** The server says that the object is gone; the informer will say it too. */
  #vanished(node: GraphNode): undefined {
    this.#gone(node.uid, true)
  }

  async #finishForeground(examination: Examination): Promise<undefined> {
    const { node } = examination
    const blocking = this.#graph.blockingDependentsOf(node.uid)
    if (blocking.length === 0) await this.#removeFinalizer(examination, foregroundFinalizer)
    else this.#examine(blocking.filter(({ deletion }) => deletion !== 'foreground').map(({ uid }) => uid))
  }

  async #orphanDependents(examination: Examination): Promise<ReconcileResult | undefined> {
    const { node, context } = examination
    const dependents = this.#graph.dependentsOf(node.uid)
    // Few at a time: this is one worker of many.
    for (let start = 0; start < dependents.length; start += workers) {
      await Promise.all(dependents.slice(start, start + workers).map((dependent) => this.#orphan(dependent, node.uid, context)))
    }
    await this.#removeFinalizer(examination, orphanFinalizer)
    return undefined
  }

  async #orphan(dependent: GraphNode, ownerUid: string, context: ReconcileContext): Promise<void> {
    const type = this.monitors.typeFor(dependent.apiVersion, dependent.kind)
    if (type === undefined) return
    await this.#patch({ node: dependent, type, context }, ({ metadata }) => {
      const { ownerReferences = [] } = metadata
      const remaining = ownerReferences.filter((reference) => reference.uid !== ownerUid)
      return remaining.length === ownerReferences.length ? undefined : { ownerReferences: remaining }
    })
  }

  /** Replaces the references that were judged. What was added meanwhile stays. */
  #setOwners(examination: Examination, judged: readonly OwnerReference[], owners: readonly OwnerReference[]): Promise<void> {
    const uids = new Set(judged.map(({ uid }) => uid))
    return this.#patch(examination, ({ metadata }) => ({
      ownerReferences: [...owners, ...(metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid))],
    }))
  }

  #removeFinalizer(examination: Examination, finalizer: string): Promise<void> {
    return this.#patch(examination, ({ metadata }) => {
      const { finalizers = [] } = metadata
      return finalizers.includes(finalizer) ? { finalizers: finalizers.filter((other) => other !== finalizer) } : undefined
    })
  }

  /** Changes metadata of the object as the server has it now. Does nothing when it is gone or `change` returns nothing. */
  async #patch({ node, type, context }: Examination, change: (latest: KubernetesObject) => object | undefined): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const latest = await this.#read(type, node, context.signal)
      if (latest === undefined) {
        this.#vanished(node)
        return
      }
      const metadata = change(latest)
      if (metadata === undefined) return
      const { uid, resourceVersion } = latest.metadata
      try {
        await context.client
          .patch(type, keyOfNode(node), mergePatch({ metadata: { uid, resourceVersion, ...metadata } }))
          .catch(ignoreNotFound)
        return
      } catch (error) {
        if (!isConflict(error) || attempt === patchAttempts) throw error
      }
    }
  }
}

function keyOfNode({ name, namespace }: GraphNode): { readonly name: string; readonly namespace?: string } {
  return { name, ...(namespace === '' ? {} : { namespace }) }
}

/** A deletion that was asked for before keeps its way of going. */
function policyOf({ metadata }: KubernetesObject): 'Background' | 'Foreground' | 'Orphan' {
  if (metadata.finalizers?.includes(orphanFinalizer)) return 'Orphan'
  return metadata.finalizers?.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

function remember(uids: Set<string>, uid: string): void {
  uids.add(uid)
  if (uids.size > maxRememberedUids) uids.delete(uids.values().next().value as string)
}
