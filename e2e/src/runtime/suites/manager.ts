import { controllerManagedBy, Manager, type Runnable, ShutdownTimeoutError } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import type { ClusterKind } from '../test-cluster.js'
import { deferred, until, within } from '../until.js'

/** Runs until its signal aborts. */
function untilStopped(onStart: () => void = () => {}, onStop: () => void | Promise<void> = () => {}): Runnable {
  return {
    async start(signal) {
      onStart()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await onStop()
    },
  }
}

export function managerSuite(kind: ClusterKind): void {
  describe(`Manager (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('starts controllers after everything else and stops them before it', async () => {
      const namespace = await fixture.namespace()
      const course: string[] = []
      const reconciling = deferred()
      const mayEnd = deferred()
      const { manager, running, stop } = fixture.run((manager) => {
        manager.add(
          untilStopped(
            () => course.push('other starts'),
            () => void course.push('other stops'),
          ),
        )
        controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request) => {
            if (request.namespace !== namespace) return
            course.push('reconcile starts')
            reconciling.resolve()
            await mayEnd.promise
            course.push('reconcile ends')
          })
      })
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'slow' }, spec: {} })
      await within('the reconcile to start', reconciling.promise)
      const stopping = stop()
      expect(manager.cache.informer(Gadget).hasSynced).toBe(true)
      mayEnd.resolve()
      await stopping
      await running
      expect(course).toEqual(['other starts', 'reconcile starts', 'reconcile ends', 'other stops'])
    })

    it('stops everything and rejects with the error of a part that fails', async () => {
      const failure = new Error('the part broke')
      const mayFail = deferred()
      let hasStopped = false
      const { running, logger } = fixture.run((manager) => {
        manager.add(
          untilStopped(undefined, () => {
            hasStopped = true
          }),
        )
        manager.add({ name: 'fragile', start: () => mayFail.promise })
      })
      mayFail.reject(failure)
      await expect(within('the manager to stop', running)).rejects.toBe(failure)
      expect(hasStopped).toBe(true)
      expect(logger.of('A part of the manager failed; stopping')).toMatchObject([{ error: failure, facts: { part: 'fragile' } }])
    })

    it('treats a part whose start throws at once like one that rejects', async () => {
      const failure = new Error('not even a promise')
      let hasStopped = false
      const { running } = fixture.run((manager) => {
        manager.add({
          start: () => {
            throw failure
          },
        })
        manager.add(
          untilStopped(undefined, () => {
            hasStopped = true
          }),
        )
      })
      await expect(within('the manager to stop', running)).rejects.toBe(failure)
      expect(hasStopped).toBe(true)
    })

    it('goes on when a part ends by itself', async () => {
      const { manager, stop } = fixture.run((manager) => manager.add({ start: async () => {} }))
      const started = deferred()
      manager.add(untilStopped(started.resolve))
      await within('the second part to start', started.promise)
      await stop()
    })

    it('gives up on a part that ignores its signal', async () => {
      const started = deferred()
      const deaf: Runnable = {
        start() {
          started.resolve()
          return new Promise(() => {})
        },
      }
      const { stop } = fixture.run((manager) => manager.add(deaf), { gracefulShutdownTimeoutMs: 20 })
      await within('the part to start', started.promise)
      const error = await stop().catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(ShutdownTimeoutError)
      expect(error).toMatchObject({ code: 'SHUTDOWN_TIMEOUT', message: expect.stringContaining('within 20 ms') })
    })

    it('aborts a reconcile at the end of the grace period', async () => {
      const namespace = await fixture.namespace()
      const reconciling = deferred()
      const ended = deferred<unknown>()
      const { stop } = fixture.run(
        (manager) =>
          controllerManagedBy(manager)
            .for(Gadget)
            .complete(async (request, { client, signal }) => {
              if (request.namespace !== namespace) return
              reconciling.resolve()
              try {
                // A call of the reconcile's client that does not end by itself.
                for await (const _ of client.watch(ConfigMap, { namespace, labelSelector: 'none=such' }));
              } catch (error) {
                ended.resolve(error === signal.reason ? 'aborted' : error)
                throw error
              }
            }),
        { gracefulShutdownTimeoutMs: 50 },
      )
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'endless' }, spec: {} })
      await within('the reconcile to start', reconciling.promise)
      await stop()
      expect(await ended.promise).toBe('aborted')
    })

    it('starts at once what is added after the start, and refuses it after the stop', async () => {
      const namespace = await fixture.namespace()
      const { manager, stop } = fixture.run(() => {})
      const started = deferred()
      const reconciled = deferred<string>()
      manager.add(untilStopped(started.resolve))
      controllerManagedBy(manager)
        .for(Gadget)
        .complete(async (request) => {
          if (request.namespace === namespace) reconciled.resolve(request.name)
        })
      await within('the part to start', started.promise)
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'late' }, spec: {} })
      expect(await within('a reconcile', reconciled.promise)).toBe('late')
      await stop()
      expect(() => manager.add(untilStopped())).toThrow(TypeError)
    })

    it('refuses a second controller of the same name, in the same manager only', () => {
      const [left, right] = [fixture.manager(), fixture.manager()]
      controllerManagedBy(left)
        .for(Gadget)
        .complete(async () => {})
      expect(() =>
        controllerManagedBy(left)
          .for(Gadget)
          .complete(async () => {}),
      ).toThrow('Cannot make controller "gadget": the name is taken in this manager')
      controllerManagedBy(left)
        .for(Gadget)
        .named('gadget-second')
        .complete(async () => {})
      controllerManagedBy(right)
        .for(Gadget)
        .complete(async () => {})
    })

    it('refuses a controller that watches nothing or has no name', () => {
      const manager = fixture.manager()
      expect(() => controllerManagedBy(manager).complete(async () => {})).toThrow('it has no name')
      expect(() =>
        controllerManagedBy(manager)
          .named('idle')
          .complete(async () => {}),
      ).toThrow('it watches nothing')
      expect(() => controllerManagedBy(manager).owns(ConfigMap)).toThrow('call for() before owns()')
    })

    it('refuses a second start', async () => {
      const { manager } = fixture.run(() => {})
      await expect(manager.start(new AbortController().signal)).rejects.toThrow('it was started before')
    })

    it('starts nothing when its signal has aborted', async () => {
      let isStarted = false
      const manager = fixture.manager()
      manager.add(
        untilStopped(() => {
          isStarted = true
        }),
      )
      await within('the manager to end', manager.start(AbortSignal.abort()))
      expect(isStarted).toBe(false)
    })

    it('runs twice in one process, and one goes on when the other stops', async () => {
      const namespace = await fixture.namespace()
      const seen = { left: new Set<string>(), right: new Set<string>() }
      const start = (side: 'left' | 'right') =>
        fixture.run((manager) =>
          controllerManagedBy(manager)
            .for(Gadget)
            .complete(async (request) => {
              if (request.namespace === namespace) seen[side].add(request.name)
            }),
        )
      const left = start('left')
      start('right')
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'first' }, spec: {} })
      await until('both to see the first', () => seen.left.has('first') && seen.right.has('first'))
      await left.stop()
      await fixture.client.create(Gadget, { metadata: { namespace, name: 'second' }, spec: {} })
      await until('the right one to see the second', () => seen.right.has('second'))
      expect(seen.left.has('second')).toBe(false)
    })

    it('does nothing before it starts', () => {
      expect(() => new Manager()).not.toThrow()
    })
  })
}
