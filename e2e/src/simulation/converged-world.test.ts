import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SimulatedCluster, type Write } from './simulated-cluster.js'
import { OPERATOR, WidgetHistory } from './widget-history.js'

const NODES = 3
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let cluster: SimulatedCluster
let history: WidgetHistory

beforeEach(async () => {
  cluster = await SimulatedCluster.open({ seed: 3, nodes: NODES, controllers: 'all' })
  history = new WidgetHistory(cluster, { killOperator: false })
  await cluster.run(history.begin())
  await cluster.run(history.scale(4))
  await cluster.world.advance(MINUTE_MS)
})

afterEach(async () => {
  expect(cluster.failures).toEqual([])
  expect(await cluster.close()).toEqual([])
})

/** What is written while time passes. */
async function writesDuring(milliseconds: number): Promise<readonly Write[]> {
  const before = cluster.writes.length
  await cluster.world.advance(milliseconds)
  return cluster.writes.slice(before)
}

const isLease = ({ path }: Write): boolean => path.startsWith('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/')
const isNodeStatus = ({ path }: Write): boolean => /^\/api\/v1\/nodes\/[^/]+\/status$/.test(path)

/** The streams that each process reads, without positions. */
function openStreams(): string[] {
  return cluster.world
    .pending()
    .filter((line) => line.endsWith('(stream open)'))
    .map((line) => line.replace(/\?.*/, ''))
    .sort()
}

describe('a converged world', () => {
  test('writes nothing for an hour except leases and the five-minute status of nodes', async () => {
    const { world, requests } = cluster
    const eventsBefore = world.events
    const readsBefore = new Map(requests)
    const startedMs = performance.now()
    const writes = await writesDuring(HOUR_MS)
    const events = world.events - eventsBefore
    console.log(`an hour of virtual time: ${events} events in ${(performance.now() - startedMs).toFixed(0)} ms`)

    expect(writes.filter((write) => !isLease(write) && !isNodeStatus(write))).toEqual([])
    // Every ten seconds, and every five minutes with a little jitter.
    expect(writes.filter(isLease).length / NODES).toBeGreaterThanOrEqual(355)
    expect(writes.filter(isLease).length / NODES).toBeLessThanOrEqual(361)
    expect(writes.filter(isNodeStatus).length / NODES).toBeLessThanOrEqual(13)
    const streams = openStreams().length
    // A lease takes a timer, a request, an answer and what the watchers of leases are told; each watch brings a bookmark a minute and is renewed every five to ten.
    expect(events, `${writes.length} writes, ${streams} streams`).toBeLessThan(writes.length * 7 + streams * (60 + 14 * 4))
    for (const [process, count] of requests) {
      const written = writes.filter(({ client }) => client === process).length
      expect(count - readsBefore.get(process)! - written, `reads of ${process}`).toBeLessThanOrEqual(streams * 14)
    }
  })

  test('is left alone by an operator that starts anew', async () => {
    await cluster.run(history.restartOperator())
    const writes = await writesDuring(10 * MINUTE_MS)
    expect(writes.filter(({ client }) => client === OPERATOR)).toEqual([])
    expect(writes.filter((write) => !isLease(write) && !isNodeStatus(write))).toEqual([])
  })

  test('is left alone by an operator that starts anew after SIGKILL', async () => {
    cluster.killOperator(OPERATOR)
    await cluster.run(history.restartOperator())
    const writes = await writesDuring(10 * MINUTE_MS)
    expect(writes.filter((write) => !isLease(write) && !isNodeStatus(write))).toEqual([])
  })

  test.each(['silent', 'refused'] as const)(
    'goes on after the server was away for 30 s (%s): every stream is back, nothing is written',
    async (kind) => {
      const before = openStreams()
      const writesBefore = cluster.writes.length
      const asked = await cluster.run(cluster.outage(kind, 30_000))
      // A reflector tries at most six times a minute for long, and somewhat more often at first. (The user is no part of the product.)
      for (const [what, count] of asked) if (!what.startsWith('user ')) expect(count, what).toBeLessThanOrEqual(15)
      await cluster.world.advance(MINUTE_MS)
      expect(openStreams()).toEqual(before)
      expect(cluster.writes.slice(writesBefore).filter((write) => !isLease(write) && !isNodeStatus(write))).toEqual([])
      await cluster.run(history.scale(2))
    },
  )
})
