import { afterEach, describe, expect, test } from 'vitest'
import { badRequest, expired, forbidden, internalError, StatusError, tooManyRequests, unauthorized } from '../api/index.js'
import { TransportError } from '../environment/index.js'
import { discardLogger } from '../internal/index.js'
import type { InformerOptions } from './cache.js'
import { FakeCluster, Widget } from './fake-cluster.testing.js'
import { SharedInformer } from './informer.js'
import type { ReflectorOptions } from './reflector.js'
import { VirtualTime } from './virtual-time.testing.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function start(cluster: FakeCluster, time: VirtualTime, reflector: ReflectorOptions = {}, options: InformerOptions = {}) {
  const told: string[] = []
  const informer = new SharedInformer({ environment: time, client: cluster.client, log: discardLogger, type: Widget, options, reflector })
  informer.addHandler({
    onAdd: (object, initial) => void told.push(`${initial ? 'initial' : 'add'} ${object.metadata.name}@${object.metadata.resourceVersion}`),
    onUpdate: (before, after) =>
      void told.push(`update ${after.metadata.name}@${before.metadata.resourceVersion}->${after.metadata.resourceVersion}`),
    onDelete: (object, unknown) => void told.push(`delete ${object.metadata.name}${unknown ? ' unknown' : ''}`),
  })
  const controller = new AbortController()
  const running = informer.start(controller.signal)
  stops.push(async () => {
    controller.abort(new Error('test over'))
    await running
  })
  return { informer, told, controller, running }
}

function world(seed = 1) {
  const time = new VirtualTime(seed)
  return { time, cluster: new FakeCluster(time) }
}

const contents = (informer: SharedInformer) => informer.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
const serverContents = (cluster: FakeCluster) => cluster.all(Widget).map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)

describe('Reflector gets the initial list', () => {
  test('as a stream, replaces at the marked bookmark and goes on with the same watch', async () => {
    const { time, cluster } = world()
    cluster.put(Widget, 'a', 'one')
    cluster.put(Widget, 'a', 'two')
    const { informer, told } = start(cluster, time)
    await time.advance(10)
    expect(told).toEqual(['initial one@101', 'initial two@102'])
    expect(informer.health()).toMatchObject({ state: 'watching', hasSynced: true, objects: 2 })
    cluster.put(Widget, 'a', 'one', { size: 2 })
    cluster.remove(Widget, 'a', 'two')
    await time.advance(10)
    expect(told.slice(2)).toEqual(['update one@101->103', 'delete two'])
    expect(cluster.requests.map(({ verb }) => verb)).toEqual(['watch'])
    expect(cluster.requests[0]?.options).toMatchObject({
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    })
    expect(cluster.requests[0]?.options.resourceVersion).toBeUndefined()
  })

  test('keeps nothing visible before the marked bookmark and skips what was deleted before it', async () => {
    const { time, cluster } = world()
    cluster.streaming = 'ignored'
    cluster.put(Widget, 'a', 'one')
    const { informer, told } = start(cluster, time)
    await time.advance(10)
    expect(informer.hasSynced).toBe(false)
    expect(informer.list()).toEqual([])
    cluster.put(Widget, 'a', 'two')
    cluster.remove(Widget, 'a', 'one')
    cluster.inject(Widget, {
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '103', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    })
    await time.advance(1)
    expect(told).toEqual(['initial two@102'])
  })

  test('page by page after a server refused to stream, without waiting, and never asks for a stream again', async () => {
    const { time, cluster } = world()
    cluster.streaming = 'refused'
    for (let index = 0; index < 1001; index++) cluster.put(Widget, 'a', `w${String(index).padStart(4, '0')}`)
    const { informer } = start(cluster, time)
    await time.advance(20)
    expect(informer.list().length).toBe(1001)
    const [stream, first, second, third, watch] = cluster.requests
    expect(stream).toMatchObject({ verb: 'watch', options: { sendInitialEvents: true } })
    expect(first).toMatchObject({ verb: 'list', options: { limit: 500, resourceVersion: '0' } })
    expect(second?.options.continue).toBeTypeOf('string')
    expect(second?.options.resourceVersion).toBeUndefined()
    expect(third?.verb).toBe('list')
    expect(watch).toMatchObject({ verb: 'watch', options: { resourceVersion: '1101', allowWatchBookmarks: true } })
    expect(watch?.options.sendInitialEvents).toBeUndefined()
    cluster.compact()
    cluster.put(Widget, 'a', 'late')
    cluster.compact()
    cluster.cut()
    await time.advance(60_000)
    expect(contents(informer)).toEqual(serverContents(cluster))
    expect(cluster.requests.filter(({ options }) => options.sendInitialEvents).length).toBe(1)
  })

  test('page by page from a server that does not know the parameter and sends no marked bookmark', async () => {
    const { time, cluster } = world()
    cluster.streaming = 'ignored'
    cluster.put(Widget, 'a', 'one')
    const { informer } = start(cluster, time)
    await time.advance(29_000)
    expect(informer.hasSynced).toBe(false)
    await time.advance(2_000)
    expect(informer.hasSynced).toBe(true)
    expect(cluster.count('list')).toBe(1)
  })

  test('page by page after three streams broke in the middle', async () => {
    const { time, cluster } = world()
    cluster.streaming = 'ignored'
    cluster.put(Widget, 'a', 'one')
    const { informer } = start(cluster, time)
    for (let round = 0; round < 3; round++) {
      await time.advance(6_500)
      cluster.cut()
    }
    await time.advance(10_000)
    expect(informer.hasSynced).toBe(true)
    expect(cluster.requests.map(({ verb }) => verb).slice(0, 4)).toEqual(['watch', 'watch', 'watch', 'list'])
  })

  test('as a whole when the continue token expires in the middle', async () => {
    const { time, cluster } = world()
    for (let index = 0; index < 30; index++) cluster.put(Widget, 'a', `w${index}`)
    cluster.fault = ({ options }) => {
      if (!options.continue) return undefined
      cluster.remove(Widget, 'a', 'w0')
      cluster.compact()
      return new StatusError(expired('The provided continue parameter is too old'))
    }
    const { informer } = start(cluster, time, { streamInitialList: false, pageSize: 10 })
    await time.advance(20)
    expect(contents(informer)).toEqual(serverContents(cluster))
    expect(cluster.requests.map(({ verb, options }) => [verb, options.limit])).toEqual([
      ['list', 10],
      ['list', 10],
      ['list', undefined],
      ['watch', undefined],
    ])
  })

  test('does not go round for ever when a server repeats its continue token', async () => {
    const { time, cluster } = world()
    const { client } = cluster
    let lists = 0
    const list = async () => {
      lists++
      return { metadata: { resourceVersion: '5', continue: 'again' }, items: [] }
    }
    const looping = new Proxy(client, { get: (target, name) => (name === 'list' ? list : Reflect.get(target, name)) })
    const informer = new SharedInformer({
      environment: time,
      client: looping,
      log: discardLogger,
      type: Widget,
      reflector: { streamInitialList: false },
    })
    const controller = new AbortController()
    const running = informer.start(controller.signal)
    await time.advance(60_000)
    expect(informer.health()).toMatchObject({ state: 'backing-off', lastError: 'List does not end: the server repeats its continue token' })
    expect(lists).toBeLessThan(20)
    controller.abort()
    await running
  })
})

describe('Reflector keeps watching', () => {
  test('asks for a random timeout between five and ten minutes', async () => {
    const timeouts = new Set<number>()
    for (let seed = 1; seed <= 20; seed++) {
      const { time, cluster } = world(seed * 7919)
      start(cluster, time)
      await time.advance(5)
      timeouts.add(cluster.requests[0]?.options.timeoutSeconds as number)
    }
    expect(timeouts.size).toBeGreaterThan(10)
    for (const timeout of timeouts) {
      expect(timeout).toBeGreaterThanOrEqual(300)
      expect(timeout).toBeLessThan(600)
    }
  })

  test('resumes from the last resourceVersion after the server ended the watch, without a pause', async () => {
    const { time, cluster } = world()
    const { informer, told } = start(cluster, time)
    await time.advance(60_000)
    cluster.put(Widget, 'a', 'one')
    await time.advance(1)
    cluster.cut()
    cluster.put(Widget, 'a', 'two')
    await time.advance(5)
    expect(told).toEqual(['add one@101', 'add two@102'])
    expect(cluster.count('list')).toBe(0)
    expect(cluster.requests.at(-1)?.options).toMatchObject({ resourceVersion: '101' })
    expect(informer.resourceVersion).toBe('102')
  })

  test('a bookmark advances the resourceVersion and changes nothing else', async () => {
    const { time, cluster } = world()
    const { informer, told } = start(cluster, time)
    await time.advance(60_000)
    cluster.tick()
    cluster.tick()
    cluster.bookmark()
    await time.advance(1)
    expect(informer.resourceVersion).toBe('102')
    cluster.compact()
    cluster.cut()
    await time.advance(5)
    expect(cluster.requests.at(-1)?.options.resourceVersion).toBe('102')
    expect(told).toEqual([])
  })

  test('a bookmark of another kind counts, one that goes back does not', async () => {
    const { time, cluster } = world()
    const { informer } = start(cluster, time)
    await time.advance(10)
    cluster.inject(Widget, { type: 'BOOKMARK', object: { kind: 'Strange', apiVersion: 'x/v9', metadata: { resourceVersion: '150' } } })
    await time.advance(1)
    expect(informer.resourceVersion).toBe('150')
    cluster.inject(Widget, { type: 'BOOKMARK', object: { kind: 'Widget', metadata: { resourceVersion: '99' } } })
    cluster.inject(Widget, { type: 'BOOKMARK', object: { kind: 'Widget', metadata: {} } })
    await time.advance(1)
    expect(informer.resourceVersion).toBe('150')
  })

  test.each([
    ['an ERROR event', undefined],
    ['an HTTP answer', new StatusError(expired('too old resource version: 102 (200)'))],
  ])('lists again after 410 in %s and tells what changed unseen', async (_, httpError) => {
    const { time, cluster } = world()
    for (const name of ['gone', 'kept', 'changed', 'reborn']) cluster.put(Widget, 'a', name)
    const { informer, told } = start(cluster, time)
    await time.advance(60_000)
    told.length = 0
    cluster.goDown()
    cluster.remove(Widget, 'a', 'gone')
    cluster.put(Widget, 'a', 'changed', { size: 2 })
    cluster.remove(Widget, 'a', 'reborn')
    cluster.put(Widget, 'a', 'reborn')
    cluster.put(Widget, 'a', 'new')
    cluster.compact()
    cluster.isDown = false
    cluster.fault = ({ options }) => (options.resourceVersion === '104' ? httpError : undefined)
    await time.advance(10_000)
    // Deletes first, then in key order.
    expect(told).toEqual(['delete gone unknown', 'update changed@103->106', 'add new@109', 'delete reborn unknown', 'add reborn@108'])
    expect(contents(informer)).toEqual(serverContents(cluster))
    expect(informer.hasSynced).toBe(true)
  })

  test('cuts a watch that brings nothing beyond its own timeout and resumes', async () => {
    const { time, cluster } = world()
    const { told } = start(cluster, time)
    await time.advance(10_000)
    cluster.stall()
    cluster.put(Widget, 'a', 'one')
    const timeoutSeconds = cluster.requests[0]?.options.timeoutSeconds as number
    await time.advance(timeoutSeconds * 1000)
    expect(told).toEqual([])
    await time.advance(31_000)
    expect(told).toEqual(['add one@101'])
    expect(cluster.count('watch')).toBe(2)
    expect(cluster.openWatches).toBe(1)
  })

  test('cuts a silent watch after the configured time, and bookmarks keep it alive', async () => {
    const { time, cluster } = world()
    start(cluster, time, { silentWatchTimeoutMs: 90_000 })
    for (let minute = 0; minute < 4; minute++) {
      cluster.bookmark()
      await time.advance(60_000)
    }
    expect(cluster.count('watch')).toBe(1)
    cluster.stall()
    await time.advance(60_000)
    expect(cluster.count('watch')).toBe(2)
  })

  test('loses nothing when the server is away for 30 s', async () => {
    const { time, cluster } = world()
    cluster.put(Widget, 'a', 'one')
    const { informer, told } = start(cluster, time)
    await time.advance(200_000)
    cluster.goDown()
    await time.advance(15_000)
    cluster.put(Widget, 'a', 'one', { size: 3 })
    cluster.put(Widget, 'a', 'two')
    await time.advance(15_000)
    expect(informer.health()).toMatchObject({ state: 'backing-off', lastError: 'connect ECONNREFUSED' })
    cluster.isDown = false
    await time.advance(52_000)
    expect(told).toEqual(['initial one@101', 'update one@101->102', 'add two@103'])
    expect(informer.health()).toMatchObject({ state: 'watching', hasSynced: true })
    // It resumed: the initial stream was the only list.
    expect(cluster.requests.filter(({ options, verb }) => verb === 'list' || options.sendInitialEvents).length).toBe(1)
  })

  test('begins again with short pauses after two healthy minutes', async () => {
    const { time, cluster } = world()
    start(cluster, time)
    cluster.goDown()
    await time.advance(300_000)
    cluster.isDown = false
    await time.advance(250_000)
    const before = cluster.requests.length
    cluster.goDown()
    await time.advance(2_000)
    // At once, and after 800 to 1600 ms.
    expect(cluster.requests.length - before).toBe(2)
  })

  test('waits as long as a 429 asks and does not list again', async () => {
    const { time, cluster } = world()
    start(cluster, time)
    await time.advance(20_000)
    let refusals = 1
    cluster.fault = () => (refusals-- > 0 ? new StatusError(tooManyRequests('slow down', 45)) : undefined)
    cluster.cut()
    await time.advance(44_000)
    expect(cluster.count('watch')).toBe(2)
    await time.advance(3_000)
    expect(cluster.count('watch')).toBe(3)
    expect(cluster.requests.at(-1)?.options.resourceVersion).toBe('100')
    expect(cluster.openWatches).toBe(1)
  })

  test('an event of another kind or without name is counted and skipped', async () => {
    const { time, cluster } = world()
    const { informer, told } = start(cluster, time)
    await time.advance(10)
    const metadata = { name: 'x', namespace: 'a', resourceVersion: '150' }
    cluster.inject(Widget, { type: 'ADDED', object: { apiVersion: 'example.com/v1', kind: 'Gizmo', metadata } })
    cluster.inject(Widget, { type: 'ADDED', object: { apiVersion: 'example.com/v2', kind: 'Widget', metadata } })
    cluster.inject(Widget, { type: 'ADDED', object: { kind: 'Widget', metadata: { namespace: 'a', resourceVersion: '151' } } })
    cluster.inject(Widget, { type: 'ADDED', object: null })
    cluster.inject(Widget, { type: 'MODIFIED', object: 'nonsense' })
    cluster.inject(Widget, { type: 'DELETED', object: { kind: 'Widget', metadata: { ...metadata, namespace: undefined } } })
    cluster.put(Widget, 'a', 'good')
    await time.advance(1)
    expect(told).toEqual(['add good@101'])
    expect(informer.health().undecodableObjects).toBe(6)
    expect(cluster.count('watch')).toBe(1)
  })

  test('a kind that is not installed waits visibly and starts when it appears', async () => {
    const { time, cluster } = world()
    cluster.missing.add(Widget)
    const { informer, told } = start(cluster, time)
    await time.advance(600_000)
    expect(informer.health()).toMatchObject({ state: 'kind-not-installed', hasSynced: false })
    // Every five to ten seconds.
    expect(cluster.requests.length).toBeLessThan(125)
    expect(cluster.requests.length).toBeGreaterThan(55)
    cluster.missing.delete(Widget)
    cluster.put(Widget, 'a', 'one')
    await time.advance(10_100)
    expect(told).toEqual(['initial one@101'])
    expect(informer.health()).toMatchObject({ state: 'watching' })
    expect(informer.health().lastError).toBeUndefined()
  })

  test('a kind that goes away while running waits and is told as a difference when it comes back', async () => {
    const { time, cluster } = world()
    cluster.put(Widget, 'a', 'one')
    const { informer, told } = start(cluster, time)
    await time.advance(60_000)
    cluster.missing.add(Widget)
    cluster.cut()
    cluster.remove(Widget, 'a', 'one')
    await time.advance(30_000)
    expect(informer.health()).toMatchObject({ state: 'kind-not-installed', hasSynced: true, objects: 1 })
    cluster.missing.delete(Widget)
    cluster.put(Widget, 'a', 'two')
    await time.advance(11_000)
    expect(told).toEqual(['initial one@101', 'delete one unknown', 'add two@103'])
  })

  test('a missing permission keeps what is there and is asked for again', async () => {
    const { time, cluster } = world()
    cluster.put(Widget, 'a', 'one')
    const { informer } = start(cluster, time)
    await time.advance(60_000)
    cluster.fault = () => new StatusError(forbidden(Widget, '', 'User "x" cannot watch resource'))
    cluster.cut()
    await time.advance(60_000)
    expect(informer.health()).toMatchObject({ state: 'backing-off', objects: 1 })
    expect(informer.health().lastError).toContain('cannot watch')
    cluster.fault = undefined
    await time.advance(60_000)
    expect(informer.health()).toMatchObject({ state: 'watching' })
    expect(cluster.count('list')).toBe(0)
  })
})

describe('Reflector makes no hot loop', () => {
  const hour = 3_600_000
  const cases: readonly [string, (cluster: FakeCluster) => void][] = [
    ['the server is away', (cluster) => cluster.goDown()],
    ['every answer is 500', (cluster) => (cluster.fault = () => new StatusError(internalError('boom')))],
    ['every answer is 429', (cluster) => (cluster.fault = () => new StatusError(tooManyRequests('slow down', 1)))],
    ['every answer is 401', (cluster) => (cluster.fault = () => new StatusError(unauthorized()))],
    ['every answer is 400', (cluster) => (cluster.fault = () => new StatusError(badRequest('no')))],
    ['every answer is 410', (cluster) => (cluster.fault = () => new StatusError(expired('too old')))],
    [
      'every watch is 410',
      (cluster) => (cluster.fault = ({ verb }) => (verb === 'watch' ? new StatusError(expired('too old')) : undefined)),
    ],
    [
      'every watch is refused',
      (cluster) => (cluster.fault = ({ verb }) => (verb === 'watch' ? new StatusError(badRequest('no')) : undefined)),
    ],
    ['every answer is nonsense', (cluster) => (cluster.fault = () => new SyntaxError('Unexpected token <'))],
    ['every answer is reset', (cluster) => (cluster.fault = () => new TransportError('ECONNRESET', 'reset'))],
  ]

  test.each(cases)('in an hour in which %s', async (_, breakIt) => {
    const { time, cluster } = world()
    const { informer } = start(cluster, time)
    await time.advance(60_000)
    const before = cluster.requests.length
    breakIt(cluster)
    cluster.cut()
    await time.advance(hour)
    const during = cluster.requests.length - before
    expect(during).toBeGreaterThan(50)
    // An attempt is one watch, or a list and a watch, every 30 to 60 s once the pauses have grown.
    expect(during).toBeLessThan(300)
    cluster.fault = undefined
    cluster.isDown = false
    cluster.put(Widget, 'a', 'after')
    await time.advance(62_000)
    expect(contents(informer)).toEqual(serverContents(cluster))
    expect(informer.health().state).toBe('watching')
  })

  test.each([
    ['ends at once', (cluster: FakeCluster) => cluster.cut()],
    [
      'ends after a bookmark',
      (cluster: FakeCluster) => {
        cluster.bookmark()
        cluster.cut()
      },
    ],
    [
      'ends after an event',
      (cluster: FakeCluster) => {
        cluster.put(Widget, 'a', 'one', { size: cluster.revision })
        cluster.cut()
      },
    ],
    ['brings an error', (cluster: FakeCluster) => cluster.inject(Widget, { type: 'ERROR', object: internalError('boom') })],
    ['brings an error without form', (cluster: FakeCluster) => cluster.inject(Widget, { type: 'ERROR', object: {} })],
  ])('when every watch %s', async (_, end) => {
    const { time, cluster } = world()
    start(cluster, time)
    await time.advance(60_000)
    const before = cluster.requests.length
    for (let second = 0; second < 3600; second++) {
      end(cluster)
      await time.advance(1_000)
    }
    expect(cluster.requests.length - before).toBeLessThan(300)
  })

  test('a load balancer that cuts every half minute leaves no gap', async () => {
    const { time, cluster } = world()
    const { told } = start(cluster, time)
    await time.advance(1_000)
    for (let cut = 0; cut < 20; cut++) {
      await time.advance(30_000)
      cluster.cut(new TransportError('ECONNRESET', 'reset'))
      await time.advance(5)
      cluster.put(Widget, 'a', `w${cut}`)
      await time.advance(1)
      expect(told.length).toBe(cut + 1)
    }
    expect(cluster.count('watch')).toBe(21)
  })
})

test('Reflector stops on abort wherever it is, and leaves no watch and no timer', async () => {
  for (const prepare of [() => {}, (cluster: FakeCluster) => cluster.goDown(), (cluster: FakeCluster) => cluster.missing.add(Widget)]) {
    const { time, cluster } = world()
    prepare(cluster)
    const { informer, controller, running } = start(cluster, time)
    await time.advance(5_000)
    controller.abort(new Error('stop'))
    await running
    expect(informer.health().state).toBe('stopped')
    expect(cluster.openWatches).toBe(0)
    expect(time.pendingTimers).toBe(0)
  }
})
