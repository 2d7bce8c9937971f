import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { type Measurement, repeat, table } from './measure.js'
import { runScript, serveControlPlane } from './processes.js'

const isQuick = process.argv.includes('--quick')
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const runs = isQuick ? 3 : 9

const benches: readonly { readonly name: string; measure(): Promise<Measurement[]> }[] = [
  {
    name: 'start',
    async measure() {
      const rss: number[] = []
      const readyMs = await repeat(runs, async () => {
        const served = await serveControlPlane(['--nodes', '0', '--controllers', 'none'])
        await new Promise((resolve) => setTimeout(resolve, 1000))
        rss.push(served.rssMb())
        await served.stop()
        return served.readyMs
      })
      return [
        { what: 'process start to ready', unit: 'ms', values: readyMs, goal: '< 200 ms', isMet: (value) => value < 200 },
        { what: 'idle memory (RSS)', unit: 'MB', values: rss, goal: '< 100 MB', isMet: (value) => value < 100 },
      ]
    },
  },
  {
    name: 'start-all',
    async measure() {
      const readyMs = await repeat(runs, async () => {
        const served = await serveControlPlane(['--nodes', '3'])
        await served.stop()
        return served.readyMs
      })
      return [
        { what: 'the same with controllers and 3 nodes', unit: 'ms', values: readyMs, goal: '< 200 ms', isMet: (value) => value < 200 },
      ]
    },
  },
  {
    name: 'in-process',
    async measure() {
      const values = await repeat(runs, async () => (await runScript('start-in-process.js')).milliseconds ?? Number.NaN)
      return [{ what: 'in-process start', unit: 'ms', values, goal: '< 50 ms', isMet: (value) => value < 50 }]
    },
  },
  {
    name: 'create',
    async measure() {
      const values = await repeat(isQuick ? 1 : 3, async () => {
        const served = await serveControlPlane(['--nodes', '0', '--controllers', 'none'])
        try {
          return (await runScript('create-load.js', [served.kubeconfig])).perSecond ?? Number.NaN
        } finally {
          await served.stop()
        }
      })
      return [{ what: 'creates of a custom resource, 64 clients', unit: 'per second', values, goal: '4x the reference' }]
    },
  },
  {
    name: 'import',
    async measure() {
      const megabytes: number[] = []
      const values = await repeat(runs, async () => {
        const cost = await runScript('import-cost.js', ['steersman'])
        megabytes.push(cost.megabytes ?? Number.NaN)
        return cost.milliseconds ?? Number.NaN
      })
      return [
        { what: 'import steersman', unit: 'ms', values, goal: '< 60 ms', isMet: (value) => value < 60 },
        { what: 'memory of it', unit: 'MB', values: megabytes, goal: '< 15 MB', isMet: (value) => value < 15 },
      ]
    },
  },
]

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`,
)
const measurements: Measurement[] = []
for (const bench of benches) {
  if (only !== undefined && bench.name !== only) continue
  measurements.push(...(await bench.measure()))
}
console.log(table(measurements))
if (process.env.BENCH_JSON !== undefined) {
  await writeFile(process.env.BENCH_JSON, `${JSON.stringify(measurements, undefined, 2)}\n`)
}
