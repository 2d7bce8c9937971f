import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import { deployment, eventsAbout, namespace, podsOf, progressing, replicaSetsOf, rolledOut, setImage, setSpec } from './deployments.js'
import { ControlledWorld, type ControlledWorldOptions } from './world.js'

async function scenario(options: ControlledWorldOptions, play: (cluster: ControlledWorld) => Promise<void>): Promise<void> {
  const cluster = await ControlledWorld.open(options)
  await cluster.run(play(cluster))
  expect(cluster.errors).toEqual([])
}

const revision = (object: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }) =>
  object.metadata.annotations?.['deployment.kubernetes.io/revision']

describe('Deployment controller', () => {
  // Statuses, conditions and events as kube-controller-manager 1.37 gives them.
  test('rolls a Deployment out and tells how it went', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 3 }))
      const done = await rolledOut(cluster, 'web')
      expect(revision(done)).toBe('1')
      expect(done.metadata.generation).toBe(1)
      const [replicaSet] = await replicaSetsOf(client, 'web')
      const name = replicaSet?.metadata.name
      expect(done.status).toEqual({
        observedGeneration: 1,
        replicas: 3,
        updatedReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        terminatingReplicas: 0,
        conditions: [
          expect.objectContaining({
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          }),
          expect.objectContaining({
            type: 'Progressing',
            status: 'True',
            reason: 'NewReplicaSetAvailable',
            message: `ReplicaSet "${name}" has successfully progressed.`,
          }),
        ],
      })
      expect(replicaSet?.status).toEqual({
        replicas: 3,
        fullyLabeledReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        terminatingReplicas: 0,
        observedGeneration: 1,
      })
      expect(replicaSet?.metadata.annotations).toEqual({
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
        'deployment.kubernetes.io/revision': '1',
      })
      await cluster.user.sleep(1000)
      expect(await eventsAbout(client, 'Deployment')).toEqual([`ScalingReplicaSet: Scaled up replica set ${name} from 0 to 3`])
      expect((await eventsAbout(client, 'ReplicaSet')).sort()).toEqual(
        (await podsOf(client, 'web')).map((pod) => `SuccessfulCreate: Created pod: ${pod.metadata.name}`).sort(),
      )
    }))

  test.each([1, 2, 3, 4, 5])('never has too few available nor too many pods while a new image rolls out, seed %i', (seed) =>
    scenario({ seed }, async (cluster) => {
      const { client } = cluster
      await client.create(
        Deployment,
        deployment('web', { replicas: 8, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } }),
      )
      await rolledOut(cluster, 'web')
      let fewest = 8
      let most = 0
      await cluster.follow(Pod, (pods) => {
        const own = pods.filter(({ metadata }) => metadata.labels?.app === 'web' && metadata.deletionTimestamp === undefined)
        const ready = own.filter(({ status }) => status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'))
        fewest = Math.min(fewest, ready.length)
      })
      // What is asked for counts: one ReplicaSet may already have created what another has not deleted yet, as in every cluster.
      await cluster.follow(ReplicaSet, (replicaSets) => {
        most = Math.max(
          most,
          replicaSets.reduce((sum, { spec }) => sum + (spec?.replicas ?? 0), 0),
        )
      })
      await setImage(cluster, 'web', 'nginx:2')
      const done = await rolledOut(cluster, 'web')
      expect(revision(done)).toBe('2')
      expect(fewest).toBeGreaterThanOrEqual(7)
      expect(most).toBeLessThanOrEqual(10)
      expect(most).toBeGreaterThan(8)
      const sizes = (await replicaSetsOf(client, 'web')).map(({ spec }) => spec?.replicas).sort()
      expect(sizes).toEqual([0, 8])
    }),
  )

  test('goes back to an old template with its old ReplicaSet and a new revision', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 2 }))
      await rolledOut(cluster, 'web')
      await setImage(cluster, 'web', 'nginx:2')
      await rolledOut(cluster, 'web')
      await setImage(cluster, 'web', 'nginx:1')
      expect(revision(await rolledOut(cluster, 'web'))).toBe('3')
      const replicaSets = await replicaSetsOf(client, 'web')
      expect(replicaSets).toHaveLength(2)
      const current = replicaSets.find(({ spec }) => spec?.replicas === 2)
      expect(current?.spec?.template?.spec?.containers[0]?.image).toBe('nginx:1')
      expect(current?.metadata.annotations).toMatchObject({
        'deployment.kubernetes.io/revision': '3',
        'deployment.kubernetes.io/revision-history': '1',
      })
    }))

  test('scales, and shares a change of size among old and new pods in the middle of a rollout', () =>
    scenario(
      { simulation: { behaviours: (_, { image }) => (image === 'nginx:broken' ? { pullError: 'ErrImagePull' } : undefined) } },
      async (cluster) => {
        const { client } = cluster
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } }
        await client.create(Deployment, deployment('web', { replicas: 10, strategy }))
        await rolledOut(cluster, 'web')
        await setImage(cluster, 'web', 'nginx:broken')
        const sizes = async (): Promise<string> =>
          (await replicaSetsOf(client, 'web'))
            .map(({ spec }) => `${spec?.template?.spec?.containers[0]?.image}=${spec?.replicas}`)
            .sort()
            .join(' ')
        // Documented for these figures: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#proportional-scaling
        await cluster.until('the rollout is stuck', async () => (await sizes()) === 'nginx:1=8 nginx:broken=5')
        await setSpec(cluster, 'web', { replicas: 15 })
        await cluster.until('both are scaled', async () => (await sizes()) === 'nginx:1=11 nginx:broken=7')
        await cluster.user.sleep(5000)
        expect(await sizes()).toBe('nginx:1=11 nginx:broken=7')
      },
    ))

  test('recreates: no pod of the new template before the last old one is gone', () =>
    scenario({ simulation: { stopLatencyMs: 3000 } }, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 3, strategy: { type: 'Recreate' } }))
      await rolledOut(cluster, 'web')
      let together = 0
      await cluster.follow(Pod, (pods) => {
        const images = new Set(pods.map(({ spec }) => spec?.containers[0]?.image))
        together = Math.max(together, images.size)
      })
      await setImage(cluster, 'web', 'nginx:2')
      await rolledOut(cluster, 'web')
      expect(together).toBe(1)
      expect((await podsOf(client, 'web')).map(({ spec }) => spec?.containers[0]?.image)).toEqual(['nginx:2', 'nginx:2', 'nginx:2'])
    }))

  test('waits while paused and goes on when resumed', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 2 }))
      await rolledOut(cluster, 'web')
      await setSpec(cluster, 'web', { paused: true })
      await cluster.until(
        'paused',
        async () => progressing(await client.get(Deployment, { namespace, name: 'web' }))?.reason === 'DeploymentPaused',
      )
      await setImage(cluster, 'web', 'nginx:2')
      await setSpec(cluster, 'web', { replicas: 4 })
      await cluster.until('scaled', async () => (await podsOf(client, 'web')).length === 4)
      await cluster.user.sleep(5000)
      expect((await podsOf(client, 'web')).every(({ spec }) => spec?.containers[0]?.image === 'nginx:1')).toBe(true)
      await setSpec(cluster, 'web', { paused: false })
      await rolledOut(cluster, 'web')
      const staying = (await podsOf(client, 'web')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      expect(staying.every(({ spec }) => spec?.containers[0]?.image === 'nginx:2')).toBe(true)
    }))

  test('says that a rollout without progress is late, and recovers', () =>
    scenario(
      { simulation: { behaviours: (_, { image }) => (image === 'nginx:broken' ? { pullError: 'ErrImagePull' } : undefined) } },
      async (cluster) => {
        const { client } = cluster
        await client.create(Deployment, deployment('web', { replicas: 2, progressDeadlineSeconds: 60 }))
        await rolledOut(cluster, 'web')
        await setImage(cluster, 'web', 'nginx:broken')
        const late = await cluster.until(
          'late',
          async () => {
            const condition = progressing(await client.get(Deployment, { namespace, name: 'web' }))
            return condition?.reason === 'ProgressDeadlineExceeded' ? condition : undefined
          },
          90_000,
        )
        expect(late).toMatchObject({
          status: 'False',
          message: expect.stringMatching(/^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/),
        })
        await setImage(cluster, 'web', 'nginx:2')
        await rolledOut(cluster, 'web')
      },
    ))

  test('keeps as many old ReplicaSets as it is told to', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 1, revisionHistoryLimit: 2 }))
      await rolledOut(cluster, 'web')
      for (const image of ['nginx:2', 'nginx:3', 'nginx:4', 'nginx:5']) {
        await setImage(cluster, 'web', image)
        await rolledOut(cluster, 'web')
      }
      await cluster.until('old ones are gone', async () => (await replicaSetsOf(client, 'web')).length === 3)
      const kept = (await replicaSetsOf(client, 'web')).map(revision).sort()
      expect(kept).toEqual(['3', '4', '5'])
    }))

  test('takes a ReplicaSet without owner over, and lets go of one that no longer matches', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 2 }))
      await rolledOut(cluster, 'web')
      const [pod] = await podsOf(client, 'web')
      const labels = { app: 'other' }
      await client.update(Pod, { ...pod!, metadata: { ...pod!.metadata, labels } })
      await cluster.until('a third pod', async () => (await client.list(Pod, { namespace })).items.length === 3)
      const released = await client.get(Pod, { namespace, name: pod!.metadata.name })
      expect(released.metadata.ownerReferences ?? []).toEqual([])
      // It comes back, and one pod is too many.
      await client.update(Pod, { ...released, metadata: { ...released.metadata, labels: pod!.metadata.labels! } })
      await cluster.until('two pods again', async () => (await client.list(Pod, { namespace })).items.length === 2)
      await cluster.user.sleep(1000)
      expect((await podsOf(client, 'web')).every(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'ReplicaSet')).toBe(true)
    }))

  test.each([1, 2, 3])('finishes what a killed process began, seed %i', (seed) =>
    scenario({ seed }, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 6 }))
      await rolledOut(cluster, 'web')
      await setImage(cluster, 'web', 'nginx:2')
      for (let kill = 0; kill < 5; kill += 1) {
        await cluster.user.sleep(7 + 13 * seed + kill * 11)
        cluster.kill('controllers')
        cluster.kill('nodes')
        cluster.startControllers()
        cluster.startNodes()
      }
      await rolledOut(cluster, 'web')
      await cluster.until('the last old pod is gone', async () => (await podsOf(client, 'web')).length === 6)
      await cluster.user.sleep(10_000)
      expect(await podsOf(client, 'web')).toHaveLength(6)
    }),
  )

  test('takes the same course with the same seed', async () => {
    const course = async (seed: number): Promise<string> => {
      const cluster = await ControlledWorld.open({ seed })
      const { client } = cluster
      await cluster.run(
        (async () => {
          await client.create(Deployment, deployment('web', { replicas: 4 }))
          await rolledOut(cluster, 'web')
          await setImage(cluster, 'web', 'nginx:2')
          await rolledOut(cluster, 'web')
          await client.delete(Deployment, { namespace, name: 'web' })
          await cluster.until('all is gone', async () => (await podsOf(client, 'web')).length === 0)
        })(),
      )
      return cluster.world.trace.hash
    }
    expect(await course(1)).toBe(await course(1))
    expect(await course(2)).not.toBe(await course(1))
  })
})
