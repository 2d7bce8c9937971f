import { controllerManagedBy, ignoreNotFound, mergePatch, TerminalError } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import { RequestLog } from '../request-log.js'
import type { ClusterKind } from '../test-cluster.js'
import { deferred, until, within } from '../until.js'

/** What becomes of a reconcile: come back, retry, give up, time out. */
export function reconcilesSuite(kind: ClusterKind): void {
  describe(`Reconciles (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('come back after requeueAfterMs', async () => {
      const namespace = await fixture.namespace()
      const times: number[] = []
      const { manager } = fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request, { environment }) => {
            if (request.namespace !== namespace) return
            times.push(environment.monotonicMs())
            return times.length < 4 ? { requeueAfterMs: 40 } : undefined
          }),
      )
      expect(manager).toBeDefined()
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'clock' }, spec: {} })
      await until('four reconciles', () => times.length === 4)
      for (let index = 1; index < times.length; index++) expect(times[index]! - times[index - 1]!).toBeGreaterThanOrEqual(39)
    })

    it('are retried with backoff until they succeed', async () => {
      const namespace = await fixture.namespace()
      const times: number[] = []
      const { logger } = fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request, { environment }) => {
            if (request.namespace !== namespace) return
            times.push(environment.monotonicMs())
            if (times.length < 5) throw new Error(`attempt ${times.length}`)
          }),
      )
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'flaky' }, spec: {} })
      await until('five attempts', () => times.length === 5)
      // 5, 10, 20, 40 ms.
      for (const [index, expected] of [5, 10, 20, 40].entries()) {
        expect(times[index + 1]! - times[index]!).toBeGreaterThanOrEqual(expected - 1)
      }
      expect(logger.of('Reconciler error')).toMatchObject([1, 2, 3, 4].map((attempt) => ({ error: { message: `attempt ${attempt}` } })))
    })

    it('that throw for ever do not starve others, and are not hot', async () => {
      const namespace = await fixture.namespace()
      const attempts = new Map<string, number>()
      const startMs = performance.now()
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request) => {
            if (request.namespace !== namespace) return
            attempts.set(request.name, (attempts.get(request.name) ?? 0) + 1)
            if (request.name.startsWith('bad')) throw new Error('never')
          }),
      )
      for (let index = 0; index < 5; index++)
        await fixture.client.create(Gadget, { metadata: { namespace, name: `bad-${index}` }, spec: {} })
      for (let index = 0; index < 60; index++)
        await fixture.client.create(Gadget, { metadata: { namespace, name: `good-${index}` }, spec: {} })
      await until('all good ones to be reconciled', () => [...attempts.keys()].filter((name) => name.startsWith('good')).length === 60)
      await until('the bad ones to be retried', () => (attempts.get('bad-4') ?? 0) >= 4)
      const elapsedMs = performance.now() - startMs
      // The waits double from 5 ms on; the first attempt is free.
      const allowed = Math.ceil(Math.log2(elapsedMs / 5 + 1)) + 1
      for (let index = 0; index < 5; index++) expect(attempts.get(`bad-${index}`)).toBeLessThanOrEqual(allowed)
    })

    it('that end with a TerminalError wait for a change', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const sizes: number[] = []
      let controllerCounts: { readonly terminal: number; readonly error: number } | undefined
      fixture.run((manager) => {
        const controller = controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request, context) => {
            const gadget = await context.client.get(Gadget, request).catch(ignoreNotFound)
            if (gadget === undefined || request.namespace !== namespace) return
            sizes.push(gadget.spec.size)
            if (request.name === 'hopeless') throw new Error('wrapped', { cause: new TerminalError('size cannot be had') })
          })
        controllerCounts = controller.counts
      })
      const key = { namespace, name: 'hopeless' }
      await client.create(Gadget, { metadata: key, spec: { size: 1 } })
      await until('the first attempt', () => sizes.length === 1)
      // Others with the shortest waits come and go: a retry would have come.
      for (let index = 0; index < 10; index++)
        await client.create(Gadget, { metadata: { namespace, name: `x-${index}` }, spec: { size: 0 } })
      await until('the others', () => sizes.length >= 11)
      expect(sizes.filter((size) => size !== 0)).toEqual([1])
      await client.patch(Gadget, key, mergePatch({ spec: { size: 2 } }))
      await until('the second attempt', () => sizes.includes(2))
      expect(controllerCounts).toMatchObject({ terminal: 2, error: 2 })
    })

    it('that take too long are aborted, their calls with them', async () => {
      const namespace = await fixture.namespace()
      const outcomes: unknown[] = []
      const { manager } = fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .withOptions({ reconcileTimeoutMs: 50 })
          .complete(async (request, { client, signal }) => {
            if (request.namespace !== namespace) return
            if (outcomes.length > 0) return void outcomes.push('done')
            try {
              for await (const _ of client.watch(ConfigMap, { namespace, labelSelector: 'none=such' }));
              outcomes.push('the watch ended')
            } catch (error) {
              outcomes.push(error === signal.reason ? String(error) : error)
              throw error
            }
          }),
      )
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'slow' }, spec: {} })
      await until('a timeout and a retry', () => outcomes.length === 2)
      expect(outcomes).toEqual(['Error: Reconcile of "slow" by controller "gadget" took longer than 50 ms', 'done'])
      expect(manager.cache.health()).toMatchObject([{ state: 'watching' }])
    })

    it('of one key never overlap, those of several do', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const running = new Map<string, number>()
      let mostOfAll = 0
      let mostOfOne = 0
      let count = 0
      const three = deferred()
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .withOptions({ maxConcurrentReconciles: 3 })
          .complete(async (request) => {
            if (request.namespace !== namespace) return
            running.set(request.name, (running.get(request.name) ?? 0) + 1)
            mostOfOne = Math.max(mostOfOne, ...running.values())
            const total = [...running.values()].reduce((sum, one) => sum + one, 0)
            mostOfAll = Math.max(mostOfAll, total)
            if (total === 3) three.resolve()
            await three.promise
            count += 1
            running.set(request.name, running.get(request.name)! - 1)
          }),
      )
      for (const name of ['a', 'b', 'c', 'd']) await client.create(Gadget, { metadata: { namespace, name }, spec: {} })
      for (let size = 2; size < 12; size++) await client.patch(Gadget, { namespace, name: 'a' }, mergePatch({ spec: { size } }))
      await within('three at once', three.promise)
      await until('all to be reconciled', () => count >= 5)
      expect([mostOfAll, mostOfOne]).toEqual([3, 1])
    })

    it('write as their controller, and log what they are about', async () => {
      const requests = new RequestLog()
      const namespace = await fixture.namespace()
      const reconciled = deferred<string>()
      const { logger } = fixture.run(
        (manager) =>
          controllerManagedBy(manager)
            .for(Gadget)
            .named('painter')
            .complete(async (request, { client, log, reconcileId }) => {
              if (request.namespace !== namespace) return
              log.info('Painting', { colour: 'red' })
              await client.create(ConfigMap, { metadata: { namespace, name: 'paint' } })
              reconciled.resolve(reconcileId)
            }),
        { transport: requests.wrap(fixture.cluster.transport()) },
      )
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'wall' }, spec: {} })
      const reconcileID = await within('the reconcile', reconciled.promise)
      expect(requests.writes.map(({ query }) => query?.get('fieldManager'))).toEqual(['painter'])
      const facts = { controller: 'painter', controllerGroup: 'e2e.steersman.dev', controllerKind: 'Gadget' }
      expect(logger.of('Painting')).toEqual([
        {
          level: 'info',
          message: 'Painting',
          facts: { ...facts, Gadget: { name: 'wall', namespace }, namespace, name: 'wall', reconcileID, colour: 'red' },
        },
      ])
      expect(logger.of('Starting workers')).toMatchObject([{ facts: { ...facts, workerCount: 1 } }])
    })

    it('do not touch what they read', async () => {
      const namespace = await fixture.namespace()
      const attempts = deferred<unknown>()
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request, { client }) => {
            if (request.namespace !== namespace) return
            const gadget = await client.get(Gadget, request)
            try {
              // What a program without types would do.
              ;(gadget as { spec: { size: number } }).spec.size = 99
              attempts.resolve('changed')
            } catch (error) {
              attempts.resolve(error)
            }
          }),
      )
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'frozen' }, spec: {} })
      expect(await within('the attempt', attempts.promise)).toBeInstanceOf(TypeError)
    })
  })
}
