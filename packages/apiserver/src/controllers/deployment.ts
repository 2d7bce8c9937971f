import {
  type ControllerHost,
  compileLabelSelector,
  controllerManagedBy,
  createEventRecorder,
  type EventRecorder,
  enqueueRequestsFromMap,
  ignoreNotFound,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from 'steersman'
import { isNamespaceTerminating } from 'steersman/api'
import { Deployment, type DeploymentStatus, ReplicaSet } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'
import type { Client, Reader } from 'steersman/client'
import { deepEqual } from 'steersman/internal'
import { claimDependents, keyOf } from './claim.js'
import {
  type EnsuredReplicaSet,
  ensureNewReplicaSet,
  findNewReplicaSet,
  newReplicaSetName,
  revisionAnnotation,
  revisionOf,
  syncNewReplicaSet,
} from './deployment-replica-sets.js'
import {
  countOf,
  desiredReplicasAnnotation,
  limitsOf,
  maxReplicasAnnotation,
  type Scaling,
  scaleNew,
  scaleOld,
  scaleProportionally,
} from './deployment-rollout.js'
import { type DeploymentFacts, deploymentStatus, isComplete, noLimit, progressDeadlineMs } from './deployment-status.js'
import { retryingOutdated } from './outdated.js'
import { controllerOwner, isPodFinished } from './pod-state.js'

/** Rolls Deployments out: a ReplicaSet for each template, scaled up and down within what the strategy allows. */
export function addDeploymentController(manager: ControllerHost): void {
  const deployments = manager.cache.informer(Deployment)
  const replicaSets = manager.cache.informer(ReplicaSet)
  const events = createEventRecorder(manager, { component: 'deployment-controller' })
  controllerManagedBy(manager)
    .named('deployment-controller')
    .for(Deployment)
    .owns(ReplicaSet)
    .watches(
      ReplicaSet,
      enqueueRequestsFromMap((replicaSet: ReplicaSet) =>
        controllerOwner(replicaSet) === undefined
          ? deployments
              .list(replicaSet.metadata.namespace)
              .filter((deployment) => selects(deployment, replicaSet))
              .map(keyOf)
          : [],
      ),
    )
    // A Recreate rollout waits for the last old pod to be gone, which no ReplicaSet tells.
    .watches(
      Pod,
      enqueueRequestsFromMap((pod: Pod) => {
        const owner = controllerOwner(pod)
        const replicaSet = owner?.kind === 'ReplicaSet' ? replicaSets.get({ ...keyOf(pod), name: owner.name }) : undefined
        const name = replicaSet === undefined ? undefined : controllerOwner(replicaSet)?.name
        const deployment = name === undefined ? undefined : deployments.get({ ...keyOf(pod), name })
        return deployment?.spec?.strategy?.type === 'Recreate' ? [keyOf(deployment)] : []
      }),
    )
    .withOptions({ maxConcurrentReconciles: 5 })
    .complete(retryingOutdated((request, context) => reconcileDeployment(request, context, { events, liveClient: manager.liveClient })))
}

/** One Deployment and its ReplicaSets during one reconcile. */
interface Rollout {
  readonly client: Client
  readonly liveReader: Reader
  readonly events: EventRecorder
  readonly deployment: Deployment
  readonly replicaSets: readonly ReplicaSet[]
  readonly nowMs: number
}

async function reconcileDeployment(
  request: ReconcileRequest,
  { client, environment }: ReconcileContext,
  { events, liveClient }: { readonly events: EventRecorder; readonly liveClient: Client | undefined },
): Promise<ReconcileResult | undefined> {
  const deployment = await client.get(Deployment, request).catch(ignoreNotFound)
  if (deployment === undefined) return undefined
  const liveReader = liveClient ?? client
  const inNamespace = await client.list(ReplicaSet, { namespace: request.namespace })
  const replicaSets = await claimDependents(
    {
      client,
      liveReader,
      ownerType: Deployment,
      owner: deployment,
      type: ReplicaSet,
      matches: (replicaSet: ReplicaSet) => selects(deployment, replicaSet),
    },
    inNamespace.items,
  )
  const rollout: Rollout = { client, liveReader, events, deployment, replicaSets, nowMs: environment.now() }
  if (deployment.metadata.deletionTimestamp !== undefined) return writeStatus(rollout)
  if (deployment.spec?.paused === true || isScaling(rollout)) return scaleInPlace(rollout)
  return deployment.spec?.strategy?.type === 'Recreate' ? recreate(rollout) : rollingUpdate(rollout)
}

function selects(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  return compileLabelSelector(deployment.spec?.selector).matches(replicaSet.metadata.labels)
}

/** Whether `spec.replicas` changed since a ReplicaSet with pods was last scaled. */
function isScaling({ deployment, replicaSets }: Rollout): boolean {
  const desired = String(deployment.spec?.replicas ?? 1)
  return withPods(replicaSets).some((replicaSet) => (replicaSet.metadata.annotations?.[desiredReplicasAnnotation] ?? desired) !== desired)
}

function withPods(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return replicaSets.filter((replicaSet) => (replicaSet.spec?.replicas ?? 0) > 0)
}

/** Follows a change of `spec.replicas` without moving the rollout on. */
async function scaleInPlace(rollout: Rollout): Promise<ReconcileResult | undefined> {
  const { deployment, replicaSets } = rollout
  const existing = findNewReplicaSet(deployment, replicaSets)
  const newReplicaSet = existing === undefined ? undefined : await syncNewReplicaSet(rollout, existing)
  const now: Rollout =
    newReplicaSet === undefined
      ? rollout
      : { ...rollout, replicaSets: replicaSets.map((replicaSet) => (replicaSet === existing ? newReplicaSet : replicaSet)) }
  const scaled: Rollout = { ...now, replicaSets: await applyScaling(now, sizesInPlace(now, newReplicaSet)) }
  if (deployment.spec?.paused === true) await cleanUp(scaled, newReplicaSet)
  return writeStatus(scaled)
}

function sizesInPlace({ deployment, replicaSets }: Rollout, newReplicaSet: ReplicaSet | undefined): Scaling {
  const limits = limitsOf(deployment)
  const active = withPods(replicaSets)
  if (active.length <= 1) {
    const only = active[0] ?? newReplicaSet ?? [...replicaSets].sort((left, right) => revisionOf(right) - revisionOf(left))[0]
    return only === undefined ? new Map() : new Map([[only.metadata.name, limits.replicas]])
  }
  if (newReplicaSet !== undefined && isSaturated(newReplicaSet, limits.replicas))
    return new Map(active.filter((replicaSet) => replicaSet !== newReplicaSet).map((replicaSet) => [replicaSet.metadata.name, 0]))
  if (deployment.spec?.strategy?.type === 'Recreate') return new Map()
  return scaleProportionally(limits, active.map(countOf), deployment.status?.replicas ?? 0)
}

function isSaturated({ metadata, spec, status }: ReplicaSet, replicas: number): boolean {
  return (
    metadata.annotations?.[desiredReplicasAnnotation] === String(replicas) &&
    spec?.replicas === replicas &&
    status?.availableReplicas === replicas
  )
}

async function rollingUpdate(rollout: Rollout): Promise<ReconcileResult | undefined> {
  const { deployment, replicaSets } = rollout
  const ensured = await ensure(rollout)
  if (ensured === undefined) return { requeueAfterMs: 1000 }
  const { replicaSet: newReplicaSet, isCreated } = ensured
  const old = replicaSets.filter((replicaSet) => replicaSet.metadata.uid !== newReplicaSet.metadata.uid)
  const now: Rollout = { ...rollout, replicaSets: [...old, newReplicaSet] }
  if (isCreated) return writeStatus(now, newReplicaSetCreated(newReplicaSet))

  const limits = limitsOf(deployment)
  const size = scaleNew(limits, countOf(newReplicaSet), old.map(countOf))
  if (size !== (newReplicaSet.spec?.replicas ?? 0)) {
    return writeStatus({ ...now, replicaSets: await applyScaling(now, new Map([[newReplicaSet.metadata.name, size]])) })
  }
  const shrinking = scaleOld(limits, countOf(newReplicaSet), withPods(old).map(countOf))
  if (shrinking.size > 0) return writeStatus({ ...now, replicaSets: await applyScaling(now, shrinking) })
  return finish(now, newReplicaSet)
}

async function recreate(rollout: Rollout): Promise<ReconcileResult | undefined> {
  const { deployment, replicaSets } = rollout
  const existing = findNewReplicaSet(deployment, replicaSets)
  const old = replicaSets.filter((replicaSet) => replicaSet !== existing)
  const shrinking = withPods(old)
  if (shrinking.length > 0) {
    const scaling = new Map(shrinking.map((replicaSet) => [replicaSet.metadata.name, 0]))
    return writeStatus({ ...rollout, replicaSets: await applyScaling(rollout, scaling) })
  }
  if (await hasPodsOf(rollout, old)) return writeStatus(rollout)
  const ensured = await ensure(rollout)
  if (ensured === undefined) return { requeueAfterMs: 1000 }
  const { replicaSet: newReplicaSet, isCreated } = ensured
  const now: Rollout = { ...rollout, replicaSets: [...old, newReplicaSet] }
  if (isCreated) return writeStatus(now, newReplicaSetCreated(newReplicaSet))
  const size = limitsOf(deployment).replicas
  if (newReplicaSet.spec?.replicas !== size) {
    return writeStatus({ ...now, replicaSets: await applyScaling(now, new Map([[newReplicaSet.metadata.name, size]])) })
  }
  return finish(now, newReplicaSet)
}

type Progress = NonNullable<DeploymentFacts['progress']>

function newReplicaSetCreated(replicaSet: ReplicaSet): Progress {
  return { status: 'True', reason: 'NewReplicaSetCreated', message: `Created new replica set "${replicaSet.metadata.name}"` }
}

async function ensure(rollout: Rollout): Promise<EnsuredReplicaSet | undefined> {
  const { deployment, events } = rollout
  let ensured: EnsuredReplicaSet | undefined
  try {
    ensured = await ensureNewReplicaSet(rollout)
  } catch (error) {
    // The namespace takes no ReplicaSet any more, and this Deployment will go with it: somebody else's condition is not worth a write.
    if (isNamespaceTerminating(error) || findNewReplicaSet(deployment, rollout.replicaSets) !== undefined) throw error
    const message = `Failed to create new replica set "${newReplicaSetName(deployment)}": ${error instanceof Error ? error.message : String(error)}`
    events.event(deployment, { type: 'Warning', reason: 'ReplicaSetCreateError', message })
    await writeStatus(rollout, { status: 'False', reason: 'ReplicaSetCreateError', message })
    throw error
  }
  const size = ensured?.replicaSet.spec?.replicas ?? 0
  if (ensured?.isCreated && size > 0)
    events.event(deployment, {
      reason: 'ScalingReplicaSet',
      message: `Scaled up replica set ${ensured.replicaSet.metadata.name} from 0 to ${size}`,
    })
  return ensured
}

async function hasPodsOf({ client, deployment }: Rollout, replicaSets: readonly ReplicaSet[]): Promise<boolean> {
  if (replicaSets.some((replicaSet) => (replicaSet.status?.replicas ?? 0) > 0)) return true
  if (replicaSets.length === 0) return false
  const uids = new Set(replicaSets.map((replicaSet) => replicaSet.metadata.uid))
  const pods = await client.list(Pod, { namespace: deployment.metadata.namespace as string })
  return pods.items.some((pod) => !isPodFinished(pod) && uids.has(controllerOwner(pod)?.uid ?? ''))
}

/** Writes the new sizes, and what they were computed from into annotations. Returns the ReplicaSets as they are now. */
async function applyScaling(rollout: Rollout, scaling: Scaling): Promise<ReplicaSet[]> {
  const { client, deployment, replicaSets, events } = rollout
  const limits = limitsOf(deployment)
  const scaleOne = async (replicaSet: ReplicaSet): Promise<ReplicaSet> => {
    const size = scaling.get(replicaSet.metadata.name)
    if (size === undefined) return replicaSet
    const before = replicaSet.spec?.replicas ?? 0
    const annotations = {
      ...replicaSet.metadata.annotations,
      [desiredReplicasAnnotation]: String(limits.replicas),
      [maxReplicasAnnotation]: String(limits.replicas + limits.maxSurge),
    }
    if (size === before && deepEqual(annotations, replicaSet.metadata.annotations)) return replicaSet
    const scaled = await client.update(ReplicaSet, {
      ...replicaSet,
      metadata: { ...replicaSet.metadata, annotations },
      spec: { ...(replicaSet.spec ?? { selector: {} }), replicas: size },
    })
    const direction = size > before ? 'up' : 'down'
    if (size !== before)
      events.event(deployment, {
        reason: 'ScalingReplicaSet',
        message: `Scaled ${direction} replica set ${replicaSet.metadata.name} from ${before} to ${size}`,
      })
    return scaled
  }
  return Promise.all(replicaSets.map(scaleOne))
}

async function finish(rollout: Rollout, newReplicaSet: ReplicaSet): Promise<ReconcileResult | undefined> {
  if (isComplete(rollout.deployment, rollout.deployment.status ?? {})) await cleanUp(rollout, newReplicaSet)
  return writeStatus(rollout)
}

/** Deletes the oldest ReplicaSets without pods beyond the history limit. */
async function cleanUp({ client, deployment, replicaSets }: Rollout, newReplicaSet: ReplicaSet | undefined): Promise<void> {
  const limit = deployment.spec?.revisionHistoryLimit ?? noLimit
  const old = replicaSets.filter((replicaSet) => replicaSet !== newReplicaSet && replicaSet.metadata.deletionTimestamp === undefined)
  const surplus = [...old].sort((left, right) => revisionOf(left) - revisionOf(right)).slice(0, Math.max(0, old.length - limit))
  for (const replicaSet of surplus) {
    const { metadata, spec, status } = replicaSet
    const isIdle = (spec?.replicas ?? 0) === 0 && (status?.replicas ?? 0) === 0
    if (!isIdle || (metadata.generation ?? 0) > (status?.observedGeneration ?? 0)) continue
    await client.delete(ReplicaSet, keyOf(replicaSet), { preconditions: { uid: metadata.uid } }).catch(ignoreNotFound)
  }
}

async function writeStatus(rollout: Rollout, progress?: Progress): Promise<ReconcileResult | undefined> {
  const { client, deployment, replicaSets, nowMs } = rollout
  const newReplicaSet = findNewReplicaSet(deployment, replicaSets)
  const status = deploymentStatus({ deployment, newReplicaSet, replicaSets, nowMs, ...(progress === undefined ? {} : { progress }) })
  const metadata = withRevision(deployment, newReplicaSet)
  if (metadata !== deployment.metadata || !deepEqual(status, deployment.status))
    await client.status.update(Deployment, { ...deployment, metadata, status })
  return requeueForDeadline(deployment, status, nowMs)
}

/** The Deployment shows the revision of its template. Written with the status, because there it does not count as a change of what is desired. */
function withRevision({ metadata }: Deployment, newReplicaSet: ReplicaSet | undefined): Deployment['metadata'] {
  const revision = newReplicaSet?.metadata.annotations?.[revisionAnnotation]
  if (revision === undefined || metadata.annotations?.[revisionAnnotation] === revision) return metadata
  return { ...metadata, annotations: { ...metadata.annotations, [revisionAnnotation]: revision } }
}

function requeueForDeadline(deployment: Deployment, status: DeploymentStatus, nowMs: number): ReconcileResult | undefined {
  const deadlineMs = progressDeadlineMs(deployment, status)
  // Times in objects have whole seconds: a second later the deadline has passed for certain.
  return deadlineMs === undefined ? undefined : { requeueAfterMs: Math.max(1000, deadlineMs - nowMs + 1000) }
}
