import type { UnstructuredObject } from 'steersman/api'
import { initialEventsEndAnnotation } from 'steersman/api'
import { describe, expect, it } from 'vitest'
import { decoded, openRegistry, refusal, WatchReader } from './registry.fixture.js'

const maps = 'v1/configmaps'
const map = (name: string, labels: Record<string, string> = {}) => ({ metadata: { name, labels } })
const versionOf = (object: unknown) => Number((object as UnstructuredObject).metadata.resourceVersion)

describe('ResourceStore.watch', () => {
  it('begins with what is there when no version is given, then brings changes', async () => {
    const { store, create, write } = await openRegistry()
    await create(maps, map('a'))
    const reader = await WatchReader.open(store(maps))
    expect(await reader.take(1)).toEqual(['ADDED a'])
    await create(maps, map('b'))
    await store(maps).delete({ namespace: 'default', name: 'a' }, write())
    expect(await reader.take(2)).toEqual(['ADDED b', 'DELETED a'])
  })

  it('brings only what came after the given version', async () => {
    const { store, create } = await openRegistry()
    const a = await create(maps, map('a'))
    await create(maps, map('b'))
    const reader = await WatchReader.open(store(maps), { resourceVersion: a.metadata.resourceVersion! })
    expect(await reader.take(1)).toEqual(['ADDED b'])
  })

  it('shows what leaves a selector as deleted, in its last state with the version of the change, and what enters as added', async () => {
    const { store, create, write } = await openRegistry()
    const created = await create(maps, map('a', { app: 'x' }))
    const reader = await WatchReader.open(store(maps), { labelSelector: 'app=x', resourceVersion: created.metadata.resourceVersion! })
    const label = async (app: string) =>
      (await store(maps).update({ namespace: 'default', name: 'a' }, () => decoded(store(maps), map('a', { app })), write())).object
    const left = await label('y')
    await label('z')
    const entered = await label('x')
    const deleted = await reader.next()
    expect(deleted).toMatchObject({ type: 'DELETED', object: { metadata: { labels: { app: 'x' } } } })
    expect(versionOf(deleted?.object)).toBe(versionOf(left))
    expect(await reader.next()).toEqual({ type: 'ADDED', object: entered })
  })

  it('gives all watchers the same event value', async () => {
    const { store, create } = await openRegistry()
    const all = await WatchReader.open(store(maps))
    const some = await WatchReader.open(store(maps), { namespace: 'default', labelSelector: 'app=x' })
    await create(maps, map('a', { app: 'x' }))
    expect(await all.next()).toBe(await some.next())
  })

  it('sends initial events and marks their end with an annotated bookmark', async () => {
    const { store, create, storage } = await openRegistry()
    await create(maps, map('a'))
    await create(maps, map('b'))
    const reader = await WatchReader.open(store(maps), {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    })
    expect(await reader.take(2)).toEqual(['ADDED a', 'ADDED b'])
    expect(await reader.next()).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: String(await storage.currentRevision()), annotations: { [initialEventsEndAnnotation]: 'true' } },
      },
    })
  })

  it('sends bookmarks about each minute, with versions that are safe to resume from', async () => {
    const { world, store, create, storage } = await openRegistry()
    const reader = await WatchReader.open(store(maps), { resourceVersion: '1', allowWatchBookmarks: true })
    await create('v1/secrets', { metadata: { name: 'elsewhere' } })
    const next = reader.next()
    await world.advance(61_000)
    expect(versionOf((await next)?.object)).toBe(await storage.currentRevision())
    const second = reader.next()
    await world.advance(60_000)
    expect((await second)?.type).toBe('BOOKMARK')
  })

  it('ends after its timeout, with a last bookmark shortly before', async () => {
    const { world, store } = await openRegistry()
    const reader = await WatchReader.open(store(maps), { resourceVersion: '1', allowWatchBookmarks: true, timeoutMs: 10_000 })
    const events = reader.take(2)
    await world.advance(8_001)
    await world.advance(2_000)
    expect(await events).toEqual(['BOOKMARK ', 'END'])
  })

  it('answers a version that history no longer reaches with an Expired error event, and ends', async () => {
    const { store, create, storage } = await openRegistry()
    for (const name of ['a', 'b', 'c']) await create(maps, map(name))
    await storage.compact(3)
    const reader = await WatchReader.open(store(maps), { resourceVersion: '2' })
    expect(await reader.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
    expect(await reader.next()).toBeUndefined()
  })

  it('answers a streaming list of a version in the future with a Timeout error event after three seconds', async () => {
    const { world, store } = await openRegistry()
    const request = { resourceVersion: '99', sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
    const reader = await world.run(WatchReader.open(store(maps), request))
    expect(world.elapsedMs).toBe(3000)
    expect(await reader.next()).toMatchObject({
      type: 'ERROR',
      object: { code: 504, message: 'Timeout: Too large resource version: 99, current: 1' },
    })
  })

  it('throws the reason of an abort', async () => {
    const { store } = await openRegistry()
    const reader = await WatchReader.open(store(maps))
    const next = reader.next()
    const reason = new Error('enough')
    reader.abort.abort(reason)
    await expect(next).rejects.toBe(reason)
  })

  it('refuses options that do not fit together', async () => {
    const { store } = await openRegistry()
    const watch = (request: object) => refusal(WatchReader.open(store(maps), request))
    expect((await watch({ sendInitialEvents: true })).message).toBe(
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )
    expect((await watch({ fieldSelector: 'a=b' })).message).toBe(
      '"a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
    expect((await watch({ labelSelector: 'a=b=c' })).message).toBe("found '=', expected: ',' or 'end of string'")
    expect((await watch({ resourceVersion: 'abc' })).message).toBe(
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    )
  })
})
