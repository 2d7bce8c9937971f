import * as fc from 'fast-check'
import type { UnstructuredObject } from 'steersman/api'
import { describe, expect, it } from 'vitest'
import type { Storage, StorageEvent, StorageWatchBatch } from './storage.js'
import { StorageError } from './storage.js'

/** What {@link describeStorage} needs to know about an engine. */
export interface StorageConformanceOptions {
  /** A new, empty storage that keeps at least 1000 events. */
  open(): Promise<Storage>
}

/** The contract of {@link Storage} as tests. Every engine's test file calls it. */
export function describeStorage(name: string, options: StorageConformanceOptions): void {
  describe(`${name} keeps the contract of Storage`, () => {
    describeWrites(options)
    describeLists(options)
    describeWatches(options)
    describeProperties(options)
  })
}

const value = (text: string): UnstructuredObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: text }, data: { text } })
const revisionOf = (object: UnstructuredObject): number => Number(object.metadata.resourceVersion)
const textOf = (object: UnstructuredObject): string => (object.data as { text: string }).text
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof StorageError ? error.code : String(error)),
  )

function describeWrites({ open }: StorageConformanceOptions): void {
  it('stamps each write with the next revision of one counter', async () => {
    const storage = await open()
    expect(await storage.currentRevision()).toBe(1)
    const first = await storage.create('/core/configmaps/a/x', value('1'))
    const other = await storage.create('/core/secrets/a/x', value('2'))
    const second = await storage.update('/core/configmaps/a/x', value('3'), revisionOf(first))
    expect([first, other, second].map(revisionOf)).toEqual([2, 3, 4])
    expect(await storage.currentRevision()).toBe(4)
    expect(await storage.get('/core/configmaps/a/x')).toEqual(second)
  })

  it('gives deletions a revision of their own', async () => {
    const storage = await open()
    const created = await storage.create('/g/r/x', value('1'))
    const deleted = await storage.delete('/g/r/x', created, revisionOf(created))
    expect(revisionOf(deleted)).toBe(revisionOf(created) + 1)
    expect(await storage.get('/g/r/x')).toBeUndefined()
    expect(await storage.currentRevision()).toBe(revisionOf(deleted))
  })

  it('freezes what it stores at every depth and leaves the given value alone', async () => {
    const storage = await open()
    const given = value('1')
    const stored = await storage.create('/g/r/x', given)
    expect(Object.isFrozen(stored) && Object.isFrozen(stored.metadata) && Object.isFrozen(stored.data)).toBe(true)
    expect(given.metadata.resourceVersion).toBeUndefined()
  })

  it('refuses to create a key that exists', async () => {
    const storage = await open()
    await storage.create('/g/r/x', value('1'))
    expect(await codeOf(storage.create('/g/r/x', value('2')))).toBe('exists')
  })

  it('refuses a write whose expected revision is not the stored one, and tells the stored state', async () => {
    const storage = await open()
    const first = await storage.create('/g/r/x', value('1'))
    const second = await storage.update('/g/r/x', value('2'), revisionOf(first))
    expect(await codeOf(storage.update('/g/r/x', value('3'), revisionOf(first)))).toBe('conflict')
    expect(await codeOf(storage.delete('/g/r/x', value('3'), revisionOf(first)))).toBe('conflict')
    await storage.update('/g/r/x', value('3'), revisionOf(first)).catch((error: unknown) => {
      expect((error as StorageError).current).toEqual(second)
    })
    expect(await storage.currentRevision()).toBe(revisionOf(second))
  })

  it('refuses to update or delete what is not there', async () => {
    const storage = await open()
    expect(await codeOf(storage.update('/g/r/x', value('3'), 1))).toBe('not-found')
    expect(await codeOf(storage.delete('/g/r/x', value('3'), 1))).toBe('not-found')
  })

  it('lets exactly one of many concurrent writes with the same expectation win', async () => {
    const storage = await open()
    const first = await storage.create('/g/r/x', value('0'))
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => codeOf(storage.update('/g/r/x', value(`${index}`), revisionOf(first)))),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(1)
    expect(codes.filter((code) => code === 'conflict')).toHaveLength(19)
  })

  it('refuses everything after close and ends watches', async () => {
    const storage = await open()
    const watch = await storage.watch('/g/r/', 1, { signal: new AbortController().signal })
    const next = codeOf(watch[Symbol.asyncIterator]().next())
    await storage.close()
    expect(await next).toBe('closed')
    expect(await codeOf(storage.get('/g/r/x'))).toBe('closed')
    expect(await codeOf(storage.create('/g/r/x', value('1')))).toBe('closed')
  })
}

function describeLists({ open }: StorageConformanceOptions): void {
  it('lists the keys under a prefix in order, and nothing beside it', async () => {
    const storage = await open()
    for (const key of ['/g/r/b', '/g/r/a/2', '/g/r/a/1', '/g/rr/a', '/g/q/z', '/g/r/a-b/1']) await storage.create(key, value(key))
    expect((await storage.list('/g/r/')).keys).toEqual(['/g/r/a-b/1', '/g/r/a/1', '/g/r/a/2', '/g/r/b'])
    expect((await storage.list('/g/r/a/')).items.map(textOf)).toEqual(['/g/r/a/1', '/g/r/a/2'])
    expect(await storage.list('/none/')).toEqual({ items: [], keys: [], revision: 7, remaining: 0 })
  })

  it('pages by limit and start key and tells how many remain', async () => {
    const storage = await open()
    for (let index = 0; index < 5; index++) await storage.create(`/g/r/${index}`, value(`${index}`))
    const first = await storage.list('/g/r/', { limit: 2 })
    expect([first.keys, first.remaining]).toEqual([['/g/r/0', '/g/r/1'], 3])
    const second = await storage.list('/g/r/', { limit: 2, startKey: '/g/r/1\0' })
    expect([second.keys, second.remaining]).toEqual([['/g/r/2', '/g/r/3'], 1])
    const last = await storage.list('/g/r/', { limit: 2, startKey: '/g/r/3\0' })
    expect([last.keys, last.remaining]).toEqual([['/g/r/4'], 0])
  })

  it('lists as of an older revision: changed, deleted and later objects as they were', async () => {
    const storage = await open()
    const a = await storage.create('/g/r/a', value('a1'))
    const c = await storage.create('/g/r/c', value('c1'))
    const d = await storage.create('/g/r/d', value('d1'))
    const revision = await storage.currentRevision()
    await storage.create('/g/r/b', value('b1'))
    await storage.update('/g/r/a', value('a2'), revisionOf(a))
    await storage.delete('/g/r/c', c, revisionOf(c))
    await storage.delete('/g/r/d', d, revisionOf(d))
    await storage.create('/g/r/d', value('d2'))
    const old = await storage.list('/g/r/', { revision })
    expect(old.items.map(textOf)).toEqual(['a1', 'c1', 'd1'])
    expect([old.revision, old.remaining]).toEqual([revision, 0])
    const page = await storage.list('/g/r/', { revision, limit: 1, startKey: '/g/r/a\0' })
    expect([page.items.map(textOf), page.remaining]).toEqual([['c1'], 1])
    expect((await storage.list('/g/r/')).items.map(textOf)).toEqual(['a2', 'b1', 'd2'])
  })

  it('refuses revisions that are compacted or in the future', async () => {
    const storage = await open()
    for (let index = 0; index < 5; index++) await storage.create(`/g/r/${index}`, value(`${index}`))
    await storage.compact(4)
    expect(await codeOf(storage.list('/g/r/', { revision: 3 }))).toBe('compacted')
    expect((await storage.list('/g/r/', { revision: 4 })).items).toHaveLength(3)
    expect(await codeOf(storage.list('/g/r/', { revision: 7 }))).toBe('future')
  })
}

function describeWatches({ open }: StorageConformanceOptions): void {
  it('watches from a revision: what came after it, then what comes', async () => {
    const storage = await open()
    const a = await storage.create('/g/r/a', value('a1'))
    await storage.create('/g/s/a', value('other'))
    const updated = await storage.update('/g/r/a', value('a2'), revisionOf(a))
    const abort = new AbortController()
    const watch = await storage.watch('/g/r/', revisionOf(a), { signal: abort.signal })
    const iterator = watch[Symbol.asyncIterator]()
    const events = await take(iterator, 1)
    const deleted = await storage.delete('/g/r/a', updated, revisionOf(updated))
    events.push(...(await take(iterator, 1)))
    expect(events).toEqual([
      { type: 'update', key: '/g/r/a', revision: 4, object: updated, previous: a },
      { type: 'delete', key: '/g/r/a', revision: 5, object: deleted, previous: updated },
    ])
    abort.abort()
    expect((await iterator.next()).done).toBe(true)
  })

  it('gives every watcher the same event value', async () => {
    const storage = await open()
    const { signal } = new AbortController()
    const all = (await storage.watch('/g/r/', 1, { signal }))[Symbol.asyncIterator]()
    const namespace = (await storage.watch('/g/r/n/', 1, { signal }))[Symbol.asyncIterator]()
    await storage.create('/g/r/n/x', value('1'))
    expect((await take(all, 1))[0]).toBe((await take(namespace, 1))[0])
    await storage.close()
  })

  it('misses nothing that is committed after the watch resolved', async () => {
    const storage = await open()
    const watch = await storage.watch('/g/r/', 1, { signal: new AbortController().signal })
    for (let index = 0; index < 100; index++) await storage.create(`/g/r/${index}`, value(`${index}`))
    const events = await take(watch[Symbol.asyncIterator](), 100)
    expect(events.map((event) => event.revision)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2))
    await storage.close()
  })

  it('refuses to watch from a compacted revision', async () => {
    const storage = await open()
    for (let index = 0; index < 5; index++) await storage.create(`/g/r/${index}`, value(`${index}`))
    await storage.compact(4)
    const { signal } = new AbortController()
    expect(await codeOf(storage.watch('/g/r/', 3, { signal }))).toBe('compacted')
    const events = await take((await storage.watch('/g/r/', 4, { signal }))[Symbol.asyncIterator](), 2)
    expect(events.map((event) => event.revision)).toEqual([5, 6])
    await storage.close()
  })

  it('ends the watch of a reader that lets too many events wait, and only that one', async () => {
    const storage = await open()
    const { signal } = new AbortController()
    const slow = (await storage.watch('/g/r/', 1, { signal, maxPending: 10 }))[Symbol.asyncIterator]()
    const fast = (await storage.watch('/g/r/', 1, { signal, maxPending: 11 }))[Symbol.asyncIterator]()
    for (let index = 0; index < 11; index++) await storage.create(`/g/r/${index}`, value(`${index}`))
    expect(await take(fast, 11)).toHaveLength(11)
    expect(await codeOf(slow.next())).toBe('slow-watcher')
    expect((await slow.next()).done).toBe(true)
    await storage.close()
  })

  it('tells progress on request, with everything up to that revision delivered before', async () => {
    const storage = await open()
    const watch = await storage.watch('/g/r/', 1, { signal: new AbortController().signal })
    const iterator = watch[Symbol.asyncIterator]()
    await storage.create('/g/s/other', value('1'))
    const next = iterator.next()
    watch.requestProgress()
    expect(await next).toEqual({ done: false, value: { events: [], revision: 2 } })
    await storage.create('/g/r/a', value('1'))
    watch.requestProgress()
    const batch = await iterator.next()
    expect(batch.value).toMatchObject({ revision: 3, events: [{ key: '/g/r/a' }] })
    await storage.close()
  })

  it('refuses to watch with an aborted signal, with its reason', async () => {
    const storage = await open()
    const reason = new Error('enough')
    await expect(storage.watch('/g/r/', 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
}

function describeProperties({ open }: StorageConformanceOptions): void {
  const write = fc.record({ name: fc.nat(7), namespace: fc.constantFrom('a', 'a-b', 'b'), remove: fc.boolean() })

  it('replaying a watch over the state at any revision gives the current state, which is what a list shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 60 }), fc.nat(60), async (writes, start) => {
        const storage = await open()
        const model = new Map<string, UnstructuredObject>()
        const states = [new Map(model)]
        for (const step of writes) {
          const key = `/g/r/${step.namespace}/${step.name}`
          const current = model.get(key)
          if (current === undefined) model.set(key, await storage.create(key, value(`${states.length}`)))
          else if (step.remove) {
            await storage.delete(key, current, revisionOf(current))
            model.delete(key)
          } else model.set(key, await storage.update(key, value(`${states.length}`), revisionOf(current)))
          states.push(new Map(model))
        }
        const at = Math.min(start, writes.length)
        const old = await storage.list('/g/r/', { revision: at + 1 })
        const replayed = new Map(old.keys.map((key, index) => [key, old.items[index]!]))
        expect(sorted(replayed)).toEqual(sorted(states[at]!))
        const watch = await storage.watch('/g/r/', at + 1, { signal: new AbortController().signal })
        for (const event of await take(watch[Symbol.asyncIterator](), writes.length - at)) apply(replayed, event)
        const list = await storage.list('/g/r/')
        expect(sorted(replayed)).toEqual(list.keys.map((key, index) => [key, list.items[index]]))
        expect(sorted(replayed)).toEqual(sorted(model))
        await storage.close()
      }),
      { numRuns: 150 },
    )
  })

  it('pages of any size at one revision, with writes in between, give that revision’s list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 5, maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (writes, limit) => {
        const storage = await open()
        for (let index = 0; index < 10; index++) await storage.create(`/g/r/a/${index}`, value(`${index}`))
        const whole = await storage.list('/g/r/')
        const keys: string[] = []
        let startKey = ''
        let remaining = 0
        do {
          const page = await storage.list('/g/r/', { revision: whole.revision, limit, startKey })
          keys.push(...page.keys)
          remaining = page.remaining
          expect(keys.length + remaining).toBe(whole.keys.length)
          startKey = `${page.keys.at(-1)}\0`
          const step = writes[keys.length % writes.length]!
          const key = `/g/r/${step.namespace}/${step.name}`
          const current = await storage.get(key)
          if (current === undefined) await storage.create(key, value('new'))
          else if (step.remove) await storage.delete(key, current, revisionOf(current))
          else await storage.update(key, value('changed'), revisionOf(current))
        } while (remaining > 0)
        expect(keys).toEqual(whole.keys)
        await storage.close()
      }),
      { numRuns: 100 },
    )
  })
}

/** Reads exactly `count` events. */
async function take(iterator: AsyncIterator<StorageWatchBatch>, count: number): Promise<StorageEvent[]> {
  const events: StorageEvent[] = []
  while (events.length < count) {
    const result = await iterator.next()
    if (result.done) break
    events.push(...result.value.events)
    expect(result.value.revision).toBeGreaterThanOrEqual(events.at(-1)!.revision)
  }
  expect(events).toHaveLength(count)
  return events
}

function apply(state: Map<string, UnstructuredObject>, event: StorageEvent): void {
  expect(event.previous).toEqual(state.get(event.key))
  if (event.type === 'delete') state.delete(event.key)
  else state.set(event.key, event.object)
}

function sorted(state: ReadonlyMap<string, UnstructuredObject>): (readonly [string, UnstructuredObject])[] {
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1))
}
