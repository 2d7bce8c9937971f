import type { UnstructuredObject } from 'steersman/api'
import { describe, expect, it } from 'vitest'
import type { RegistryFixture } from '../registry.fixture.js'
import { decoded, openRegistry, refusal, WatchReader } from '../registry.fixture.js'

const crds = 'apiextensions.k8s.io/v1/customresourcedefinitions'
const widgets = 'example.com/v1/widgets'
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1 }, label: { type: 'string' } } } },
}
const version = (name: string, facts: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...facts,
})

const definition = (changes: { names?: object; versions?: object[]; plural?: string } = {}) => ({
  metadata: { name: `${changes.plural ?? 'widgets'}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: changes.plural ?? 'widgets', kind: 'Widget', ...changes.names },
    versions: changes.versions ?? [version('v1')],
  },
})

const update = (fixture: RegistryFixture, name: string, change: (current: UnstructuredObject) => object) =>
  fixture.store(crds).update({ name }, (current) => decoded(fixture.store(crds), change(current!)), fixture.write())

describe('CustomResourceDefinitions', () => {
  it('are established right after the write that creates them, and served by the next request', async () => {
    const fixture = await openRegistry()
    let changes = 0
    fixture.registry.onResourcesChanged(() => changes++)
    const created = await fixture.create(crds, definition())
    expect(created.status).toEqual({ acceptedNames: { plural: '', kind: '' }, conditions: null, storedVersions: ['v1'] })
    expect((await fixture.store(crds).get({ name: 'widgets.example.com' })).status).toMatchObject({
      acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
        { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
      ],
      storedVersions: ['v1'],
    })
    expect(changes).toBe(1)
    const widget = await fixture.create(widgets, { metadata: { name: 'w' }, spec: {} })
    expect(widget).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { generation: 1 }, spec: { size: 1 } })
    expect(fixture.registry.resources().at(-1)?.type.plural).toBe('widgets')
  })

  it('are not served while their names are taken, and are once the names are free', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition())
    await fixture.create(crds, definition({ plural: 'gadgets' }))
    const other = await fixture.store(crds).get({ name: 'gadgets.example.com' })
    expect(other.status).toMatchObject({
      conditions: [
        { type: 'NamesAccepted', status: 'False', reason: 'SingularConflict', message: '"widget" is already in use' },
        { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      ],
    })
    expect(fixture.registry.resource('example.com', 'v1', 'gadgets')).toBeUndefined()
    await fixture.store(crds).delete({ name: 'widgets.example.com' }, fixture.write())
    expect(fixture.registry.resource('example.com', 'v1', 'gadgets')).toBeDefined()
  })

  it('serve one object in all versions, each with its own apiVersion', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition({ versions: [version('v1'), version('v2')] }))
    const reader = await WatchReader.open(fixture.store('example.com/v2/widgets'))
    const created = await fixture.create(widgets, { metadata: { name: 'w' }, spec: { size: 3 } })
    const seen = await fixture.store('example.com/v2/widgets').get({ namespace: 'default', name: 'w' })
    expect(seen).toEqual({ ...created, apiVersion: 'example.com/v2' })
    expect((await reader.next())?.object).toBe(seen)
    expect(
      fixture.registry
        .resources()
        .filter(({ type }) => type.group === 'example.com')
        .map(({ type }) => type.version),
    ).toEqual(['v2', 'v1'])
  })

  it('apply new defaults to objects that were written before, and remember stored versions', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition())
    await fixture.create(widgets, { metadata: { name: 'w' }, spec: {} })
    const newSchema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { color: { type: 'string', default: 'red' } } } },
    }
    const versions = [
      version('v1', { storage: false, served: false }),
      version('v2', { storage: true, schema: { openAPIV3Schema: newSchema } }),
    ]
    const changed = await update(fixture, 'widgets.example.com', (current) => ({
      ...current,
      spec: { ...(current.spec as object), versions },
    }))
    expect(changed.object.status).toMatchObject({ storedVersions: ['v1', 'v2'] })
    expect(fixture.registry.resource('example.com', 'v1', 'widgets')).toBeUndefined()
    const old = await fixture.store('example.com/v2/widgets').get({ namespace: 'default', name: 'w' })
    expect(old).toMatchObject({ apiVersion: 'example.com/v2', spec: { color: 'red' } })
  })

  it('end the watches of a version that is no longer served, and keep those of a version that stays as it was', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition({ versions: [version('v1'), version('v2')] }))
    const removed = await WatchReader.open(fixture.store('example.com/v2/widgets'))
    await update(fixture, 'widgets.example.com', (current) => ({
      ...current,
      spec: { ...(current.spec as object), versions: [version('v1'), version('v2', { served: false })] },
    }))
    expect(await removed.next()).toBeUndefined()
    const kept = await WatchReader.open(fixture.store(widgets))
    await update(fixture, 'widgets.example.com', (current) => ({ ...current, metadata: { ...current.metadata, labels: { a: 'b' } } }))
    await fixture.create(widgets, { metadata: { name: 'w' } })
    expect(await kept.take(1)).toEqual(['ADDED w'])
  })

  it('take their instances along when deleted; watchers see them go before the watch ends', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition())
    for (const name of ['a', 'b']) await fixture.create(widgets, { metadata: { name } })
    const reader = await WatchReader.open(fixture.store(widgets))
    expect(await reader.take(2)).toEqual(['ADDED a', 'ADDED b'])
    const answer = await fixture.store(crds).delete({ name: 'widgets.example.com' }, fixture.write())
    expect(answer).toMatchObject({ metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] } })
    expect(await reader.take(3)).toEqual(['DELETED a', 'DELETED b', 'END'])
    expect((await refusal(fixture.store(crds).get({ name: 'widgets.example.com' }))).code).toBe(404)
    expect(fixture.registry.resource('example.com', 'v1', 'widgets')).toBeUndefined()
    expect((await fixture.storage.list('/example.com/')).items).toEqual([])
  })

  it('wait for instances with finalizers and take no new ones', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition())
    await fixture.create(widgets, { metadata: { name: 'w', finalizers: ['example.com/f'] } })
    await fixture.store(crds).delete({ name: 'widgets.example.com' }, fixture.write())
    const waiting = await fixture.store(crds).get({ name: 'widgets.example.com' })
    expect(waiting.status).toMatchObject({
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'Terminating', status: 'True' })]) as unknown,
    })
    expect(await refusal(fixture.create(widgets, { metadata: { name: 'new' } }))).toMatchObject({
      code: 405,
      message: 'create not allowed while custom resource definition is terminating',
    })
    const store = fixture.store(widgets)
    await store.update(
      { namespace: 'default', name: 'w' },
      (current) => ({ ...current!, metadata: { ...current!.metadata, finalizers: [] } }),
      fixture.write(),
    )
    expect((await refusal(fixture.store(crds).get({ name: 'widgets.example.com' }))).code).toBe(404)
  })

  it('are served again from storage by a new registry', async () => {
    const fixture = await openRegistry()
    await fixture.create(crds, definition())
    await fixture.create(widgets, { metadata: { name: 'w' } })
    const { ResourceRegistry } = await import('../registry.js')
    const again = await fixture.world.run(ResourceRegistry.open({ storage: fixture.storage, environment: fixture.world.process('again') }))
    expect(await again.resource('example.com', 'v1', 'widgets')!.get({ namespace: 'default', name: 'w' })).toMatchObject({ kind: 'Widget' })
  })
})
