import { type Bench, interleave, type Lab } from '../lab.js'
import { type Measurement, needsGo, notBuilt, notBuiltYet, type Side } from '../measurement.js'
import { runHelper } from '../programs.js'
import { median } from '../statistics.js'
import { widgetBody, widgets, withWidgets } from '../widgets.js'

type Load = 'perSecond' | 'p50Ms' | 'p99Ms' | 'serverCpuUs' | 'clientCpuUs'

const lmdb: Measurement = {
  what: 'creates, lmdb, synced',
  unit: '/s',
  better: 'more',
  ours: notBuiltYet,
  reference: notBuiltYet,
  goal: { timesBetter: 2 },
}

export const create: Bench = {
  name: 'create',
  about: 'creates of a custom resource with schema: 64 clients over 8 connections, then at a fixed rate',
  async measure(lab) {
    const { helpers } = lab
    if (helpers === undefined)
      return [{ what: 'creates, 64 clients', unit: '/s', better: 'more', ours: needsGo, reference: notBuilt }, lmdb]
    const runs = lab.isQuick ? 1 : 3
    const closed = await interleave(lab, { runs }, (side) => load(lab, helpers, side, ['-clients', '64']))
    const rate = halfOfTheSlower(closed('perSecond'))
    const open = await interleave(lab, { runs }, (side) => load(lab, helpers, side, ['-rate', `${rate}`]))
    return [
      { what: 'creates, 64 clients', unit: '/s', better: 'more', ...closed('perSecond'), goal: { timesBetter: 4 } },
      { what: '  p50', unit: 'ms', better: 'less', ...closed('p50Ms') },
      { what: '  p99', unit: 'ms', better: 'less', ...closed('p99Ms') },
      { what: '  server CPU per create', unit: 'µs', better: 'less', ...closed('serverCpuUs'), goal: { timesBetter: 4 } },
      { what: '  client CPU per create', unit: 'µs', better: 'less', ...closed('clientCpuUs') },
      { what: `creates at ${rate}/s (open loop), p50`, unit: 'ms', better: 'less', ...open('p50Ms') },
      { what: '  p99', unit: 'ms', better: 'less', ...open('p99Ms') },
      { what: '  server CPU per create', unit: 'µs', better: 'less', ...open('serverCpuUs') },
      lmdb,
    ]
  },
}

/** Creates before an open loop: at its low rate a server would take long to warm up. */
const warmUpCreates = 10_000

function load(lab: Lab, helpers: string, side: Side, mode: readonly string[]) {
  const times = lab.isQuick ? ['-warm-up', '1s', '-duration', '3s'] : ['-warm-up', '3s', '-duration', '8s']
  return withWidgets(side, async ({ kubeconfig, pids }) => {
    const common = ['load', 'create', '-kubeconfig', kubeconfig, '-pids', pids.join(','), '-path', widgets]
    if (mode.includes('-rate')) await runHelper(helpers, [...common, '-body', widgetBody('warm-up'), '-count', `${warmUpCreates}`])
    return runHelper<Load>(helpers, [...common, '-body', widgetBody('load'), ...mode, ...times])
  })
}

/** A rate that both can serve, in requests per second. */
function halfOfTheSlower({ ours, reference }: Pick<Measurement, 'ours' | 'reference'>): number {
  const capacities = [ours, reference].filter((column) => typeof column !== 'string').map(median)
  return Math.max(10, Math.round(Math.min(...capacities) / 20) * 10)
}
