import type { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'

/** A ReplicaSet in the arithmetic of a rollout. */
export interface ReplicaCount {
  readonly name: string
  /** `spec.replicas`. */
  readonly desired: number
  /** How many are available and will stay. */
  readonly available: number
  readonly createdAtMs: number
  /** Replicas plus surge at the time it was last scaled; absent when it never was. */
  readonly maxReplicas?: number
}

/** What a Deployment's strategy allows, in pods. */
export interface RolloutLimits {
  readonly replicas: number
  readonly maxSurge: number
  readonly maxUnavailable: number
}

/** The new `spec.replicas` of ReplicaSets, by name. */
export type Scaling = ReadonlyMap<string, number>

export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas'
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas'

/** Surge is rounded up, unavailability down; if both come to 0 nothing could ever move, so one pod may be unavailable. */
export function limitsOf(deployment: Deployment): RolloutLimits {
  const replicas = deployment.spec?.replicas ?? 1
  if (deployment.spec?.strategy?.type === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 }
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec?.strategy?.rollingUpdate ?? {}
  const surge = scaled(maxSurge, replicas, Math.ceil)
  const unavailable = scaled(maxUnavailable, replicas, Math.floor)
  return { replicas, maxSurge: surge, maxUnavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas) }
}

function scaled(value: number | string, total: number, round: (x: number) => number): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(value)
  return percent === null ? Number(value) || 0 : round((Number(percent[1]) * total) / 100)
}

export function countOf(replicaSet: ReplicaSet): ReplicaCount {
  const maxReplicas = Number(replicaSet.metadata.annotations?.[maxReplicasAnnotation])
  const desired = replicaSet.spec?.replicas ?? 0
  return {
    name: replicaSet.metadata.name,
    desired,
    // A status may be older than the spec. Then it counts pods that are about to go, and who relied on them would let too many others go: a race of the
    // real controller that drops below what may be unavailable.
    available: Math.min(replicaSet.status?.availableReplicas ?? 0, desired),
    createdAtMs: Date.parse(replicaSet.metadata.creationTimestamp),
    ...(Number.isFinite(maxReplicas) ? { maxReplicas } : {}),
  }
}

/** How far the new ReplicaSet may grow now: total pods never exceed replicas plus surge. */
export function scaleNew(limits: RolloutLimits, next: ReplicaCount, old: readonly ReplicaCount[]): number {
  if (next.desired >= limits.replicas) return limits.replicas
  const total = next.desired + sum(old, 'desired')
  const room = limits.replicas + limits.maxSurge - total
  return room <= 0 ? next.desired : next.desired + Math.min(room, limits.replicas - next.desired)
}

/** How far the old ReplicaSets may shrink now: available pods never fall below replicas minus unavailability. Pods that are not available go first. */
export function scaleOld(limits: RolloutLimits, next: ReplicaCount, old: readonly ReplicaCount[]): Scaling {
  const sizes = new Map(old.map((count) => [count.name, count.desired]))
  const minAvailable = limits.replicas - limits.maxUnavailable
  const all = next.desired + sum(old, 'desired')
  let mayGo = all - minAvailable - (next.desired - next.available)
  if (mayGo <= 0) return new Map()
  const oldestFirst = [...old].sort(byAge)
  for (const count of oldestFirst) {
    const unhealthy = Math.min(mayGo, Math.max(0, count.desired - count.available))
    sizes.set(count.name, count.desired - unhealthy)
    mayGo -= unhealthy
  }
  let spare = next.available + sum(old, 'available') - minAvailable
  for (const count of oldestFirst) {
    const size = sizes.get(count.name) ?? 0
    const going = Math.min(size, Math.max(0, spare))
    sizes.set(count.name, size - going)
    spare -= going
  }
  return changed(sizes, old)
}

/**
 * Shares a change of `spec.replicas` among the ReplicaSets in proportion to their sizes, in the middle of a rollout.
 * What rounding leaves over goes to the first: the largest, the newest of equals when growing, the oldest when shrinking.
 *
 * All are named, those whose size stays too: each is to remember that it was scaled.
 *
 * @param currentReplicas how many pods there are, for a ReplicaSet that does not remember what it was scaled for
 */
export function scaleProportionally(limits: RolloutLimits, counts: readonly ReplicaCount[], currentReplicas: number): Scaling {
  const active = counts.filter((count) => count.desired > 0)
  const target = limits.replicas > 0 ? limits.replicas + limits.maxSurge : 0
  const toAdd = target - sum(active, 'desired')
  const order = [...active].sort((left, right) => right.desired - left.desired || (toAdd > 0 ? -byAge(left, right) : byAge(left, right)))
  const sizes = new Map<string, number>()
  let added = 0
  for (const count of order) {
    const fraction = toAdd === 0 ? 0 : fractionOf(count, limits, currentReplicas)
    const rest = toAdd - added
    const change = toAdd > 0 ? Math.min(fraction, rest) : Math.max(fraction, rest)
    sizes.set(count.name, count.desired + change)
    added += change
  }
  const first = order[0]
  if (first !== undefined && toAdd !== 0) sizes.set(first.name, Math.max(0, (sizes.get(first.name) ?? 0) + toAdd - added))
  return sizes
}

function fractionOf(count: ReplicaCount, limits: RolloutLimits, currentReplicas: number): number {
  if (limits.replicas === 0) return -count.desired
  const sizeThen = count.maxReplicas || currentReplicas
  if (sizeThen === 0) return 0
  return Math.round((count.desired * (limits.replicas + limits.maxSurge)) / sizeThen) - count.desired
}

function changed(sizes: ReadonlyMap<string, number>, before: readonly ReplicaCount[]): Scaling {
  return new Map([...sizes].filter(([name, size]) => before.some((count) => count.name === name && count.desired !== size)))
}

function sum(counts: readonly ReplicaCount[], field: 'desired' | 'available'): number {
  return counts.reduce((total, count) => total + count[field], 0)
}

function byAge(left: ReplicaCount, right: ReplicaCount): number {
  return left.createdAtMs - right.createdAtMs || (left.name < right.name ? -1 : 1)
}
