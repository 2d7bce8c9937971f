import {
  configMaps,
  customResource,
  customResourceDefinitions,
  defineArea,
  deployments,
  named,
  namespaces,
  podSpec,
  pods,
  secrets,
  serviceAccounts,
  services,
  versionOf,
  workloadSpec,
} from '../language/index.js'

const otherUid = '11111111-2222-3333-4444-555555555555'

/** Deletion and its options, without controllers. */
export const deletion = defineArea('delete', (scenario) => {
  scenario('what each kind answers', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.delete(configMaps, 'a')
    s.create(secrets, named('a'), { isQuiet: true })
    s.delete(secrets, 'a')
    s.create(services, { ...named('a'), spec: { ports: [{ port: 80 }] } }, { isQuiet: true })
    s.delete(services, 'a')
    s.create(serviceAccounts, named('a'), { isQuiet: true })
    s.delete(serviceAccounts, 'a')
    s.create(deployments, { ...named('a'), spec: workloadSpec() }, { isQuiet: true })
    s.delete(deployments, 'a')
    s.create(pods, { ...named('a'), spec: podSpec() }, { isQuiet: true })
    s.delete(pods, 'a')
  })

  scenario('with a uid as precondition', (s) => {
    const created = s.create(configMaps, named('a'))
    s.delete(configMaps, 'a', { preconditions: { uid: otherUid } })
    s.delete(configMaps, 'a', { preconditions: { uid: created.at('metadata.uid') } })
    s.get(configMaps, 'a')
  })

  scenario('with a resourceVersion as precondition', (s) => {
    const created = s.create(configMaps, named('a'))
    const updated = s.update(configMaps, { ...named('a'), data: { k: 'v' } })
    s.delete(configMaps, 'a', { preconditions: { resourceVersion: created.at('metadata.resourceVersion') } })
    s.delete(configMaps, 'a', { preconditions: { resourceVersion: updated.at('metadata.resourceVersion'), uid: otherUid } })
    s.delete(configMaps, 'a', { preconditions: { resourceVersion: updated.at('metadata.resourceVersion') } })
  })

  scenario('of an object with a finalizer', (s) => {
    s.create(configMaps, named('a', { finalizers: ['example.com/hold'] }))
    s.delete(configMaps, 'a')
    s.get(configMaps, 'a')
    s.delete(configMaps, 'a')
    s.patch(configMaps, 'a', 'merge', { data: { k: 'v' } })
    s.patch(configMaps, 'a', 'merge', { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } })
    s.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } })
    s.get(configMaps, 'a')
  })

  scenario('of an object with two finalizers', (s) => {
    s.create(configMaps, named('a', { finalizers: ['example.com/one', 'example.com/two'] }), { isQuiet: true })
    s.delete(configMaps, 'a')
    s.patch(configMaps, 'a', 'json', [{ op: 'remove', path: '/metadata/finalizers/0' }])
    s.update(configMaps, named('a'))
    s.get(configMaps, 'a')
  })

  scenario('create while the old one is terminating', (s) => {
    s.create(configMaps, named('a', { finalizers: ['example.com/hold'] }), { isQuiet: true })
    s.delete(configMaps, 'a')
    s.create(configMaps, named('a'))
  })

  scenario('foreground', (s) => {
    s.create(configMaps, named('a'))
    s.delete(configMaps, 'a', { propagationPolicy: 'Foreground' })
    s.get(configMaps, 'a')
    s.delete(configMaps, 'a', { propagationPolicy: 'Background' })
    s.get(configMaps, 'a')
  })

  scenario('orphan', (s) => {
    s.create(configMaps, named('a'))
    s.delete(configMaps, 'a', { propagationPolicy: 'Orphan' })
    s.delete(configMaps, 'a', { propagationPolicy: 'Foreground' })
    s.get(configMaps, 'a')
  })

  scenario('orphanDependents, the old way', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.delete(configMaps, 'a', { orphanDependents: true })
    s.create(configMaps, named('b'), { isQuiet: true })
    s.delete(configMaps, 'b', { orphanDependents: false })
    s.get(configMaps, 'b')
  })

  scenario('background', (s) => {
    s.create(deployments, { ...named('a'), spec: workloadSpec() }, { isQuiet: true })
    s.delete(deployments, 'a', { propagationPolicy: 'Background' })
    s.get(deployments, 'a')
  })

  scenario('options in the query', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.delete(configMaps, 'a', undefined, { query: { propagationPolicy: 'Foreground' } })
    s.create(pods, { ...named('p'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    s.delete(pods, 'p', undefined, { query: { gracePeriodSeconds: 7 } })
    s.delete(pods, 'p', undefined, { query: { gracePeriodSeconds: 0 } })
    s.delete(pods, 'p', undefined, { query: { propagationPolicy: 'Sideways' } })
  })

  scenario('a pod that no node has', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec() }, { isQuiet: true })
    s.delete(pods, 'a', { gracePeriodSeconds: 30 })
    s.get(pods, 'a')
  })

  scenario('a pod on a node', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    s.delete(pods, 'a')
    s.get(pods, 'a')
    s.delete(pods, 'a', { gracePeriodSeconds: 60 })
    s.delete(pods, 'a', { gracePeriodSeconds: 5 })
    s.delete(pods, 'a', { gracePeriodSeconds: 0 })
    s.get(pods, 'a')
  })

  scenario('a pod with a grace period of its own', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec({ nodeName: 'one', terminationGracePeriodSeconds: 3 }) }, { isQuiet: true })
    s.delete(pods, 'a')
    s.create(pods, { ...named('b'), spec: podSpec({ nodeName: 'one', terminationGracePeriodSeconds: 0 }) }, { isQuiet: true })
    s.delete(pods, 'b')
    s.create(pods, { ...named('c'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    s.delete(pods, 'c', { gracePeriodSeconds: -1 })
  })

  scenario('a pod that has finished', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    s.patch(pods, 'a', 'merge', { status: { phase: 'Succeeded' } }, { subresource: 'status', isQuiet: true })
    s.delete(pods, 'a')
    s.get(pods, 'a')
  })

  scenario('a grace period for what has none', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.delete(configMaps, 'a', { gracePeriodSeconds: 30 })
    s.get(configMaps, 'a')
  })

  scenario('a collection', (s) => {
    for (const name of ['a', 'b', 'c']) s.create(configMaps, named(name), { isQuiet: true })
    s.deleteCollection(configMaps)
    s.list(configMaps)
    s.deleteCollection(configMaps)
  })

  scenario('a collection with finalizers', (s) => {
    s.create(configMaps, named('a', { finalizers: ['example.com/hold'] }), { isQuiet: true })
    s.create(configMaps, named('b'), { isQuiet: true })
    s.deleteCollection(configMaps, { propagationPolicy: 'Background' })
    s.list(configMaps)
  })

  scenario('a collection of pods with grace', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    s.create(pods, { ...named('b'), spec: podSpec() }, { isQuiet: true })
    s.deleteCollection(pods, { gracePeriodSeconds: 9 })
    s.list(pods)
  })

  scenario('a namespace', (s) => {
    const name = s.unique('gone')
    s.create(namespaces, named(name), { isQuiet: true })
    s.delete(namespaces, name)
    s.get(namespaces, name)
    s.create(configMaps, named('late'), { namespace: name })
    s.delete(namespaces, name)
  })

  scenario('custom resources', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    s.create(widgets, named('a'), { isQuiet: true })
    s.delete(widgets, 'a')
    s.create(widgets, named('b', { finalizers: ['example.com/hold'] }), { isQuiet: true })
    s.delete(widgets, 'b', { propagationPolicy: 'Foreground' })
    s.patch(widgets, 'b', 'merge', { metadata: { finalizers: null } })
    s.get(widgets, 'b')
    s.create(widgets, named('c'), { isQuiet: true })
    s.deleteCollection(widgets)
  })

  scenario('a definition takes its objects along', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    s.create(widgets, named('a'), { isQuiet: true })
    s.delete(customResourceDefinitions, 'widgets.{{group}}')
    s.getUntil(customResourceDefinitions, 'widgets.{{group}}', { status: 404 })
  })
})
