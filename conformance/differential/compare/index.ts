/**
 * What of an answer counts, and how it differs from the real server's.
 *
 * {@link canonical} renames and leaves out what no two servers have in common; {@link differences} names each place that is left to differ; golden files keep what
 * the real server answered; the report counts and prints. Here nothing talks to a server but {@link compareScenario}, through the room `run`.
 */
export type { AcceptedDifference } from './accepted-difference.js'
export { type CanonicalAnswer, canonical } from './canonical.js'
export { compareScenario, GoldenError, judge, needless, type Outcome } from './comparison.js'
export { type Difference, differences } from './difference.js'
export { type Golden, readGolden, removeOrphans, scenarioId, stepsHash, writeGolden } from './golden.js'
export { countsText, differenceText, fidelityPage, outcomeText } from './report.js'
