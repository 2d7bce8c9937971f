import {
  ChannelSource,
  controllerManagedBy,
  controllerReference,
  enqueueRequestForObject,
  enqueueRequestsFromMap,
  generationChanged,
  ignoreNotFound,
  labelsChanged,
  mergePatch,
  type ObjectKey,
  objectPredicate,
  or,
} from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { deployment } from '../deployment.js'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import type { ClusterKind } from '../test-cluster.js'
import { until } from '../until.js'

/** Counts reconciles by name, in one namespace. */
class Reconciles {
  readonly #namespace: string
  readonly #counts = new Map<string, number>()

  constructor(namespace: string) {
    this.#namespace = namespace
  }

  readonly note = async ({ namespace, name }: { readonly namespace: string; readonly name: string }): Promise<void> => {
    if (namespace === this.#namespace) this.#counts.set(name, this.of(name) + 1)
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }
}

/** What makes a controller reconcile, and what does not. */
export function eventsSuite(kind: ClusterKind): void {
  describe(`Events (${kind.name})`, () => {
    const fixture = useFixture(kind)

    /** Creates a Gadget and waits until it was reconciled: then everything written before it has been seen, too. */
    async function barrier(reconciles: Reconciles, namespace: string): Promise<void> {
      const name = fixture.name('barrier')
      await fixture.client.create(Gadget, { metadata: { namespace, name }, spec: {} })
      await until('the barrier to be reconciled', () => reconciles.of(name) > 0)
    }

    it('of owned objects reconcile the owner: what is deleted comes back', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'owner' }
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .owns(Deployment)
          .complete(async (request, context) => {
            const gadget = await context.client.get(Gadget, request).catch(ignoreNotFound)
            if (gadget === undefined || request.namespace !== key.namespace) return
            if ((await context.client.get(Deployment, request).catch(ignoreNotFound)) !== undefined) return
            const owned = deployment({ namespace: request.namespace, name: request.name })
            const metadata = { ...owned.metadata, ownerReferences: [controllerReference(Gadget, gadget)] }
            await context.client.create(Deployment, { ...owned, metadata })
          }),
      )
      await client.create(Gadget, { metadata: key, spec: {} })
      const first = await until('the Deployment', () => client.get(Deployment, key))
      expect(first.metadata.ownerReferences).toMatchObject([{ kind: 'Gadget', name: 'owner', controller: true, blockOwnerDeletion: true }])
      await client.delete(Deployment, key)
      await until('another Deployment', async () => (await client.get(Deployment, key)).metadata.uid !== first.metadata.uid)
    })

    it('of objects of another owner, or owned without being controlled, do not', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const reconciles = new Reconciles(namespace)
      const everyOwner = new Reconciles(namespace)
      fixture.run((manager) => {
        controllerManagedBy(manager)
          .for(Gadget, { predicates: [generationChanged()] })
          .owns(ConfigMap)
          .complete(reconciles.note)
        controllerManagedBy(manager)
          .for(Gadget, { predicates: [generationChanged()] })
          .owns(ConfigMap, { matchEveryOwner: true })
          .named('every-owner')
          .complete(everyOwner.note)
      })
      const gadget = await client.create(Gadget, { metadata: { namespace, name: 'owner' }, spec: {} })
      await until('both to reconcile', () => reconciles.of('owner') === 1 && everyOwner.of('owner') === 1)
      const reference = { apiVersion: gadget.apiVersion, kind: gadget.kind, name: 'owner', uid: gadget.metadata.uid }
      await client.create(ConfigMap, { metadata: { namespace, name: 'shared', ownerReferences: [reference] } })
      const foreign = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'owner', uid: gadget.metadata.uid, controller: true }
      await client.create(ConfigMap, { metadata: { namespace, name: 'foreign', ownerReferences: [foreign] } })
      await until('the one for every owner to reconcile', () => everyOwner.of('owner') === 2)
      const controlled = { ...reference, controller: true }
      await client.create(ConfigMap, { metadata: { namespace, name: 'controlled', ownerReferences: [controlled] } })
      await until('both to reconcile', () => reconciles.of('owner') === 2 && everyOwner.of('owner') === 3)
    })

    it('are mapped to requests, for an update from the old state and the new', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const reconciles = new Reconciles(namespace)
      const gadgetsOf = (config: ConfigMap): ObjectKey[] => {
        const name = config.metadata.labels?.gadget
        return name === undefined ? [] : [{ namespace: config.metadata.namespace ?? '', name }]
      }
      fixture.run((manager) =>
        controllerManagedBy(manager).for(Gadget).watches(ConfigMap, enqueueRequestsFromMap(gadgetsOf)).complete(reconciles.note),
      )
      const key = { namespace, name: 'settings' }
      await client.create(ConfigMap, { metadata: { ...key, labels: { gadget: 'left' } } })
      await until('left to be reconciled', () => reconciles.of('left') === 1)
      expect(reconciles.of('right')).toBe(0)
      await client.patch(ConfigMap, key, mergePatch({ metadata: { labels: { gadget: 'right' } } }))
      await until('both to be reconciled', () => reconciles.of('left') === 2 && reconciles.of('right') === 1)
      await client.delete(ConfigMap, key)
      await until('right to be reconciled', () => reconciles.of('right') === 2)
      expect(reconciles.of('left')).toBe(2)
    })

    it('of status are dropped by generationChanged', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const reconciles = new Reconciles(namespace)
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget, { predicates: [generationChanged()] })
          .complete(reconciles.note),
      )
      const key = { namespace, name: 'calm' }
      await client.create(Gadget, { metadata: key, spec: {} })
      await until('the creation to be reconciled', () => reconciles.of('calm') === 1)
      for (const phase of ['A', 'B', 'C']) await client.status.patch(Gadget, key, mergePatch({ status: { phase } }))
      await client.patch(Gadget, key, mergePatch({ metadata: { labels: { calm: 'yes' } } }))
      await barrier(reconciles, namespace)
      expect(reconciles.of('calm')).toBe(1)
      await client.patch(Gadget, key, mergePatch({ spec: { size: 2 } }))
      await until('the change to be reconciled', () => reconciles.of('calm') === 2)
    })

    it('are dropped by predicates, those for all kinds and those for one', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const reconciles = new Reconciles(namespace)
      const isBig = objectPredicate<Gadget>(({ spec }) => spec.size > 10)
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget, {
            predicates: [
              or(
                isBig,
                objectPredicate(({ metadata }) => metadata.name.startsWith('barrier')),
              ),
            ],
          })
          .watches(ConfigMap, enqueueRequestForObject())
          .withPredicates(
            or(generationChanged(), labelsChanged()),
            objectPredicate(({ metadata }) => metadata.labels?.hidden !== 'yes'),
          )
          .complete(reconciles.note),
      )
      await client.create(Gadget, { metadata: { namespace, name: 'small' }, spec: { size: 1 } })
      await client.create(Gadget, { metadata: { namespace, name: 'big' }, spec: { size: 20 } })
      await client.create(Gadget, { metadata: { namespace, name: 'big-hidden', labels: { hidden: 'yes' } }, spec: { size: 20 } })
      await client.create(ConfigMap, { metadata: { namespace, name: 'config' } })
      await client.create(ConfigMap, { metadata: { namespace, name: 'config-hidden', labels: { hidden: 'yes' } } })
      await client.create(ConfigMap, { metadata: { namespace, name: 'config-last' } })
      await until('the last to be reconciled', () => reconciles.of('config-last') === 1)
      await barrier(reconciles, namespace)
      const seen = ['small', 'big', 'big-hidden', 'config', 'config-hidden'].map((name) => reconciles.of(name))
      expect(seen).toEqual([0, 1, 0, 1, 0])
    })

    it('from outside the cluster come through a channel', async () => {
      const namespace = await fixture.namespace()
      const reconciles = new Reconciles(namespace)
      const channel = new ChannelSource<Gadget>(enqueueRequestForObject())
      const gadget = await fixture.client.create(Gadget, { metadata: { namespace, name: 'told' }, spec: {} })
      expect(channel.send(gadget)).toBe(false)
      const { stop } = fixture.run((manager) =>
        controllerManagedBy(manager).named('channel-only').watchesRawSource(channel).complete(reconciles.note),
      )
      await until('the channel to be open', () => channel.send(gadget))
      await until('the Gadget to be reconciled', () => reconciles.of('told') === 1)
      await stop()
      expect(channel.send(gadget)).toBe(false)
    })

    it('go on after an event handler threw', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const reconciles = new Reconciles(namespace)
      const { manager, logger } = fixture.run((manager) => {
        controllerManagedBy(manager)
          .named('broken')
          .watches(Gadget, ({ object }) => {
            if (object.metadata.namespace === namespace) throw new Error('the handler is broken')
          })
          .complete(async () => {})
        controllerManagedBy(manager).for(Gadget).complete(reconciles.note)
      })
      for (let index = 0; index < 20; index++) await client.create(Gadget, { metadata: { namespace, name: `g-${index}` }, spec: {} })
      await until('all to be reconciled by the other controller', () => reconciles.of('g-19') > 0)
      const [health] = manager.cache.health()
      expect(health).toMatchObject({ kind: 'Gadget', state: 'watching', handlerErrors: 20 })
      const logged = logger.of('Event handler failed').length
      expect(logged).toBeGreaterThan(0)
      expect(logged).toBeLessThan(20)
    })

    it('of metadata-only watches carry metadata', async () => {
      const namespace = await fixture.namespace()
      const kinds: unknown[] = []
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .named('metadata-only')
          .watches(
            ConfigMap,
            ({ object }) => {
              if (object.metadata.namespace === namespace) kinds.push(Object.keys(object).sort())
            },
            { informer: { metadataOnly: true } },
          )
          .complete(async () => {}),
      )
      await fixture.client.create(ConfigMap, { metadata: { namespace, name: 'x' }, data: { secret: 'not for the cache' } })
      await until('the event', () => kinds.length > 0)
      expect(kinds[0]).toEqual(['apiVersion', 'kind', 'metadata'])
    })
  })
}
