import { type Column, type Measurement, notBuilt, type Side } from './measurement.js'
import type { BenchOptions } from './options.js'

/** What a bench has to work with. */
export interface Lab extends Pick<BenchOptions, 'isQuick' | 'isFull'> {
  /** Whether the real control plane was built. */
  readonly hasReference: boolean
  /** Path of the load client and the other helpers in Go; `undefined` if they cannot be built. */
  readonly helpers: string | undefined
}

/** Something that is measured: a few lines of the table. */
export interface Bench {
  /** For `--only`. */
  readonly name: string
  readonly about: string
  measure(lab: Lab): Promise<readonly Measurement[]>
}

/** How often, and who. */
export interface InterleaveOptions {
  readonly runs: number
  /** Of each side, before the first that counts. @default 0 */
  readonly warmUps?: number
  /** @default both, or ours alone without the reference */
  readonly sides?: readonly Side[]
}

/** Both columns of a value, by its name. */
export type Columns<Name extends string> = (name: Name) => Pick<Measurement, 'ours' | 'reference'>

/** Measures ours, the reference, ours, the reference, …: whatever else the machine does meanwhile meets both. */
export async function interleave<Name extends string>(
  lab: Pick<Lab, 'hasReference'>,
  { runs, warmUps = 0, sides = lab.hasReference ? ['ours', 'reference'] : ['ours'] }: InterleaveOptions,
  measure: (side: Side) => Promise<Readonly<Record<Name, number>>>,
): Promise<Columns<Name>> {
  const measured: Record<Side, Readonly<Record<Name, number>>[]> = { ours: [], reference: [] }
  for (let run = -warmUps; run < runs; run += 1) {
    for (const side of sides) {
      const values = await measure(side)
      if (run >= 0) measured[side].push(values)
    }
  }
  const column = (side: Side, name: Name): Column => (sides.includes(side) ? measured[side].map((values) => values[name]) : notBuilt)
  return (name) => ({ ours: column('ours', name), reference: column('reference', name) })
}
