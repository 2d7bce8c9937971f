import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Bench, interleave } from '../lab.js'
import { noReference } from '../measurement.js'
import { runScript } from '../programs.js'

export const simulation: Bench = {
  name: 'simulation',
  about: 'full-fidelity histories under virtual time, per second and core',
  async measure(lab) {
    const count = lab.isQuick ? 150 : 1000
    const measured = await interleave(lab, { runs: lab.isQuick ? 1 : 3, sides: ['ours'] }, () => historiesPerSecond(count))
    const { ours } = measured('perSecond')
    return [{ what: 'simulated histories', unit: '/s', better: 'more', ours, reference: noReference, goal: { atLeast: 100 } }]
  },
}

/** Histories that are run before time counts. */
const warmUpHistories = 20

/** Runs seeds in one process, as the tests do. Its output is this process' to read: it ends when nobody reads. */
async function historiesPerSecond(count: number): Promise<{ readonly perSecond: number }> {
  const script = fileURLToPath(new URL('../../../e2e/dist/simulation/print-histories.js', import.meta.url))
  const child = spawn(process.execPath, ['--max-semi-space-size=32', script, '1', `${warmUpHistories + count}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const times: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const { converged } = JSON.parse(line) as { readonly converged: boolean }
    if (!converged) throw new Error(`a history did not converge: ${line.slice(0, 200)}`)
    times.push(performance.now())
  }
  await closed
  if (times.length !== warmUpHistories + count) throw new Error(`${times.length} histories: expected ${warmUpHistories + count}`)
  return { perSecond: (count * 1000) / (times.at(-1)! - times[warmUpHistories - 1]!) }
}

export const importCost: Bench = {
  name: 'import',
  about: "what import 'steersman' costs above bare Node.js",
  async measure(lab) {
    const measured = await interleave(lab, { runs: lab.isQuick ? 3 : 9, warmUps: 1, sides: ['ours'] }, () =>
      runScript<'milliseconds' | 'megabytes'>('import-cost', ['steersman']),
    )
    const [time, memory] = [measured('milliseconds').ours, measured('megabytes').ours]
    return [
      { what: 'import steersman', unit: 'ms', better: 'less', ours: time, reference: noReference, goal: { below: 60 } },
      { what: '  memory of it', unit: 'MB', better: 'less', ours: memory, reference: noReference, goal: { below: 15 } },
    ]
  },
}
