import { defineArea, type JsonObject, named, type Resource, table } from '../language/index.js'
import { live } from './live.js'

const kind = (name: string, plural: string, isNamespaced = false): Resource => ({
  group: 'resource.k8s.io',
  version: 'v1',
  plural,
  kind: name,
  isNamespaced,
})
const classes = kind('DeviceClass', 'deviceclasses')
const claims = kind('ResourceClaim', 'resourceclaims', true)
const templates = kind('ResourceClaimTemplate', 'resourceclaimtemplates', true)
const slices = kind('ResourceSlice', 'resourceslices')
const taintRules = kind('DeviceTaintRule', 'devicetaintrules')
const status = { subresource: 'status' }

const added = '2020-01-02T03:04:05Z'
const opaque = { opaque: { driver: 'd.example.com', parameters: { a: 1 } } }
const exactly = (more: JsonObject = {}): JsonObject => ({ name: 'r', exactly: { deviceClassName: 'c', ...more } })
const claim = (...requests: readonly JsonObject[]): JsonObject => ({ spec: { devices: { requests } } })
const slice = (more: JsonObject = {}): JsonObject => ({
  spec: { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, allNodes: true, ...more },
})
const devices = (...list: readonly JsonObject[]): JsonObject => slice({ devices: list })
const perDevice = (...list: readonly JsonObject[]): JsonObject => ({
  spec: {
    driver: 'd.example.com',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    perDeviceNodeSelection: true,
    devices: list,
  },
})
const capacity = (value: JsonObject): JsonObject => devices({ name: 'x', allowMultipleAllocations: true, capacity: { c: value } })

const wrongClasses: readonly JsonObject[] = [
  {
    ...named('Class'),
    spec: {
      selectors: [{}],
      config: [{}, { opaque: {} }, { opaque: { driver: 'D_x', parameters: null } }, { opaque: { driver: 'd', parameters: [1] } }],
      extendedResourceName: 'cpu',
    },
  },
  { ...named('a'), spec: { selectors: Array.from({ length: 33 }, () => ({})), config: Array.from({ length: 33 }, () => ({})) } },
]

const wrongClaims: readonly JsonObject[] = [
  claim(
    {},
    { name: 'A' },
    { name: 'r' },
    { name: 'r', exactly: { deviceClassName: 'c' }, firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
  ),
  claim(
    { name: 'a', exactly: {} },
    { name: 'b', exactly: { deviceClassName: 'C', allocationMode: 'Some', selectors: [{}] } },
    { name: 'c', exactly: { deviceClassName: 'c', allocationMode: 'All', count: 2 } },
    { name: 'd', exactly: { deviceClassName: 'c', count: -1 } },
    {
      name: 'e',
      exactly: {
        deviceClassName: 'c',
        tolerations: [
          {},
          { key: 'a b', operator: 'Equal', value: 'a b', effect: 'Nothing' },
          { key: 'k', operator: 'Exists', value: 'v' },
          { operator: 'Like' },
        ],
      },
    },
    {
      name: 'f',
      firstAvailable: [{}, { name: 's', deviceClassName: 'C', allocationMode: 'Some' }, { name: 's', deviceClassName: 'c', count: -1 }],
    },
    { name: 'g', firstAvailable: Array.from({ length: 9 }, () => ({})) },
  ),
  {
    spec: {
      devices: {
        requests: [exactly(), { name: 'f', firstAvailable: [{ name: 's', deviceClassName: 'c' }] }],
        constraints: [
          {},
          { requests: ['r', 'f/s', 'f/x', 'a/b/c', 'A', 'r'], matchAttribute: 'bare' },
          { matchAttribute: 'Dom ain/na-me', distinctAttribute: 'a/b' },
          { distinctAttribute: '/' },
          { matchAttribute: 'd.example.com/ok' },
        ],
        config: [{}, { requests: ['r', 'r', 'no'], opaque: {} }, opaque],
      },
    },
  },
  claim(...Array.from({ length: 33 }, () => ({}))),
  claim(exactly({ adminAccess: true })),
]

const wrongSlices: readonly JsonObject[] = [
  { spec: {} },
  { spec: { driver: 'D_', pool: { name: 'P/a//b', generation: -1, resourceSliceCount: -1 }, nodeName: '', allNodes: false } },
  slice({ nodeName: 'N_', perDeviceNodeSelection: true, nodeSelector: {} }),
  slice({ nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'Is' }] }, {}] }, allNodes: null }),
  slice({
    sharedCounters: [
      {},
      { name: 'A', counters: { B: { value: '1' } } },
      { name: 'x', counters: { c: { value: '1' } } },
      { name: 'x', counters: { c: { value: '1' } } },
    ],
    devices: [{ name: 'd' }],
  }),
  devices({}, { name: 'A' }, { name: 'x', nodeName: 'n' }, { name: 'x', allNodes: true }),
  devices({
    name: 'x',
    attributes: { 'a-b': { int: 1 } },
    capacity: { 'd.example.com/': { value: '1', requestPolicy: {} } },
    taints: [{}, { key: 'k', value: 'a b', effect: 'Nothing' }],
    consumesCounters: [{}, { counterSet: 'S', counters: { C: { value: '1' } } }],
    bindingConditions: ['a b'],
  }),
  devices(
    { name: 'a', attributes: { a: {} } },
    { name: 'b', attributes: { b: { int: 1, bool: true } } },
    { name: 'c', attributes: { '/c': { version: '1.0' } } },
    { name: 'd', attributes: { 'D_/d': { string: 'x'.repeat(65) } } },
    { name: 'e', bindingConditions: ['a', 'a'], bindingFailureConditions: ['a', 'b', 'b'] },
    { name: 'f', bindingFailureConditions: ['b'] },
    { name: 'g', taints: [{ key: 'k' }] },
  ),
  perDevice({ name: 'a' }, { name: 'b', nodeName: '', allNodes: false }, { name: 'c', nodeName: 'N_', allNodes: true, nodeSelector: {} }),
  capacity({ value: '10', requestPolicy: { validValues: ['1'], validRange: { min: '1' }, default: '1' } }),
  capacity({ value: '10', requestPolicy: { validValues: ['2', '1', '1', '11'] } }),
  capacity({ value: '10', requestPolicy: { validValues: ['2', '1', '1', '11'], default: '5' } }),
  capacity({ value: '10', requestPolicy: { validRange: { min: '11', max: '12', step: '0' }, default: '13' } }),
  capacity({ value: '10', requestPolicy: { validRange: { min: '2', max: '9', step: '2' }, default: '5' } }),
  capacity({ value: '10', requestPolicy: { validRange: { max: '9' }, default: '5' } }),
  capacity({ value: '10', requestPolicy: { validRange: { min: '1' } } }),
  capacity({ value: '10', requestPolicy: { validRange: { min: '1', step: '10' }, default: '1500m' } }),
]

const wrongRules: readonly JsonObject[] = [
  { ...named('a'), spec: {} },
  { ...named('a'), spec: { deviceSelector: { driver: '', pool: '', device: '' }, taint: { key: 'a b', value: 'a b', effect: 'Nothing' } } },
  { ...named('a'), spec: { deviceSelector: { driver: 'D_', pool: 'P', device: 'D' }, taint: { key: 'k' } } },
]

const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'x' }

/** The kinds of resource.k8s.io. */
export const kindsResource = defineArea('kinds resource', (scenario) => {
  scenario('classes of devices', (s) => {
    live(s, classes, { spec: {} }, { spec: { extendedResourceName: 'example.com/gpu' } })
    live(s, classes, { spec: { selectors: [{ cel: { expression: 'true' } }], config: [opaque] } }, { spec: { selectors: null } })
    for (const body of wrongClasses) s.create(classes, body)
  })
  scenario('expressions that do not compile', (s) => {
    const dryRun = { query: { dryRun: 'All' } }
    const selectors = [{ cel: { expression: 'device.' } }]
    s.create(classes, { ...named('a'), spec: { selectors } }, dryRun)
    s.create(claims, { ...named('a'), ...claim(exactly({ selectors })) }, dryRun)
  })
  scenario('claims', (s) => {
    live(s, claims, claim(exactly()), { spec: { devices: { requests: [exactly({ count: 2 })] } } })
    live(
      s,
      claims,
      {
        spec: {
          devices: {
            requests: [
              exactly({
                selectors: [{ cel: { expression: 'true' } }],
                allocationMode: 'All',
                tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }],
                capacity: { requests: { 'd.example.com/m': '1Gi' } },
              }),
              {
                name: 'f',
                firstAvailable: [
                  { name: 's', deviceClassName: 'c' },
                  { name: 't', deviceClassName: 'c', count: 3 },
                ],
              },
            ],
            constraints: [{ requests: ['r', 'f/s'], matchAttribute: 'd.example.com/a' }, { distinctAttribute: 'd.example.com/b' }],
            config: [{ requests: ['f'], ...opaque }],
          },
        },
      },
      { metadata: { annotations: { a: 'b' } } },
    )
    live(s, claims, {}, { spec: { devices: { config: [opaque] } } })
  })
  scenario('claims that are refused', (s) => {
    for (const body of wrongClaims) s.create(claims, { ...named('a'), ...body })
  })
  scenario('statuses of claims', (s) => {
    s.create(claims, { ...named('a'), ...claim(exactly()), status: { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] } })
    const set = (body: JsonObject) => s.patch(claims, 'a', 'merge', { status: body }, status)
    set({ reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] })
    set({
      allocation: {
        devices: {
          results: [{}, { request: 'no', driver: 'D_', pool: 'P', device: 'D', shareID: 'x' }],
          config: [{}, { source: 'Air', requests: ['no'] }],
        },
        nodeSelector: {},
      },
    })
    set({
      allocation: { devices: { results: [result], config: [{ source: 'FromClaim', ...opaque }] } },
      reservedFor: [{}, { resource: 'pods', name: 'p', uid: 'u' }, { resource: 'pods', name: 'q', uid: 'u' }],
    })
    set({
      allocation: { devices: { results: [result], config: [{ source: 'FromClaim', ...opaque }] } },
      reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }],
    })
    s.get(claims, 'a', table)
    set({ allocation: { devices: { results: [{ ...result, device: 'y' }] } } })
    set({ devices: [{ driver: 'd.example.com', pool: 'p', device: 'z' }] })
    set({
      devices: [
        {
          driver: 'd.example.com',
          pool: 'p',
          device: 'x',
          data: { a: 1 },
          networkData: { interfaceName: 'x'.repeat(257), hardwareAddress: 'x'.repeat(129), ips: ['1.2.3.4', '1.2.3.4/24', '1.2.3.4/24'] },
          conditions: [{}],
        },
      ],
    })
    set({ devices: [{ driver: 'd.example.com', pool: 'p', device: 'x', networkData: { interfaceName: 'eth0', ips: ['1.2.3.4/24'] } }] })
    set({ allocation: null, reservedFor: null })
    s.get(claims, 'a', table)
    s.delete(claims, 'a')
  })
  scenario('templates of claims', (s) => {
    live(s, templates, { spec: { metadata: { labels: { a: 'b' } }, ...claim(exactly()) } }, { spec: { metadata: { labels: { a: 'c' } } } })
    s.create(templates, { ...named('a'), spec: { metadata: { labels: { 'a b': '-' }, annotations: { 'a b': '' } }, ...claim({}) } })
    s.create(templates, { ...named('A'), spec: {} })
  })
  scenario('slices', (s) => {
    live(s, slices, slice(), { spec: { driver: 'e.example.com', pool: { name: 'q' } } })
    live(
      s,
      slices,
      { spec: { driver: 'D.example.com', pool: { name: 'a/b', resourceSliceCount: 2 }, nodeName: 'n' } },
      { spec: { nodeName: 'm' } },
    )
    const device = {
      name: 'x',
      attributes: { a: { int: 1 }, 'd.example.com/b': { bool: false }, c: { string: 's' }, v: { version: '1.2.3-a+b' } },
      capacity: { m: { value: '1024Mi' }, n: { value: '0.5' } },
      taints: [{ key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: added }],
      consumesCounters: [{ counterSet: 's', counters: { c: { value: '1000m' } } }],
      bindsToNode: true,
      bindingConditions: ['a'],
      bindingFailureConditions: ['b'],
    }
    live(s, slices, devices(device), { spec: { devices: [{ ...device, taints: null }] } })
    live(s, slices, slice({ sharedCounters: [{ name: 's', counters: { c: { value: '10' } } }] }), { spec: { pool: { generation: 2 } } })
    live(s, slices, perDevice({ name: 'x', nodeName: 'n' }, { name: 'y', allNodes: true }), { spec: { devices: [] } })
    const policy = { validRange: { min: '1', max: '9', step: '2' }, default: '3' }
    live(s, slices, capacity({ value: '10', requestPolicy: policy }), { metadata: { annotations: { a: 'b' } } })
    s.list(slices, { query: { fieldSelector: 'spec.nodeName=nobody,spec.driver=x,spec.pool.name=y' } })
    s.list(slices, { query: { fieldSelector: 'spec.other=nobody' } })
    s.list(classes, { query: { fieldSelector: 'spec.other=nobody' } })
  })
  scenario('slices that are refused', (s) => {
    for (const body of wrongSlices.slice(0, 7)) s.create(slices, { ...named('a'), ...body })
  })
  scenario('slices whose devices are refused', (s) => {
    for (const body of wrongSlices.slice(7)) s.create(slices, { ...named('a'), ...body })
  })
  scenario('rules about taints of devices', (s) => {
    const taint = { key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: added }
    live(
      s,
      taintRules,
      { spec: { deviceSelector: { driver: 'd.example.com', pool: 'p', device: 'x' }, taint } },
      { spec: { taint: { value: 'w' } } },
    )
    live(s, taintRules, { spec: { taint: { key: 'k', effect: 'None', timeAdded: added } } }, { spec: { deviceSelector: { pool: 'q' } } })
    for (const body of wrongRules) s.create(taintRules, body)
    const stamped = s.unique('b')
    s.create(taintRules, { ...named(stamped), spec: { taint: { key: 'k', effect: 'None' } } })
    s.patch(taintRules, stamped, 'merge', { spec: { taint: { effect: 'NoExecute', timeAdded: added } } })
    s.patch(taintRules, stamped, 'merge', { spec: { taint: { effect: 'NoSchedule' } } })
    s.delete(taintRules, stamped)
    const name = s.unique('a')
    s.create(taintRules, { ...named(name), spec: { taint }, status: { conditions: [] } })
    const condition = { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: added }
    s.patch(taintRules, name, 'merge', { metadata: { labels: { k: 'v' } }, status: { conditions: [condition] } }, status)
    s.patch(taintRules, name, 'merge', { status: { conditions: [{}, condition, condition] } }, status)
    s.delete(taintRules, name)
  })
})
