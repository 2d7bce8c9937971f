import {
  type ControllerHost,
  compileLabelSelector,
  controllerManagedBy,
  controllerReference,
  createEventRecorder,
  enqueueRequestForOwner,
  enqueueRequestsFromMap,
  ignoreNotFound,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from 'steersman'
import { type CompiledLabelSelector, isNamespaceTerminating, isStatus } from 'steersman/api'
import { ReplicaSet, type ReplicaSetStatus } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'
import type { Client } from 'steersman/client'
import { deepEqual } from 'steersman/internal'
import { claimDependents, keyOf } from './claim.js'
import { retryingOutdated } from './outdated.js'
import { rankPodsForDeletion } from './pod-ranking.js'
import { availableAtMs, controllerOwner, isPodActive, isPodFinished, isPodReady } from './pod-state.js'
import { type Condition, withCondition, withoutCondition } from './workload-condition.js'

/** At most so many pods are created or deleted in one reconcile; the rest follows in the next. */
const burstReplicas = 500

const maxSettlingMs = 200

const enqueueOwner = enqueueRequestForOwner(ReplicaSet)

/**
 * How long to wait for more news of a ReplicaSet's pods: a reconcile looks at all of them and writes the status, which for every one of a thousand pods
 * that start together would be a million looks. Nothing for a small one.
 */
function settlingMs(replicaSet: ReplicaSet | undefined): number {
  return Math.min(maxSettlingMs, Math.floor((replicaSet?.spec?.replicas ?? 0) / 10))
}

/** Keeps as many pods as a ReplicaSet asks for. */
export function addReplicaSetController(manager: ControllerHost): void {
  const replicaSets = manager.cache.informer(ReplicaSet)
  const reconciler = new ReplicaSetReconciler(manager)
  controllerManagedBy(manager)
    .named('replicaset-controller')
    .for(ReplicaSet)
    .watches(Pod, (event, enqueue) => {
      enqueueOwner(event, (request) => enqueue(request, { afterMs: settlingMs(replicaSets.get(request)) }))
    })
    // An orphan may belong to any ReplicaSet whose selector matches it.
    .watches(
      Pod,
      enqueueRequestsFromMap((pod: Pod) =>
        controllerOwner(pod) === undefined
          ? replicaSets
              .list(pod.metadata.namespace)
              .filter((replicaSet) => selectorOf(replicaSet).matches(pod.metadata.labels))
              .map(keyOf)
          : [],
      ),
    )
    .withOptions({ maxConcurrentReconciles: 5 })
    .complete(retryingOutdated((request, context) => reconciler.reconcile(request, context)))
}

/** One ReplicaSet and its pods during one reconcile. */
interface Replicas {
  readonly client: Client
  readonly replicaSet: ReplicaSet
  /** Pods that count. */
  readonly active: readonly Pod[]
  /** Its pods that are being deleted and still run. */
  readonly terminating: number
}

class ReplicaSetReconciler {
  readonly #host: ControllerHost
  readonly #events: ReturnType<typeof createEventRecorder>

  constructor(host: ControllerHost) {
    this.#host = host
    this.#events = createEventRecorder(host, { component: 'replicaset-controller' })
  }

  async reconcile(request: ReconcileRequest, { client, environment }: ReconcileContext): Promise<ReconcileResult | undefined> {
    const replicaSet = await client.get(ReplicaSet, request).catch(ignoreNotFound)
    if (replicaSet === undefined) return undefined
    const found = await this.#findPods(client, replicaSet)
    let replicas = found
    let failure: unknown
    if (replicaSet.metadata.deletionTimestamp === undefined) {
      try {
        replicas = await this.#scale(found)
      } catch (error) {
        failure = error
      }
    }
    await writeStatus(replicas, { failure, nowMs: environment.now() })
    if (failure !== undefined) throw failure
    return requeueForAvailability(replicaSet, replicas.active, environment.now())
  }

  async #findPods(client: Client, replicaSet: ReplicaSet): Promise<Replicas> {
    const selector = selectorOf(replicaSet)
    const matches = (pod: Pod): boolean => selector.matches(pod.metadata.labels)
    const pods = await client.list(Pod, { namespace: replicaSet.metadata.namespace as string })
    const active = await claimDependents(
      {
        client,
        liveReader: this.#host.liveClient ?? client,
        ownerType: ReplicaSet,
        owner: replicaSet,
        type: Pod,
        matches,
      },
      pods.items.filter(isPodActive),
    )
    const terminating = pods.items.filter(
      (pod) =>
        pod.metadata.deletionTimestamp !== undefined &&
        !isPodFinished(pod) &&
        controllerOwner(pod)?.uid === replicaSet.metadata.uid &&
        matches(pod),
    ).length
    return { client, replicaSet, active, terminating }
  }

  /** Returns the pods there are afterwards. */
  async #scale(replicas: Replicas): Promise<Replicas> {
    const { replicaSet, active } = replicas
    const missing = (replicaSet.spec?.replicas ?? 1) - active.length
    if (missing > 0)
      return {
        ...replicas,
        active: [...active, ...(await this.#createPods(replicas.client, replicaSet, Math.min(missing, burstReplicas)))],
      }
    if (missing === 0) return replicas
    const doomed = rankPodsForDeletion(active).slice(0, Math.min(-missing, burstReplicas))
    const outcomes = await Promise.allSettled(doomed.map((pod) => this.#deletePod(replicas.client, replicaSet, pod)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const stillTerminating = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length
    return { ...replicas, active: active.filter((pod) => !doomed.includes(pod)), terminating: replicas.terminating + stillTerminating }
  }

  /** Creates in batches of 1, 2, 4, …: when the first pod is refused, hundreds more would be refused too. */
  async #createPods(client: Client, replicaSet: ReplicaSet, count: number): Promise<Pod[]> {
    const created: Pod[] = []
    for (let batch = 1; created.length < count; batch *= 2) {
      const size = Math.min(batch, count - created.length)
      const outcomes = await Promise.allSettled(Array.from({ length: size }, () => this.#createPod(client, replicaSet)))
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') created.push(outcome.value)
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed === undefined) continue
      // A namespace that is being deleted takes no pods, and this ReplicaSet will go with it.
      if (isNamespaceTerminating(failed.reason)) return created
      throw failed.reason
    }
    return created
  }

  async #createPod(client: Client, replicaSet: ReplicaSet): Promise<Pod> {
    try {
      const pod = await client.create(Pod, podFor(replicaSet))
      this.#events.event(replicaSet, { reason: 'SuccessfulCreate', message: `Created pod: ${pod.metadata.name}` })
      return pod
    } catch (error) {
      if (!isNamespaceTerminating(error))
        this.#events.event(replicaSet, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${messageOf(error)}` })
      throw error
    }
  }

  /** Resolves to whether the pod is still there, terminating. */
  async #deletePod(client: Client, replicaSet: ReplicaSet, pod: Pod): Promise<boolean> {
    try {
      const answer = await client.delete(Pod, keyOf(pod), { preconditions: { uid: pod.metadata.uid } }).catch(ignoreNotFound)
      this.#events.event(replicaSet, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
      return answer !== undefined && !isStatus(answer)
    } catch (error) {
      this.#events.event(replicaSet, { type: 'Warning', reason: 'FailedDelete', message: `Error deleting: ${messageOf(error)}` })
      throw error
    }
  }
}

function selectorOf(replicaSet: ReplicaSet): CompiledLabelSelector {
  return compileLabelSelector(replicaSet.spec?.selector)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function podFor(replicaSet: ReplicaSet) {
  const { metadata, spec } = replicaSet.spec?.template ?? {}
  return {
    metadata: {
      generateName: `${replicaSet.metadata.name}-`,
      namespace: replicaSet.metadata.namespace as string,
      labels: metadata?.labels ?? {},
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata?.finalizers === undefined ? {} : { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReference(ReplicaSet, replicaSet)],
    },
    ...(spec === undefined ? {} : { spec }),
  }
}

interface StatusFacts {
  readonly failure: unknown
  readonly nowMs: number
}

async function writeStatus(replicas: Replicas, facts: StatusFacts): Promise<void> {
  const { client, replicaSet } = replicas
  const status = replicaSetStatus(replicas, facts)
  if (deepEqual(status, replicaSet.status)) return
  await client.status.update(ReplicaSet, { ...replicaSet, status })
}

function replicaSetStatus({ replicaSet, active, terminating }: Replicas, { failure, nowMs }: StatusFacts): ReplicaSetStatus {
  const minReadySeconds = replicaSet.spec?.minReadySeconds ?? 0
  const templateLabels = Object.entries(replicaSet.spec?.template?.metadata?.labels ?? {})
  const fullyLabeled = active.filter((pod) => templateLabels.every(([name, value]) => pod.metadata.labels?.[name] === value)).length
  const available = active.filter((pod) => (availableAtMs(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= nowMs).length
  const ready = active.filter(isPodReady).length
  const conditions = failureConditions(replicaSet, { failure, nowMs, active: active.length })
  // Counts that are zero are absent, as the real controller's JSON has them; terminatingReplicas alone tells zero from unknown.
  return {
    replicas: active.length,
    ...(fullyLabeled === 0 ? {} : { fullyLabeledReplicas: fullyLabeled }),
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    terminatingReplicas: terminating,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions: conditions as NonNullable<ReplicaSetStatus['conditions']> }),
  }
}

function failureConditions(
  replicaSet: ReplicaSet,
  { failure, nowMs, active }: StatusFacts & { readonly active: number },
): readonly Condition[] {
  const conditions = replicaSet.status?.conditions ?? []
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure')
  if (conditions.some((condition) => condition.type === 'ReplicaFailure')) return conditions
  const reason = active < (replicaSet.spec?.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete'
  return withCondition(conditions, { type: 'ReplicaFailure', status: 'True', reason, message: messageOf(failure) }, nowMs)
}

/** A pod becomes available by the passing of time, which no event announces. */
function requeueForAvailability(replicaSet: ReplicaSet, pods: readonly Pod[], nowMs: number): ReconcileResult | undefined {
  const minReadySeconds = replicaSet.spec?.minReadySeconds ?? 0
  if (minReadySeconds === 0) return undefined
  const pending = pods.map((pod) => availableAtMs(pod, minReadySeconds) ?? 0).filter((atMs) => atMs > nowMs)
  return pending.length === 0 ? undefined : { requeueAfterMs: Math.min(...pending) - nowMs }
}
