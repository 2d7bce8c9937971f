import { configMaps, customResource, defineArea, named, namespaces, podSpec, pods, secrets, table, versionOf } from '../language/index.js'

const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const initialEvents = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true }

/** Streams of events. */
export const watch = defineArea('watch', (scenario) => {
  scenario('changes from now on', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion') })
    s.create(configMaps, { ...named('a'), data: { k: '1' } })
    s.update(configMaps, { ...named('a'), data: { k: '2' } })
    s.patch(configMaps, 'a', 'merge', { data: { k: '3' } })
    s.delete(configMaps, 'a')
    watch.expect(4)
  })

  scenario('what is there, then changes', (s) => {
    s.create(configMaps, named('b'))
    s.create(configMaps, named('a'))
    const watch = s.watch(configMaps)
    watch.expect(2)
    s.delete(configMaps, 'b')
    watch.expect(1)
  })

  scenario('from resourceVersion 0', (s) => {
    s.create(configMaps, named('a'))
    const watch = s.watch(configMaps, { resourceVersion: '0' })
    watch.expect(1)
    s.create(configMaps, named('b'))
    watch.expect(1)
  })

  scenario('resumed from an event', (s) => {
    const first = s.create(configMaps, named('a'))
    s.create(configMaps, named('b'))
    s.update(configMaps, { ...named('a'), data: { k: 'v' } })
    s.delete(configMaps, 'b')
    const watch = s.watch(configMaps, { resourceVersion: first.at('metadata.resourceVersion') })
    watch.expect(3)
  })

  scenario('several at once see the same', (s) => {
    const list = s.list(configMaps)
    const resourceVersion = list.at('metadata.resourceVersion')
    const [first, second] = [s.watch(configMaps, { resourceVersion }), s.watch(configMaps, { resourceVersion })]
    for (const name of ['a', 'b', 'c']) s.create(configMaps, named(name))
    s.delete(configMaps, 'b')
    first.expect(4)
    second.expect(4)
  })

  scenario('one object by field selector', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion'), fieldSelector: 'metadata.name=b' })
    s.create(configMaps, named('a'))
    s.create(configMaps, named('b'))
    s.delete(configMaps, 'a')
    s.delete(configMaps, 'b')
    watch.expect(2)
  })

  scenario('objects that begin and cease to match', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion'), labelSelector: 'on=yes' })
    s.create(configMaps, named('a', { labels: { on: 'no' } }))
    s.update(configMaps, { ...named('a', { labels: { on: 'yes' } }), data: { k: '1' } })
    s.update(configMaps, { ...named('a', { labels: { on: 'yes' } }), data: { k: '2' } })
    s.update(configMaps, { ...named('a', { labels: { on: 'no' } }), data: { k: '3' } })
    s.delete(configMaps, 'a')
    s.create(configMaps, named('b', { labels: { on: 'yes' } }))
    watch.expect(4)
  })

  scenario('pods that cease to match by field', (s) => {
    const watch = s.watch(pods, { fieldSelector: 'status.phase=Pending' })
    s.create(pods, { ...named('a'), spec: podSpec() })
    s.patch(pods, 'a', 'merge', { status: { phase: 'Running' } }, { subresource: 'status' })
    watch.expect(2)
  })

  scenario('an update that changes nothing has no event', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion') })
    s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    s.update(configMaps, { ...named('a'), data: { k: 'v' } })
    s.create(configMaps, named('b'))
    watch.expect(2)
  })

  scenario('initial events and their bookmark', (s) => {
    s.create(configMaps, named('a'))
    s.create(configMaps, named('b'))
    const watch = s.watch(configMaps, initialEvents)
    watch.expect(3)
    s.create(configMaps, named('c'))
    watch.expect(1)
  })

  scenario('initial events of nothing', (s) => {
    const watch = s.watch(configMaps, initialEvents)
    watch.expect(1)
    s.create(configMaps, named('a'))
    watch.expect(1)
  })

  scenario('initial events not older than a revision', (s) => {
    const created = s.create(configMaps, named('a'))
    const watch = s.watch(configMaps, { ...initialEvents, resourceVersion: created.at('metadata.resourceVersion') })
    watch.expect(2)
  })

  scenario('initial events without bookmarks', (s) => {
    s.create(configMaps, named('a'))
    const watch = s.watch(configMaps, { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' })
    watch.expect(1)
    s.create(configMaps, named('b'))
    watch.expect(1)
  })

  scenario('no initial events', (s) => {
    s.create(configMaps, named('a'))
    const watch = s.watch(configMaps, { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true })
    s.create(configMaps, named('b'))
    watch.expect(1)
  })

  scenario('initial events with a selector', (s) => {
    s.create(configMaps, named('a', { labels: { on: 'yes' } }))
    s.create(configMaps, named('b'))
    const watch = s.watch(configMaps, { ...initialEvents, labelSelector: 'on=yes' })
    watch.expect(2)
  })

  scenario('initial events as metadata', (s) => {
    s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    const watch = s.watch(configMaps, initialEvents, { accept: metadata })
    watch.expect(2)
  })

  scenario('initial events as tables', (s) => {
    s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    const watch = s.watch(configMaps, initialEvents, table)
    watch.expect(2)
  })

  scenario('options of initial events that are wrong', (s) => {
    s.watch(configMaps, { sendInitialEvents: true })
    s.watch(configMaps, { sendInitialEvents: true, resourceVersionMatch: 'Exact', resourceVersion: '1' })
    s.watch(configMaps, { resourceVersionMatch: 'NotOlderThan' })
    s.watch(configMaps, { resourceVersionMatch: 'NotOlderThan', resourceVersion: '1' })
    s.watch(configMaps, { sendInitialEvents: 'perhaps' })
    s.watch(configMaps, { resourceVersion: 'newest' })
    s.watch(configMaps, { labelSelector: 'a in' })
    s.watch(configMaps, { fieldSelector: 'data=1' })
    s.watch(configMaps, { timeoutSeconds: 'long' })
  })

  scenario('from a revision that is too old', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    const watch = s.watch(widgets, { resourceVersion: '1' })
    watch.expect(1)
    watch.end()
  })

  scenario('until its time is over', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion'), timeoutSeconds: 1 })
    s.create(configMaps, named('a'))
    watch.end()
  })

  scenario('a bookmark before its time is over', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, {
      resourceVersion: list.at('metadata.resourceVersion'),
      timeoutSeconds: 4,
      allowWatchBookmarks: true,
    })
    s.create(configMaps, named('a'))
    watch.end()
  })

  scenario('as tables', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion') }, table)
    s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    s.update(configMaps, { ...named('a'), data: { k: 'v', l: 'w' } })
    s.delete(configMaps, 'a')
    watch.expect(3)
  })

  scenario('as tables with whole objects', (s) => {
    s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    const whole = s.watch(configMaps, { includeObject: 'Object' }, table)
    whole.expect(1)
    const none = s.watch(configMaps, { includeObject: 'None' }, table)
    none.expect(1)
  })

  scenario('as metadata', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion') }, { accept: metadata })
    s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    s.delete(configMaps, 'a')
    watch.expect(2)
  })

  scenario('an object with a finalizer', (s) => {
    const list = s.list(configMaps)
    const watch = s.watch(configMaps, { resourceVersion: list.at('metadata.resourceVersion') })
    s.create(configMaps, named('a', { finalizers: ['example.com/hold'] }))
    s.delete(configMaps, 'a')
    s.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } })
    watch.expect(3)
  })

  scenario('a namespace by name', (s) => {
    const watch = s.watch(namespaces, { fieldSelector: 'metadata.name={{namespace}}' })
    s.patch(namespaces, s.namespace, 'merge', { metadata: { labels: { k: 'v' } } })
    watch.expect(2)
  })

  scenario('across namespaces', (s) => {
    const watch = s.watch(secrets, { labelSelector: 'run={{run}}' }, { namespace: '' })
    s.create(secrets, named('a', { labels: { run: '{{run}}' } }))
    watch.expect(1)
  })

  scenario('the old paths', (s) => {
    s.create(configMaps, named('a'))
    s.watchPath('/api/v1/watch/namespaces/{{namespace}}/configmaps', {}).expect(1)
    s.watchPath('/api/v1/watch/namespaces/{{namespace}}/configmaps/a', {}).expect(1)
  })

  scenario('custom resources', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [
      versionOf({ spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } }, { subresources: { status: {} } }),
    ])
    const list = s.list(widgets)
    const watch = s.watch(widgets, { resourceVersion: list.at('metadata.resourceVersion') })
    s.create(widgets, { ...named('a'), spec: {} })
    s.patch(widgets, 'a', 'merge', { spec: { size: 5 } })
    s.delete(widgets, 'a')
    watch.expect(3)
  })

  scenario('custom resources end with their definition', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    s.create(widgets, named('a'), { isQuiet: true })
    const watch = s.watch(widgets, {}, table)
    watch.expect(1)
  })
})
