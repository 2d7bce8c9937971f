import { writeFile } from 'node:fs/promises'
import { benches } from './benches/index.js'
import type { Bench, Lab } from './lab.js'
import { describeMachine, machineLine } from './machine.js'
import { isMet, type Measurement, ratio } from './measurement.js'
import { type BenchOptions, helpText, parseOptions, UsageError } from './options.js'
import { findHelpers, isReferenceBuilt } from './reference.js'
import { table } from './table.js'

/** Runs `npm run bench`. Resolves to the exit code: 0, 1 when a bench failed, 2 for a wrong option. A goal that is missed is no failure. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) return 2
  if (options.wantsHelp) {
    console.log(helpText(benches))
    return 0
  }
  const machine = describeMachine()
  console.log(machineLine(machine))
  const lab: Lab = { ...options, hasReference: await isReferenceBuilt(), helpers: await findHelpers() }
  const measurements: Measurement[] = []
  let code = 0
  for (const bench of benches.filter(({ name }) => options.only?.includes(name) ?? true)) {
    const measured = await runBench(bench, lab)
    if (measured === undefined) code = 1
    else measurements.push(...measured)
  }
  console.log(`\n${table(measurements)}`)
  if (options.isQuick) console.log('\nA quick run: a look, not a result.')
  if (options.json !== undefined) {
    const lines = measurements.map((line) => ({ ...line, ratio: ratio(line), isMet: isMet(line) }))
    await writeFile(options.json, `${JSON.stringify({ machine, isQuick: options.isQuick, measurements: lines }, undefined, 2)}\n`)
  }
  return code
}

function readOptions(args: readonly string[]): BenchOptions | undefined {
  try {
    return parseOptions(
      args,
      process.env,
      benches.map(({ name }) => name),
    )
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}; try --help`)
    return undefined
  }
}

/** A bench that fails costs its own lines only. */
async function runBench(bench: Bench, lab: Lab): Promise<readonly Measurement[] | undefined> {
  const startedMs = performance.now()
  try {
    const measured = await bench.measure(lab)
    console.log(`${bench.name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
    return measured
  } catch (error) {
    console.error(`${bench.name} FAILED:`, error)
    return undefined
  }
}
