import { type Counts, countsOf, failuresOf, type SuiteRun } from './results.js'

/** What is known about one suite: how often it ran on each side, and what was recorded from the real binaries. */
export interface SuiteOutcome {
  readonly name: string
  readonly recorded?: Counts
  /** Empty when that side did not run. */
  readonly real: readonly SuiteRun[]
  readonly ours: readonly SuiteRun[]
}

/** Lines `suite | real | ours | agree`, then for each disagreement what it is. */
export function outcomesText(outcomes: readonly SuiteOutcome[]): string {
  const rows = outcomes.map((outcome) => [
    outcome.name,
    outcome.real.length === 0 ? recordedText(outcome.recorded) : runsText(outcome.real),
    runsText(outcome.ours),
    agreementText(outcome),
  ])
  const table = [['suite', 'real: passed/failed of specs', 'ours: passed/failed of specs', 'agree'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  )
  return [...lines, ...outcomes.flatMap((outcome) => disagreements(outcome).map((text) => `${outcome.name}: ${text}`))].join('\n')
}

function agreementText(outcome: SuiteOutcome): string {
  if (!agrees(outcome)) return 'NO'
  return outcome.recorded === undefined && outcome.ours.length === 0 ? '–' : 'yes'
}

/** Whether every run came to the same: the two sides with each other, and the real one with what was recorded. */
export function agrees(outcome: SuiteOutcome): boolean {
  return disagreements(outcome).length === 0
}

function disagreements({ recorded, real, ours }: SuiteOutcome): readonly string[] {
  const expected = recorded ?? (real[0] && countsOf(real[0].specs))
  const known = real.length === 0 ? undefined : new Set(real.flatMap(failuresOf))
  return [...real.flatMap((run) => differences('real', run, expected)), ...ours.flatMap((run) => differences('ours', run, expected, known))]
}

const shownFailures = 20

/** @param known the names of specs that may fail; without them only their number counts. */
function differences(side: string, run: SuiteRun, expected: Counts | undefined, known?: ReadonlySet<string>): readonly string[] {
  const counts = countsOf(run.specs)
  const texts = run.broken === undefined ? [] : [`${side} ${run.broken}`]
  if (expected === undefined) texts.push(`${side} has nothing to be compared with`)
  else if (!sameCounts(counts, expected)) texts.push(`${side} has ${countsText(counts)}, expected ${countsText(expected)}`)
  if (texts.length === 0 && known === undefined) return []
  const failures = failuresOf(run).filter((name) => known?.has(name) !== true)
  texts.push(...failures.slice(0, shownFailures).map((name) => `${side} fails: ${name}`))
  if (failures.length > shownFailures) texts.push(`${side} fails ${failures.length - shownFailures} more`)
  return texts
}

function sameCounts(one: Counts, other: Counts): boolean {
  return one.specs === other.specs && one.passed === other.passed && one.failed === other.failed && one.skipped === other.skipped
}

function countsText({ specs, passed, failed, skipped }: Counts): string {
  return `${passed}/${failed} of ${specs}${skipped === 0 ? '' : `, ${skipped} skipped`}`
}

function recordedText(recorded: Counts | undefined): string {
  return recorded === undefined ? 'never recorded' : `${countsText(recorded)} (recorded)`
}

/** Every result that the runs came to, and the median of the seconds. */
function runsText(runs: readonly SuiteRun[]): string {
  if (runs.length === 0) return '–'
  const texts = runs.map(({ specs, broken }) => `${countsText(countsOf(specs))}${broken === undefined ? '' : ` (${broken})`}`)
  const seconds = runs.map((run) => run.seconds).sort((one, other) => one - other)
  const median = seconds[Math.floor(seconds.length / 2)] ?? 0
  return `${[...new Set(texts)].join('; ')}, ${median.toFixed(1)} s${runs.length === 1 ? '' : ` (median of ${runs.length})`}`
}
