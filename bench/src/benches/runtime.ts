import { type Bench, interleave } from '../lab.js'
import { needsGo, notBuilt } from '../measurement.js'
import { runHelper } from '../programs.js'
import { onGround, race } from '../runtimes.js'

const reconciled = 5000

export const sync: Bench = {
  name: 'sync',
  about: 'initial sync of a cache of pods and memory per pod, beside Go (20,000 pods; --quick 5,000, --full 100,000)',
  async measure(lab) {
    const count = lab.isFull ? 100_000 : lab.isQuick ? 5000 : 20_000
    const what = `initial sync of ${count.toLocaleString('en')} pods`
    const { helpers } = lab
    if (helpers === undefined) return [{ what, unit: 'ms', better: 'less', ours: needsGo, reference: notBuilt }]
    return onGround(lab, helpers, { plural: 'pods', count }, async (ground) => {
      const json = await race<'syncMs' | 'cpuMs' | 'bytesPerObject'>(ground, 'sync')
      const protobuf = await interleave(lab, { runs: lab.isQuick ? 2 : 5, sides: lab.hasReference ? ['reference'] : [] }, () =>
        runHelper<'syncMs'>(helpers, [
          ...['runtime', 'sync', '-kubeconfig', ground.kubeconfig, '-namespace', ground.namespace, '-count', `${count}`],
          ...['-content-type', 'application/vnd.kubernetes.protobuf'],
        ]),
      )
      const [ours, reference] = [json('syncMs').ours, protobuf('syncMs').reference]
      return [
        { what: `${what}, both JSON`, unit: 'ms', better: 'less', ...json('syncMs'), goal: { timesBetter: 1 } },
        { what: '  CPU of it', unit: 'ms', better: 'less', ...json('cpuMs') },
        { what: '  ours JSON, Go protobuf', unit: 'ms', better: 'less', ours, reference },
        { what: 'memory per cached pod', unit: 'bytes', better: 'less', ...json('bytesPerObject'), goal: { timesBetter: 1 } },
      ]
    })
  },
}

export const reconcile: Bench = {
  name: 'reconcile',
  about: 'reconciles per second and CPU of each, and the time from a change to its reconcile, beside Go',
  async measure(lab) {
    const { helpers } = lab
    if (helpers === undefined) return [{ what: 'reconciles per second', unit: '/s', better: 'more', ours: needsGo, reference: notBuilt }]
    return onGround(lab, helpers, { plural: 'configmaps', count: reconciled }, async (ground) => {
      const latency = await race<'p50Ms' | 'p99Ms'>(ground, 'latency', ['-events', lab.isQuick ? '300' : '1000'])
      const rounds = ['-rounds', lab.isQuick ? '10' : '40']
      const one = await race<'perSecond' | 'cpuUs'>(ground, 'reconcile', ['-workers', '1', ...rounds])
      const fifty = await race<'perSecond' | 'cpuUs'>(ground, 'reconcile', ['-workers', '50', ...rounds])
      const goal = { timesBetter: 1 }
      return [
        { what: 'patch sent to reconcile, p50', unit: 'ms', better: 'less', ...latency('p50Ms'), goal },
        { what: '  p99', unit: 'ms', better: 'less', ...latency('p99Ms'), goal },
        { what: 'reconciles, 1 worker', unit: '/s', better: 'more', ...one('perSecond'), goal },
        { what: '  CPU per reconcile', unit: 'µs', better: 'less', ...one('cpuUs'), goal },
        { what: 'reconciles, 50 workers', unit: '/s', better: 'more', ...fifty('perSecond'), goal },
        { what: '  CPU per reconcile', unit: 'µs', better: 'less', ...fifty('cpuUs'), goal },
      ]
    })
  },
}
