import { mergePatch } from 'steersman'
import { Namespace, PersistentVolume, PersistentVolumeClaim, Pod } from 'steersman/api/types/core/v1'
import { VolumeAttributesClass } from 'steersman/api/types/storage/v1'
import { describe, expect, test } from 'vitest'
import { namespace } from './deployments.js'
import { ControlledWorld, type ControlledWorldOptions } from './world.js'

async function scenario(options: ControlledWorldOptions, play: (cluster: ControlledWorld) => Promise<void>): Promise<void> {
  const cluster = await ControlledWorld.open(options)
  await cluster.run(play(cluster))
  expect(cluster.errors).toEqual([])
}

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }

// As kube-controller-manager 1.37 does.
describe('Volume protection', () => {
  test('keeps a claim until no pod on a node uses it', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(PersistentVolumeClaim, { metadata: { name: 'data', namespace }, spec: claimSpec })
      await client.create(Pod, {
        metadata: { name: 'user', namespace },
        spec: {
          containers: [{ name: 'main', image: 'busybox' }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
        },
      })
      await cluster.until('the pod has a node', async () => Boolean((await client.get(Pod, { namespace, name: 'user' })).spec?.nodeName))
      await client.delete(PersistentVolumeClaim, { namespace, name: 'data' })
      await cluster.user.sleep(60_000)
      const kept = await client.get(PersistentVolumeClaim, { namespace, name: 'data' })
      expect(kept.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])
      await client.delete(Pod, { namespace, name: 'user' })
      await cluster.gone(PersistentVolumeClaim, { namespace, name: 'data' })
    }))

  test('lets a claim go with its namespace', () =>
    scenario({ nodes: 0 }, async (cluster) => {
      const { client } = cluster
      await client.create(Namespace, { metadata: { name: 'team' } })
      await client.create(PersistentVolumeClaim, { metadata: { name: 'data', namespace: 'team' }, spec: claimSpec })
      await client.delete(Namespace, { name: 'team' })
      await cluster.gone(Namespace, { name: 'team' })
    }))

  test('keeps a volume while it is bound, and gives back a finalizer that somebody took', () =>
    scenario({ nodes: 0 }, async (cluster) => {
      const { client } = cluster
      const key = { name: 'v' }
      const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } }
      await client.create(PersistentVolume, { metadata: key, spec })
      await client.patch(PersistentVolume, key, mergePatch({ metadata: { finalizers: null } }))
      const isProtected = async () => (await client.get(PersistentVolume, key)).metadata.finalizers?.includes('kubernetes.io/pv-protection')
      await cluster.until('the finalizer is back', async () => (await isProtected()) === true)
      await client.status.patch(PersistentVolume, key, mergePatch({ status: { phase: 'Bound' } }))
      await client.delete(PersistentVolume, key)
      await cluster.user.sleep(60_000)
      expect(await isProtected()).toBe(true)
      await client.status.patch(PersistentVolume, key, mergePatch({ status: { phase: 'Released' } }))
      await cluster.gone(PersistentVolume, key)
    }))

  test('keeps a volume attributes class while a claim has it', () =>
    scenario({ nodes: 0 }, async (cluster) => {
      const { client } = cluster
      await client.create(VolumeAttributesClass, { metadata: { name: 'gold' }, driverName: 'example.com', parameters: { a: 'b' } })
      const spec = { ...claimSpec, volumeAttributesClassName: 'gold' }
      await client.create(PersistentVolumeClaim, { metadata: { name: 'data', namespace }, spec })
      await client.delete(VolumeAttributesClass, { name: 'gold' })
      await cluster.user.sleep(60_000)
      expect((await client.get(VolumeAttributesClass, { name: 'gold' })).metadata.finalizers).toEqual(['kubernetes.io/vac-protection'])
      await client.delete(PersistentVolumeClaim, { namespace, name: 'data' })
      await cluster.gone(VolumeAttributesClass, { name: 'gold' })
    }))
})
