import { type Bench, interleave } from '../lab.js'
import { type Column, type Measurement, needsGo, notBuilt } from '../measurement.js'
import { runHelper } from '../programs.js'
import { widgetBody, widgets, withWidgets } from '../widgets.js'

const listed = 10_000
const watchers = 1000
const connections = 10
const events = 100

// A kube-apiserver ends watches that it finds too slow, which on a busy machine they sometimes are. Ours has no such excuse.
const referenceAttempts = 3

export const list: Bench = {
  name: 'list',
  about: 'LIST of 10,000 objects',
  async measure(lab) {
    const { helpers } = lab
    if (helpers === undefined) return [{ what: 'LIST of 10,000', unit: 'ms', better: 'less', ours: needsGo, reference: notBuilt }]
    const columns = await interleave(lab, { runs: lab.isQuick ? 1 : 3 }, (side) =>
      withWidgets(side, async ({ kubeconfig, pids }) => {
        const common = ['-kubeconfig', kubeconfig, '-pids', pids.join(','), '-path', widgets]
        await runHelper(helpers, ['load', 'create', ...common, '-body', widgetBody('listed'), '-count', `${listed}`])
        return runHelper<'medianMs' | 'clientCpuMs' | 'serverCpuMs' | 'bytes'>(helpers, [
          'load',
          'list',
          ...common,
          '-repeat',
          lab.isQuick ? '5' : '20',
        ])
      }),
    )
    return [
      { what: 'LIST of 10,000', unit: 'ms', better: 'less', ...columns('medianMs'), goal: { timesBetter: 5 } },
      { what: '  size of it', unit: 'MB', better: 'less', ...megabytes(columns('bytes')) },
      { what: '  server CPU', unit: 'ms', better: 'less', ...columns('serverCpuMs') },
      { what: '  client CPU', unit: 'ms', better: 'less', ...columns('clientCpuMs') },
    ]
  },
}

export const watch: Bench = {
  name: 'watch',
  about: '100 events to 1,000 watchers over 10 connections',
  async measure(lab) {
    const { helpers } = lab
    if (helpers === undefined)
      return [{ what: '100 events to 1,000 watchers', unit: '/s', better: 'more', ours: needsGo, reference: notBuilt }]
    const columns = await interleave(lab, { runs: lab.isQuick ? 1 : 3 }, (side) =>
      withWidgets(side, async ({ kubeconfig, pids }) => {
        const common = ['-kubeconfig', kubeconfig, '-path', widgets]
        const attempts = side === 'reference' ? referenceAttempts : 1
        return retry(attempts, (attempt) =>
          runHelper<'eventsPerSecond' | 'bytesPerEvent' | 'serverCpuUs' | 'clientCpuUs'>(helpers, [
            ...['load', 'watch', ...common, '-pids', pids.join(','), '-body', widgetBody(`watched-${attempt}`)],
            ...['-watchers', `${watchers}`, '-connections', `${connections}`, '-count', `${events}`, '-repeat', lab.isQuick ? '5' : '15'],
          ]),
        )
      }),
    )
    return [
      { what: '100 events to 1,000 watchers', unit: '/s', better: 'more', ...columns('eventsPerSecond'), goal: { timesBetter: 3 } },
      { what: '  bytes per event', unit: 'bytes', better: 'less', ...columns('bytesPerEvent') },
      { what: '  server CPU per event', unit: 'µs', better: 'less', ...columns('serverCpuUs') },
      { what: '  client CPU per event', unit: 'µs', better: 'less', ...columns('clientCpuUs') },
    ]
  },
}

async function retry<T>(attempts: number, work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt >= attempts) throw error
    }
  }
}

function megabytes({ ours, reference }: Pick<Measurement, 'ours' | 'reference'>): Pick<Measurement, 'ours' | 'reference'> {
  const convert = (column: Column): Column => (typeof column === 'string' ? column : column.map((bytes) => bytes / 1e6))
  return { ours: convert(ours), reference: convert(reference) }
}
