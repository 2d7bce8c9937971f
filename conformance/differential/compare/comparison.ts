import type { Scenario } from '../language/index.js'
import { runScenario, type Target } from '../run/index.js'
import type { AcceptedDifference } from './accepted-difference.js'
import { canonical } from './canonical.js'
import { type Coverage, coverageOf } from './coverage.js'
import { type Difference, differences } from './difference.js'
import { type Golden, readGolden, scenarioId, stepsHash } from './golden.js'

/** What became of one scenario. */
export interface Outcome {
  readonly scenario: Scenario
  readonly id: string
  /** How many answers were compared. */
  readonly answers: number
  /** How many of them differ somewhere. */
  readonly differing: number
  readonly differences: readonly Difference[]
  /** Reasons of the differences that are accepted. */
  readonly reasons: readonly string[]
  /** Differences that nobody accepted. Empty: the suite may pass. */
  readonly unaccepted: readonly Difference[]
  /** What the real server's answers tell of. */
  readonly covered: Coverage
}

/** A golden file is missing or was recorded for other steps. */
export class GoldenError extends Error {}

/** Runs a scenario on the target and compares with what the real server answered. @throws {GoldenError} */
export async function compareScenario(target: Target, scenario: Scenario, accepted: readonly AcceptedDifference[]): Promise<Outcome> {
  const golden = goldenOf(scenario)
  const answers = canonical(scenario, await runScenario(target, scenario))
  const judged = judge(scenario, differences(golden.answers, answers), Math.max(golden.answers.length, answers.length), accepted)
  return { ...judged, covered: coverageOf(golden.answers) }
}

export function judge(scenario: Scenario, found: readonly Difference[], answers: number, accepted: readonly AcceptedDifference[]): Outcome {
  const id = scenarioId(scenario)
  const entries = found.map((difference) => accepted.find((entry) => covers(entry, id, difference)))
  return {
    scenario,
    id,
    answers,
    differing: new Set(found.map(({ step }) => step)).size,
    differences: found,
    reasons: [...new Set(entries.flatMap((entry) => (entry === undefined ? [] : [entry.reason])))],
    unaccepted: found.filter((_, index) => entries[index] === undefined),
    covered: coverageOf([]),
  }
}

/** Entries that no difference of these outcomes needs. */
export function needless(accepted: readonly AcceptedDifference[], outcomes: readonly Outcome[]): readonly AcceptedDifference[] {
  return accepted.filter(
    (entry) => !outcomes.some(({ id, differences: found }) => found.some((difference) => covers(entry, id, difference))),
  )
}

function covers({ scenario, answers, paths }: AcceptedDifference, id: string, { path, step }: Difference): boolean {
  const isMeant = scenario.endsWith('/*') ? id.startsWith(scenario.slice(0, -1)) : scenario === id
  return isMeant && answers?.includes(step + 1) !== false && (paths === undefined || paths.some((prefix) => path.startsWith(prefix)))
}

function goldenOf(scenario: Scenario): Golden {
  const golden = readGolden(scenario)
  const id = scenarioId(scenario)
  if (golden === undefined) throw new GoldenError(`Cannot compare ${id}: it was never recorded; run: npm run record -- ${id}`)
  if (golden.steps !== stepsHash(scenario))
    throw new GoldenError(`Cannot compare ${id}: its steps changed since it was recorded; run: npm run record -- ${id}`)
  return golden
}
