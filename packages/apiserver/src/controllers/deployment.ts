import {
  type ControllerHost,
  controllerManagedBy,
  enqueueRequestsFromMap,
  ignoreNotFound,
  compileLabelSelector,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  structuredCopy,
} from 'steersman'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'
import type { Client } from 'steersman/client'
import { deepEqual } from 'steersman/internal'
import { claimDependents, keyOf } from './claim.js'
import { ensureNewReplicaSet, findNewReplicaSet, revisionAnnotation, revisionOf } from './deployment-replica-sets.js'
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
import { deploymentStatus, isComplete, progressDeadlineMs } from './deployment-status.js'
import { controllerOwner, isPodActive } from './pod-state.js'

/** Rolls Deployments out: a ReplicaSet for each template, scaled up and down within what the strategy allows. */
export function addDeploymentController(manager: ControllerHost): void {
  const deployments = manager.cache.informer(Deployment)
  const replicaSets = manager.cache.informer(ReplicaSet)
  controllerManagedBy(manager)
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
    .complete(reconcileDeployment)
}

/** One Deployment and its ReplicaSets during one reconcile. */
interface Rollout {
  readonly client: Client
  readonly deployment: Deployment
  readonly replicaSets: readonly ReplicaSet[]
  readonly nowMs: number
}

async function reconcileDeployment(
  request: ReconcileRequest,
  { client, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const deployment = await client.get(Deployment, request).catch(ignoreNotFound)
  if (deployment === undefined) return undefined
  const inNamespace = await client.list(ReplicaSet, { namespace: request.namespace })
  const replicaSets = await claimDependents(
    {
      client,
      ownerType: Deployment,
      owner: deployment,
      type: ReplicaSet,
      matches: (replicaSet: ReplicaSet) => selects(deployment, replicaSet),
    },
    inNamespace.items,
  )
  const rollout: Rollout = { client, deployment, replicaSets, nowMs: environment.now() }
  if (deployment.metadata.deletionTimestamp !== undefined) return writeStatus(rollout)
  if (deployment.spec?.paused === true || isScaling(rollout)) return scaleInPlace(rollout)
  return deployment.spec?.strategy?.type === 'Recreate' ? recreate(rollout) : rollingUpdate(rollout)
}

function selects(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  const { selector } = deployment.spec ?? {}
  return selector !== undefined && compileLabelSelector(selector).matches(replicaSet.metadata.labels ?? {})
}

/** Whether `spec.replicas` changed since a ReplicaSet with pods was last scaled. */
function isScaling({ deployment, replicaSets }: Rollout): boolean {
  const desired = String(deployment.spec?.replicas ?? 1)
  return replicaSets.some((replicaSet) => {
    const then = replicaSet.metadata.annotations?.[desiredReplicasAnnotation]
    return (replicaSet.spec?.replicas ?? 0) > 0 && then !== undefined && then !== desired
  })
}

/** Follows a change of `spec.replicas` without moving the rollout on. */
async function scaleInPlace(rollout: Rollout): Promise<ReconcileResult | undefined> {
  const { deployment, replicaSets } = rollout
  const limits = limitsOf(deployment)
  const newest = findNewReplicaSet(deployment, replicaSets)
  const active = replicaSets.filter((replicaSet) => (replicaSet.spec?.replicas ?? 0) > 0)
  const only =
    active.length > 1 ? undefined : (active[0] ?? newest ?? [...replicaSets].sort((left, right) => revisionOf(right) - revisionOf(left))[0])
  const isSaturated =
    newest !== undefined && newest.spec?.replicas === limits.replicas && newest.status?.availableReplicas === limits.replicas
  let scaling: Scaling = new Map()
  if (only !== undefined) scaling = new Map([[only.metadata.name, limits.replicas]])
  else if (isSaturated)
    scaling = new Map(active.filter((replicaSet) => replicaSet !== newest).map((replicaSet) => [replicaSet.metadata.name, 0]))
  else if (deployment.spec?.strategy?.type !== 'Recreate') scaling = scaleProportionally(limits, active.map(countOf))
  return writeStatus({ ...rollout, replicaSets: await applyScaling(rollout, scaling) })
}

async function rollingUpdate(rollout: Rollout): Promise<ReconcileResult | undefined> {
  const { client, deployment, replicaSets } = rollout
  const ensured = await ensureNewReplicaSet(client, deployment, replicaSets)
  if (ensured === undefined) return { requeueAfterMs: 1 }
  const { replicaSet: newReplicaSet, isCreated } = ensured
  const old = replicaSets.filter((replicaSet) => replicaSet.metadata.uid !== newReplicaSet.metadata.uid)
  const now: Rollout = { ...rollout, replicaSets: [...old, newReplicaSet] }
  if (isCreated)
    return writeStatus(now, { reason: 'NewReplicaSetCreated', message: `Created new replica set "${newReplicaSet.metadata.name}"` })

  const limits = limitsOf(deployment)
  const size = scaleNew(limits, countOf(newReplicaSet), old.map(countOf))
  if (size !== (newReplicaSet.spec?.replicas ?? 0)) {
    return writeStatus({ ...now, replicaSets: await applyScaling(now, new Map([[newReplicaSet.metadata.name, size]])) })
  }
  const withPods = old.filter((replicaSet) => (replicaSet.spec?.replicas ?? 0) > 0)
  const shrinking = withPods.length === 0 ? new Map() : scaleOld(limits, countOf(newReplicaSet), withPods.map(countOf))
  if (shrinking.size > 0) return writeStatus({ ...now, replicaSets: await applyScaling(now, shrinking) })
  return finish(now, newReplicaSet)
}

async function recreate(rollout: Rollout): Promise<ReconcileResult | undefined> {
  const { client, deployment, replicaSets } = rollout
  const existing = findNewReplicaSet(deployment, replicaSets)
  const old = replicaSets.filter((replicaSet) => replicaSet !== existing)
  const withPods = old.filter((replicaSet) => (replicaSet.spec?.replicas ?? 0) > 0)
  if (withPods.length > 0) {
    const scaling = new Map(withPods.map((replicaSet) => [replicaSet.metadata.name, 0]))
    return writeStatus({ ...rollout, replicaSets: await applyScaling(rollout, scaling) })
  }
  if (await hasPodsOf(client, deployment, old)) return writeStatus(rollout)
  const ensured = await ensureNewReplicaSet(client, deployment, replicaSets)
  if (ensured === undefined) return { requeueAfterMs: 1 }
  const { replicaSet: newReplicaSet } = ensured
  const now: Rollout = { ...rollout, replicaSets: [...old, newReplicaSet] }
  const size = limitsOf(deployment).replicas
  if (newReplicaSet.spec?.replicas !== size) {
    return writeStatus({ ...now, replicaSets: await applyScaling(now, new Map([[newReplicaSet.metadata.name, size]])) })
  }
  return finish(now, newReplicaSet)
}

async function hasPodsOf(client: Client, deployment: Deployment, replicaSets: readonly ReplicaSet[]): Promise<boolean> {
  if (replicaSets.length === 0) return false
  const uids = new Set(replicaSets.map((replicaSet) => replicaSet.metadata.uid))
  const pods = await client.list(Pod, { namespace: deployment.metadata.namespace as string })
  return pods.items.some((pod) => {
    const owner = controllerOwner(pod)
    return owner !== undefined && uids.has(owner.uid) && (isPodActive(pod) || pod.metadata.deletionTimestamp !== undefined)
  })
}

/** Writes the new sizes, and what they were computed from into annotations. Returns the ReplicaSets as they are now. */
async function applyScaling({ client, deployment, replicaSets }: Rollout, scaling: Scaling): Promise<ReplicaSet[]> {
  const limits = limitsOf(deployment)
  return Promise.all(
    replicaSets.map((replicaSet) => {
      const size = scaling.get(replicaSet.metadata.name)
      if (size === undefined) return replicaSet
      const draft = structuredCopy(replicaSet)
      if (draft.spec !== undefined) draft.spec.replicas = size
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        [desiredReplicasAnnotation]: String(limits.replicas),
        [maxReplicasAnnotation]: String(limits.replicas + limits.maxSurge),
      }
      return deepEqual(draft, replicaSet) ? replicaSet : client.update(ReplicaSet, draft as never)
    }),
  )
}

async function finish(rollout: Rollout, newReplicaSet: ReplicaSet): Promise<ReconcileResult | undefined> {
  const { client, deployment } = rollout
  const revision = newReplicaSet.metadata.annotations?.[revisionAnnotation]
  let current = deployment
  if (revision !== undefined && deployment.metadata.annotations?.[revisionAnnotation] !== revision) {
    const draft = structuredCopy(deployment)
    draft.metadata.annotations = { ...draft.metadata.annotations, [revisionAnnotation]: revision }
    current = await client.update(Deployment, draft as never)
  }
  const now = { ...rollout, deployment: current }
  if (isComplete(current, deploymentStatus({ ...now, newReplicaSet }))) await cleanUp(now, newReplicaSet)
  return writeStatus(now)
}

/** Deletes the oldest ReplicaSets without pods beyond the history limit. */
async function cleanUp({ client, deployment, replicaSets }: Rollout, newReplicaSet: ReplicaSet): Promise<void> {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10
  const old = replicaSets.filter((replicaSet) => replicaSet !== newReplicaSet && replicaSet.metadata.deletionTimestamp === undefined)
  const idle = old.filter(
    ({ metadata, spec, status }) =>
      (spec?.replicas ?? 0) === 0 && (status?.replicas ?? 0) === 0 && metadata.generation === (status?.observedGeneration ?? 0),
  )
  const surplus = [...idle].sort((left, right) => revisionOf(left) - revisionOf(right)).slice(0, Math.max(0, old.length - limit))
  for (const replicaSet of surplus)
    await client.delete(ReplicaSet, keyOf(replicaSet), { preconditions: { uid: replicaSet.metadata.uid } }).catch(ignoreNotFound)
}

async function writeStatus(
  rollout: Rollout,
  progress?: { readonly reason: string; readonly message: string },
): Promise<ReconcileResult | undefined> {
  const { client, deployment, replicaSets, nowMs } = rollout
  const newReplicaSet = findNewReplicaSet(deployment, replicaSets)
  const status = deploymentStatus({ deployment, newReplicaSet, replicaSets, nowMs, ...(progress === undefined ? {} : { progress }) })
  if (!deepEqual(status, deployment.status ?? {})) {
    const draft = structuredCopy(deployment)
    draft.status = structuredCopy(status) as never
    await client.status.update(Deployment, draft as never)
  }
  const deadlineMs = progressDeadlineMs(deployment, status)
  return deadlineMs === undefined ? undefined : { requeueAfterMs: Math.max(1, deadlineMs - nowMs) }
}
