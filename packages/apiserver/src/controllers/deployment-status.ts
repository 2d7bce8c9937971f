import { formatTime, parseTime } from 'steersman/api'
import type { Deployment, DeploymentStatus, ReplicaSet } from 'steersman/api/types/apps/v1'
import { limitsOf } from './deployment-rollout.js'
import { type Condition, withCondition, withConditionReplaced, withoutCondition } from './workload-condition.js'

/** What the status of a Deployment is computed from. */
export interface DeploymentFacts {
  readonly deployment: Deployment
  /** The ReplicaSet of the present template; absent before it is made. */
  readonly newReplicaSet: ReplicaSet | undefined
  readonly replicaSets: readonly ReplicaSet[]
  /** What a step of the rollout just did. */
  readonly progress?: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string }
  readonly nowMs: number
}

/** `spec.progressDeadlineSeconds` and `spec.revisionHistoryLimit` of this value mean none. */
export const noLimit = 2_147_483_647

/** The status to write. Counts that are zero are absent, as the real controller's JSON has them. */
export function deploymentStatus(facts: DeploymentFacts): DeploymentStatus {
  const { deployment, newReplicaSet, replicaSets } = facts
  const total = (field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
    replicaSets.reduce((sum, replicaSet) => sum + (replicaSet.status?.[field] ?? 0), 0)
  const available = total('availableReplicas')
  const desired = replicaSets.reduce((sum, replicaSet) => sum + (replicaSet.spec?.replicas ?? 0), 0)
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: total('replicas'),
    updatedReplicas: newReplicaSet?.status?.replicas ?? 0,
    readyReplicas: total('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, desired - available),
  }
  const terminating = terminatingReplicas(replicaSets)
  const { collisionCount } = deployment.status ?? {}
  const conditions = conditionsOf(facts, counts)
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions.length === 0 ? {} : { conditions: conditions as NonNullable<DeploymentStatus['conditions']> }),
  }
}

/** `undefined` while a ReplicaSet has not said. One that no controller has seen yet has none. */
function terminatingReplicas(replicaSets: readonly ReplicaSet[]): number | undefined {
  let sum = 0
  for (const { status } of replicaSets) {
    if (status?.terminatingReplicas !== undefined) sum += status.terminatingReplicas
    else if ((status?.observedGeneration ?? 0) !== 0) return undefined
  }
  return sum
}

/** When the rollout will have made no progress for too long; `undefined` when it is complete, paused, late already, or has no deadline. */
export function progressDeadlineMs(deployment: Deployment, status: DeploymentStatus): number | undefined {
  const progressing = progressingOf(status.conditions)
  const updatedMs = parseTime(progressing?.lastUpdateTime)
  if (!hasProgressDeadline(deployment) || deployment.spec?.paused === true || updatedMs === undefined) return undefined
  if (progressing?.reason === 'ProgressDeadlineExceeded' || isComplete(deployment, status)) return undefined
  if (progressing?.reason === 'NewReplicaSetAvailable') return undefined
  return updatedMs + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000
}

/** Whether the rollout has come to its end: all pods are of the present template and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const replicas = deployment.spec?.replicas ?? 1
  return (
    (status.updatedReplicas ?? 0) === replicas &&
    (status.replicas ?? 0) === replicas &&
    (status.availableReplicas ?? 0) === replicas &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  )
}

function hasProgressDeadline(deployment: Deployment): boolean {
  return (deployment.spec?.progressDeadlineSeconds ?? noLimit) !== noLimit
}

function progressingOf(conditions: readonly Condition[] | undefined): Condition | undefined {
  return conditions?.find((condition) => condition.type === 'Progressing')
}

function conditionsOf(facts: DeploymentFacts, counts: DeploymentStatus): readonly Condition[] {
  const { deployment, nowMs } = facts
  const { replicas, maxUnavailable } = limitsOf(deployment)
  const isAvailable = (counts.availableReplicas ?? 0) >= replicas - maxUnavailable
  const conditions = withCondition(
    deployment.status?.conditions ?? [],
    {
      type: 'Available',
      lastUpdateTime: formatTime(nowMs),
      ...(isAvailable
        ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
        : { status: 'False', reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' }),
    },
    nowMs,
  )
  return withFailure(withProgress(facts, counts, conditions), facts)
}

function withProgress(facts: DeploymentFacts, counts: DeploymentStatus, conditions: readonly Condition[]): readonly Condition[] {
  const { deployment, newReplicaSet, progress, nowMs } = facts
  const condition = (status: string, reason: string, message: string) => ({
    type: 'Progressing',
    status,
    reason,
    message,
    lastUpdateTime: formatTime(nowMs),
  })
  const current = progressingOf(conditions)
  const subject = newReplicaSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newReplicaSet.metadata.name}"`

  if (!hasProgressDeadline(deployment)) return withoutCondition(conditions, 'Progressing')
  if (deployment.spec?.paused === true) {
    // Being late is not forgotten by pausing.
    if (current?.reason === 'ProgressDeadlineExceeded') return conditions
    return withCondition(conditions, condition('Unknown', 'DeploymentPaused', 'Deployment is paused'), nowMs)
  }
  if (current?.reason === 'DeploymentPaused')
    return withCondition(conditions, condition('Unknown', 'DeploymentResumed', 'Deployment is resumed'), nowMs)
  if (progress !== undefined) return withCondition(conditions, condition(progress.status, progress.reason, progress.message), nowMs)
  // A complete rollout that lost a pod is not a rollout that makes no progress.
  if (current?.reason === 'NewReplicaSetAvailable' && (counts.replicas ?? 0) === (counts.updatedReplicas ?? 0)) return conditions
  if (isComplete(deployment, counts))
    return withCondition(conditions, condition('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`), nowMs)
  if (hasProgressed(deployment.status, counts))
    return withConditionReplaced(conditions, condition('True', 'ReplicaSetUpdated', `${subject} is progressing.`), nowMs)
  if (current === undefined && newReplicaSet !== undefined)
    return withCondition(
      conditions,
      condition('True', 'FoundNewReplicaSet', `Found new replica set "${newReplicaSet.metadata.name}"`),
      nowMs,
    )
  const deadlineMs = progressDeadlineMs(deployment, { ...counts, conditions: conditions as NonNullable<DeploymentStatus['conditions']> })
  if (deadlineMs !== undefined && deadlineMs < nowMs)
    return withCondition(conditions, condition('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`), nowMs)
  return conditions
}

/** Carries a refusal of pods up from the ReplicaSets. */
function withFailure(conditions: readonly Condition[], { newReplicaSet, replicaSets, nowMs }: DeploymentFacts): readonly Condition[] {
  const ordered = newReplicaSet === undefined ? replicaSets : [newReplicaSet, ...replicaSets]
  const failure = ordered
    .flatMap((replicaSet) => replicaSet.status?.conditions ?? [])
    .find((condition) => condition.type === 'ReplicaFailure')
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure')
  return withCondition(conditions, { ...failure, lastUpdateTime: failure.lastTransitionTime ?? formatTime(nowMs) }, nowMs)
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
