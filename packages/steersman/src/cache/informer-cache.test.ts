import { afterEach, describe, expect, test } from 'vitest'
import { isBadRequest, isNotFound, StatusError } from '../api/index.js'
import { FakeCluster, Gadget, Widget, Zone } from './fake-cluster.testing.js'
import type { InformerCacheOptions } from './informer-cache.js'
import { InformerCache } from './informer-cache.js'
import { VirtualTime } from './virtual-time.testing.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function world(options: Partial<InformerCacheOptions> = {}) {
  const time = new VirtualTime()
  const cluster = new FakeCluster(time)
  const cache = new InformerCache({ environment: time, client: cluster.client, ...options })
  const controller = new AbortController()
  const run = () => {
    const running = cache.start(controller.signal)
    stops.push(async () => {
      controller.abort(new Error('test over'))
      await running
    })
    return running
  }
  return { time, cluster, cache, controller, run }
}

const names = (list: { readonly items: readonly Widget[] }) => list.items.map(({ metadata }) => metadata.name)
const never = new AbortController().signal

describe('InformerCache reads', () => {
  test('get and list answer from the store without a request', async () => {
    const { time, cluster, cache, run } = world()
    cache.informer(Widget)
    for (const name of ['x', 'y']) cluster.put(Widget, 'a', name, {}, { app: name })
    cluster.put(Widget, 'b', 'x')
    run()
    await time.advance(10)
    const requests = cluster.requests.length
    expect((await cache.get(Widget, { namespace: 'a', name: 'x' })).metadata.uid).toBe('uid-1')
    const list = await cache.list(Widget, { namespace: 'a', limit: 1 })
    expect(list).toMatchObject({ apiVersion: 'example.com/v1', kind: 'WidgetList', metadata: { resourceVersion: '103' } })
    expect(list.metadata.continue).toBeUndefined()
    expect(names(list)).toEqual(['x', 'y'])
    expect(Object.isFrozen(list) && Object.isFrozen(list.items) && Object.isFrozen(list.items[0])).toBe(true)
    expect(names(await cache.list(Widget, { labelSelector: 'app in (x)' }))).toEqual(['x'])
    expect(names(await cache.list(Widget, { fieldSelector: 'metadata.name=x' }))).toEqual(['x', 'x'])
    expect(names(await cache.list(Widget, { fieldSelector: 'metadata.name=x,metadata.namespace=b' }))).toEqual(['x'])
    expect(names(await cache.list(Widget, { fieldSelector: 'metadata.namespace!=a' }))).toEqual(['x'])
    expect(cluster.requests.length).toBe(requests)
  })

  test('a missing object is NotFound as from the server', async () => {
    const { time, cache, run } = world()
    cache.informer(Widget)
    run()
    await time.advance(10)
    const error = await cache.get(Widget, { namespace: 'a', name: 'nope' }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(StatusError)
    expect(isNotFound(error)).toBe(true)
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'widgets.example.com "nope" not found',
      reason: 'NotFound',
      details: { name: 'nope', group: 'example.com', kind: 'widgets' },
      code: 404,
    })
    await expect(cache.get(Widget, { name: 'nope' })).rejects.toThrow(TypeError)
  })

  test('field selectors are answered by an index of that name, and refused without', async () => {
    const { time, cluster, cache, run } = world()
    const informer = cache.informer(Widget)
    informer.addIndex('spec.color', ({ spec }) => [spec?.color ?? ''])
    cluster.put(Widget, 'a', 'x', { color: 'red' })
    cluster.put(Widget, 'b', 'y', { color: 'red' })
    cluster.put(Widget, 'b', 'z', { color: 'blue' })
    run()
    await time.advance(10)
    expect(names(await cache.list(Widget, { fieldSelector: 'spec.color=red' }))).toEqual(['x', 'y'])
    expect(names(await cache.list(Widget, { fieldSelector: 'spec.color=red,metadata.name!=x', namespace: 'b' }))).toEqual(['y'])
    expect(cache.byIndex(Widget, 'spec.color', 'red', 'b').map(({ metadata }) => metadata.name)).toEqual(['y'])
    await expect(cache.list(Widget, { fieldSelector: 'spec.size=1' })).rejects.toMatchObject({
      code: 'CACHE_UNSUPPORTED_READ',
      message: 'Cannot read example.com/v1 Widget from the cache: field selector spec.size=1 needs an index: none is named "spec.size"',
    })
    await expect(cache.list(Widget, { fieldSelector: 'spec.color!=red' })).rejects.toMatchObject({ code: 'CACHE_UNSUPPORTED_READ' })
    await expect(cache.list(Widget, { continue: 'token' })).rejects.toMatchObject({ code: 'CACHE_UNSUPPORTED_READ' })
    await expect(cache.list(Widget, { resourceVersion: '5' })).rejects.toMatchObject({ code: 'CACHE_UNSUPPORTED_READ' })
    expect(isBadRequest(await cache.list(Widget, { labelSelector: 'a in' }).catch((error) => error))).toBe(true)
  })

  test('outside of the informer namespace are refused, not answered with NotFound', async () => {
    const { time, cluster, cache, run } = world({ namespace: 'a' })
    cache.informer(Widget)
    cache.informer(Zone)
    cluster.put(Zone, undefined, 'z')
    cluster.put(Widget, 'a', 'x')
    run()
    await time.advance(10)
    await expect(cache.get(Widget, { namespace: 'b', name: 'x' })).rejects.toMatchObject({ code: 'CACHE_UNSUPPORTED_READ' })
    await expect(cache.list(Widget, { namespace: 'b' })).rejects.toMatchObject({ code: 'CACHE_UNSUPPORTED_READ' })
    expect(names(await cache.list(Widget))).toEqual(['x'])
    expect(names(await cache.list(Zone))).toEqual(['z'])
    expect((await cache.get(Zone, { name: 'z', namespace: 'ignored' })).metadata.name).toBe('z')
  })

  test('wait for the initial list, and are refused before the start or for a kind that is not cached', async () => {
    const { time, cluster, cache, run } = world()
    await expect(cache.get(Widget, { namespace: 'a', name: 'x' })).rejects.toMatchObject({ code: 'CACHE_NO_INFORMER' })
    expect(() => cache.byIndex(Widget, 'i', 'v')).toThrow('the kind is not cached')
    cache.informer(Widget)
    await expect(cache.list(Widget)).rejects.toMatchObject({ code: 'CACHE_NOT_STARTED' })
    cluster.put(Widget, 'a', 'x')
    cluster.goDown()
    run()
    const list = cache.list(Widget)
    const reason = new Error('enough')
    const abort = new AbortController()
    const aborted = cache.list(Widget, { signal: abort.signal }).catch((error) => error)
    await time.advance(5_000)
    abort.abort(reason)
    expect(await aborted).toBe(reason)
    cluster.isDown = false
    await time.advance(20_000)
    expect(names(await list)).toEqual(['x'])
  })
})

describe('InformerCache informers', () => {
  test('come and go while it runs', async () => {
    const { time, cluster, cache, controller, run } = world()
    cluster.put(Widget, 'a', 'x')
    cluster.put(Gadget, 'a', 'g')
    const running = run()
    const told: string[] = []
    const informer = cache.informer(Widget)
    informer.addHandler({ onAdd: ({ metadata }) => void told.push(metadata.name as string) })
    await time.advance(10)
    await cache.waitForSync(never)
    expect(told).toEqual(['x'])
    expect(cache.hasInformer(Widget)).toBe(true)
    await cache.removeInformer(Widget)
    expect(cache.hasInformer(Widget)).toBe(false)
    expect(cluster.openWatches).toBe(0)
    expect(informer.list()).toEqual([])
    cluster.put(Widget, 'a', 'y')
    const again = cache.informer(Widget)
    cache.informer(Gadget)
    expect(again).not.toBe(informer)
    await time.advance(10)
    expect(told).toEqual(['x'])
    expect(again.list().length).toBe(2)
    expect(cache.health().map(({ kind, state, objects }) => [kind, state, objects])).toEqual([
      ['Widget', 'watching', 2],
      ['Gadget', 'watching', 1],
    ])
    controller.abort(new Error('stop'))
    await running
    expect(cluster.openWatches).toBe(0)
    expect(time.pendingTimers).toBe(0)
    await cache.removeInformer(Zone)
  })

  test('an informer can be removed by its own handler', async () => {
    const { time, cluster, cache, run } = world()
    const told: string[] = []
    cache.informer(Widget).addHandler({
      onAdd: ({ metadata }) => {
        told.push(metadata.name as string)
        void cache.removeInformer(Widget)
      },
    })
    run()
    await time.advance(10)
    cluster.put(Widget, 'a', 'x')
    cluster.put(Widget, 'a', 'y')
    await time.advance(10)
    expect(told).toEqual(['x'])
    expect(cluster.openWatches).toBe(0)
  })

  test('there is one per kind; other options than the first are refused unless they mean the same', () => {
    const { cache } = world()
    const informer = cache.informer(Widget, { labelSelector: 'app=x,tier!=db', namespace: 'a' })
    expect(cache.informer(Widget)).toBe(informer)
    expect(cache.informer({ ...Widget }, { labelSelector: 'tier notin (db), app in (x)', fieldSelector: 'metadata.namespace=a' })).toBe(
      informer,
    )
    expect(() => cache.informer(Widget, {})).toThrow(
      'Cannot give an informer of example.com/v1 Widget with all objects: the kind is cached with namespace "a", labels "app=x,tier!=db"',
    )
    expect(() => cache.informer(Widget, { namespace: 'b' })).toThrow(expect.objectContaining({ code: 'CACHE_OPTIONS_CONFLICT' }))
    expect(() => cache.informer(Zone, { namespace: 'a' })).toThrow(TypeError)
    expect(() => cache.informer(Gadget, { labelSelector: 'a in' })).toThrow(StatusError)
    expect(cache.hasInformer(Gadget)).toBe(false)
  })

  test('whole objects serve who wants metadata; metadata widens to whole objects before the start only', async () => {
    const { time, cluster, cache, run } = world({ kinds: [{ type: Zone, metadataOnly: true }] })
    const whole = cache.informer(Widget)
    expect(cache.informer(Widget, { metadataOnly: true })).toBe(whole)
    const widened = cache.informer(Gadget, { metadataOnly: true })
    expect(cache.informer(Gadget)).toBe(widened)
    cluster.put(Gadget, 'a', 'g', { size: 1 })
    cluster.put(Zone, undefined, 'z', { size: 1 })
    // A declared kind stays as declared for who names no options.
    expect(cache.informer(Zone).list()).toEqual([])
    run()
    await time.advance(10)
    expect((widened.list()[0] as Widget).spec).toEqual({ size: 1 })
    expect('spec' in (cache.informer(Zone).list()[0] as Widget)).toBe(false)
    expect(() => cache.informer(Zone, {})).toThrow(expect.objectContaining({ code: 'CACHE_OPTIONS_CONFLICT' }))
  })

  test('waitForSync waits for all, not for one that is removed, and rejects with the reason of an abort', async () => {
    const { time, cluster, cache, run } = world()
    cluster.missing.add(Gadget)
    cache.informer(Widget)
    cache.informer(Gadget)
    run()
    let isSynced = false
    const synced = cache.waitForSync(never).then(() => {
      isSynced = true
    })
    const abort = new AbortController()
    const reason = new Error('too long')
    const aborted = cache.waitForSync(abort.signal).catch((error) => error)
    await time.advance(60_000)
    expect(isSynced).toBe(false)
    expect(cache.health().map(({ state }) => state)).toEqual(['watching', 'kind-not-installed'])
    abort.abort(reason)
    expect(await aborted).toBe(reason)
    await cache.removeInformer(Gadget)
    await synced
  })

  test('a second start is refused', async () => {
    const { cache, run } = world()
    void run()
    await expect(cache.start(never)).rejects.toThrow(TypeError)
  })

  test('the same kind twice in the list of kinds is refused', () => {
    expect(() => world({ kinds: [{ type: Widget }, { type: Widget, namespace: 'a' }] })).toThrow(TypeError)
  })
})
