import { addFinalizer, ignoreNotFound, isNotFound, mergePatch, removeFinalizer } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import { RequestLog } from '../request-log.js'
import type { ClusterKind } from '../test-cluster.js'
import { until } from '../until.js'

const rounds = 200

/** A read through the manager's client sees the writes before it, although it comes from the cache. */
export function ownWritesSuite(kind: ClusterKind): void {
  describe(`Reading one's own writes (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it(`sees every write in ${rounds} rounds of create, update, patch and delete`, async () => {
      const requests = new RequestLog()
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { transport: requests.wrap(fixture.cluster.transport()), cache: { kinds: [Gadget] } })
      await until('the cache to sync', () => manager.cache.informer(Gadget).hasSynced)
      const { client } = manager
      requests.clear()

      for (let round = 0; round < rounds; round++) {
        const key = { namespace, name: `g-${round % 5}` }
        const created = await client.create(Gadget, { metadata: key, spec: { size: 1 } })
        const read = await client.get(Gadget, key)
        expect(read.metadata.uid).toBe(created.metadata.uid)

        await client.update(Gadget, { ...read, spec: { size: 2 } })
        expect((await client.get(Gadget, key)).spec.size).toBe(2)

        await client.patch(Gadget, key, mergePatch({ spec: { size: 3 } }))
        await client.status.patch(Gadget, key, mergePatch({ status: { phase: `round ${round}` } }))
        const { items } = await client.list(Gadget, { namespace })
        expect(items).toMatchObject([{ spec: { size: 3 }, status: { phase: `round ${round}` } }])

        const held = await addFinalizer(client, Gadget, items[0]!, 'e2e.steersman.dev/held')
        await client.delete(Gadget, key)
        const terminating = await client.get(Gadget, key)
        expect(terminating.metadata.deletionTimestamp).toBeDefined()
        expect(terminating.metadata.uid).toBe(held.metadata.uid)
        await removeFinalizer(client, Gadget, terminating, 'e2e.steersman.dev/held')
        expect(await client.get(Gadget, key).catch(ignoreNotFound)).toBeUndefined()
        expect((await client.list(Gadget, { namespace })).items).toEqual([])
      }
      expect(requests.count('GET')).toBe(0)
    })

    it('sees a deletion without finalizers', async () => {
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { cache: { kinds: [Gadget] } })
      await until('the cache to sync', () => manager.cache.informer(Gadget).hasSynced)
      const { client } = manager
      for (let round = 0; round < 50; round++) {
        const key = { namespace, name: 'brief' }
        await client.create(Gadget, { metadata: key, spec: {} })
        await client.delete(Gadget, key)
        await expect(client.get(Gadget, key)).rejects.toSatisfy(isNotFound)
        expect((await client.list(Gadget, { namespace })).items).toEqual([])
      }
    })

    it('sees the end of a collection', async () => {
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { cache: { kinds: [Gadget] } })
      await until('the cache to sync', () => manager.cache.informer(Gadget).hasSynced)
      const { client } = manager
      for (let round = 0; round < 20; round++) {
        await client.create(Gadget, { metadata: { namespace, name: 'one' }, spec: {} })
        await client.create(Gadget, { metadata: { namespace, name: 'two' }, spec: {} })
        await client.deleteCollection(Gadget, { namespace })
        expect((await client.list(Gadget, { namespace })).items).toEqual([])
        await expect(client.get(Gadget, { namespace, name: 'one' })).rejects.toSatisfy(isNotFound)
      }
    })

    it('reads live what is not cached, and starts no informer for it', async () => {
      const requests = new RequestLog()
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { transport: requests.wrap(fixture.cluster.transport()) })
      await manager.client.create(ConfigMap, { metadata: { namespace, name: 'plain' } })
      expect((await manager.client.get(ConfigMap, { namespace, name: 'plain' })).metadata.name).toBe('plain')
      expect(manager.cache.hasInformer(ConfigMap)).toBe(false)
      expect(requests.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    })
  })
}
