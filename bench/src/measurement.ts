import { median } from './statistics.js'

/** Who is measured. */
export type Side = 'ours' | 'reference'

/** Values of several runs, or in a few words why there are none: `not built`. */
export type Column = readonly number[] | string

/** What should come of it. All that is named must hold. */
export interface Goal {
  readonly below?: number
  readonly atLeast?: number
  /** How many times better than the reference: 1 is as good. */
  readonly timesBetter?: number
}

/** One line of the table. */
export interface Measurement {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'MB' | 'bytes' | '/s'
  readonly better: 'less' | 'more'
  readonly ours: Column
  readonly reference: Column
  readonly goal?: Goal
}

/** Why ours has no values without the load client. */
export const needsGo = 'needs Go'

/** Why there are no values without `npm run build:control-plane`. */
export const notBuilt = 'not built'

/** Why the reference has no values where nothing can be compared. */
export const noReference = '–'

/** What the goals name and nothing can do yet. */
export const notBuiltYet = 'not built yet'

/** How many times better ours is, by the medians; `undefined` unless both were measured. */
export function ratio({ ours, reference, better }: Measurement): number | undefined {
  if (typeof ours === 'string' || typeof reference === 'string') return undefined
  return better === 'less' ? median(reference) / median(ours) : median(ours) / median(reference)
}

/** Whether the goal is reached: `undefined` without a goal, or where a part of it cannot be judged and all others hold. */
export function isMet(measurement: Measurement): boolean | undefined {
  const { ours, goal } = measurement
  if (goal === undefined || typeof ours === 'string') return undefined
  const value = median(ours)
  const times = ratio(measurement)
  const parts = [
    goal.below === undefined ? true : value < goal.below,
    goal.atLeast === undefined ? true : value >= goal.atLeast,
    goal.timesBetter === undefined ? true : times === undefined ? undefined : times >= goal.timesBetter,
  ]
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}
