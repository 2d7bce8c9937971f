import { areas, type Json } from '../language/index.js'
import type { Outcome } from './comparison.js'
import { joined } from './coverage.js'
import type { Difference } from './difference.js'

const agrees = ({ differences }: Outcome): boolean => differences.length === 0
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

interface AreaFigures {
  readonly area: string
  readonly scenarios: number
  readonly agreeing: number
  readonly answers: number
  readonly agreeingAnswers: number
}

function figuresOf(area: string, outcomes: readonly Outcome[]): AreaFigures {
  const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + count(outcome), 0)
  return {
    area,
    scenarios: outcomes.length,
    agreeing: outcomes.filter(agrees).length,
    answers: sum(({ answers }) => answers),
    agreeingAnswers: sum(({ answers, differing }) => answers - differing),
  }
}

/** Figures of every area, and of all. */
function allFigures(outcomes: readonly Outcome[]): readonly AreaFigures[] {
  const byArea = areas.map((area) =>
    figuresOf(
      area,
      outcomes.filter(({ scenario }) => scenario.area === area),
    ),
  )
  return [...byArea.filter(({ scenarios }) => scenarios > 0), figuresOf('all', outcomes)]
}

/** The counts, for a terminal. */
export function countsText(outcomes: readonly Outcome[]): string {
  const lines = allFigures(outcomes).map(({ area, scenarios, agreeing, answers, agreeingAnswers }) =>
    [
      area.padEnd(20),
      `${String(agreeing).padStart(4)} of ${String(scenarios).padStart(4)} scenarios agree ${share(agreeing, scenarios).padStart(8)}`,
      `${String(agreeingAnswers).padStart(5)} of ${String(answers).padStart(5)} answers ${share(agreeingAnswers, answers).padStart(8)}`,
    ].join('   '),
  )
  return [...lines, coverageText(outcomes)].join('\n')
}

/** `119 kinds and 1,400 rules of validation are covered`. */
function coverageText(outcomes: readonly Outcome[]): string {
  const { kinds, rules } = joined(outcomes.map(({ covered }) => covered))
  return `${kinds.size} kinds and ${rules.size} rules of validation are covered`
}

/** One disagreement, for a terminal. */
export function differenceText({ step, request, path, expected, got }: Difference): string {
  return `  answer ${step + 1}, ${request}\n    ${path}\n      expected ${valueText(expected)}\n      got      ${valueText(got)}`
}

/** Everything in which one scenario disagrees. */
export function outcomeText({ id, differences, unaccepted, reasons }: Outcome, most = 10): string {
  const shown = unaccepted.length > 0 ? unaccepted : differences
  const rest = shown.length > most ? [`  … and ${shown.length - most} more`] : []
  const heading = unaccepted.length > 0 ? id : `${id} (accepted: ${reasons.join(' ')})`
  return [heading, ...shown.slice(0, most).map(differenceText), ...rest].join('\n')
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text
}

/** `docs/fidelity.md`. `random`: reasons of what random requests run into. */
export function fidelityPage(server: string, outcomes: readonly Outcome[], random: readonly string[]): string {
  const rows = allFigures(outcomes).map(
    ({ area, scenarios, agreeing, answers, agreeingAnswers }) =>
      `| ${area} | ${agreeing} of ${scenarios} | ${share(agreeing, scenarios)} | ${agreeingAnswers} of ${answers} | ${share(agreeingAnswers, answers)} |`,
  )
  const disagreeing = outcomes.filter((outcome) => !agrees(outcome))
  return `<!-- Written by \`npm run test:differential\`. Reasons come from conformance/differential/accepted.ts. -->

# Fidelity

What the embedded API server answers is compared with what kube-apiserver ${server} answered to the same requests
([conformance/differential](../conformance/differential)). A scenario agrees when every status, compared header, body and watch event does; uids, revisions, times, generated names,
ports and hashes are renamed consistently before.

| area | scenarios that agree | | answers that agree | |
|---|---|---|---|---|
${rows.join('\n')}

${coverageText(outcomes)}: kinds of which the real server stored an object, in each version, and fields of a kind that it refused for one reason.

Left out on both sides: \`metadata.managedFields\`, until server-side apply exists.

## Where it differs

${disagreeing.length === 0 ? 'Nowhere.' : disagreeing.map(disagreement).join('\n\n')}

## What random requests run into

\`npm run fuzz\` sends generated requests to both servers. Beside what stands above it knows these differences; any other is a fault.

${random.map((reason) => `- ${reason}`).join('\n')}
`
}

function disagreement({ id, differences, reasons }: Outcome): string {
  const reason = reasons.length === 0 ? 'No reason is given yet.' : reasons.join(' ')
  const [first] = differences
  const example =
    first === undefined ? '' : `\`${first.request}\`, ${first.path}: expected ${code(first.expected)}, got ${code(first.got)}.`
  const more = differences.length > 1 ? ` And ${differences.length - 1} more.` : ''
  return `**${id}**: ${reason}\n${example}${more}`
}

function code(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return `\`${text.length > 160 ? `${text.slice(0, 160)}…` : text}\``.replaceAll('\n', ' ')
}
