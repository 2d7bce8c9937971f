import { writeFileSync } from 'node:fs'
import { conformanceFolder, realVersion } from '../src/control-plane-binaries.js'
import { accepted } from './accepted.js'
import {
  canonical,
  countsText,
  differences,
  differenceText,
  fidelityPage,
  needless,
  outcomeText,
  removeOrphans,
  scenarioId,
  writeGolden,
} from './compare/index.js'
import { compareAll } from './compare-all.js'
import type { Scenario } from './language/index.js'
import { fuzz } from './random/fuzz.js'
import { knownReasons } from './random/known-differences.js'
import { runScenario } from './run/index.js'
import { scenarios } from './scenarios/index.js'
import { ServerPool, startReal } from './servers.js'

const fidelityFile = new URL('../docs/fidelity.md', conformanceFolder)

/** Scenarios whose id begins with one of the words; all when there are none. */
function selected(words: readonly string[]): readonly Scenario[] {
  if (words.length === 0) return scenarios
  const found = scenarios.filter((scenario) => words.some((word) => scenarioId(scenario).startsWith(word)))
  if (found.length === 0) throw new Error(`No scenario begins with ${words.join(' or ')}`)
  return found
}

/**
 * Records what the real server answers. Each scenario runs twice, one after the other, alone: what differs between the two is no fact about the server, and the scenario must be
 * written otherwise.
 */
async function record(words: readonly string[]): Promise<void> {
  const chosen = selected(words)
  const server = `v${await realVersion()}`
  const pool = new ServerPool(startReal)
  const unstable: string[] = []
  try {
    for (const scenario of chosen) {
      const target = await pool.for(scenario)
      const before = Date.now()
      const first = canonical(scenario, await runScenario(target, scenario))
      const found = differences(first, canonical(scenario, await runScenario(target, scenario)))
      const impossible = first.filter(({ status, request }) => status === 0 || request.endsWith('in vain'))
      const id = scenarioId(scenario)
      console.log(
        `${found.length === 0 && impossible.length === 0 ? 'recorded' : 'UNSTABLE'} ${id} (${first.length} answers, ${Date.now() - before} ms)`,
      )
      if (found.length === 0 && impossible.length === 0) writeGolden(scenario, server, first)
      else {
        unstable.push(id)
        for (const difference of found.slice(0, 5)) console.log(differenceText(difference))
        for (const { request, body } of impossible) console.log(`  ${request}: ${JSON.stringify(body).slice(0, 300)}`)
      }
    }
  } finally {
    await pool.stop()
  }
  for (const file of removeOrphans(scenarios)) console.log(`removed ${file}`)
  console.log(`${chosen.length - unstable.length} of ${chosen.length} scenarios recorded from ${server}`)
  if (unstable.length > 0) {
    console.log(`not recorded: ${unstable.join(', ')}`)
    process.exitCode = 1
  }
}

/** Compares our server with what was recorded, and writes the page about it when everything was compared. */
async function compare(words: readonly string[]): Promise<void> {
  const chosen = selected(words)
  const outcomes = await compareAll(chosen)
  const disagreeing = outcomes.filter(({ differences: found }) => found.length > 0)
  for (const outcome of disagreeing) console.log(`${outcomeText(outcome)}\n`)
  console.log(countsText(outcomes))
  const unaccepted = outcomes.filter((outcome) => outcome.unaccepted.length > 0)
  const stale = words.length === 0 ? needless(accepted, outcomes) : []
  for (const { scenario, reason } of stale) console.log(`no longer differs: ${scenario} (${reason})`)
  console.log(
    `${disagreeing.length} scenarios disagree; ${unaccepted.length} of them without a reason in conformance/differential/accepted.ts`,
  )
  if (words.length === 0) writeFileSync(fidelityFile, fidelityPage(`v${await realVersion()}`, outcomes, knownReasons))
  if (unaccepted.length > 0 || stale.length > 0) process.exitCode = 1
}

/** Compares both servers with random requests: `--seed=N --operations=N --length=N --most=N --kinds=apps/,v1/pods`. */
async function fuzzBoth(flags: readonly string[]): Promise<void> {
  const flag = (name: string, otherwise: number): number => {
    const text = flags.find((candidate) => candidate.startsWith(`--${name}=`))?.slice(name.length + 3)
    const value = Number(text ?? otherwise)
    if (!Number.isInteger(value) || value < 0) throw new Error(`--${name}=${text}: expected a whole number`)
    return value
  }
  const kinds =
    flags
      .find((candidate) => candidate.startsWith('--kinds='))
      ?.slice('--kinds='.length)
      .split(',') ?? []
  const options = { seed: flag('seed', 1), operations: flag('operations', 5000), length: flag('length', 20), most: flag('most', 30), kinds }
  if ((await fuzz(options, console.log)) > 0) process.exitCode = 1
}

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = { record, compare, fuzz: fuzzBoth }
const [, , command = '', ...words] = process.argv
const run = commands[command]
if (run === undefined) {
  console.error(`Cannot run "${command}": expected record, compare or fuzz`)
  process.exit(2)
}
await run(words)
