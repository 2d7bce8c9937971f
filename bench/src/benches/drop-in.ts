import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildScript } from '@steersman/conformance/control-plane-binaries'
import { type Bench, interleave, type Lab } from '../lab.js'
import { type Measurement, needsGo, notBuilt, notBuiltYet } from '../measurement.js'
import { runHelper } from '../programs.js'

const steersman = fileURLToPath(new URL('../../../packages/cli/dist/bin/steersman.js', import.meta.url))

export const dropIn: Bench = {
  name: 'drop-in',
  about: "a Go envtest suite on the drop-in for envtest's binaries: start with one CRD, and the whole suite of 20 specs",
  async measure(lab) {
    const { helpers } = lab
    if (!existsSync(steersman)) return lines({ ours: notBuiltYet, reference: notBuiltYet }, { ours: notBuiltYet, reference: notBuiltYet })
    if (helpers === undefined) return lines({ ours: needsGo, reference: notBuilt }, { ours: needsGo, reference: notBuilt })
    const folder = await mkdtemp(join(tmpdir(), 'steersman-bench-envtest-'))
    try {
      return await race(lab, helpers, folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function race(lab: Lab, helpers: string, folder: string): Promise<readonly Measurement[]> {
  execFileSync(process.execPath, [steersman, 'envtest', '--folder', folder])
  const { controlPlaneFolder } = await buildScript()
  const columns = await interleave(lab, { runs: lab.isQuick ? 2 : 5, warmUps: 1 }, (side) =>
    runHelper<'startMs' | 'suiteMs'>(helpers, ['envtest', '-assets', side === 'ours' ? folder : controlPlaneFolder]),
  )
  return lines(columns('startMs'), columns('suiteMs'))
}

function lines(start: Pick<Measurement, 'ours' | 'reference'>, suite: Pick<Measurement, 'ours' | 'reference'>): readonly Measurement[] {
  return [
    { what: 'Go envtest start through the drop-in', unit: 'ms', better: 'less', ...start, goal: { below: 500 } },
    { what: '  whole suite', unit: 'ms', better: 'less', ...suite, goal: { timesBetter: 3 } },
  ]
}
