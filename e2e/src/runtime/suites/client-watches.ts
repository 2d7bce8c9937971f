import { isExpired, type KubernetesObject, type WatchEvent } from 'steersman'
import { initialEventsEndAnnotation } from 'steersman/api'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import type { ClusterKind } from '../test-cluster.js'
import { within } from '../until.js'

/** The events of a watch, one by one, until `isEnough`. Leaving the loop closes the watch. */
async function collect<Resource extends KubernetesObject>(
  watch: AsyncIterable<readonly WatchEvent<Resource>[]>,
  isEnough: (events: readonly WatchEvent<Resource>[]) => boolean,
): Promise<readonly WatchEvent<Resource>[]> {
  const events: WatchEvent<Resource>[] = []
  const reading = async (): Promise<void> => {
    for await (const batch of watch) {
      expect(batch.length).toBeGreaterThan(0)
      events.push(...batch)
      if (isEnough(events)) return
    }
  }
  await within('enough events of the watch', reading())
  return events
}

/** Type and name of each event. */
function summary(events: readonly WatchEvent[]): string[] {
  return events.map((event) => (event.type === 'ERROR' ? `ERROR ${event.object.reason}` : `${event.type} ${event.object.metadata.name}`))
}

export function clientWatchesSuite(kind: ClusterKind): void {
  describe(`Client watches (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('brings every change after a list, in order', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      await client.create(Gadget, { metadata: { namespace, name: 'before' }, spec: {} })
      const { resourceVersion = '' } = (await client.list(Gadget, { namespace })).metadata
      const a = await client.create(Gadget, { metadata: { namespace, name: 'a' }, spec: {} })
      await client.create(Gadget, { metadata: { namespace, name: 'b' }, spec: {} })
      await client.update(Gadget, { ...a, spec: { size: 9 } })
      await client.delete(Gadget, { namespace, name: 'b' })

      const events = await collect(client.watch(Gadget, { namespace, resourceVersion }), (seen) => seen.length >= 4)
      expect(summary(events)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b'])
      const modified = events[2]
      if (modified?.type !== 'MODIFIED') throw new Error('expected MODIFIED')
      expect(modified.object.spec.size).toBe(9)
      expect(Object.isFrozen(modified.object.spec)).toBe(true)
      const versions = events.map(({ object }) => Number(object.metadata.resourceVersion))
      expect(versions).toEqual([...versions].sort((left, right) => left - right))
    })

    it('shows an object that begins or ceases to match the selector as added or deleted', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const { resourceVersion = '' } = (await client.list(Gadget, { namespace })).metadata
      const metadata = { namespace, name: 'moving' }
      const outside = await client.create(Gadget, { metadata, spec: {} })
      const inside = await client.update(Gadget, { ...outside, metadata: { ...outside.metadata, labels: { tier: 'front' } } })
      const still = await client.update(Gadget, { ...inside, spec: { size: 2 } })
      await client.update(Gadget, { ...still, metadata: { ...still.metadata, labels: {} } })
      const watch = client.watch(Gadget, { namespace, resourceVersion, labelSelector: 'tier=front' })
      expect(summary(await collect(watch, (seen) => seen.length >= 3))).toEqual(['ADDED moving', 'MODIFIED moving', 'DELETED moving'])
    })

    it('begins with what exists and a marked bookmark when asked to', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      for (const name of ['a', 'b']) await client.create(Gadget, { metadata: { namespace, name }, spec: {} })
      const watch = client.watch(Gadget, {
        namespace,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      })
      const events = await collect(watch, (seen) => seen.some(({ type }) => type === 'BOOKMARK'))
      expect(summary(events.slice(0, 2)).sort()).toEqual(['ADDED a', 'ADDED b'])
      const bookmark = events[2]
      if (bookmark?.type !== 'BOOKMARK') throw new Error('expected BOOKMARK')
      expect(bookmark.object.metadata.annotations).toEqual({ [initialEventsEndAnnotation]: 'true' })
      expect(bookmark.object.metadata.resourceVersion).toMatch(/^\d+$/)
      expect(bookmark.object.kind).toBe('Gadget')
    })

    it('ends when its time is over', async () => {
      const namespace = await fixture.namespace()
      const { resourceVersion = '' } = (await fixture.client.list(ConfigMap, { namespace })).metadata
      const watch = fixture.client.watch(ConfigMap, { namespace, resourceVersion, timeoutSeconds: 1, labelSelector: 'none=such' })
      expect(await collect(watch, () => false)).toEqual([])
    })

    it('brings an ERROR event for a revision that is too old', async () => {
      // Older than the resource itself: a server that has just started still knows all the rest.
      const watch = fixture.client.watch(Gadget, { namespace: 'default', resourceVersion: '1' })
      const events = await collect(watch, (seen) => seen.length > 0)
      expect(summary(events)).toEqual(['ERROR Expired'])
      expect(events[0]?.object).toMatchObject({
        kind: 'Status',
        code: 410,
        message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
      })
      expect(isExpired(events[0]?.object)).toBe(true)
    })

    it('brings metadata only, under the kind of the resource', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const { resourceVersion = '' } = (await client.metadata.list(Gadget, { namespace })).metadata
      await client.create(Gadget, { metadata: { namespace, name: 'a' }, spec: { size: 3 } })
      await client.delete(Gadget, { namespace, name: 'a' })
      const events = await collect(client.metadata.watch(Gadget, { namespace, resourceVersion }), (seen) => seen.length >= 2)
      expect(summary(events)).toEqual(['ADDED a', 'DELETED a'])
      expect(events[0]?.object).toMatchObject({ apiVersion: 'e2e.steersman.dev/v1', kind: 'Gadget' })
      expect(Object.keys(events[0]?.object ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
    })

    it('ends with the reason of an abort', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const { resourceVersion = '' } = (await client.list(Gadget, { namespace })).metadata
      const stop = new AbortController()
      const reason = new Error('enough')
      const watching = collect(client.watch(Gadget, { namespace, resourceVersion, signal: stop.signal }), (seen) => {
        if (seen.length > 0) stop.abort(reason)
        return false
      })
      const ending = expect(watching).rejects.toBe(reason)
      await client.create(Gadget, { metadata: { namespace, name: 'a' }, spec: {} })
      await ending
    })
  })
}
