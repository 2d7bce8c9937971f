import { customResourceDefinition, defineResource, mergePatch } from 'steersman'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap, Namespace, Pod, Secret, ServiceAccount } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { deployment } from './deployments.js'
import { ControlledWorld, type ControlledWorldOptions } from './world.js'

async function scenario(options: ControlledWorldOptions, play: (cluster: ControlledWorld) => Promise<void>): Promise<void> {
  const cluster = await ControlledWorld.open(options)
  await cluster.run(play(cluster))
  expect(cluster.errors).toEqual([])
}

const Gadget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Gadget',
  scope: 'Namespaced',
  spec: z.object({ size: z.int32().default(1) }),
})

async function inNamespace(name: string, cluster: ControlledWorld): Promise<void> {
  const { client } = cluster
  await client.create(Namespace, { metadata: { name } })
  await cluster.until('the default account', () => client.get(ServiceAccount, { namespace: name, name: 'default' }).catch(() => undefined))
}

describe('Namespace controller', () => {
  test('deletes everything in a namespace, then the namespace', () =>
    scenario({}, async (cluster) => {
      const { client } = cluster
      await inNamespace('team', cluster)
      await client.create(CustomResourceDefinition, customResourceDefinition(Gadget))
      const web = deployment('web', { replicas: 3 })
      await client.create(Deployment, { ...web, metadata: { ...web.metadata, namespace: 'team' } })
      await client.create(Secret, { metadata: { name: 's', namespace: 'team' } })
      await cluster.until('a gadget', () =>
        client.create(Gadget, { metadata: { name: 'g', namespace: 'team' }, spec: {} }).catch(() => undefined),
      )
      await cluster.until('pods', async () => (await client.list(Pod, { namespace: 'team' })).items.length === 3)
      await client.delete(Namespace, { name: 'team' })
      await cluster.gone(Namespace, { name: 'team' })
      for (const type of [Deployment, Pod, Secret, ServiceAccount, ConfigMap, Gadget] as const)
        expect((await client.list(type, { namespace: 'team' })).items).toEqual([])
      // Nothing is put back into it.
      await cluster.user.sleep(5000)
      expect((await client.list(ServiceAccount, { namespace: 'team' })).items).toEqual([])
    }))

  // Texts as kube-controller-manager 1.37 writes them.
  test('says what holds the deletion up, without writing it again and again', () =>
    scenario({ nodes: 0 }, async (cluster) => {
      const { client, world } = cluster
      await inNamespace('held', cluster)
      await client.create(ConfigMap, { metadata: { name: 'c', namespace: 'held', finalizers: ['example.com/x'] } })
      await client.delete(Namespace, { name: 'held' })
      await cluster.user.sleep(10_000)
      const found = await client.get(Namespace, { name: 'held' })
      expect(found.status?.phase).toBe('Terminating')
      expect(found.status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
        ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
        ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
        ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
        ['NamespaceContentRemaining', 'True', 'SomeResourcesRemain', 'Some resources are remaining: configmaps. has 1 resource instances'],
        [
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          'Some content in the namespace has finalizers remaining: example.com/x in 1 resource instances',
        ],
      ])
      const before = world.elapsedMs
      await cluster.user.sleep(600_000)
      expect(cluster.writesSince(before).filter((write) => !write.endsWith('/configmaps'))).toEqual([])
      await client.patch(ConfigMap, { namespace: 'held', name: 'c' }, mergePatch({ metadata: { finalizers: [] } }))
      await cluster.gone(Namespace, { name: 'held' })
    }))

  test('finishes when pods take their time to stop, and when its process is killed', () =>
    scenario({ simulation: { stopLatencyMs: 4000 } }, async (cluster) => {
      const { client } = cluster
      await inNamespace('team', cluster)
      const web = deployment('web', { replicas: 2 })
      await client.create(Deployment, { ...web, metadata: { ...web.metadata, namespace: 'team' } })
      await cluster.until('pods run', async () => {
        const pods = await client.list(Pod, { namespace: 'team' })
        return pods.items.filter(({ status }) => status?.phase === 'Running').length === 2
      })
      await client.delete(Namespace, { name: 'team' })
      await cluster.user.sleep(1500)
      expect((await client.list(Deployment, { namespace: 'team' })).items).toHaveLength(1)
      cluster.kill('controllers')
      cluster.startControllers()
      await cluster.gone(Namespace, { name: 'team' })
    }))
})

describe('ServiceAccount controller', () => {
  test('gives every namespace its default account and the certificate authority, and puts both back', () =>
    scenario({ nodes: 0 }, async (cluster) => {
      const { client } = cluster
      await inNamespace('team', cluster)
      await client.delete(ServiceAccount, { namespace: 'team', name: 'default' })
      await cluster.until('the account is back', () =>
        client.get(ServiceAccount, { namespace: 'team', name: 'default' }).catch(() => undefined),
      )
      const key = { namespace: 'team', name: 'kube-root-ca.crt' }
      const published = await cluster.until('the certificate', () => client.get(ConfigMap, key).catch(() => undefined))
      expect(published.data).toEqual({ 'ca.crt': 'PEM' })
      await client.update(ConfigMap, { ...published, data: { 'ca.crt': 'forged' } })
      await cluster.until('the certificate is right again', async () => (await client.get(ConfigMap, key)).data?.['ca.crt'] === 'PEM')
      await client.delete(ConfigMap, key)
      await cluster.until('the certificate is back', () => client.get(ConfigMap, key).catch(() => undefined))
    }))
})
