import {
  configMaps,
  customResource,
  defineArea,
  deployments,
  type Json,
  named,
  nodes,
  podSpec,
  pods,
  type Resource,
  type ScenarioBuilder,
  serviceAccounts,
  services,
  versionOf,
  workloadSpec,
} from '../language/index.js'

const start = { ...named('a', { labels: { k: 'v' }, annotations: { note: 'first' } }), data: { one: '1', two: '2' } }

const jsonPatches: readonly (readonly [name: string, patch: Json])[] = [
  [
    'add, replace and remove',
    [
      { op: 'add', path: '/data/three', value: '3' },
      { op: 'replace', path: '/data/one', value: 'I' },
      { op: 'remove', path: '/data/two' },
    ],
  ],
  [
    'test, move and copy',
    [
      { op: 'test', path: '/data/one', value: '1' },
      { op: 'move', from: '/data/one', path: '/data/eins' },
      { op: 'copy', from: '/data/two', path: '/data/zwei' },
    ],
  ],
  [
    'escaped paths',
    [
      { op: 'add', path: '/metadata/annotations/example.com~1a', value: 'x' },
      { op: 'add', path: '/metadata/annotations/a~0b', value: 'y' },
    ],
  ],
  [
    'a test that fails',
    [
      { op: 'test', path: '/data/one', value: 'I' },
      { op: 'remove', path: '/data/two' },
    ],
  ],
  ['remove of what is not there', [{ op: 'remove', path: '/data/three' }]],
  ['replace of what is not there', [{ op: 'replace', path: '/data/three', value: '3' }]],
  ['add below what is not there', [{ op: 'add', path: '/binaryData/x', value: 'eA==' }]],
  ['no operations', []],
  ['an operation that does not exist', [{ op: 'shake', path: '/data' }]],
  ['an operation without a path', [{ op: 'add', value: 1 }]],
  ['no list', { op: 'add', path: '/data/x', value: 'y' }],
  ['a result of the wrong type', [{ op: 'replace', path: '/data', value: 'text' }]],
  ['a result with a number for text', [{ op: 'add', path: '/data/n', value: 5 }]],
  ['another name', [{ op: 'replace', path: '/metadata/name', value: 'b' }]],
  ['another kind', [{ op: 'replace', path: '/kind', value: 'Secret' }]],
  [
    'the whole document',
    [{ op: 'replace', path: '', value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { only: 'this' } } }],
  ],
]

const mergePatches: readonly (readonly [name: string, patch: Json])[] = [
  ['a changed, a new and a removed key', { data: { one: 'I', two: null, three: '3' } }],
  ['null of what is not there', { data: { nine: null }, metadata: { labels: { absent: null } } }],
  ['a whole map removed', { data: null, metadata: { labels: null } }],
  ['nothing', {}],
  ['a list where an object belongs', [1]],
  ['text', 'text'],
  ['a value of the wrong type', { data: { one: 1 } }],
  ['an unknown field', { extra: { a: 1 } }],
  ['an immutable name', { metadata: { name: 'b' } }],
  ['a uid that is another', { metadata: { uid: '11111111-2222-3333-4444-555555555555' } }],
  ['a stale resourceVersion', { metadata: { resourceVersion: '1' }, data: { one: 'I' } }],
  ['a finalizer', { metadata: { finalizers: ['example.com/hold'] } }],
  ['a wrong label', { metadata: { labels: { 'k ey': 'v' } } }],
]

const container = (name: string, more: { [key: string]: Json } = {}) => ({ name, image: 'busybox:1.36', ...more })

/** Strategic merge patches of a deployment with two containers. */
const strategicPatches: readonly (readonly [name: string, patch: Json])[] = [
  ['one container of two', { spec: { template: { spec: { containers: [{ name: 'two', image: 'busybox:1.37' }] } } } }],
  ['a third container', { spec: { template: { spec: { containers: [{ name: 'three', image: 'busybox:1.36' }] } } } }],
  ['a container removed', { spec: { template: { spec: { containers: [{ name: 'two', $patch: 'delete' }] } } } }],
  ['containers replaced', { spec: { template: { spec: { containers: [{ $patch: 'replace' }, container('only')] } } } }],
  ['an environment variable', { spec: { template: { spec: { containers: [{ name: 'one', env: [{ name: 'B', value: '2' }] }] } } } }],
  [
    'an order of containers',
    {
      spec: {
        template: {
          spec: { '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }], containers: [{ name: 'one', image: 'busybox:1.37' }] },
        },
      },
    },
  ],
  ['a port by number', { spec: { template: { spec: { containers: [{ name: 'one', ports: [{ containerPort: 80, name: 'web' }] }] } } } }],
  ['an element without its key', { spec: { template: { spec: { containers: [{ image: 'busybox:1.37' }] } } } }],
  ['retained keys', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }],
  ['a field removed by null', { spec: { strategy: null, template: { metadata: { labels: { extra: null } } } } }],
]

function createDeployment(s: ScenarioBuilder): void {
  const containers = [container('one', { env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] }), container('two')]
  const template = { metadata: { labels: { app: 'web', extra: 'yes' } }, spec: { containers } }
  s.create(deployments, { ...named('a'), spec: workloadSpec({ template }) }, { isQuiet: true })
}

/** JSON, merge and strategic merge patches. */
export const patch = defineArea('patch', (scenario) => {
  for (const [name, operations] of jsonPatches) {
    scenario(`json: ${name}`, (s) => {
      s.create(configMaps, start)
      s.patch(configMaps, 'a', 'json', operations)
      s.get(configMaps, 'a')
    })
  }

  for (const [name, body] of mergePatches) {
    scenario(`merge: ${name}`, (s) => {
      s.create(configMaps, start)
      s.patch(configMaps, 'a', 'merge', body)
      s.get(configMaps, 'a')
    })
  }

  for (const [name, body] of strategicPatches) {
    scenario(`strategic: ${name}`, (s) => {
      createDeployment(s)
      s.patch(deployments, 'a', 'strategic', body)
    })
  }

  scenario('strategic: primitive lists', (s) => {
    s.create(configMaps, named('a', { finalizers: ['example.com/one', 'example.com/two'] }), { isQuiet: true })
    s.patch(configMaps, 'a', 'strategic', { metadata: { finalizers: ['example.com/three'] } })
    s.patch(configMaps, 'a', 'strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/one'] } })
    s.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } })
  })

  scenario('strategic: taints of a node and ports of a service', (s) => {
    const node = s.unique('node')
    s.create(nodes, { ...named(node), spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }, { isQuiet: true })
    s.patch(nodes, node, 'strategic', { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } })
    s.create(services, { ...named('a'), spec: { clusterIP: 'None', ports: [{ name: 'web', port: 80 }] } }, { isQuiet: true })
    s.patch(services, 'a', 'strategic', { spec: { ports: [{ name: 'more', port: 81 }] } })
    s.patch(serviceAccounts, 'absent', 'strategic', { secrets: [{ name: 's' }] })
  })

  scenario('strategic: owner references', (s) => {
    const uid = '11111111-2222-3333-4444-555555555555'
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid }
    s.create(configMaps, named('a', { ownerReferences: [owner] }), { isQuiet: true })
    s.patch(configMaps, 'a', 'strategic', { metadata: { ownerReferences: [{ uid, blockOwnerDeletion: true }] } })
    s.patch(configMaps, 'a', 'strategic', { metadata: { ownerReferences: [{ $patch: 'delete', uid }] } })
  })

  scenario('content types that are no patch', (s) => {
    s.create(configMaps, start, { isQuiet: true })
    for (const contentType of ['application/json', 'text/plain', 'application/yaml', ''])
      s.patch(configMaps, 'a', 'merge', {}, { contentType })
  })

  scenario('of a missing object', (s) => {
    s.patch(configMaps, 'absent', 'merge', { data: { a: 'b' } })
    s.patch(configMaps, 'absent', 'json', [])
    s.patch(deployments, 'absent', 'strategic', {})
  })

  scenario('with malformed bodies', (s) => {
    s.create(configMaps, start, { isQuiet: true })
    s.patch(configMaps, 'a', 'merge', {}, { text: '{"data":' })
    s.patch(configMaps, 'a', 'json', {}, { text: '[{"op":' })
    s.patch(configMaps, 'a', 'strategic', {}, { text: '{"data":' })
    s.patch(configMaps, 'a', 'merge', {}, { text: '' })
  })

  scenario('strict, warn and ignore', (s) => {
    s.create(configMaps, start, { isQuiet: true })
    for (const fieldValidation of ['Strict', 'Warn', 'Ignore']) {
      s.patch(configMaps, 'a', 'merge', { extra: 1 }, { query: { fieldValidation } })
      s.patch(configMaps, 'a', 'json', [{ op: 'add', path: '/extra', value: 1 }], { query: { fieldValidation } })
      s.patch(configMaps, 'a', 'strategic', { extra: 1 }, { query: { fieldValidation } })
    }
  })

  scenario('duplicate keys', (s) => {
    s.create(configMaps, start, { isQuiet: true })
    s.patch(configMaps, 'a', 'merge', {}, { text: '{"data":{"one":"I","one":"II"}}', query: { fieldValidation: 'Strict' } })
    s.patch(configMaps, 'a', 'merge', {}, { text: '{"data":{"one":"I","one":"II"}}' })
  })

  scenario('immutable fields', (s) => {
    createDeployment(s)
    s.patch(deployments, 'a', 'merge', { spec: { selector: { matchLabels: { app: 'other' } } } })
    s.create(configMaps, { ...start, immutable: true })
    s.patch(configMaps, 'a', 'merge', { data: { one: 'I' } })
    s.patch(configMaps, 'a', 'merge', { immutable: false })
    s.patch(configMaps, 'a', 'merge', { metadata: { labels: { more: 'yes' } } })
  })

  scenario('of the generation', (s) => {
    createDeployment(s)
    s.patch(deployments, 'a', 'merge', { metadata: { labels: { a: 'b' } } })
    s.patch(deployments, 'a', 'merge', { spec: { replicas: 5 } })
    s.patch(deployments, 'a', 'merge', { metadata: { generation: 99 } })
  })

  scenario('of a pod that may not change', (s) => {
    s.create(pods, { ...named('p'), spec: podSpec() }, { isQuiet: true })
    s.patch(pods, 'p', 'strategic', { spec: { containers: [{ name: 'main', image: 'busybox:1.37' }] } })
    s.patch(pods, 'p', 'strategic', { spec: { containers: [{ name: 'main', command: ['sh'] }] } })
    s.patch(pods, 'p', 'merge', { spec: { nodeName: 'one' } })
    s.patch(pods, 'p', 'merge', { spec: { activeDeadlineSeconds: 30 } })
    s.patch(pods, 'p', 'merge', { spec: { activeDeadlineSeconds: 60 } })
    s.patch(pods, 'p', 'merge', { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } })
  })

  scenario('of custom resources', (s) => {
    const widgets: Resource = customResource('Widget')
    s.define(widgets, [
      versionOf({
        spec: { type: 'object', properties: { size: { type: 'integer' }, parts: { type: 'array', items: { type: 'string' } } } },
      }),
    ])
    s.create(widgets, { ...named('a'), spec: { size: 1, parts: ['x', 'y'] } })
    s.patch(widgets, 'a', 'json', [
      { op: 'add', path: '/spec/parts/-', value: 'z' },
      { op: 'add', path: '/spec/parts/1', value: 'w' },
    ])
    s.patch(widgets, 'a', 'json', [{ op: 'remove', path: '/spec/parts/9' }])
    s.patch(widgets, 'a', 'merge', { spec: { parts: ['only'], size: null } })
    s.patch(widgets, 'a', 'strategic', { spec: { size: 3 } })
    s.patch(widgets, 'a', 'merge', { spec: { size: 'big' } })
    s.patch(widgets, 'a', 'merge', { spec: { colour: 'red' } })
    s.patch(widgets, 'a', 'merge', { apiVersion: '{{group}}/v2' })
    s.patch(widgets, 'a', 'merge', { kind: 'Gadget' })
  })
})
