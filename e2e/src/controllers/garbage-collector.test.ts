import { type Client, controllerReference, customResourceDefinition, defineResource, mergePatch, ownerReference } from 'steersman'
import type { OwnerReference } from 'steersman/api'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { ConfigMap, Event, Namespace, Node, Pod, Secret } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { deployment, namespace, podsOf, replicaSetsOf, rolledOut } from './deployments.js'
import { ControlledWorld, type ControlledWorldOptions } from './world.js'

async function scenario(options: ControlledWorldOptions, play: (cluster: ControlledWorld) => Promise<void>): Promise<void> {
  const cluster = await ControlledWorld.open(options)
  await cluster.run(play(cluster))
  expect(cluster.errors).toEqual([])
}

const onlyCollector: ControlledWorldOptions = { nodes: 0, controllers: ['garbagecollector', 'namespace'] }

function configMap(client: Client, name: string, owners: readonly OwnerReference[] = [], more: object = {}) {
  return client.create(ConfigMap, { metadata: { name, namespace, ownerReferences: owners, ...more } })
}

async function names(client: Client): Promise<readonly string[]> {
  return (await client.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name)
}

const owned = (owner: ConfigMap, more: object = {}): OwnerReference => ({ ...ownerReference(ConfigMap, owner), ...more })
const Gadget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Gadget',
  scope: 'Namespaced',
  spec: z.object({ size: z.int32().default(1) }),
})

describe('Garbage collector', () => {
  test('deletes what a Deployment made when it goes in the background', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 3 }))
      await rolledOut(cluster, 'web')
      await client.delete(Deployment, { namespace, name: 'web' })
      await cluster.until('nothing is left', async () => {
        const left = [...(await replicaSetsOf(client, 'web')), ...(await podsOf(client, 'web'))]
        return left.length === 0
      })
    }))

  test('deletes dependents first when an owner goes in the foreground', () =>
    scenario({ simulation: { stopLatencyMs: 2000 } }, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 3 }))
      await rolledOut(cluster, 'web')
      const gone: string[] = []
      for (const type of [Deployment, ReplicaSet, Pod] as const) {
        let before = Number.POSITIVE_INFINITY
        await cluster.follow(type, (present) => {
          if (present.length < before && present.length === 0) gone.push(type.kind)
          before = present.length
        })
      }
      await client.delete(Deployment, { namespace, name: 'web' }, { propagationPolicy: 'Foreground' })
      await cluster.gone(Deployment, { namespace, name: 'web' })
      await cluster.user.sleep(100)
      expect(gone).toEqual(['Pod', 'ReplicaSet', 'Deployment'])
    }))

  test('leaves dependents alone when their owner is deleted without them', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await client.create(Deployment, deployment('web', { replicas: 2 }))
      await rolledOut(cluster, 'web')
      await client.delete(Deployment, { namespace, name: 'web' }, { propagationPolicy: 'Orphan' })
      await cluster.gone(Deployment, { namespace, name: 'web' })
      await cluster.user.sleep(60_000)
      const [replicaSet] = await replicaSetsOf(client, 'web')
      expect(replicaSet?.metadata.ownerReferences ?? []).toEqual([])
      expect(await podsOf(client, 'web')).toHaveLength(2)
      // A new Deployment takes the orphan over.
      await client.create(Deployment, deployment('web', { replicas: 2 }))
      await rolledOut(cluster, 'web')
      expect(await replicaSetsOf(client, 'web')).toHaveLength(1)
    }))

  test('collects a dependent that is created after its owner died', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      const owner = await configMap(client, 'owner')
      await client.delete(ConfigMap, { namespace, name: 'owner' })
      await cluster.user.sleep(1000)
      await configMap(client, 'late', [owned(owner)])
      await cluster.gone(ConfigMap, { namespace, name: 'late' })
    }))

  test('takes an owner of the same name and another uid for absent', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      const owner = await configMap(client, 'owner')
      await client.delete(ConfigMap, { namespace, name: 'owner' })
      await configMap(client, 'owner')
      await configMap(client, 'late', [owned(owner)])
      await cluster.gone(ConfigMap, { namespace, name: 'late' })
      expect(await names(client)).toContain('owner')
    }))

  test('keeps an object with one owner left, and takes the reference to the other away', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      const [first, second] = [await configMap(client, 'first'), await configMap(client, 'second')]
      await configMap(client, 'shared', [owned(first), owned(second)])
      await client.delete(ConfigMap, { namespace, name: 'first' })
      const shared = await cluster.until('one reference', async () => {
        const found = await client.get(ConfigMap, { namespace, name: 'shared' })
        return found.metadata.ownerReferences?.length === 1 ? found : undefined
      })
      expect(shared.metadata.ownerReferences?.[0]?.name).toBe('second')
    }))

  test('does not let an owner in the foreground wait for a dependent that another owner keeps', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      const [first, second] = [await configMap(client, 'first'), await configMap(client, 'second')]
      await configMap(client, 'shared', [owned(first, { blockOwnerDeletion: true }), owned(second)])
      await client.delete(ConfigMap, { namespace, name: 'first' }, { propagationPolicy: 'Foreground' })
      await cluster.gone(ConfigMap, { namespace, name: 'first' })
      expect((await client.get(ConfigMap, { namespace, name: 'shared' })).metadata.ownerReferences).toHaveLength(1)
    }))

  test('collects a circle whose member is deleted, in the background and in the foreground', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      for (const propagationPolicy of ['Background', 'Foreground'] as const) {
        const a = await configMap(client, 'a')
        const b = await configMap(client, 'b', [owned(a, { blockOwnerDeletion: true })])
        const c = await configMap(client, 'c', [owned(b, { blockOwnerDeletion: true })])
        const reference = owned(c, { blockOwnerDeletion: true })
        await client.patch(ConfigMap, { namespace, name: 'a' }, mergePatch({ metadata: { ownerReferences: [reference] } }))
        await cluster.user.sleep(1000)
        await client.delete(ConfigMap, { namespace, name: 'a' }, { propagationPolicy })
        for (const name of ['a', 'b', 'c']) await cluster.gone(ConfigMap, { namespace, name })
      }
    }))

  test('takes an owner in another namespace for absent, and says so', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      await client.create(Namespace, { metadata: { name: 'elsewhere' } })
      const owner = await client.create(ConfigMap, { metadata: { name: 'owner', namespace: 'elsewhere' } })
      await cluster.user.sleep(1000)
      await configMap(client, 'stray', [owned(owner)])
      await cluster.gone(ConfigMap, { namespace, name: 'stray' })
      await cluster.user.sleep(1000)
      const events = await client.list(Event, { namespace })
      expect(events.items.map(({ reason, message }) => `${reason}: ${message}`)).toContain(
        `OwnerRefInvalidNamespace: ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "default"`,
      )
    }))

  test('never deletes a cluster-scoped object for an owner in a namespace', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      const owner = await configMap(client, 'owner')
      await client.delete(ConfigMap, { namespace, name: 'owner' })
      await client.create(Node, { metadata: { name: 'stray', ownerReferences: [owned(owner)] } })
      await cluster.user.sleep(600_000)
      expect((await client.get(Node, { name: 'stray' })).metadata.ownerReferences).toHaveLength(1)
    }))

  test('never deletes for an owner of a kind that the server does not know, and acts when the kind appears', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      const reference: OwnerReference = { apiVersion: 'example.com/v1', kind: 'Gadget', name: 'g', uid: '1234' }
      await configMap(client, 'waiting', [reference])
      await cluster.user.sleep(600_000)
      expect(await names(client)).toContain('waiting')
      await client.create(CustomResourceDefinition, customResourceDefinition(Gadget))
      await cluster.gone(ConfigMap, { namespace, name: 'waiting' })
    }))

  test('follows custom resources that come and go', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client } = cluster
      for (let round = 0; round < 2; round += 1) {
        const definition = await client.create(CustomResourceDefinition, customResourceDefinition(Gadget))
        const gadget = await cluster.until('gadgets are served', () =>
          client.create(Gadget, { metadata: { name: 'g', namespace }, spec: {} }).catch(() => undefined),
        )
        await configMap(client, 'part', [controllerReference(Gadget, gadget)])
        await cluster.user.sleep(1000)
        await client.delete(Gadget, { namespace, name: 'g' })
        await cluster.gone(ConfigMap, { namespace, name: 'part' })
        const again = await client.create(Gadget, { metadata: { name: 'g', namespace }, spec: {} })
        await configMap(client, 'part', [controllerReference(Gadget, again)])
        await cluster.user.sleep(1000)
        // The instances go with their definition, and their dependents with them.
        await client.delete(CustomResourceDefinition, { name: definition.metadata.name })
        await cluster.gone(ConfigMap, { namespace, name: 'part' })
        await cluster.gone(CustomResourceDefinition, { name: definition.metadata.name })
      }
    }))

  test('deletes a thousand dependents, several at a time', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client, world } = cluster
      const owner = await configMap(client, 'owner')
      for (let start = 0; start < 1000; start += 100)
        await Promise.all(Array.from({ length: 100 }, (_, index) => configMap(client, `dependent-${start + index}`, [owned(owner)])))
      await cluster.user.sleep(5000)
      const startMs = world.elapsedMs
      await client.delete(ConfigMap, { namespace, name: 'owner' })
      await cluster.until('all are gone', async () => (await client.list(ConfigMap, { namespace, limit: 1 })).items.length === 0)
      // Each takes a read and a delete of 0 to 4 ms: one after the other they would take about 4 s.
      expect(world.elapsedMs - startMs).toBeLessThan(800)
    }))

  test.each([1, 2, 3])('finishes what a killed process began, seed %i', (seed) =>
    scenario({ ...onlyCollector, seed }, async (cluster) => {
      const { client } = cluster
      const owner = await configMap(client, 'owner')
      const middle = await configMap(client, 'middle', [owned(owner, { blockOwnerDeletion: true })])
      for (let index = 0; index < 30; index += 1) await configMap(client, `leaf-${index}`, [owned(middle, { blockOwnerDeletion: true })])
      await cluster.user.sleep(1000)
      await client.delete(ConfigMap, { namespace, name: 'owner' }, { propagationPolicy: 'Foreground' })
      for (let kill = 0; kill < 4; kill += 1) {
        await cluster.user.sleep(3 + seed + kill * 2)
        cluster.kill('controllers')
        cluster.startControllers()
      }
      await cluster.until('all are gone', async () => (await names(client)).length === 0)
    }),
  )

  test('waits for a finalizer of a dependent without asking the server again and again', () =>
    scenario(onlyCollector, async (cluster) => {
      const { client, world } = cluster
      const owner = await configMap(client, 'owner')
      await configMap(client, 'held', [owned(owner, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] })
      await client.create(Secret, { metadata: { name: 'unrelated', namespace } })
      await cluster.user.sleep(1000)
      await client.delete(ConfigMap, { namespace, name: 'owner' }, { propagationPolicy: 'Foreground' })
      await cluster.user.sleep(10_000)
      const before = world.elapsedMs
      await cluster.user.sleep(600_000)
      expect(cluster.writesSince(before)).toEqual([])
      expect(await names(client)).toEqual(['held', 'owner'])
      await client.patch(ConfigMap, { namespace, name: 'held' }, mergePatch({ metadata: { finalizers: [] } }))
      await cluster.gone(ConfigMap, { namespace, name: 'owner' })
    }))
})
