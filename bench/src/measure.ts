/** One line of the table. */
export interface Measurement {
  readonly what: string
  readonly unit: 'ms' | 'MB' | 'per second'
  /** One value for each run. */
  readonly values: readonly number[]
  /** What it should be, as a sentence: `< 200 ms`. */
  readonly goal: string
  /** Absent where the goal is a ratio to a reference that this run does not measure. */
  readonly isMet?: (median: number) => boolean
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** Half the distance between the quartiles, as a share of the median: how much runs differ. */
export function spread(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return (at(0.75) - at(0.25)) / 2 / median(values)
}

/** Runs `measure` after one unmeasured warm-up. */
export async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  await measure()
  const values: number[] = []
  for (let run = 0; run < times; run += 1) values.push(await measure())
  return values
}

export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => {
    const value = median(measurement.values)
    return [
      measurement.what,
      `${format(value)} ${measurement.unit}`,
      `± ${(spread(measurement.values) * 100).toFixed(0)} %`,
      measurement.goal,
      measurement.isMet === undefined ? 'no reference' : measurement.isMet(value) ? 'met' : 'NOT MET',
    ]
  })
  const all = [['what', 'ours (median)', 'spread', 'goal', ''], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}
