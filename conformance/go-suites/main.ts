import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { realVersion } from '../src/control-plane-binaries.js'
import { type BuiltSuites, buildSuites, controllerRuntimeVersion } from './build-suites.js'
import { readRecorded, writeRecorded } from './recorded.js'
import { countsOf, type SuiteRun } from './results.js'
import { runSuite } from './run-suite.js'
import { oursAssets, realAssets } from './sides.js'
import { type Suite, selectSuites, suites } from './suites.js'
import { agrees, outcomesText, type SuiteOutcome } from './table.js'

type Side = 'real' | 'ours'

/** Which folder of executables each side has; a side that does not run has none. */
type Assets = Partial<Readonly<Record<Side, string>>>

const help = `npm run test:go-suites [-- SUITE… --all --real --ours[=FOLDER] --times=N --record]

Runs controller-runtime's own suites on the real binaries and on ours, side by side.

  SUITE            one of ${suites.map(({ name }) => name).join(', ')}
  --all            also those that take more than a minute
  --real           on the real binaries
  --ours[=FOLDER]  on ours: the executables etcd, kube-apiserver and kubectl in FOLDER, otherwise what "steersman envtest" names
                   Neither of the two: on both. Only on ours: beside what was recorded from the real ones
  --times=N        each suite N times, each time in another order
  --record         keep the counts of the real binaries in conformance/go-suites/recorded.json`

async function main(args: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    // An option with an optional value is an empty one to parseArgs.
    args: args.map((argument) => (argument === '--ours' ? '--ours=' : argument)),
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      real: { type: 'boolean', default: false },
      ours: { type: 'string' },
      times: { type: 'string', default: '1' },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(help)
  const chosen = selectSuites(positionals, values.all)
  const times = Number(values.times)
  if (!Number.isInteger(times) || times < 1) throw new RangeError(`Cannot run suites ${values.times} times: expected a whole number`)
  const isBoth = !values.real && values.ours === undefined
  const ours = isBoth || values.ours !== undefined ? oursAssets(values.ours || undefined) : undefined
  const real = isBoth || values.real || values.record ? await realAssets() : undefined
  if (ours === undefined && (isBoth || values.ours !== undefined)) console.log('ours: not built yet')
  const assets = { ...(real === undefined ? {} : { real }), ...(ours === undefined ? {} : { ours }) }
  if (real !== undefined || ours !== undefined) await runAll({ chosen, assets, times, record: values.record })
  else process.exitCode = 1
}

interface RunAllOptions {
  readonly chosen: readonly Suite[]
  readonly assets: Assets
  readonly times: number
  readonly record: boolean
}

async function runAll({ chosen, assets, times, record }: RunAllOptions): Promise<void> {
  const versions = { controllerRuntime: controllerRuntimeVersion, kubernetes: await realVersion() }
  const recorded = readRecorded(versions)
  const built = await buildSuites(chosen)
  const outcomes: SuiteOutcome[] = []
  for (const suite of chosen) {
    const counts = record ? undefined : recorded.suites[suite.name]
    outcomes.push({ name: suite.name, ...(counts && { recorded: counts }), ...(await runSides(suite, built, assets, times)) })
  }
  console.log(`\ncontroller-runtime ${versions.controllerRuntime}; real: Kubernetes ${versions.kubernetes}`)
  console.log(outcomesText(outcomes))
  if (record) writeRecorded({ ...recorded, suites: inOrder({ ...recorded.suites, ...countsToRecord(outcomes) }) })
  report(outcomes, assets)
}

/** One side after the other, time after time. */
async function runSides(suite: Suite, built: BuiltSuites, assets: Assets, times: number): Promise<Record<Side, readonly SuiteRun[]>> {
  const runs: Record<Side, SuiteRun[]> = { real: [], ours: [] }
  for (let seed = 1; seed <= times; seed += 1) {
    for (const side of ['real', 'ours'] as const) {
      const folder = assets[side]
      if (folder === undefined) continue
      const log = join(built.folder, 'logs', `${side}-${suite.name.replaceAll('/', '-')}.log`)
      const run = await runSuite(suite, built, { assets: folder, seed, log })
      const { specs, passed } = countsOf(run.specs)
      console.log(`${side} ${suite.name}: ${run.broken ?? `${passed} of ${specs} passed`} in ${run.seconds.toFixed(1)} s`)
      runs[side].push(run)
    }
  }
  return runs
}

/** Of suites that came to the same each time. */
function countsToRecord(outcomes: readonly SuiteOutcome[]) {
  return Object.fromEntries(
    outcomes.flatMap(({ name, real: [run, ...others] }) => {
      if (run === undefined || !agrees({ name, real: [run, ...others], ours: [] })) return []
      return [[name, countsOf(run.specs)]]
    }),
  )
}

function inOrder<T>(bySuite: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(suites.flatMap(({ name }) => (bySuite[name] === undefined ? [] : [[name, bySuite[name]]])))
}

function report(outcomes: readonly SuiteOutcome[], assets: Assets): void {
  const agreeing = outcomes.filter(agrees).length
  if (assets.ours !== undefined && agreeing === outcomes.length) console.log('ours passes as many specs as the real binaries')
  console.log(`${agreeing} passed, ${outcomes.length - agreeing} failed`)
  if (agreeing < outcomes.length) process.exitCode = 1
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
