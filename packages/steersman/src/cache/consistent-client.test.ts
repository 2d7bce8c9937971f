import { afterEach, describe, expect, test } from 'vitest'
import { isNotFound, StatusError, timeout } from '../api/index.js'
import type { InformerOptions } from './cache.js'
import { createConsistentClient } from './consistent-client.js'
import { FakeCluster, Gadget, Widget } from './fake-cluster.testing.js'
import { InformerCache } from './informer-cache.js'
import { VirtualTime } from './virtual-time.testing.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function world(options: InformerOptions = {}, readYourOwnWrites = true) {
  const time = new VirtualTime()
  const cluster = new FakeCluster(time)
  cluster.put(Widget, 'a', 'x', { size: 1 }, { app: 'x' })
  const cache = new InformerCache({ environment: time, client: cluster.client })
  cache.informer(Widget, options)
  const client = createConsistentClient({ environment: time, client: cluster.client, cache, readYourOwnWrites })
  const controller = new AbortController()
  const running = cache.start(controller.signal)
  stops.push(async () => {
    controller.abort(new Error('test over'))
    await running
  })
  await time.advance(10)
  /** Runs the clock until the promise has settled. */
  const result = async <Value>(promise: Promise<Value>): Promise<{ value?: Value; error?: unknown; tookMs: number }> => {
    const startedMs = time.monotonicMs()
    let outcome: { value?: Value; error?: unknown } | undefined
    promise.then(
      (value) => {
        outcome = { value }
      },
      (error) => {
        outcome = { error }
      },
    )
    await time.advance(0)
    while (outcome === undefined) await time.advance(1)
    return { ...outcome, tookMs: time.monotonicMs() - startedMs }
  }
  return { time, cluster, cache, client, result }
}

const x = { namespace: 'a', name: 'x' }
const widget = (name: string, size = 0, labels?: Record<string, string>) => ({
  metadata: { namespace: 'a', name, ...(labels === undefined ? {} : { labels }) },
  spec: { size },
})

describe('ConsistentClient reads', () => {
  test('cached kinds from the cache, others live', async () => {
    const { cluster, client, result } = await world()
    cluster.put(Gadget, 'a', 'g')
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 1 })
    expect((await result(client.list(Widget, { namespace: 'a' }))).value?.items.length).toBe(1)
    expect(isNotFound((await result(client.get(Widget, { namespace: 'a', name: 'none' }))).error)).toBe(true)
    expect(cluster.count('get') + cluster.count('list')).toBe(0)
    await result(client.get(Gadget, { namespace: 'a', name: 'g' }))
    await result(client.list(Gadget))
    expect([cluster.count('get'), cluster.count('list')]).toEqual([1, 1])
  })

  test('live what the cache cannot answer', async () => {
    const { cluster, cache, client, result } = await world()
    await result(client.get(Widget, x, { resourceVersion: '101' }))
    await result(client.list(Widget, { fieldSelector: 'spec.color=red' }))
    await result(client.list(Widget, { resourceVersion: '101' }))
    await result(client.liveReader.get(Widget, x))
    expect([cluster.count('get'), cluster.count('list')]).toEqual([2, 2])
    await cache.removeInformer(Widget)
    await result(client.get(Widget, x))
    expect(cluster.count('get')).toBe(3)
    cluster.missing.add(Gadget)
    cache.informer(Gadget)
    await result(client.get(Gadget, x))
    expect(cluster.count('get')).toBe(4)
  })

  test('live outside of the informer namespace and selector', async () => {
    const { cluster, client, result } = await world({ namespace: 'a', labelSelector: 'app=x' })
    cluster.put(Widget, 'a', 'hidden')
    await result(client.get(Widget, x))
    await result(client.list(Widget, { namespace: 'a', labelSelector: 'tier!=db,app in (x)' }))
    expect([cluster.count('get'), cluster.count('list')]).toEqual([0, 0])
    expect((await result(client.get(Widget, { namespace: 'a', name: 'hidden' }))).value?.metadata.name).toBe('hidden')
    expect(isNotFound((await result(client.get(Widget, { namespace: 'b', name: 'x' }))).error)).toBe(true)
    expect((await result(client.list(Widget, { namespace: 'a' }))).value?.items.length).toBe(2)
    await result(client.list(Widget, { labelSelector: 'app=x' }))
    expect([cluster.count('get'), cluster.count('list')]).toEqual([2, 2])
  })

  test('live where only metadata is cached', async () => {
    const { cluster, client, result } = await world({ metadataOnly: true })
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 1 })
    await result(client.list(Widget))
    expect([cluster.count('get'), cluster.count('list')]).toEqual([1, 1])
  })

  test('a single cached object by name', async () => {
    const { cluster, client, result } = await world({ namespace: 'a', fieldSelector: 'metadata.name=x' })
    await result(client.get(Widget, x))
    expect(cluster.count('get')).toBe(0)
    await result(client.get(Widget, { namespace: 'a', name: 'y' }))
    expect(cluster.count('get')).toBe(1)
  })
})

describe('ConsistentClient sees its own writes', () => {
  test('create, update and delete, as soon as the cache has caught up', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    await result(client.create(Widget, widget('y', 1)))
    const created = await result(client.get(Widget, { namespace: 'a', name: 'y' }))
    expect(created.value?.spec).toEqual({ size: 1 })
    expect(created.tookMs).toBe(99)
    expect((await result(client.get(Widget, { namespace: 'a', name: 'y' }))).tookMs).toBe(0)

    await result(client.update(Widget, { ...widget('y', 2) }))
    expect((await result(client.get(Widget, { namespace: 'a', name: 'y' }))).value?.spec).toEqual({ size: 2 })

    await result(client.status.update(Widget, { ...widget('y', 3) }))
    expect((await result(client.list(Widget))).value?.items.map(({ spec }) => spec?.size)).toEqual([1, 3])

    await result(client.delete(Widget, { namespace: 'a', name: 'y' }))
    const gone = await result(client.get(Widget, { namespace: 'a', name: 'y' }))
    expect(isNotFound(gone.error)).toBe(true)
    expect(gone.tookMs).toBe(99)
    expect((await result(client.list(Widget))).value?.items.length).toBe(1)
    expect([cluster.count('get'), cluster.count('list')]).toEqual([0, 0])
  })

  test('a get waits for its own key only, a list for its namespace', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    await result(client.create(Widget, widget('y')))
    expect((await result(client.get(Widget, x))).tookMs).toBe(0)
    expect((await result(client.list(Widget, { namespace: 'b' }))).tookMs).toBe(0)
    expect((await result(client.list(Widget, { namespace: 'a' }))).tookMs).toBe(99)
  })

  test('what was created and deleted before the cache saw either', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    await result(client.create(Widget, widget('y')))
    await result(client.delete(Widget, { namespace: 'a', name: 'y' }))
    const read = await result(client.get(Widget, { namespace: 'a', name: 'y' }))
    expect(isNotFound(read.error)).toBe(true)
    expect(read.tookMs).toBeGreaterThan(90)
    expect((await result(client.list(Widget))).value?.items.length).toBe(1)
  })

  test('an update that takes the last finalizer from a terminating object removes it', async () => {
    const { time, cluster, client, result } = await world()
    await result(client.create(Widget, { metadata: { namespace: 'a', name: 'f' }, spec: {} }))
    await result(client.update(Widget, { metadata: { namespace: 'a', name: 'f', finalizers: ['example.com/f'] }, spec: {} }))
    cluster.lagMs = 100
    const f = { namespace: 'a', name: 'f' }
    await result(client.delete(Widget, f))
    const terminating = (await result(client.get(Widget, f))).value
    expect(terminating?.metadata.deletionTimestamp).toBeDefined()
    await time.advance(1_000)
    await result(client.update(Widget, { metadata: { ...terminating?.metadata, finalizers: [] }, spec: {} }))
    const read = await result(client.get(Widget, f))
    expect(isNotFound(read.error)).toBe(true)
    expect(cluster.count('get')).toBe(0)
  })

  test('clients made by `with` share what was written', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    await result(client.with({ caller: 'one' }).create(Widget, widget('y')))
    expect((await result(client.with({ caller: 'two' }).get(Widget, { namespace: 'a', name: 'y' }))).value).toBeDefined()
  })

  test('after 3 s a read goes live, and the next ones do not wait again', async () => {
    const { time, cluster, client, result } = await world()
    cluster.stall()
    await result(client.update(Widget, widget('x', 7)))
    const first = await result(client.get(Widget, x))
    expect(first.value?.spec).toEqual({ size: 7 })
    expect(first.tookMs).toBe(3_001)
    const second = await result(client.get(Widget, x))
    expect(second.value?.spec).toEqual({ size: 7 })
    expect(second.tookMs).toBe(1)
    expect((await result(client.list(Widget))).tookMs).toBe(1)
    await time.advance(700_000)
    const gets = cluster.count('get')
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 7 })
    expect(cluster.count('get')).toBe(gets)
  })

  test('a wait ends with the reason of an abort, of the read or of the binding', async () => {
    const { cluster, client, result } = await world()
    cluster.stall()
    await result(client.update(Widget, widget('x', 7)))
    const reason = new Error('enough')
    const bound = new AbortController()
    const read = client.with({ signal: () => bound.signal }).get(Widget, x)
    const own = new AbortController()
    const list = client.list(Widget, { signal: own.signal })
    bound.abort(reason)
    own.abort(reason)
    const outcomes = await result(Promise.allSettled([read, list]))
    expect(outcomes.value).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
  })

  test('never waits for what the selector hides, but for what leaves it', async () => {
    const { cluster, client, result } = await world({ labelSelector: 'app=x' })
    cluster.lagMs = 100
    await result(client.create(Widget, widget('hidden', 1, { app: 'y' })))
    const hidden = await result(client.get(Widget, { namespace: 'a', name: 'hidden' }))
    expect(hidden.value?.metadata.name).toBe('hidden')
    expect(hidden.tookMs).toBe(1)
    expect((await result(client.list(Widget, { labelSelector: 'app=x' }))).tookMs).toBe(0)
    await result(client.delete(Widget, { namespace: 'a', name: 'hidden' }))
    expect((await result(client.list(Widget, { labelSelector: 'app=x' }))).tookMs).toBe(0)

    await result(client.update(Widget, widget('x', 2, { app: 'y' })))
    const left = await result(client.list(Widget, { labelSelector: 'app=x' }))
    expect(left.value?.items).toEqual([])
    expect(left.tookMs).toBe(99)
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 2 })
  })

  test('not with readYourOwnWrites off, and dry runs leave no trace', async () => {
    const off = await world({}, false)
    off.cluster.lagMs = 100
    await off.result(off.client.update(Widget, widget('x', 9)))
    expect((await off.result(off.client.get(Widget, x))).value?.spec).toEqual({ size: 1 })
    const on = await world()
    on.cluster.stall()
    await on.result(on.client.update(Widget, widget('x', 9), { dryRun: true }))
    expect((await on.result(on.client.get(Widget, x))).tookMs).toBe(0)
  })
})

describe('ConsistentClient after a write whose outcome is unknown', () => {
  test('reads the key live until that shows what happened: it did', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    cluster.losesNextAnswer = true
    expect((await result(client.update(Widget, widget('x', 5)))).error).toMatchObject({ code: 'ECONNRESET' })
    const live = await result(client.get(Widget, x))
    expect(live.value?.spec).toEqual({ size: 5 })
    expect(cluster.count('get')).toBe(1)
    const cached = await result(client.get(Widget, x))
    expect(cached.value?.spec).toEqual({ size: 5 })
    expect(cached.tookMs).toBeGreaterThan(90)
    expect(cluster.count('get')).toBe(1)
  })

  test('reads the key live until that shows what happened: it did not', async () => {
    const { cluster, client, result } = await world()
    cluster.fault = ({ verb }) =>
      verb === 'update' ? new StatusError(timeout('request did not complete within requested timeout')) : undefined
    await result(client.update(Widget, widget('x', 5)))
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 1 })
    expect((await result(client.get(Widget, x))).tookMs).toBe(0)
    expect(cluster.count('get')).toBe(1)
  })

  test('a lost delete', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    cluster.losesNextAnswer = true
    await result(client.delete(Widget, x))
    expect(isNotFound((await result(client.get(Widget, x))).error)).toBe(true)
    const again = await result(client.get(Widget, x))
    expect(isNotFound(again.error)).toBe(true)
    expect(cluster.count('get')).toBe(1)
  })

  test('a list goes live, settles the keys, and the next one waits for the cache', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 100
    cluster.losesNextAnswer = true
    await result(client.create(Widget, widget('y')))
    expect((await result(client.list(Widget, { namespace: 'b' }))).tookMs).toBe(0)
    expect((await result(client.list(Widget))).value?.items.length).toBe(2)
    expect(cluster.count('list')).toBe(1)
    expect((await result(client.list(Widget))).value?.items.length).toBe(2)
    expect(cluster.count('list')).toBe(1)
    expect(cluster.count('get')).toBe(0)
  })

  test('an aborted write counts as lost; a refused connection and a refusal do not', async () => {
    const { cluster, client, result } = await world()
    const abort = new AbortController()
    const write = client.update(Widget, widget('x', 5), { signal: abort.signal })
    abort.abort(new Error('stop'))
    expect((await result(write)).error).toEqual(new Error('stop'))
    await result(client.get(Widget, x))
    expect(cluster.count('get')).toBe(1)
    await result(client.create(Widget, widget('x')))
    cluster.isDown = true
    await result(client.update(Widget, widget('x', 6)))
    expect((await result(client.get(Widget, x))).tookMs).toBe(0)
    expect(cluster.count('get')).toBe(1)
  })

  test('a live read that began before the write does not settle it', async () => {
    const { cluster, client, result } = await world()
    cluster.lagMs = 5_000
    cluster.losesNextAnswer = true
    await result(client.update(Widget, widget('x', 5)))
    // The read is under way when another write is lost.
    cluster.latencyMs = 50
    const early = client.get(Widget, x)
    cluster.latencyMs = 1
    cluster.losesNextAnswer = true
    await result(client.update(Widget, widget('x', 6)))
    await result(early)
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 6 })
    expect(cluster.count('get')).toBe(2)
  })

  test('after a minute without a live read the cache is trusted again', async () => {
    const { time, cluster, client, result } = await world()
    cluster.losesNextAnswer = true
    await result(client.update(Widget, widget('x', 5)))
    await time.advance(61_000)
    expect((await result(client.get(Widget, x))).value?.spec).toEqual({ size: 5 })
    expect(cluster.count('get')).toBe(0)
  })

  test('after deleteCollection the namespace is read live until a whole list shows the outcome', async () => {
    const { cluster, client, result } = await world()
    cluster.put(Widget, 'b', 'other')
    cluster.lagMs = 100
    await result(client.deleteCollection(Widget, { namespace: 'a' }))
    expect(isNotFound((await result(client.get(Widget, x))).error)).toBe(true)
    expect((await result(client.get(Widget, { namespace: 'b', name: 'other' }))).tookMs).toBe(0)
    expect((await result(client.list(Widget, { namespace: 'a' }))).value?.items).toEqual([])
    expect([cluster.count('get'), cluster.count('list')]).toEqual([1, 1])
    expect((await result(client.list(Widget, { namespace: 'a' }))).value?.items).toEqual([])
    expect(isNotFound((await result(client.get(Widget, x))).error)).toBe(true)
    expect([cluster.count('get'), cluster.count('list')]).toEqual([1, 1])
  })
})
