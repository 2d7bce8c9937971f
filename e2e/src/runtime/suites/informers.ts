import { CacheError, controllerManagedBy, ignoreNotFound } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { interceptTransport } from 'steersman/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useFixture } from '../fixture.js'
import { defineContraption, Gadget } from '../gadget.js'
import { RequestLog } from '../request-log.js'
import type { ClusterKind } from '../test-cluster.js'
import { until } from '../until.js'

/** Kinds and informers that come and go while the manager runs. */
export function informersSuite(kind: ClusterKind): void {
  describe(`Informers (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('of a kind that is installed later wait for it, and do not hold up others', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const Late = defineContraption(fixture.name('Late').replaceAll('-', ''))
      const seen = new Set<string>()
      const note = async (request: { readonly namespace: string; readonly name: string }): Promise<void> => {
        if (request.namespace === namespace) seen.add(request.name)
      }
      const { manager, logger } = fixture.run((manager) => {
        controllerManagedBy(manager).for(Late).complete(note)
        controllerManagedBy(manager).for(Gadget).complete(note)
      })
      const stateOf = (wanted: string) => manager.cache.health().find((health) => health.kind === wanted)?.state
      await until('the missing kind to be noticed', () => stateOf(Late.kind) === 'kind-not-installed')
      await client.create(Gadget, { metadata: { namespace, name: 'not-held-up' }, spec: {} })
      await until('the other kind to be reconciled', () => seen.has('not-held-up'))
      expect(logger.of('Waiting: the kind is not installed')).toMatchObject([{ level: 'info', facts: { kind: Late.kind } }])

      await fixture.install(Late)
      onTestFinished(() => fixture.uninstall(Late))
      await client.create(Late, { metadata: { namespace, name: 'at-last' }, spec: {} })
      await until('the late kind to be reconciled', () => seen.has('at-last'))
      expect(stateOf(Late.kind)).toBe('watching')
    })

    it('of a kind that is removed and installed again carry on', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const Again = defineContraption(fixture.name('Again').replaceAll('-', ''))
      await fixture.install(Again)
      const alive = new Set<string>()
      const { manager } = fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Again)
          .complete(async (request, context) => {
            const object = await context.client.get(Again, request).catch(ignoreNotFound)
            if (object === undefined) alive.delete(request.name)
            else alive.add(request.name)
          }),
      )
      await client.create(Again, { metadata: { namespace, name: 'first' }, spec: {} })
      await until('the first life to be seen', () => alive.has('first'))
      await fixture.uninstall(Again)
      await until('the objects to be gone', () => !alive.has('first'))
      await fixture.install(Again)
      onTestFinished(() => fixture.uninstall(Again))
      await client.create(Again, { metadata: { namespace, name: 'second' }, spec: {} })
      await until('the second life to be seen', () => alive.has('second'))
      expect(manager.cache.informer(Again).list(namespace)).toHaveLength(1)
    })

    it('are added and removed while the manager runs', async () => {
      const requests = new RequestLog()
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { transport: requests.wrap(fixture.cluster.transport()) })
      await fixture.client.create(ConfigMap, { metadata: { namespace, name: 'present' } })
      for (let round = 0; round < 3; round++) {
        const informer = manager.cache.informer(ConfigMap)
        const told: string[] = []
        const registration = informer.addHandler({ onAdd: ({ metadata }) => void told.push(metadata.name) })
        await registration.waitForSync(AbortSignal.timeout(20_000))
        expect(told).toContain('present')
        requests.clear()
        expect((await manager.client.get(ConfigMap, { namespace, name: 'present' })).metadata.name).toBe('present')
        expect(requests.requests).toEqual([])
        await manager.cache.removeInformer(ConfigMap)
        expect(manager.cache.hasInformer(ConfigMap)).toBe(false)
        await manager.client.get(ConfigMap, { namespace, name: 'present' })
        expect(requests.count('GET', '/configmaps/present')).toBe(1)
      }
    })

    it('tell a handler that comes late of everything, and one that goes of nothing', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { cache: { kinds: [Gadget], namespace } })
      const informer = manager.cache.informer(Gadget)
      await client.create(Gadget, { metadata: { namespace, name: 'a' }, spec: {} })
      await until('the informer to have it', () => informer.get({ namespace, name: 'a' }))
      const late: string[] = []
      const registration = informer.addHandler({
        onAdd: ({ metadata }, isInInitialList) => void late.push(`add ${metadata.name} ${isInInitialList}`),
        onDelete: ({ metadata }) => void late.push(`delete ${metadata.name}`),
      })
      expect(late).toEqual(['add a true'])
      expect(registration.hasSynced).toBe(true)
      await client.create(Gadget, { metadata: { namespace, name: 'b' }, spec: {} })
      await client.delete(Gadget, { namespace, name: 'a' })
      await until('both changes', () => late.length === 3)
      expect(late).toEqual(['add a true', 'add b false', 'delete a'])
      registration.remove()
      await client.delete(Gadget, { namespace, name: 'b' })
      await until('the informer to be empty', () => informer.list().length === 0)
      expect(late).toHaveLength(3)
    })

    it('of a selection answer what lies inside, and the server the rest', async () => {
      const requests = new RequestLog()
      const namespace = await fixture.namespace()
      const kinds = [{ type: Gadget, namespace, labelSelector: 'cached=yes' }]
      const { manager } = fixture.run(
        (manager) =>
          controllerManagedBy(manager)
            .for(Gadget)
            .complete(async () => {}),
        { transport: requests.wrap(fixture.cluster.transport()), cache: { kinds } },
      )
      await until('the cache to sync', () => manager.cache.informer(Gadget).hasSynced)
      await manager.client.create(Gadget, { metadata: { namespace, name: 'inside', labels: { cached: 'yes' } }, spec: {} })
      await manager.client.create(Gadget, { metadata: { namespace, name: 'outside' }, spec: {} })
      requests.clear()
      const namesOf = async (labelSelector?: string) => {
        const { items } = await manager.client.list(Gadget, { namespace, ...(labelSelector === undefined ? {} : { labelSelector }) })
        return items.map(({ metadata }) => metadata.name)
      }
      expect((await manager.client.get(Gadget, { namespace, name: 'inside' })).metadata.name).toBe('inside')
      expect(await namesOf('cached=yes')).toEqual(['inside'])
      expect(requests.requests).toEqual([])
      expect((await manager.client.get(Gadget, { namespace, name: 'outside' })).metadata.name).toBe('outside')
      expect(await namesOf()).toEqual(['inside', 'outside'])
      expect(requests.count('GET')).toBe(2)
      expect(() => manager.cache.informer(Gadget, { labelSelector: 'cached=no' })).toThrow(CacheError)
    })

    it('answer by index', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const { manager } = fixture.run(() => {}, { cache: { kinds: [Gadget], namespace } })
      manager.cache.informer(Gadget).addIndex('spec.colour', ({ spec }) => (spec.colour === undefined ? [] : [spec.colour]))
      await until('the cache to sync', () => manager.cache.informer(Gadget).hasSynced)
      for (const [name, colour] of [
        ['a', 'red'],
        ['b', 'blue'],
        ['c', 'red'],
      ] as const) {
        await manager.client.create(Gadget, { metadata: { namespace, name }, spec: { colour } })
      }
      const { items } = await manager.client.list(Gadget, { namespace, fieldSelector: 'spec.colour=red' })
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c'])
      expect(manager.cache.byIndex(Gadget, 'spec.colour', 'blue').map(({ metadata }) => metadata.name)).toEqual(['b'])
      await expect(client.list(Gadget, { namespace, fieldSelector: 'spec.colour=blue' })).resolves.toMatchObject({ items: [{}] })
    })

    it('list again when the server has forgotten where they were, and tell of what they missed', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      let mode: 'pass' | 'cut' | 'forget' = 'pass'
      const cut = new AbortController()
      // Cuts the first watch, then lets the next one begin at a revision that no server still knows.
      const transport = interceptTransport(fixture.cluster.transport(), {
        request: (request, next) => {
          const isWatch = request.query?.get('watch') === 'true'
          if (!isWatch) return next(request)
          if (mode === 'pass')
            return next({ ...request, signal: AbortSignal.any([cut.signal, ...(request.signal ? [request.signal] : [])]) })
          if (mode === 'cut' || request.query.get('sendInitialEvents') !== null) return next(request)
          const query = new URLSearchParams(request.query)
          query.set('resourceVersion', '1')
          mode = 'cut'
          return next({ ...request, query })
        },
      })
      const { manager } = fixture.run(() => {}, { transport, cache: { kinds: [Gadget], namespace } })
      const told: string[] = []
      manager.cache.informer(Gadget).addHandler({
        onAdd: ({ metadata }) => void told.push(`add ${metadata.name}`),
        onUpdate: (_, { metadata }) => void told.push(`update ${metadata.name}`),
        onDelete: ({ metadata }, stateUnknown) => void told.push(`delete ${metadata.name} ${stateUnknown}`),
      })
      for (const name of ['doomed', 'changed', 'same']) await client.create(Gadget, { metadata: { namespace, name }, spec: {} })
      await until('the first state', () => told.length === 3)
      mode = 'forget'
      cut.abort(new Error('the connection broke'))
      await client.delete(Gadget, { namespace, name: 'doomed' })
      const changed = await client.get(Gadget, { namespace, name: 'changed' })
      await client.update(Gadget, { ...changed, spec: { size: 7 } })
      await client.create(Gadget, { metadata: { namespace, name: 'new' }, spec: {} })
      await until('what was missed', () => told.length >= 6)
      expect(told.slice(0, 3).sort()).toEqual(['add changed', 'add doomed', 'add same'])
      expect(told.slice(3).sort()).toEqual(['add new', 'delete doomed true', 'update changed'])
    })
  })
}
