/** A condition of a workload's status: like a `meta/v1` condition, but older. */
export interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
  lastUpdateTime?: string
}

/** Conditions with one replaced or added. The transition time changes only with the status; nothing changes when status, reason and message are the same. */
export function withCondition(
  conditions: readonly Readonly<Condition>[],
  next: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): Condition[] {
  const current = conditions.find((condition) => condition.type === next.type)
  if (current !== undefined && current.status === next.status && current.reason === next.reason && current.message === next.message)
    return [...conditions]
  const lastTransitionTime =
    current?.status === next.status && current.lastTransitionTime !== undefined ? current.lastTransitionTime : formatTime(nowMs)
  const replaced = { ...next, lastTransitionTime }
  return current === undefined ? [...conditions, replaced] : conditions.map((condition) => (condition === current ? replaced : condition))
}

export function withoutCondition(conditions: readonly Readonly<Condition>[], type: string): Condition[] {
  return conditions.filter((condition) => condition.type !== type)
}

/** RFC 3339 with seconds, as objects carry it. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
