/**
 * Conditions (`meta/v1` Condition): what is true of an object, and since when.
 */
import { formatTime } from './time.js'

/** One condition of an object. */
export interface Condition {
  /** `Ready`, `Available`, …; unique in its list. */
  readonly type: string
  readonly status: ConditionStatus
  /** One word in CamelCase for programs. */
  readonly reason: string
  /** For people; may be empty. */
  readonly message: string
  /** When `status` last changed; RFC 3339 with seconds. */
  readonly lastTransitionTime: string
  /** The `metadata.generation` that the condition was set for. */
  readonly observedGeneration?: number
}

export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** A condition to set; its `lastTransitionTime` is worked out unless given. */
export type ConditionInput = Omit<Condition, 'lastTransitionTime' | 'message'> & {
  /** @default '' */
  readonly message?: string
  readonly lastTransitionTime?: string
}

/** What these functions need of a condition; those of built-in kinds, which lack members, fit too. */
export interface ConditionLike {
  readonly type: string
  readonly status: string
}

/**
 * The list with a condition set: the one of that type replaced in its place, or a new one at the end.
 *
 * `lastTransitionTime` moves to `nowMs` (or to the one given) only when `status` changes. When nothing changes the same
 * array comes back, so that `===` tells whether a write is needed.
 *
 * @param nowMs milliseconds since the epoch, from the environment
 */
export function setCondition(conditions: readonly Condition[] | undefined, condition: ConditionInput, nowMs: number): readonly Condition[] {
  const present = conditions ?? []
  const index = present.findIndex((candidate) => candidate.type === condition.type)
  const before = present[index]
  const transitionTime =
    before !== undefined && before.status === condition.status
      ? before.lastTransitionTime
      : (condition.lastTransitionTime ?? formatTime(nowMs))
  const after: Condition = {
    type: condition.type,
    status: condition.status,
    ...(condition.observedGeneration === undefined ? {} : { observedGeneration: condition.observedGeneration }),
    lastTransitionTime: transitionTime,
    reason: condition.reason,
    message: condition.message ?? '',
  }
  if (before === undefined) return [...present, after]
  return isSame(before, after) ? present : present.with(index, after)
}

function isSame(before: Condition, after: Condition): boolean {
  return (
    before.status === after.status &&
    before.reason === after.reason &&
    before.message === after.message &&
    before.observedGeneration === after.observedGeneration
  )
}

/** The list without the condition of a type; the same array when there is none. */
export function removeCondition<Item extends ConditionLike>(conditions: readonly Item[] | undefined, type: string): readonly Item[] {
  const present = conditions ?? []
  return present.some((condition) => condition.type === type) ? present.filter((condition) => condition.type !== type) : present
}

/** The condition of a type. */
export function findCondition<Item extends ConditionLike>(conditions: readonly Item[] | undefined, type: string): Item | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** Whether the condition of a type is there and `True`. */
export function isConditionTrue(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True'
}

/** Whether the condition of a type is there and `False`. */
export function isConditionFalse(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'False'
}
