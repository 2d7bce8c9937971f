import type { Deployment, DeploymentStatus, ReplicaSet } from 'steersman/api/types/apps/v1'
import { limitsOf } from './deployment-rollout.js'
import { type Condition, formatTime, withCondition, withoutCondition } from './workload-condition.js'

/** What the status of a Deployment is computed from. */
export interface DeploymentFacts {
  readonly deployment: Deployment
  /** The ReplicaSet of the present template; absent before it is made. */
  readonly newReplicaSet: ReplicaSet | undefined
  readonly replicaSets: readonly ReplicaSet[]
  /** What a step of the rollout just did. */
  readonly progress?: { readonly reason: string; readonly message: string }
  readonly nowMs: number
}

/** The status to write. Counts that are zero are absent, as the real controller's JSON has them. */
export function deploymentStatus(facts: DeploymentFacts): DeploymentStatus {
  const { deployment, newReplicaSet, replicaSets } = facts
  const total = (field: 'replicas' | 'readyReplicas' | 'availableReplicas', sets: readonly ReplicaSet[]): number =>
    sets.reduce((sum, replicaSet) => sum + (replicaSet.status?.[field] ?? 0), 0)
  const available = total('availableReplicas', replicaSets)
  const counts = {
    observedGeneration: deployment.metadata.generation,
    replicas: total('replicas', replicaSets),
    updatedReplicas: newReplicaSet?.status?.replicas ?? 0,
    readyReplicas: total('readyReplicas', replicaSets),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, replicaSets.reduce((sum, replicaSet) => sum + (replicaSet.spec?.replicas ?? 0), 0) - available),
    ...(deployment.status?.collisionCount === undefined ? {} : { collisionCount: deployment.status.collisionCount }),
  }
  const conditions = conditionsOf(facts, counts)
  const present = Object.fromEntries(Object.entries(counts).filter(([name, value]) => value !== 0 || name === 'collisionCount'))
  return { ...present, ...(conditions.length === 0 ? {} : { conditions }) } as DeploymentStatus
}

/** When the rollout will have made no progress for too long; `undefined` when it is complete, paused, or has no deadline. */
export function progressDeadlineMs(deployment: Deployment, status: DeploymentStatus): number | undefined {
  const seconds = deployment.spec?.progressDeadlineSeconds
  const progressing = status.conditions?.find((condition) => condition.type === 'Progressing')
  if (seconds === undefined || deployment.spec?.paused === true || progressing?.lastUpdateTime === undefined) return undefined
  if (progressing.status !== 'True' || progressing.reason === 'NewReplicaSetAvailable') return undefined
  return Date.parse(progressing.lastUpdateTime) + seconds * 1000
}

function conditionsOf(facts: DeploymentFacts, counts: DeploymentStatus): readonly Condition[] {
  const { deployment, nowMs } = facts
  const { replicas, maxUnavailable } = limitsOf(deployment)
  const isAvailable = (counts.availableReplicas ?? 0) >= replicas - maxUnavailable
  const conditions = update(
    deployment.status?.conditions ?? [],
    isAvailable
      ? { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    nowMs,
  )
  return withFailure(withProgress(facts, counts, conditions), facts)
}

function withProgress(facts: DeploymentFacts, counts: DeploymentStatus, conditions: readonly Condition[]): readonly Condition[] {
  const { deployment, newReplicaSet, progress, nowMs } = facts
  const progressing = (status: string, reason: string, message: string): readonly Condition[] =>
    update(conditions, { type: 'Progressing', status, reason, message }, nowMs)
  const current = conditions.find((condition) => condition.type === 'Progressing')
  const subject = newReplicaSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newReplicaSet.metadata.name}"`

  if (deployment.spec?.progressDeadlineSeconds === undefined) return withoutCondition(conditions, 'Progressing')
  if (deployment.spec.paused === true) return progressing('Unknown', 'DeploymentPaused', 'Deployment is paused')
  if (current?.reason === 'DeploymentPaused') return progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed')
  if (isComplete(deployment, counts)) {
    if (current?.reason === 'NewReplicaSetAvailable') return conditions
    return progressing('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`)
  }
  if (progress !== undefined) return progressing('True', progress.reason, progress.message)
  // A complete rollout that lost a pod is not a rollout that makes no progress.
  if (current?.reason === 'NewReplicaSetAvailable' && counts.updatedReplicas === deployment.status?.updatedReplicas) return conditions
  if (hasProgressed(deployment.status, counts)) return progressing('True', 'ReplicaSetUpdated', `${subject} is progressing.`)
  const deadlineMs = progressDeadlineMs(deployment, {
    ...counts,
    conditions: conditions as DeploymentStatus['conditions'],
  } as DeploymentStatus)
  if (deadlineMs !== undefined && deadlineMs <= nowMs)
    return progressing('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`)
  return conditions
}

/** Carries a refusal of pods up from the ReplicaSets. */
function withFailure(conditions: readonly Condition[], { newReplicaSet, replicaSets, nowMs }: DeploymentFacts): readonly Condition[] {
  const ordered = newReplicaSet === undefined ? replicaSets : [newReplicaSet, ...replicaSets]
  const failure = ordered
    .flatMap((replicaSet) => replicaSet.status?.conditions ?? [])
    .find((condition) => condition.type === 'ReplicaFailure')
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure')
  const { type, status, reason, message } = failure
  return update(
    conditions,
    { type, status, ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) },
    nowMs,
  )
}

export function isComplete(deployment: Deployment, counts: DeploymentStatus): boolean {
  const replicas = deployment.spec?.replicas ?? 1
  return (counts.updatedReplicas ?? 0) === replicas && (counts.replicas ?? 0) === replicas && (counts.availableReplicas ?? 0) === replicas
}

function hasProgressed(before: DeploymentStatus | undefined, counts: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined): number => (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0)
  return (
    (counts.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    (counts.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (counts.availableReplicas ?? 0) > (before?.availableReplicas ?? 0) ||
    old(counts) < old(before)
  )
}

/** As {@link withCondition}, and `lastUpdateTime` moves whenever the condition changes at all. */
function update(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime' | 'lastUpdateTime'>,
  nowMs: number,
): readonly Condition[] {
  const current = conditions.find((condition) => condition.type === next.type)
  const isSame = current?.status === next.status && current.reason === next.reason && current.message === next.message
  const isProgress = next.type === 'Progressing' && next.status === 'True'
  if (isSame && !isProgress) return conditions
  if (isSame)
    return conditions.map((condition) => (condition === current ? { ...condition, lastUpdateTime: formatTime(nowMs) } : condition))
  return withCondition(conditions, { ...next, lastUpdateTime: formatTime(nowMs) }, nowMs)
}
