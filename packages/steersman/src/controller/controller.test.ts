import { describe, expect, test } from 'vitest'
import type { Client } from '../client/index.js'
import { type VirtualProcess, VirtualWorld } from '../environment/index.js'
import { discardLogger } from '../internal/index.js'
import { CacheSyncTimeoutError, Controller } from './controller.js'
import type { ControllerOptions } from './controller-options.js'
import { enqueueRequestForObject } from './handler.js'
import { type ReconcileFunction, TerminalError } from './reconcile.js'
import { ChannelSource, type Source } from './source.js'

const object = (name: string) => ({ metadata: { name, namespace: 'default' } })

/** A controller fed by hand in a world of its own. */
function setUp(reconcile: ReconcileFunction, options: Partial<ControllerOptions> = {}) {
  const world = new VirtualWorld({ seed: 1, order: 'fifo' })
  const environment: VirtualProcess = world.process('operator')
  const source = new ChannelSource(enqueueRequestForObject())
  const controller = new Controller({
    name: 'widget',
    reconciler: { reconcile },
    environment,
    client: { with: () => ({}) } as unknown as Client,
    logger: discardLogger,
    ...options,
  })
  controller.watch(source)
  const stop = new AbortController()
  return { world, environment, source, controller, stop, running: controller.start(stop.signal) }
}

describe('Controller', () => {
  test('reconciles the key of what a source reports', async () => {
    const seen: unknown[] = []
    const { world, source, controller } = setUp(async (request) => void seen.push(request))
    await world.advance(0)
    source.send(object('a'))
    await world.advance(1)
    expect(seen).toEqual([{ namespace: 'default', name: 'a', cluster: '' }])
    expect(controller.counts).toMatchObject({ success: 1, error: 0 })
  })

  test('never runs two reconciles of one key at once, and runs again for what came meanwhile', async () => {
    let running = 0
    let most = 0
    let runs = 0
    const { world, environment, source } = setUp(
      async () => {
        running += 1
        most = Math.max(most, running)
        runs += 1
        await environment_.sleep(100)
        running -= 1
      },
      { maxConcurrentReconciles: 4 },
    )
    const environment_ = environment
    await world.advance(0)
    source.send(object('a'))
    await world.advance(10)
    source.send(object('a'))
    source.send(object('a'))
    await world.advance(1000)
    expect({ most, runs }).toEqual({ most: 1, runs: 2 })
  })

  test('runs different keys at once, up to its limit', async () => {
    let running = 0
    let most = 0
    const { world, environment, source } = setUp(
      async () => {
        running += 1
        most = Math.max(most, running)
        await environment_.sleep(100)
        running -= 1
      },
      { maxConcurrentReconciles: 3 },
    )
    const environment_ = environment
    await world.advance(0)
    for (const name of ['a', 'b', 'c', 'd', 'e']) source.send(object(name))
    await world.advance(1000)
    expect(most).toBe(3)
  })

  test('retries a throwing reconcile with exponential backoff from 5 ms, and starts over after a success', async () => {
    const atMs: number[] = []
    let failures = 4
    const { world, source, controller } = setUp(async () => {
      atMs.push(world_.elapsedMs)
      if (failures > 0) {
        failures -= 1
        throw new Error('not yet')
      }
    })
    const world_ = world
    await world.advance(0)
    source.send(object('a'))
    await world.advance(10_000)
    expect(atMs).toEqual([0, 5, 15, 35, 75])
    expect(controller.counts).toMatchObject({ success: 1, error: 4 })
    failures = 1
    source.send(object('a'))
    await world.advance(10_000)
    expect(atMs.slice(5)).toEqual([10_000, 10_005])
  })

  test('does not retry a TerminalError, wherever it is in the chain of causes', async () => {
    let runs = 0
    const { world, source, controller } = setUp(async () => {
      runs += 1
      throw new Error('outer', { cause: new TerminalError('the spec can never work') })
    })
    await world.advance(0)
    source.send(object('a'))
    await world.advance(3_600_000)
    expect(runs).toBe(1)
    expect(controller.counts).toMatchObject({ error: 1, terminal: 1 })
  })

  test('comes back after requeueAfterMs', async () => {
    const atMs: number[] = []
    const { world, source, controller } = setUp(async () => {
      atMs.push(world_.elapsedMs)
      return atMs.length < 3 ? { requeueAfterMs: 60_000 } : undefined
    })
    const world_ = world
    await world.advance(0)
    source.send(object('a'))
    await world.advance(3_600_000)
    expect(atMs).toEqual([0, 60_000, 120_000])
    expect(controller.counts).toMatchObject({ requeue_after: 2, success: 1 })
  })

  test('aborts the signal of a reconcile whose time is over and counts it', async () => {
    let reason: unknown
    const { world, source, controller } = setUp(
      (_request, context) =>
        new Promise((_resolve, reject) => {
          context.signal.addEventListener('abort', () => {
            reason = context.signal.reason
            reject(reason)
          })
        }),
      { reconcileTimeoutMs: 1000 },
    )
    await world.advance(0)
    source.send(object('a'))
    await world.advance(1001)
    expect(String(reason)).toBe('Error: Reconcile of "a" by controller "widget" took longer than 1000 ms')
    expect(controller.counts).toMatchObject({ timeout: 1, error: 1 })
  })

  test('lets a reconcile under way finish when it is stopped, and takes no new one', async () => {
    const finished: string[] = []
    const { world, environment, source, stop, running } = setUp(async (request) => {
      await environment_.sleep(500)
      finished.push(request.name)
    })
    const environment_ = environment
    await world.advance(0)
    source.send(object('a'))
    source.send(object('b'))
    await world.advance(100)
    stop.abort(new Error('stop'))
    await world.run(running)
    expect(finished).toEqual(['a'])
    expect(world.elapsedMs).toBe(500)
    expect(source.send(object('c'))).toBe(false)
  })

  test('fails to start when a source does not sync in time, and says which', async () => {
    const silent: Source = { name: 'kind apps/v1 Deployment', start() {}, waitForSync: (signal) => untilAbort(signal) }
    const { world, controller, stop } = setUp(async () => {}, {})
    void controller
    stop.abort()
    const late = new Controller({
      name: 'late',
      reconciler: { reconcile: async () => {} },
      environment: world.process('late'),
      client: {} as Client,
      logger: discardLogger,
    })
    late.watch(silent)
    const failing = late.start(new AbortController().signal)
    failing.catch(() => {})
    await expect(world.run(failing)).rejects.toThrow(CacheSyncTimeoutError)
    await expect(failing).rejects.toThrow('Cannot start controller "late": kind apps/v1 Deployment did not sync within 120000 ms')
  })

  test('goes on waiting for a kind that is not installed', async () => {
    let isInstalled = false
    const waiting: Source = {
      name: 'kind example.com/v1 Widget',
      start() {},
      waitForSync: (signal) => (isInstalled ? Promise.resolve() : untilAbort(signal)),
      isWaitingForKind: () => !isInstalled,
    }
    const world = new VirtualWorld({ seed: 1 })
    const controller = new Controller({
      name: 'patient',
      reconciler: { reconcile: async () => {} },
      environment: world.process('patient'),
      client: {} as Client,
      logger: discardLogger,
    })
    controller.watch(waiting)
    const stop = new AbortController()
    let ended = false
    const running = controller.start(stop.signal).finally(() => {
      ended = true
    })
    await world.advance(3_600_000)
    expect(ended).toBe(false)
    isInstalled = true
    await world.advance(120_000)
    stop.abort(new Error('stop'))
    await world.run(running)
  })

  test('refuses a second start and a senseless number of workers', async () => {
    const { controller, stop, world, running } = setUp(async () => {})
    await expect(controller.start(stop.signal)).rejects.toThrow('it was started before')
    expect(() => setUp(async () => {}, { maxConcurrentReconciles: 0 })).toThrow(RangeError)
    stop.abort(new Error('stop'))
    await world.run(running)
  })
})

function untilAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
