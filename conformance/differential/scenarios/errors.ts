import {
  configMaps,
  customResource,
  customResourceDefinitions,
  defineArea,
  deployments,
  leases,
  named,
  namespaces,
  podSpec,
  pods,
  type RequestOptions,
  secrets,
  services,
} from '../language/index.js'

const unknownKinds = customResource('Nothing', { group: 'nothing.example.com' })

/** Bodies that cannot be a ConfigMap, and what else a create may get wrong. */
const wrongBodies: readonly (readonly [name: string, options: RequestOptions])[] = [
  ['an empty body', { text: '' }],
  ['malformed JSON', { text: '{"apiVersion": "v1", "kind": "ConfigMap", ' }],
  ['JSON that is no object', { text: '["a"]' }],
  ['a body without kind', { text: '{"apiVersion":"v1","metadata":{"name":"a"}}' }],
  ['a body without apiVersion', { text: '{"kind":"ConfigMap","metadata":{"name":"a"}}' }],
  ['a body of another kind', { text: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}' }],
  ['a body of a kind that nobody knows', { text: '{"apiVersion":"v1","kind":"Nothing","metadata":{"name":"a"}}' }],
  ['a body of another version', { text: '{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"a"}}' }],
  ['a number where text belongs', { text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":1}}' }],
  ['text where a map belongs', { text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":"k"}' }],
  ['a list where metadata belongs', { text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":[]}' }],
  ['a label that is a number', { text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"k":1}}}' }],
  ['another namespace in the body', { text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"elsewhere"}}' }],
  ['a resourceVersion', { text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"5"}}' }],
  ['a content type that nobody knows', { text: 'name=a', contentType: 'application/x-www-form-urlencoded' }],
  ['YAML that is malformed', { text: 'apiVersion: v1\nkind: [', contentType: 'application/yaml' }],
]

const fieldValidations = ['Strict', 'Warn', 'Ignore', 'Sometimes'] as const

/** Refusals of every verb. */
export const errors = defineArea('errors', (scenario) => {
  scenario('get of a missing object', (s) => {
    s.get(configMaps, 'absent')
    s.get(deployments, 'absent')
    s.get(namespaces, 'absent')
  })

  scenario('get in a namespace that is missing', (s) => {
    s.get(configMaps, 'absent', { namespace: 'absent' })
    s.list(configMaps, { namespace: 'absent' })
  })

  scenario('get of a resource that nobody serves', (s) => {
    s.list(unknownKinds)
    s.get(unknownKinds, 'a')
    s.request('GET', '/api/v1/nothings')
    s.request('GET', '/apis/apps/v1/nothings')
    s.request('GET', '/apis/apps/v9/deployments')
  })

  scenario('paths that lead nowhere', (s) => {
    s.request('GET', '/nothing')
    s.request('GET', '/api/v2')
    s.request('GET', '/apis/nothing.example.com')
    s.request('GET', '/apis/apps/v9')
    s.request('POST', '/nothing', {})
  })

  scenario('methods that a resource does not have', (s) => {
    s.request('POST', s.path(configMaps, 'a'), {})
    s.request('PUT', s.path(configMaps, undefined), {})
    s.request('PATCH', s.path(configMaps, undefined), {}, { contentType: 'application/merge-patch+json' })
    s.request('POST', s.path(pods, 'a', { subresource: 'status' }), {})
    s.request('DELETE', s.path(pods, 'a', { subresource: 'status' }))
    s.request('GET', s.path(pods, 'a', { subresource: 'nothing' }))
    s.request('GET', s.path(configMaps, 'a', { subresource: 'status' }))
    s.request('DELETE', '/api/v1/namespaces')
  })

  scenario('create of a name that is taken', (s) => {
    s.create(configMaps, named('a'))
    s.create(configMaps, named('a'))
    s.create(deployments, {
      ...named('a'),
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: podSpec() } },
    })
    s.create(deployments, {
      ...named('a'),
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: podSpec() } },
    })
  })

  scenario('create without a name', (s) => {
    s.create(configMaps, { data: { a: 'b' } })
    s.create(pods, { metadata: {}, spec: podSpec() })
    s.create(customResourceDefinitions, { metadata: {} })
  })

  scenario('create in a namespace that is missing', (s) => {
    s.create(configMaps, named('a'), { namespace: 'absent' })
    s.create(services, { ...named('a'), spec: { ports: [{ port: 80 }] } }, { namespace: 'absent' })
  })

  scenario('create of a namespaced object across namespaces', (s) => {
    s.create(configMaps, named('a', { namespace: '{{namespace}}' }), { namespace: '' })
    s.create(configMaps, named('a'), { namespace: '' })
  })

  for (const [name, options] of wrongBodies) {
    scenario(`create with ${name}`, (s) => {
      s.create(configMaps, named('a'), options)
    })
  }

  scenario('create with a body over the limit', (s) => {
    s.create(configMaps, { ...named('a'), data: { big: 'x'.repeat(3_200_000) } })
  })

  scenario('create with data over a megabyte', (s) => {
    s.create(configMaps, { ...named('a'), data: { big: 'x'.repeat(1_048_577) } })
    s.create(secrets, { ...named('a'), stringData: { big: 'x'.repeat(1_048_577) } })
  })

  for (const fieldValidation of fieldValidations) {
    scenario(`unknown and duplicate fields under fieldValidation ${fieldValidation}`, (s) => {
      const text =
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","colour":"red"},"data":{"k":"1","k":"2"},"extra":{"deep":1}}'
      s.create(configMaps, named('a'), { text, query: { fieldValidation } })
      const pod =
        '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","imag":"x","ports":[{"containerport":80}]}],"nodename":"n"}}'
      s.create(pods, named('p'), { text: pod, query: { fieldValidation } })
    })
  }

  scenario('unknown fields in YAML', (s) => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  name: b\nextra: 1\n'
    s.create(configMaps, named('a'), { text, contentType: 'application/yaml', query: { fieldValidation: 'Strict' } })
    s.create(configMaps, named('a'), { text, contentType: 'application/yaml', query: { fieldValidation: 'Warn' } })
  })

  scenario('options that are wrong', (s) => {
    s.create(configMaps, named('a'), { query: { dryRun: 'Some' } })
    s.create(configMaps, named('a'), { query: { fieldManager: 'x'.repeat(129) } })
    s.create(configMaps, named('a'), { query: { fieldManager: 'a\u0007b' } })
    s.delete(configMaps, 'a', { dryRun: ['Some'] })
    s.list(configMaps, { query: { limit: 'many' } })
    s.list(configMaps, { query: { timeoutSeconds: 'long' } })
    s.patch(configMaps, 'a', 'merge', {}, { query: { force: true } })
  })

  scenario('update of a missing object', (s) => {
    s.update(configMaps, named('absent'))
    s.update(deployments, {
      ...named('absent'),
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: podSpec() } },
    })
    s.update(namespaces, named(s.unique('absent')))
  })

  scenario('update that creates', (s) => {
    s.update(leases, { ...named('a'), spec: { holderIdentity: 'me', leaseDurationSeconds: 10 } })
    s.update(leases, { ...named('a'), spec: { holderIdentity: 'you', leaseDurationSeconds: 10 } })
  })

  scenario('update of a stale resourceVersion', (s) => {
    const created = s.create(configMaps, named('a'))
    s.update(configMaps, { ...named('a'), data: { k: '1' } })
    s.update(configMaps, { ...named('a', { resourceVersion: created.at('metadata.resourceVersion') }), data: { k: '2' } })
    s.get(configMaps, 'a')
  })

  scenario('update with a resourceVersion that is no number', (s) => {
    s.create(configMaps, named('a'))
    s.update(configMaps, named('a', { resourceVersion: 'newest' }))
  })

  scenario('update of another uid', (s) => {
    s.create(configMaps, named('a'))
    s.update(configMaps, named('a', { uid: '11111111-2222-3333-4444-555555555555' }))
  })

  scenario('update under another name', (s) => {
    s.create(configMaps, named('a'))
    s.request('PUT', s.path(configMaps, 'a'), { apiVersion: 'v1', kind: 'ConfigMap', ...named('b') })
    s.request('PUT', s.path(configMaps, 'a'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })
    s.request('PUT', s.path(configMaps, 'a'), { apiVersion: 'v1', kind: 'ConfigMap', ...named('a', { namespace: 'elsewhere' }) })
  })

  scenario('update of metadata that never changes', (s) => {
    s.create(configMaps, named('a', { labels: { k: 'v' } }))
    s.update(
      configMaps,
      named('a', { creationTimestamp: '2001-02-03T04:05:06Z', generation: 7, selfLink: '/x', deletionGracePeriodSeconds: 3 }),
    )
  })

  scenario('delete of a missing object', (s) => {
    s.delete(configMaps, 'absent')
    s.delete(pods, 'absent')
    s.delete(namespaces, 'absent')
  })

  scenario('delete with a body that is wrong', (s) => {
    s.create(configMaps, named('a'))
    s.delete(configMaps, 'a', undefined, { text: '{"kind":' })
    s.delete(configMaps, 'a', undefined, { text: '{"kind":"Pod","apiVersion":"v1"}' })
    s.delete(configMaps, 'a', { propagationPolicy: 'Sideways' })
    s.delete(configMaps, 'a', { propagationPolicy: 'Orphan', orphanDependents: true })
    s.delete(configMaps, 'a', { gracePeriodSeconds: 'soon' })
    s.get(configMaps, 'a')
  })

  scenario('namespaces that may not be deleted', (s) => {
    s.delete(namespaces, 'default')
    s.delete(namespaces, 'kube-system')
  })

  scenario('requests of somebody who may do nothing', (s) => {
    s.list(pods, { user: 'jane' })
    s.get(configMaps, 'a', { user: 'jane' })
    s.create(configMaps, named('a'), { user: 'jane' })
    s.update(configMaps, named('a'), { user: 'jane' })
    s.patch(configMaps, 'a', 'merge', {}, { user: 'jane' })
    s.delete(configMaps, 'a', undefined, { user: 'jane' })
    s.deleteCollection(configMaps, undefined, { user: 'jane' })
    s.watch(configMaps, {}, { user: 'jane' })
    s.list(namespaces, { user: 'jane' })
    s.get(pods, 'a', { user: 'jane', subresource: 'status' })
    s.list(configMaps, { user: 'jane', namespace: '' })
    s.list(deployments, { user: 'jane' })
  })

  scenario('requests of nobody', (s) => {
    s.list(pods, { user: 'anonymous' })
    s.request('GET', '/api', undefined, { user: 'anonymous' })
    s.request('GET', '/healthz', undefined, { user: 'anonymous', accept: '*/*' })
    s.request('GET', '/version', undefined, { user: 'anonymous', keep: [], isQuiet: true })
  })

  scenario('requests with a token that nobody knows', (s) => {
    s.list(pods, { user: 'stranger' })
    s.request('GET', '/healthz', undefined, { user: 'stranger', accept: '*/*' })
    s.create(configMaps, named('a'), { user: 'stranger' })
  })

  scenario('dry run of every write', (s) => {
    const query = { dryRun: 'All' }
    s.create(configMaps, { ...named('a'), data: { k: 'v' } }, { query })
    s.get(configMaps, 'a')
    s.create(configMaps, { ...named('b'), data: { k: 'v' } })
    s.create(configMaps, named('b'), { query })
    s.update(configMaps, { ...named('b'), data: { k: 'w' } }, { query })
    s.patch(configMaps, 'b', 'merge', { data: { k: 'x' } }, { query })
    s.delete(configMaps, 'b', undefined, { query })
    s.delete(configMaps, 'b', { dryRun: ['All'] })
    s.get(configMaps, 'b')
  })

  scenario('update that changes nothing', (s) => {
    const created = s.create(configMaps, { ...named('a'), data: { k: 'v' } })
    s.update(configMaps, { ...named('a', { resourceVersion: created.at('metadata.resourceVersion') }), data: { k: 'v' } })
    s.update(configMaps, { ...named('a'), data: { k: 'v' } })
    s.patch(configMaps, 'a', 'merge', { data: { k: 'v' } })
  })

  scenario('names that are generated', (s) => {
    s.create(configMaps, { metadata: { generateName: 'config-' } })
    s.create(configMaps, { metadata: { generateName: 'Config_' } })
    s.create(configMaps, { metadata: { generateName: 'x'.repeat(300) } })
    s.create(configMaps, { metadata: { generateName: 'given-', name: 'chosen' } })
  })

  scenario('metadata that a client may not set at creation', (s) => {
    s.create(
      configMaps,
      named('a', {
        uid: '11111111-2222-3333-4444-555555555555',
        creationTimestamp: '2001-02-03T04:05:06Z',
        deletionTimestamp: '2001-02-03T04:05:06Z',
        deletionGracePeriodSeconds: 5,
        generation: 9,
        selfLink: '/x',
      }),
    )
  })
})
