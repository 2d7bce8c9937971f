import { formatTime } from 'steersman/api'

/** A condition of a workload's status: like a `meta/v1` condition, but older. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  /** `null`: not known. */
  readonly lastTransitionTime?: string | null
  readonly lastUpdateTime?: string | null
}

/**
 * Conditions with one replaced or added. The transition time changes only with the status. Nothing changes when status and reason are the
 * same: the message of a condition is that of the moment when it came true.
 */
export function withCondition(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): readonly Condition[] {
  const current = conditions.find((condition) => condition.type === next.type)
  if (current !== undefined && current.status === next.status && current.reason === next.reason) return conditions
  return withConditionReplaced(conditions, next, nowMs)
}

/** As {@link withCondition}, but replaces a condition of the same status and reason too. It comes last, as in the real controllers' lists. */
export function withConditionReplaced(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): readonly Condition[] {
  const current = conditions.find((condition) => condition.type === next.type)
  const lastTransitionTime = (current?.status === next.status && current.lastTransitionTime) || formatTime(nowMs)
  return [...withoutCondition(conditions, next.type), { ...next, lastTransitionTime }]
}

export function withoutCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type)
}
