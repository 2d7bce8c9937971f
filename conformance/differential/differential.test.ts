import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { conformanceFolder, realVersion } from '../src/control-plane-binaries.js'
import { accepted } from './accepted.js'
import { countsText, fidelityPage, needless, type Outcome, outcomeText, scenarioId } from './compare/index.js'
import { compareAll } from './compare-all.js'
import { areas, requestAreas } from './language/index.js'
import { knownReasons } from './random/known-differences.js'
import { scenarios } from './scenarios/index.js'

let outcomes: readonly Outcome[] = []
beforeAll(async () => {
  outcomes = await compareAll(scenarios)
}, 120_000)

for (const area of areas) {
  describe(`area ${area}`, () => {
    scenarios.forEach((scenario, index) => {
      if (scenario.area !== area) return
      test(`${scenarioId(scenario)} is answered as by the real server`, () => {
        const outcome = outcomes[index] as Outcome
        expect(outcome.unaccepted.length === 0 ? '' : outcomeText(outcome)).toBe('')
      })
    })
  })
}

describe('the suite', () => {
  test('has at least 15 scenarios of each thing that requests do, and some of every group of kinds', () => {
    const counts = requestAreas.map((area) => [area, scenarios.filter((scenario) => scenario.area === area).length] as const)
    expect(counts.filter(([, count]) => count < 15)).toEqual([])
    expect(areas.filter((area) => area.startsWith('kinds ')).length).toBeGreaterThanOrEqual(16)
    expect(scenarios.length).toBeGreaterThanOrEqual(800)
  })

  test('agrees in at least 98 % of its scenarios; what is accepted counts as a disagreement', () => {
    const agreeing = outcomes.filter(({ differences }) => differences.length === 0).length
    expect(agreeing / outcomes.length, countsText(outcomes)).toBeGreaterThanOrEqual(0.98)
  })

  test('accepts nothing that does not differ', () => {
    expect(needless(accepted, outcomes)).toEqual([])
  })

  test('is what docs/fidelity.md says; run npm run test:differential after a change', async () => {
    const page = readFileSync(new URL('../docs/fidelity.md', conformanceFolder), 'utf8')
    expect(page).toBe(fidelityPage(`v${await realVersion()}`, outcomes, knownReasons))
  })
})
