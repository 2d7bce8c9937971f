import { afterEach, describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../api/index.js'
import { discardLogger, type Logger } from '../internal/index.js'
import type { InformerOptions } from './cache.js'
import { FakeCluster, Widget } from './fake-cluster.testing.js'
import { SharedInformer } from './informer.js'
import type { Transform } from './transform.js'
import { VirtualTime } from './virtual-time.testing.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function world(options: InformerOptions = {}, extra: { readonly transform?: Transform; readonly log?: Logger } = {}) {
  const time = new VirtualTime()
  const cluster = new FakeCluster(time)
  const informer = new SharedInformer({ environment: time, client: cluster.client, log: discardLogger, type: Widget, options, ...extra })
  const controller = new AbortController()
  const run = () => {
    const running = informer.start(controller.signal)
    stops.push(async () => {
      controller.abort(new Error('test over'))
      await running
    })
  }
  return { time, cluster, informer, controller, run }
}

const name = (object: KubernetesObject) => object.metadata.name

describe('SharedInformer handlers', () => {
  test('are called in the order of registration, one change after the other', async () => {
    const { time, cluster, informer, run } = world()
    const told: string[] = []
    for (const handler of ['1', '2']) informer.addHandler({ onAdd: (object) => void told.push(`${handler} ${name(object)}`) })
    run()
    cluster.put(Widget, 'a', 'x')
    cluster.put(Widget, 'a', 'y')
    await time.advance(10)
    expect(told).toEqual(['1 x', '2 x', '1 y', '2 y'])
  })

  test('see the whole list in the store during the initial adds', async () => {
    const { time, cluster, informer, run } = world()
    cluster.put(Widget, 'a', 'x')
    cluster.put(Widget, 'a', 'y')
    const seen: number[] = []
    informer.addHandler({ onAdd: () => void seen.push(informer.list().length) })
    run()
    await time.advance(10)
    expect(seen).toEqual([2, 2])
  })

  test('a late handler gets an add for every object in key order and is synced at once', async () => {
    const { time, cluster, informer, run } = world()
    const early = informer.addHandler({})
    expect(early.hasSynced).toBe(false)
    run()
    cluster.put(Widget, 'b', 'x')
    cluster.put(Widget, 'a', 'y')
    await time.advance(10)
    expect(early.hasSynced).toBe(true)
    const told: string[] = []
    const late = informer.addHandler({
      onAdd: (object, initial) => void told.push(`${object.metadata.namespace}/${name(object)} ${initial}`),
    })
    expect(told).toEqual(['a/y true', 'b/x true'])
    expect(late.hasSynced).toBe(true)
    await late.waitForSync(AbortSignal.abort(new Error('unused')))
    cluster.put(Widget, 'a', 'z')
    await time.advance(1)
    expect(told.at(-1)).toBe('a/z false')
  })

  test('a handler added by a handler sees each object exactly once', async () => {
    const { time, cluster, informer, run } = world()
    cluster.put(Widget, 'a', 'x')
    cluster.put(Widget, 'a', 'y')
    const told: (string | undefined)[] = []
    let added = false
    informer.addHandler({
      onAdd: () => {
        if (!added) informer.addHandler({ onAdd: (object) => void told.push(name(object)) })
        added = true
      },
    })
    run()
    await time.advance(10)
    expect(told).toEqual(['x', 'y'])
    cluster.put(Widget, 'a', 'z')
    await time.advance(1)
    expect(told).toEqual(['x', 'y', 'z'])
  })

  test('a handler that throws or rejects is counted and logged, and harms nobody', async () => {
    const errors: unknown[] = []
    const log: Logger = { ...discardLogger, error: (error) => void errors.push(error), with: () => log }
    const { time, cluster, informer, run } = world({}, { log })
    const told: (string | undefined)[] = []
    informer.addHandler({
      onAdd: () => {
        throw new Error('bad handler')
      },
    })
    informer.addHandler({ onAdd: (async () => Promise.reject(new Error('bad async handler'))) as () => void })
    informer.addHandler({ onAdd: (object) => void told.push(name(object)) })
    run()
    for (let index = 0; index < 100; index++) cluster.put(Widget, 'a', `w${String(index).padStart(3, '0')}`)
    await time.advance(10)
    expect(told.length).toBe(100)
    expect(informer.health().handlerErrors).toBe(200)
    // Not one line per event: the first ten and then ever fewer.
    expect(errors.length).toBe(14)
    expect(informer.health().state).toBe('watching')
  })

  test('a removed handler hears nothing more, even during a delivery', async () => {
    const { time, cluster, informer, run } = world()
    const told: (string | undefined)[] = []
    const second = informer.addHandler({
      onAdd: (object) => {
        told.push(name(object))
        second.remove()
        second.remove()
      },
    })
    run()
    cluster.put(Widget, 'a', 'x')
    cluster.put(Widget, 'a', 'y')
    await time.advance(10)
    expect(told).toEqual(['x'])
  })

  test('waitForSync of a handler resolves after its adds, rejects with the reason of an abort, and when the handler is removed', async () => {
    const { time, cluster, informer, run } = world()
    cluster.put(Widget, 'a', 'x')
    let adds = 0
    const registration = informer.addHandler({ onAdd: () => void adds++ })
    const other = informer.addHandler({})
    const { signal } = new AbortController()
    const synced = registration.waitForSync(signal).then(() => adds)
    const abort = new AbortController()
    const aborted = registration.waitForSync(abort.signal).catch((reason) => reason)
    const removed = other.waitForSync(signal).catch((error) => error.code)
    const reason = new Error('enough')
    abort.abort(reason)
    other.remove()
    expect(await aborted).toBe(reason)
    expect(await removed).toBe('CACHE_INFORMER_STOPPED')
    run()
    await time.advance(10)
    expect(await synced).toBe(1)
  })
})

describe('SharedInformer objects', () => {
  test('lose managedFields in a copy: what the server handed out stays as it is', async () => {
    const { time, cluster, informer, run } = world()
    const stored = cluster.put(Widget, 'a', 'x', { size: 1 })
    run()
    await time.advance(10)
    const cached = informer.get({ namespace: 'a', name: 'x' }) as Widget
    expect(cached.metadata.managedFields).toBeUndefined()
    expect(stored.metadata.managedFields).toEqual([{ manager: 'test' }])
    expect(cached).toEqual({ ...stored, metadata: { ...stored.metadata, managedFields: undefined } })
    expect(Object.isFrozen(cached) && Object.isFrozen(cached.metadata) && Object.isFrozen(cached.spec)).toBe(true)
  })

  test('pass through the transform; one that throws skips the object', async () => {
    const transform: Transform = (object) => {
      if (name(object) === 'bad') throw new Error('cannot transform')
      return { ...object, metadata: { ...object.metadata, labels: { transformed: 'yes' } } }
    }
    const { time, cluster, informer, run } = world({}, { transform })
    cluster.put(Widget, 'a', 'bad')
    cluster.put(Widget, 'a', 'good')
    run()
    await time.advance(10)
    expect(informer.list().map((object) => [name(object), object.metadata.labels])).toEqual([['good', { transformed: 'yes' }]])
    expect(informer.health().undecodableObjects).toBe(1)
  })

  test('are metadata only when asked for, through the metadata client', async () => {
    const { time, cluster, informer, run } = world({ metadataOnly: true })
    cluster.put(Widget, 'a', 'x', { size: 1 })
    run()
    await time.advance(10)
    cluster.put(Widget, 'a', 'y', { size: 1 })
    await time.advance(1)
    expect(informer.list().map((object) => [object.kind, name(object), 'spec' in object])).toEqual([
      ['Widget', 'x', false],
      ['Widget', 'y', false],
    ])
  })

  test('leave when they cease to match the selector', async () => {
    const { time, cluster, informer, run } = world({ namespace: 'a', labelSelector: 'app=x' })
    const told: string[] = []
    informer.addHandler({
      onAdd: (object) => void told.push(`add ${name(object)}`),
      onDelete: (object) => void told.push(`delete ${name(object)}`),
    })
    run()
    cluster.put(Widget, 'a', 'one', {}, { app: 'x' })
    cluster.put(Widget, 'a', 'other', {}, { app: 'y' })
    cluster.put(Widget, 'b', 'elsewhere', {}, { app: 'x' })
    await time.advance(10)
    cluster.put(Widget, 'a', 'one', {}, { app: 'y' })
    await time.advance(1)
    expect(told).toEqual(['add one', 'delete one'])
  })

  test('can be indexed while running', async () => {
    const { time, cluster, informer, run } = world()
    cluster.put(Widget, 'a', 'x', { color: 'red' })
    run()
    await time.advance(10)
    informer.addIndex('color', (object) => [(object as Widget).spec?.color ?? ''])
    cluster.put(Widget, 'a', 'y', { color: 'red' })
    cluster.put(Widget, 'a', 'x', { color: 'blue' })
    await time.advance(1)
    expect(informer.byIndex('color', 'red').map(name)).toEqual(['y'])
  })
})

describe('SharedInformer.waitForWrite', () => {
  const key = { namespace: 'a', name: 'x' }

  test('resolves once anything at or beyond the resourceVersion was seen', async () => {
    const { time, cluster, informer, run } = world()
    run()
    await time.advance(10)
    cluster.lagMs = 50
    const { resourceVersion = '' } = cluster.put(Widget, 'a', 'x').metadata
    let seen: unknown
    const wait = informer.waitForWrite({ key, resourceVersion }).then(() => {
      seen = informer.get(key)?.metadata.resourceVersion
    })
    await time.advance(49)
    expect(seen).toBeUndefined()
    expect(informer.hasSeenWrite({ key, resourceVersion })).toBe(false)
    await time.advance(1)
    await wait
    expect(seen).toBe(resourceVersion)
    await informer.waitForWrite({ key, resourceVersion: '9' })
    const later = informer.waitForWrite({ key, resourceVersion: '103' })
    cluster.tick()
    cluster.tick()
    cluster.bookmark()
    await time.advance(50)
    await later
  })

  test('compares resourceVersions as numbers', async () => {
    const { time, cluster, informer, run } = world()
    run()
    await time.advance(10)
    let isSeen = false
    void informer.waitForWrite({ key, resourceVersion: '1000' }).then(() => {
      isSeen = true
    })
    cluster.put(Widget, 'a', 'x')
    cluster.inject(Widget, { type: 'BOOKMARK', object: { metadata: { resourceVersion: '999' } } })
    await time.advance(1)
    expect(isSeen).toBe(false)
    cluster.inject(Widget, { type: 'BOOKMARK', object: { metadata: { resourceVersion: '1000' } } })
    await time.advance(1)
    expect(isSeen).toBe(true)
  })

  test('resolves once the deletion of the uid was seen, before or after the call, and by a relist', async () => {
    const { time, cluster, informer, run } = world()
    cluster.put(Widget, 'a', 'x')
    cluster.put(Widget, 'a', 'y')
    run()
    await time.advance(60_000)
    const uid = informer.uidOf(key) as string
    const wait = informer.waitForWrite({ key, deletedUid: uid })
    cluster.remove(Widget, 'a', 'x')
    await time.advance(1)
    await wait
    await informer.waitForWrite({ key, deletedUid: uid })
    const other = { namespace: 'a', name: 'y' }
    const deletedUid = informer.uidOf(other) as string
    cluster.goDown()
    const relisted = informer.waitForWrite({ key: other, deletedUid })
    // Came and went while nobody looked.
    const ghost = informer.waitForWrite({ key: { namespace: 'a', name: 'ghost' }, deletedUid: 'uid-of-ghost' })
    cluster.remove(Widget, 'a', 'y')
    cluster.compact()
    cluster.isDown = false
    await time.advance(10_000)
    await Promise.all([relisted, ghost])
  })

  test('rejects with the reason of an abort, and when the informer stops; nothing is left behind', async () => {
    const { time, informer, controller, run } = world()
    run()
    await time.advance(10)
    const abort = new AbortController()
    const reason = new Error('enough')
    const aborted = [
      informer.waitForWrite({ key, resourceVersion: '500' }, abort.signal),
      informer.waitForWrite({ key, deletedUid: 'nobody' }, abort.signal),
      informer.waitForWrite({ key, resourceVersion: '500' }, AbortSignal.abort(reason)),
    ].map((promise) => promise.catch((error) => error))
    abort.abort(reason)
    expect(await Promise.all(aborted)).toEqual([reason, reason, reason])
    const stopped = [informer.waitForWrite({ key, resourceVersion: '500' }), informer.waitForWrite({ key, deletedUid: 'nobody' })].map(
      (promise) => promise.catch((error) => error.code),
    )
    controller.abort(new Error('stop'))
    await time.advance(1)
    expect(await Promise.all(stopped)).toEqual(['CACHE_INFORMER_STOPPED', 'CACHE_INFORMER_STOPPED'])
    await expect(informer.waitForWrite({ key, resourceVersion: '1' })).rejects.toThrow('stopped')
    await expect(informer.waitForWrite({ key, resourceVersion: '1' }, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
