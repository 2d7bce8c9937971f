import { type Bench, interleave } from '../lab.js'
import { noReference } from '../measurement.js'
import { runScript } from '../programs.js'
import { pause, residentMegabytes, startOurs, startServer } from '../servers.js'

/** A server is idle when it was left alone this long. */
const idleAfterMs = 2000

export const start: Bench = {
  name: 'start',
  about: 'process start to ready, idle memory',
  async measure(lab) {
    const columns = await interleave(lab, { runs: lab.isQuick ? 2 : 7, warmUps: lab.isQuick ? 0 : 1 }, async (side) => {
      const server = await startServer(side)
      try {
        await pause(idleAfterMs)
        return { readyMs: server.readyMs, megabytes: residentMegabytes(server) }
      } finally {
        await server.stop()
      }
    })
    return [
      { what: 'process start to ready', unit: 'ms', better: 'less', ...columns('readyMs'), goal: { below: 200, timesBetter: 20 } },
      { what: 'idle memory (RSS)', unit: 'MB', better: 'less', ...columns('megabytes'), goal: { below: 100, timesBetter: 4 } },
    ]
  },
}

export const startAll: Bench = {
  name: 'start-all',
  about: 'the same with all built-in controllers and three nodes',
  async measure(lab) {
    const columns = await interleave(lab, { runs: lab.isQuick ? 2 : 7, warmUps: 1, sides: ['ours'] }, async () => {
      const server = await startOurs(['--nodes', '3'])
      await server.stop()
      return { readyMs: server.readyMs }
    })
    const { ours } = columns('readyMs')
    return [{ what: 'start with controllers and 3 nodes', unit: 'ms', better: 'less', ours, reference: noReference, goal: { below: 200 } }]
  },
}

export const inProcess: Bench = {
  name: 'in-process',
  about: 'startControlPlane() inside a process that has loaded it',
  async measure(lab) {
    const measured = await interleave(lab, { runs: lab.isQuick ? 3 : 9, warmUps: 1, sides: ['ours'] }, () =>
      runScript<'milliseconds'>('start-in-process'),
    )
    const { ours } = measured('milliseconds')
    return [{ what: 'in-process start()', unit: 'ms', better: 'less', ours, reference: noReference, goal: { below: 50 } }]
  },
}
