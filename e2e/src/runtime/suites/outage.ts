import { setTimeout as delay } from 'node:timers/promises'
import { controllerManagedBy, controllerReference, createOrUpdate, ignoreNotFound, mergePatch } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { createTransport } from 'steersman/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import { RequestLog } from '../request-log.js'
import { TcpProxy } from '../tcp-proxy.js'
import type { ClusterKind } from '../test-cluster.js'
import { until } from '../until.js'

const outageMs = 1_500

/** The server goes away in the middle of everything and comes back. */
export function outageSuite(kind: ClusterKind): void {
  describe.runIf(kind.isServed)(`Outage (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('loses nothing, asks seldom, and every informer resumes', async () => {
      const { client, cluster } = fixture
      if (cluster.clientConfig === undefined) throw new Error('A served cluster has a configuration')
      const namespace = await fixture.namespace()
      const proxy = new TcpProxy(cluster.clientConfig.server)
      await proxy.open()
      onTestFinished(() => proxy.close())
      const requests = new RequestLog()
      const transport = requests.wrap(createTransport(cluster.environment, { ...cluster.clientConfig, server: proxy.url }))
      const { manager, stop } = fixture.run(
        (manager) =>
          controllerManagedBy(manager)
            .for(Gadget)
            .owns(ConfigMap)
            .complete(async (request, context) => {
              const gadget = await context.client.get(Gadget, request).catch(ignoreNotFound)
              if (gadget === undefined) return void (await context.client.delete(ConfigMap, request).catch(ignoreNotFound))
              await createOrUpdate(context.client, ConfigMap, request, (draft) => {
                draft.metadata.ownerReferences = [controllerReference(Gadget, gadget)]
                draft.data = { size: String(gadget.spec.size) }
              })
              if (gadget.status?.phase !== 'Done') await context.client.status.update(Gadget, { ...gadget, status: { phase: 'Done' } })
            }),
        { transport, cache: { kinds: [Deployment], namespace } },
      )
      const names = ['stays', 'changes', 'goes']
      for (const name of names) await client.create(Gadget, { metadata: { namespace, name }, spec: {} })
      const size = async (name: string) => (await client.get(ConfigMap, { namespace, name })).data?.size
      await until(
        'the first state',
        async () => (await size('stays')) === '1' && (await size('changes')) === '1' && (await size('goes')) === '1',
      )
      await until('all informers to watch', () => manager.cache.health().every(({ state }) => state === 'watching'))

      // In the middle of everything: work is under way when the connections break.
      for (let index = 0; index < 10; index++) await client.create(Gadget, { metadata: { namespace, name: `mid-${index}` }, spec: {} })
      await proxy.close()
      requests.clear()
      await client.create(Gadget, { metadata: { namespace, name: 'comes' }, spec: { size: 4 } })
      await client.patch(Gadget, { namespace, name: 'changes' }, mergePatch({ spec: { size: 9 } }))
      await client.delete(Gadget, { namespace, name: 'goes' })
      await client.delete(ConfigMap, { namespace, name: 'stays' })
      await until('all informers to notice', () => manager.cache.health().every(({ state }) => state === 'backing-off'))
      // The one wait for a time: an outage lasts.
      await delay(outageMs)

      const watches = requests.requests.filter(({ query }) => query?.get('watch') === 'true')
      for (const plural of ['gadgets', 'configmaps', 'deployments']) {
        expect(watches.filter(({ path }) => path.endsWith(`/${plural}`)).length).toBeLessThanOrEqual(3)
      }
      // Each key that was under way retries with waits that double from 5 ms on: no more than a dozen times in the outage, with a few calls each.
      expect(requests.requests.length).toBeLessThan(12 * 14 * 3)
      await proxy.open()

      await until('what came', async () => (await size('comes')) === '4')
      await until('what changed', async () => (await size('changes')) === '9')
      await until('what was missed', async () => (await size('stays')) === '1')
      await until('what went', async () => (await client.get(ConfigMap, { namespace, name: 'goes' }).catch(ignoreNotFound)) === undefined)
      for (let index = 0; index < 10; index++) await until(`mid-${index}`, async () => (await size(`mid-${index}`)) === '1')
      await until('all informers to watch', () => manager.cache.health().every(({ state }) => state === 'watching'))
      const cached = manager.cache.informer(Gadget).list(namespace)
      expect(cached.map(({ metadata }) => metadata.name)).toHaveLength(13)
      await stop()
    })
  })
}
