import { mergePatch } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { Lease } from 'steersman/api/types/coordination/v1'
import { Event, Node, Pod } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import { deployment, namespace, podsOf, rolledOut } from './deployments.js'
import { ControlledWorld, type ControlledWorldOptions } from './world.js'

async function scenario(options: ControlledWorldOptions, play: (cluster: ControlledWorld) => Promise<void>): Promise<void> {
  const cluster = await ControlledWorld.open(options)
  await cluster.run(play(cluster))
  expect(cluster.errors).toEqual([])
}

function pod(name: string, spec: object = {}, metadata: object = {}) {
  return { metadata: { name, namespace, ...metadata }, spec: { containers: [{ name: 'main', image: 'job:1' }], ...spec } }
}

function inPhase(cluster: ControlledWorld, name: string, phase: string, withinMs?: number): Promise<Pod> {
  return cluster.until(
    `${name} is ${phase}`,
    async () => {
      const found = await cluster.client.get(Pod, { namespace, name })
      return found.status?.phase === phase ? found : undefined
    },
    withinMs,
  )
}

const scheduled = (found: Pod) => found.status?.conditions?.find(({ type }) => type === 'PodScheduled')
const nodesReady = (cluster: ControlledWorld, count: number): Promise<true> =>
  cluster.until('nodes', async () => (await cluster.client.list(Node)).items.length === count) as Promise<true>

describe('Simulated nodes', () => {
  test('register as a kubelet does and hold a lease', () =>
    scenario({ nodes: 2 }, async (cluster) => {
      const { client } = cluster
      await nodesReady(cluster, 2)
      await cluster.user.sleep(1000)
      const node = await client.get(Node, { name: 'node-1' })
      expect(node.metadata.labels).toMatchObject({
        'kubernetes.io/hostname': 'node-1',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
      })
      expect(node.status?.allocatable).toMatchObject({ cpu: '4', memory: '16Gi', pods: '110' })
      expect(node.status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
        ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
        ['DiskPressure', 'False', 'KubeletHasNoDiskPressure'],
        ['PIDPressure', 'False', 'KubeletHasSufficientPID'],
        ['Ready', 'True', 'KubeletReady'],
      ])
      const lease = await client.get(Lease, { namespace: 'kube-node-lease', name: 'node-1' })
      expect(lease.spec).toMatchObject({ holderIdentity: 'node-1', leaseDurationSeconds: 40 })
      expect(lease.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'Node', name: 'node-1', uid: node.metadata.uid })])
    }))

  test('write nothing in an hour but leases and statuses, and nobody else writes at all', () =>
    scenario({ nodes: 3 }, async (cluster) => {
      const { client, world } = cluster
      await client.create(Deployment, deployment('web', { replicas: 5 }))
      await rolledOut(cluster, 'web')
      await cluster.user.sleep(60_000)
      const before = world.elapsedMs
      await cluster.user.sleep(3_600_000)
      const counts = new Map<string, number>()
      for (const write of cluster.writesSince(before)) counts.set(write, (counts.get(write) ?? 0) + 1)
      expect([...counts.keys()].sort()).toEqual(
        [0, 1, 2]
          .flatMap((index) => [
            `nodes PUT /api/v1/nodes/node-${index}/status`,
            `nodes PUT /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-${index}`,
          ])
          .sort(),
      )
      expect(counts.get('nodes PUT /api/v1/nodes/node-0/status')).toBe(12)
      expect(counts.get('nodes PUT /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-0')).toBeGreaterThan(340)
    }))

  test('run pods with addresses of their own', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 12 }))
      await rolledOut(cluster, 'web')
      const pods = await podsOf(client, 'web')
      expect(new Set(pods.map(({ status }) => status?.podIP)).size).toBe(12)
      const perNode = new Map<string, number>()
      for (const { spec } of pods) perNode.set(spec?.nodeName ?? '', (perNode.get(spec?.nodeName ?? '') ?? 0) + 1)
      expect([...perNode.entries()].sort()).toEqual([
        ['node-0', 4],
        ['node-1', 4],
        ['node-2', 4],
      ])
      const [first] = pods
      expect(first?.status?.conditions?.map(({ type, status }) => [type, status])).toEqual([
        ['PodReadyToStartContainers', 'True'],
        ['Initialized', 'True'],
        ['Ready', 'True'],
        ['ContainersReady', 'True'],
        ['PodScheduled', 'True'],
      ])
    }))

  test('bring pods to their end by annotation or behaviour', () =>
    scenario(
      { simulation: { behaviours: (_, { image }) => (image === 'job:failing' ? { exitAfterMs: 2000, exitCode: 3 } : undefined) } },
      async (cluster) => {
        const { client } = cluster
        const annotations = { 'simulated.steersman.dev/exit-after-ms': '5000', 'simulated.steersman.dev/exit-code': '0' }
        await client.create(Pod, pod('good', { restartPolicy: 'Never' }, { annotations }))
        await client.create(Pod, pod('bad', { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:failing' }] }))
        const bad = await inPhase(cluster, 'bad', 'Failed')
        expect(bad.status?.containerStatuses?.[0]).toMatchObject({
          ready: false,
          restartCount: 0,
          state: { terminated: { exitCode: 3, reason: 'Error' } },
        })
        const good = await inPhase(cluster, 'good', 'Succeeded')
        expect(good.status?.containerStatuses?.[0]?.state).toMatchObject({ terminated: { exitCode: 0, reason: 'Completed' } })
        expect(good.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False', reason: 'PodCompleted' })
      },
    ))

  test('restart a container that fails, later each time', () =>
    scenario({ simulation: { behaviours: () => ({ exitAfterMs: 1000, exitCode: 1 }) } }, async (cluster) => {
      const { client } = cluster
      await client.create(Pod, pod('crashing'))
      const waiting = await cluster.until('crash loop', async () => {
        const found = await client.get(Pod, { namespace, name: 'crashing' })
        return found.status?.containerStatuses?.[0]?.state?.waiting === undefined || found.status.containerStatuses[0].restartCount < 2
          ? undefined
          : found
      })
      expect(waiting.status?.phase).toBe('Running')
      expect(waiting.status?.containerStatuses?.[0]).toMatchObject({
        ready: false,
        state: {
          waiting: {
            reason: 'CrashLoopBackOff',
            message: expect.stringMatching(/^back-off 20s restarting failed container=main pod=crashing_default/),
          },
        },
        lastState: { terminated: { exitCode: 1 } },
      })
      await cluster.user.sleep(3_600_000)
      const later = await client.get(Pod, { namespace, name: 'crashing' })
      // 10 s, 20 s, …, 160 s, then every 5 minutes.
      expect(later.status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(12)
      expect(later.status?.containerStatuses?.[0]?.restartCount).toBeLessThan(20)
    }))

  test('stop a deleted pod within its grace period', () =>
    scenario({ simulation: { stopLatencyMs: 5000 } }, async (cluster) => {
      const { client, world } = cluster
      for (const [name, gracePeriodSeconds, expectedMs] of [
        ['slow', 30, 5000],
        ['hasty', 2, 2000],
        ['now', 0, 0],
      ] as const) {
        await client.create(Pod, pod(name))
        await inPhase(cluster, name, 'Running')
        const startMs = world.elapsedMs
        await client.delete(Pod, { namespace, name }, { gracePeriodSeconds })
        await cluster.gone(Pod, { namespace, name })
        expect(world.elapsedMs - startMs).toBeGreaterThanOrEqual(expectedMs)
        expect(world.elapsedMs - startMs).toBeLessThan(expectedMs + 200)
      }
    }))

  test('report the end of a deleted pod that a finalizer holds', () =>
    scenario({}, async (cluster) => {
      const { client, world } = cluster
      await client.create(Pod, pod('held', {}, { finalizers: ['example.com/hold'] }))
      await inPhase(cluster, 'held', 'Running')
      await client.delete(Pod, { namespace, name: 'held' })
      const held = await inPhase(cluster, 'held', 'Failed')
      expect(held.status?.containerStatuses?.[0]?.state).toMatchObject({ terminated: { exitCode: 143 } })
      const before = world.elapsedMs + 5000
      await cluster.user.sleep(60_000)
      expect(cluster.writesSince(before).filter((write) => write.includes('/pods'))).toEqual([])
      await client.patch(Pod, { namespace, name: 'held' }, mergePatch({ metadata: { finalizers: [] } }))
      await cluster.gone(Pod, { namespace, name: 'held' })
    }))

  test('go on after a restart of their process without disturbing pods', () =>
    scenario({}, async (cluster) => {
      const { client, world } = cluster
      await client.create(Deployment, deployment('web', { replicas: 4 }))
      await rolledOut(cluster, 'web')
      await cluster.user.sleep(2000)
      const before = await podsOf(client, 'web')
      const since = world.elapsedMs
      cluster.kill('nodes')
      await cluster.user.sleep(30_000)
      cluster.startNodes()
      await cluster.user.sleep(30_000)
      expect(await podsOf(client, 'web')).toEqual(before)
      expect(cluster.writesSince(since).filter((write) => write.includes('/pods'))).toEqual([])
      await client.create(Deployment, deployment('more', { replicas: 4 }))
      await rolledOut(cluster, 'more')
      const addresses = [...before, ...(await podsOf(client, 'more'))].map(({ status }) => status?.podIP)
      expect(new Set(addresses).size).toBe(8)
    }))

  test('stay away when their Node is deleted', () =>
    scenario({ nodes: 2 }, async (cluster) => {
      const { client } = cluster
      await nodesReady(cluster, 2)
      await cluster.user.sleep(1000)
      await client.delete(Node, { name: 'node-1' })
      await cluster.user.sleep(60_000)
      expect((await client.list(Node)).items.map(({ metadata }) => metadata.name)).toEqual(['node-0'])
      // Its lease goes with it.
      expect((await client.list(Lease, { namespace: 'kube-node-lease' })).items.map(({ metadata }) => metadata.name)).toEqual(['node-0'])
    }))
})

describe('Scheduler', () => {
  const reserved = (cpu: string) => ({ containers: [{ name: 'main', image: 'app:1', resources: { requests: { cpu } } }] })

  // Text as kube-scheduler 1.37 puts it together.
  test('says why a pod fits nowhere, and places it when it does', () =>
    scenario({ nodes: 2 }, async (cluster) => {
      const { client, world } = cluster
      await nodesReady(cluster, 2)
      await client.patch(Node, { name: 'node-1' }, mergePatch({ spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] } }))
      await cluster.user.sleep(500)
      await client.create(Pod, pod('first', reserved('3')))
      await inPhase(cluster, 'first', 'Running')
      await client.create(Pod, pod('second', reserved('2')))
      const waiting = await cluster.until('a reason', async () => {
        const found = await client.get(Pod, { namespace, name: 'second' })
        return scheduled(found)?.status === 'False' ? found : undefined
      })
      const message =
        '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.'
      expect(scheduled(waiting)).toMatchObject({ status: 'False', reason: 'Unschedulable', message })
      const before = world.elapsedMs + 1000
      await cluster.user.sleep(600_000)
      expect(cluster.writesSince(before).filter((write) => !write.includes('node'))).toEqual([])
      const events = await client.list(Event, { namespace })
      expect(events.items.filter(({ reason }) => reason === 'FailedScheduling').map((event) => [event.type, event.message])).toEqual([
        ['Warning', message],
      ])
      await client.delete(Pod, { namespace, name: 'first' })
      await inPhase(cluster, 'second', 'Running')
      await client.create(Pod, pod('third', reserved('3')))
      await cluster.user.sleep(1000)
      await client.patch(Node, { name: 'node-1' }, mergePatch({ spec: { taints: null } }))
      expect((await inPhase(cluster, 'third', 'Running')).spec?.nodeName).toBe('node-1')
    }))

  test('leaves cordoned nodes out and obeys selectors and affinity', () =>
    scenario({ nodes: 3 }, async (cluster) => {
      const { client } = cluster
      await nodesReady(cluster, 3)
      await client.patch(Node, { name: 'node-0' }, mergePatch({ spec: { unschedulable: true } }))
      await client.patch(Node, { name: 'node-2' }, mergePatch({ metadata: { labels: { disk: 'ssd', size: '8' } } }))
      await cluster.user.sleep(500)
      await client.create(Pod, pod('anywhere'))
      expect((await inPhase(cluster, 'anywhere', 'Running')).spec?.nodeName).not.toBe('node-0')
      await client.create(Pod, pod('picky', { nodeSelector: { disk: 'ssd' } }))
      expect((await inPhase(cluster, 'picky', 'Running')).spec?.nodeName).toBe('node-2')
      const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'size', operator: 'Gt', values: ['4'] }] }] }
      await client.create(Pod, pod('big', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }))
      expect((await inPhase(cluster, 'big', 'Running')).spec?.nodeName).toBe('node-2')
      await client.create(
        Pod,
        pod('tolerant', { nodeSelector: { 'kubernetes.io/hostname': 'node-0' }, tolerations: [{ operator: 'Exists' }] }),
      )
      expect((await inPhase(cluster, 'tolerant', 'Running')).spec?.nodeName).toBe('node-0')
    }))

  test('leaves pods of other schedulers and gated pods alone', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await nodesReady(cluster, 3)
      await client.create(Pod, pod('foreign', { schedulerName: 'other' }))
      await client.create(Pod, pod('gated', { schedulingGates: [{ name: 'example.com/later' }] }))
      await cluster.user.sleep(10_000)
      for (const name of ['foreign', 'gated']) expect((await client.get(Pod, { namespace, name })).spec?.nodeName ?? '').toBe('')
    }))

  test('never gives a node more than it has, with many pods at once', () =>
    scenario({ nodes: 2 }, async (cluster) => {
      const { client } = cluster
      await client.create(
        Deployment,
        deployment('web', { replicas: 30, template: { metadata: { labels: { app: 'web' } }, spec: reserved('500m') } }),
      )
      await cluster.until(
        'as many as fit',
        async () => (await podsOf(client, 'web')).filter(({ status }) => status?.phase === 'Running').length === 16,
      )
      await cluster.user.sleep(5000)
      const pods = await podsOf(client, 'web')
      for (const node of ['node-0', 'node-1']) expect(pods.filter(({ spec }) => spec?.nodeName === node)).toHaveLength(8)
    }))
})
