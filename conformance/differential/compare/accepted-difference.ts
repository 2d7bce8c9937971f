/** A difference from the real server that we know and keep. It counts as a disagreement in the figures all the same. */
export interface AcceptedDifference {
  /** The scenario, `errors/get-of-a-missing-object`, or all of an area, `discovery/*`. */
  readonly scenario: string
  /** In which answers, counted from 1. @default any */
  readonly answers?: readonly number[]
  /** Where it is: paths that begin with one of these. Absent: anywhere in the scenario. */
  readonly paths?: readonly string[]
  /** Why it is kept, as a sentence for users. */
  readonly reason: string
}
