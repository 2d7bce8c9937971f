import { isBadRequest, isNotFound } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { listPages } from 'steersman/client'
import { describe, expect, it } from 'vitest'
import { deployment } from '../deployment.js'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import type { ClusterKind } from '../test-cluster.js'

const namesOf = (items: readonly { readonly metadata: { readonly name: string } }[]): string[] => items.map(({ metadata }) => metadata.name)

/** Lists: selectors, pages, what their items look like, metadata only. */
export function clientReadsSuite(kind: ClusterKind): void {
  describe(`Client reads (${kind.name})`, () => {
    const fixture = useFixture(kind)

    async function gadgets(): Promise<string> {
      const namespace = await fixture.namespace()
      const make = (name: string, tier: string, colour: string) =>
        fixture.client.create(Gadget, { metadata: { namespace, name, labels: { tier } }, spec: { colour } })
      await make('a', 'front', 'red')
      await make('b', 'back', 'red')
      await make('c', 'back', 'blue')
      await make('d', 'cellar', 'blue')
      return namespace
    }

    it.each([
      ['tier=back', ['b', 'c']],
      ['tier!=back', ['a', 'd']],
      ['tier in (front,cellar)', ['a', 'd']],
      ['tier notin (front,cellar)', ['b', 'c']],
      ['tier', ['a', 'b', 'c', 'd']],
      ['!tier', []],
      ['tier=back,tier=front', []],
    ])('selects by label: %s', async (labelSelector, names) => {
      const namespace = await gadgets()
      expect(namesOf((await fixture.client.list(Gadget, { namespace, labelSelector })).items)).toEqual(names)
    })

    it.each([
      ['metadata.name=b', ['b']],
      ['metadata.name!=b', ['a', 'c', 'd']],
      ['spec.colour=red', ['a', 'b']],
      ['spec.colour=blue,metadata.name=d', ['d']],
    ])('selects by field: %s', async (fieldSelector, names) => {
      const namespace = await gadgets()
      expect(namesOf((await fixture.client.list(Gadget, { namespace, fieldSelector })).items)).toEqual(names)
    })

    it('refuses a field that cannot be selected, and a selector that is none', async () => {
      const namespace = await gadgets()
      await expect(fixture.client.list(Gadget, { namespace, fieldSelector: 'spec.size=1' })).rejects.toSatisfy(isBadRequest)
      await expect(fixture.client.list(Gadget, { namespace, labelSelector: 'tier in front' })).rejects.toSatisfy(isBadRequest)
    })

    it('lists in pages that show one moment', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      for (let index = 0; index < 7; index++) await client.create(ConfigMap, { metadata: { namespace, name: `item-${index}` } })
      const pages: string[][] = []
      const versions = new Set<string | undefined>()
      for await (const page of listPages(client, ConfigMap, { namespace, limit: 3 })) {
        pages.push(namesOf(page.items))
        versions.add(page.metadata.resourceVersion)
        // What is made meanwhile is not of that moment.
        if (pages.length === 1) await client.create(ConfigMap, { metadata: { namespace, name: 'item-99' } })
      }
      // A real cluster may put certificates of its own into every namespace.
      const ours = pages.map((names) => names.filter((name) => name.startsWith('item-')))
      expect(ours.flat()).toEqual(['item-0', 'item-1', 'item-2', 'item-3', 'item-4', 'item-5', 'item-6'])
      expect(pages.every((names) => names.length <= 3)).toBe(true)
      expect(versions.size).toBe(1)

      const first = await client.list(ConfigMap, { namespace, limit: 3 })
      expect(first.metadata.remainingItemCount).toBeGreaterThanOrEqual(5)
    })

    it('refuses a continue token that is none', async () => {
      const namespace = await fixture.namespace()
      await expect(fixture.client.list(ConfigMap, { namespace, limit: 1, continue: 'nonsense' })).rejects.toSatisfy(isBadRequest)
    })

    it('says what the items of a list are, and freezes them', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      await client.create(Deployment, deployment({ namespace, name: 'listed' }))
      const list = await client.list(Deployment, { namespace })
      expect(list).toMatchObject({ apiVersion: 'apps/v1', kind: 'DeploymentList' })
      const [item] = list.items
      expect(item).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'listed' } })
      expect(Object.isFrozen(list.items) && Object.isFrozen(item?.spec.template)).toBe(true)
    })

    it('lists all namespaces', async () => {
      const { client } = fixture
      const [left, right] = [await fixture.namespace(), await fixture.namespace()]
      const labels = { everywhere: left }
      await client.create(ConfigMap, { metadata: { namespace: left, name: 'x', labels } })
      await client.create(ConfigMap, { metadata: { namespace: right, name: 'y', labels } })
      const { items } = await client.list(ConfigMap, { labelSelector: `everywhere=${left}` })
      expect(items.map(({ metadata }) => metadata.namespace)).toEqual([left, right].sort())
    })

    it('reads a moment of the past', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      await client.create(Gadget, { metadata: { namespace, name: 'old' }, spec: {} })
      const { resourceVersion } = (await client.list(Gadget, { namespace })).metadata
      await client.create(Gadget, { metadata: { namespace, name: 'new' }, spec: {} })
      const then = await client.list(Gadget, { namespace, resourceVersion: resourceVersion ?? '', resourceVersionMatch: 'Exact' })
      expect(namesOf(then.items)).toEqual(['old'])
    })

    it('lists metadata only, under the kind of the resource', async () => {
      const namespace = await gadgets()
      const list = await fixture.client.metadata.list(Gadget, { namespace, labelSelector: 'tier=front' })
      expect(list).toMatchObject({ apiVersion: 'e2e.steersman.dev/v1', kind: 'GadgetList' })
      const [item] = list.items
      expect(item).toMatchObject({ apiVersion: 'e2e.steersman.dev/v1', kind: 'Gadget', metadata: { name: 'a', labels: { tier: 'front' } } })
      expect(Object.keys(item ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
    })

    it('says that a resource which is not installed is not found', async () => {
      const missing = { ...Gadget, plural: 'widgetry', kind: 'Widgetry' }
      await expect(fixture.client.list(missing)).rejects.toSatisfy(isNotFound)
    })
  })
}
