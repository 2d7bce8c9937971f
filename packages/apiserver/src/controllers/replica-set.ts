import {
  type ControllerHost,
  controllerManagedBy,
  controllerReference,
  type Draft,
  enqueueRequestsFromMap,
  ignoreNotFound,
  compileLabelSelector,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  structuredCopy,
} from 'steersman'
import { ReplicaSet, type ReplicaSetStatus } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'
import type { Client } from 'steersman/client'
import { claimDependents, keyOf } from './claim.js'
import { rankPodsForDeletion } from './pod-ranking.js'
import { availableAtMs, controllerOwner, isPodActive, isPodReady } from './pod-state.js'
import { type Condition, withCondition, withoutCondition } from './workload-condition.js'

/** At most so many pods are created or deleted in one reconcile; the rest follows in the next. */
const burstReplicas = 500

/** Keeps as many pods as a ReplicaSet asks for. */
export function addReplicaSetController(manager: ControllerHost): void {
  const replicaSets = manager.cache.informer(ReplicaSet)
  controllerManagedBy(manager)
    .for(ReplicaSet)
    .owns(Pod)
    // An orphan may belong to any ReplicaSet whose selector matches it.
    .watches(
      Pod,
      enqueueRequestsFromMap((pod: Pod) =>
        controllerOwner(pod) === undefined
          ? replicaSets
              .list(pod.metadata.namespace)
              .filter((replicaSet) => selects(replicaSet, pod))
              .map(keyOf)
          : [],
      ),
    )
    .withOptions({ maxConcurrentReconciles: 5 })
    .complete(reconcileReplicaSet)
}

async function reconcileReplicaSet(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult | undefined> {
  const { client, environment } = context
  const replicaSet = await client.get(ReplicaSet, request).catch(ignoreNotFound)
  if (replicaSet === undefined) return undefined
  const pods = await client.list(Pod, { namespace: request.namespace })
  const owned = await claimDependents(
    { client, ownerType: ReplicaSet, owner: replicaSet, type: Pod, matches: (pod: Pod) => selects(replicaSet, pod) },
    pods.items.filter(isPodActive),
  )
  let failure: unknown
  let active = owned
  if (replicaSet.metadata.deletionTimestamp === undefined) {
    try {
      active = await scale(client, replicaSet, owned)
    } catch (error) {
      failure = error
    }
  }
  await writeStatus(client, replicaSet, active, { failure, nowMs: environment.now() })
  if (failure !== undefined) throw failure
  return requeueForAvailability(replicaSet, active, environment.now())
}

function selects(replicaSet: ReplicaSet, pod: Pod): boolean {
  const { selector } = replicaSet.spec ?? {}
  return selector !== undefined && compileLabelSelector(selector).matches(pod.metadata.labels ?? {})
}

/** Returns the pods there are afterwards. */
async function scale(client: Client, replicaSet: ReplicaSet, pods: readonly Pod[]): Promise<Pod[]> {
  const missing = (replicaSet.spec?.replicas ?? 1) - pods.length
  if (missing > 0) return [...pods, ...(await createPods(client, replicaSet, Math.min(missing, burstReplicas)))]
  if (missing === 0) return [...pods]
  const doomed = rankPodsForDeletion(pods).slice(0, Math.min(-missing, burstReplicas))
  await Promise.all(doomed.map((pod) => client.delete(Pod, keyOf(pod), { preconditions: { uid: pod.metadata.uid } }).catch(ignoreNotFound)))
  return pods.filter((pod) => !doomed.includes(pod))
}

/** Creates in batches of 1, 2, 4, …: when the first pod is refused, hundreds more would be refused too. */
async function createPods(client: Client, replicaSet: ReplicaSet, count: number): Promise<Pod[]> {
  const created: Pod[] = []
  for (let batch = 1; created.length < count; batch *= 2) {
    const size = Math.min(batch, count - created.length)
    const outcomes = await Promise.allSettled(Array.from({ length: size }, () => client.create(Pod, podFor(replicaSet))))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') created.push(outcome.value)
    if (failed !== undefined) throw failed.reason
  }
  return created
}

function podFor(replicaSet: ReplicaSet): { readonly metadata: object; readonly spec?: Pod['spec'] } {
  const { metadata, spec } = replicaSet.spec?.template ?? {}
  return {
    metadata: {
      generateName: `${replicaSet.metadata.name}-`,
      namespace: replicaSet.metadata.namespace,
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

async function writeStatus(client: Client, replicaSet: ReplicaSet, pods: readonly Pod[], facts: StatusFacts): Promise<void> {
  const status = statusOf(replicaSet, pods, facts)
  if (JSON.stringify(status) === JSON.stringify(replicaSet.status ?? {})) return
  const draft = structuredCopy(replicaSet)
  draft.status = status
  await client.status.update(ReplicaSet, draft)
}

function statusOf(replicaSet: ReplicaSet, pods: readonly Pod[], { failure, nowMs }: StatusFacts): Draft<ReplicaSetStatus> {
  const minReadySeconds = replicaSet.spec?.minReadySeconds ?? 0
  const templateLabels = Object.entries(replicaSet.spec?.template?.metadata?.labels ?? {})
  const fullyLabeled = pods.filter((pod) => templateLabels.every(([name, value]) => pod.metadata.labels?.[name] === value)).length
  const available = pods.filter((pod) => (availableAtMs(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= nowMs).length
  const ready = pods.filter(isPodReady).length
  const conditions = failureConditions(replicaSet, failure, nowMs)
  // Counts that are zero are absent, as the real controller's JSON has them.
  return {
    replicas: pods.length,
    ...(fullyLabeled === 0 ? {} : { fullyLabeledReplicas: fullyLabeled }),
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    observedGeneration: replicaSet.metadata.generation,
    ...(conditions.length === 0 ? {} : { conditions }),
  } as Draft<ReplicaSetStatus>
}

function failureConditions(replicaSet: ReplicaSet, failure: unknown, nowMs: number): Condition[] {
  const conditions = replicaSet.status?.conditions ?? []
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure')
  const message = failure instanceof Error ? failure.message : String(failure)
  return withCondition(conditions, { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }, nowMs)
}

/** A pod becomes available by the passing of time, which no event announces. */
function requeueForAvailability(replicaSet: ReplicaSet, pods: readonly Pod[], nowMs: number): ReconcileResult | undefined {
  const minReadySeconds = replicaSet.spec?.minReadySeconds ?? 0
  if (minReadySeconds === 0) return undefined
  const pending = pods.map((pod) => availableAtMs(pod, minReadySeconds) ?? 0).filter((atMs) => atMs > nowMs)
  return pending.length === 0 ? undefined : { requeueAfterMs: Math.min(...pending) - nowMs }
}
