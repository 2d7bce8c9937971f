import type { JsonObject, Resource, ScenarioBuilder } from '../language/index.js'
import { defineArea, named, table } from '../language/index.js'

const inVersion = (resource: Resource, version: string): Resource => ({ ...resource, version })
const dynamic = (kind: string, plural: string, isNamespaced = false): Resource => ({
  group: 'resource.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced,
})
const claims = dynamic('ResourceClaim', 'resourceclaims', true)
const templates = dynamic('ResourceClaimTemplate', 'resourceclaimtemplates', true)
const slices = dynamic('ResourceSlice', 'resourceslices')
const taintRules = dynamic('DeviceTaintRule', 'devicetaintrules')
const policies: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  isNamespaced: false,
}
const candidates: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  plural: 'leasecandidates',
  kind: 'LeaseCandidate',
  isNamespaced: true,
}
const storageVersions: Resource = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  plural: 'storageversions',
  kind: 'StorageVersion',
  isNamespaced: false,
}
const poolRequests: Resource = { ...dynamic('ResourcePoolStatusRequest', 'resourcepoolstatusrequests'), version: 'v1alpha3' }
const status = { subresource: 'status' }

const alternatives = { name: 'f', firstAvailable: [{ name: 's', deviceClassName: 'c' }] }
const exact = { deviceClassName: 'c', tolerations: [{ key: 'k', operator: 'Exists' }] }
const claim = (...requests: readonly JsonObject[]): JsonObject => ({ spec: { devices: { requests } } })
const pool = { name: 'p', generation: 1, resourceSliceCount: 1 }
const device: JsonObject = { attributes: { a: { int: 1 } }, capacity: { m: { value: '1024Mi' } } }
const slice = (more: JsonObject): JsonObject => ({ spec: { driver: 'd.example.com', pool, ...more } })

/** Reads an object in all its versions. */
function readAll(s: ScenarioBuilder, resource: Resource, name: string, versions: readonly string[]): void {
  for (const version of versions) s.get(inVersion(resource, version), name)
}

/** Objects that are served in several versions and stored once. */
export const otherVersions = defineArea('other versions', (scenario) => {
  scenario('claims', (s) => {
    const all = ['v1', 'v1beta2', 'v1beta1']
    const beta = inVersion(claims, 'v1beta1')
    const watch = s.watch(beta)
    s.create(beta, { ...named('old'), ...claim({ name: 'r', ...exact }, alternatives) })
    readAll(s, claims, 'old', all)
    s.create(claims, { ...named('new'), ...claim({ name: 'r', exactly: exact }, alternatives) })
    readAll(s, claims, 'new', all)
    watch.expect(2)
    s.patch(beta, 'new', 'merge', { metadata: { labels: { k: 'v' } } })
    s.patch(beta, 'new', 'merge', { spec: { devices: { requests: [{ name: 'r', deviceClassName: 'd' }] } } })
    const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'x' }
    s.patch(beta, 'new', 'merge', { status: { allocation: { devices: { results: [result] } } } }, status)
    s.get(claims, 'new')
    s.create(beta, { ...named('none'), spec: {} })
    readAll(s, claims, 'none', all)
    s.delete(beta, 'none')
  })
  scenario('claims that are refused', (s) => {
    const beta = inVersion(claims, 'v1beta1')
    s.create(beta, { ...named('a'), ...claim({}, { ...exact, ...alternatives }) })
    s.create(beta, { ...named('a'), ...claim({ name: 'r', deviceClassName: 'C', count: -1 }) })
    s.create(beta, { ...named('a'), ...claim({ name: 'r', exactly: exact }) }, { query: { fieldValidation: 'Strict' } })
    s.create(inVersion(claims, 'v1beta2'), { ...named('a'), ...claim({ name: 'r', exactly: { count: -1 } }) })
  })
  scenario('templates of claims', (s) => {
    const beta = inVersion(templates, 'v1beta1')
    s.create(beta, { ...named('old'), spec: claim({ name: 'r', ...exact }, alternatives) })
    readAll(s, templates, 'old', ['v1', 'v1beta2', 'v1beta1'])
    s.patch(beta, 'old', 'merge', { metadata: { labels: { k: 'v' } } })
    s.delete(beta, 'old')
  })
  scenario('slices', (s) => {
    const all = ['v1', 'v1beta2', 'v1beta1']
    const beta = inVersion(slices, 'v1beta1')
    const [old, fresh] = [s.unique('old'), s.unique('new')]
    s.create(beta, { ...named(old), ...slice({ nodeName: 'n', devices: [{ name: 'x', basic: device }, { name: 'y' }] }) })
    readAll(s, slices, old, all)
    s.patch(beta, old, 'merge', { spec: { pool: { generation: 2 } } })
    s.create(slices, { ...named(fresh), ...slice({ allNodes: true, devices: [{ name: 'x', ...device }] }) })
    readAll(s, slices, fresh, all)
    s.patch(slices, fresh, 'merge', { spec: { pool: { generation: 2 } } })
    s.get(beta, fresh)
    s.list(beta, { query: { fieldSelector: `spec.nodeName=n,metadata.name=${old}` } })
    s.list(beta, { query: { fieldSelector: 'spec.other=x' } })
    s.create(beta, { ...named('a'), ...slice({ allNodes: false, nodeName: '' }) })
    s.delete(beta, old)
    s.delete(slices, fresh)
  })
  scenario('rules about taints of devices', (s) => {
    const name = s.unique('a')
    const body = { ...named(name), spec: { taint: { key: 'k', effect: 'None', timeAdded: '2020-01-02T03:04:05Z' } } }
    s.create(inVersion(taintRules, 'v1alpha3'), body)
    readAll(s, taintRules, name, ['v1', 'v1beta2', 'v1alpha3'])
    s.update(inVersion(taintRules, 'v1beta2'), body)
    s.update(inVersion(taintRules, 'v1alpha3'), body)
    s.update(taintRules, body)
    s.delete(taintRules, name)
  })
  scenario('policies that mutate', (s) => {
    const name = s.unique('a')
    const rule = { operations: ['CREATE'], apiGroups: ['nothing.example.com'], apiVersions: ['v1'], resources: ['things'] }
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }]
    const spec = { matchConstraints: { resourceRules: [rule] }, mutations, reinvocationPolicy: 'Never' }
    s.create(inVersion(policies, 'v1alpha1'), { ...named(name), spec })
    readAll(s, policies, name, ['v1', 'v1beta1', 'v1alpha1'])
    s.patch(inVersion(policies, 'v1beta1'), name, 'merge', { spec: { failurePolicy: 'Ignore' } })
    s.patch(inVersion(policies, 'v1beta1'), name, 'merge', { spec: { failurePolicy: 'Maybe' } })
    s.delete(inVersion(policies, 'v1beta1'), name)
  })
  scenario('candidates for leases', (s) => {
    const candidate = (more: JsonObject): JsonObject => ({
      ...named('a'),
      spec: { leaseName: 'l', binaryVersion: '1.2.0', emulationVersion: '1.1.0', strategy: 'OldestEmulationVersion', ...more },
    })
    s.update(candidates, candidate({}))
    readAll(s, candidates, 'a', ['v1beta1', 'v1alpha2'])
    s.update(candidates, candidate({ leaseName: 'm' }))
    s.patch(candidates, 'a', 'merge', { spec: { leaseName: 'm' } })
    s.patch(candidates, 'a', 'merge', { spec: { renewTime: '2020-01-02T03:04:05Z', strategy: 'example.com/mine' } })
    s.list(candidates, { query: { fieldSelector: 'spec.leaseName=l' } })
    s.list(candidates, { query: { fieldSelector: 'spec.strategy=l' } })
    s.delete(candidates, 'a')
    const refused: readonly JsonObject[] = [
      { ...named('a'), spec: {} },
      named('a/b'),
      candidate({ binaryVersion: '1.0', emulationVersion: 'v1' }),
      candidate({ binaryVersion: '1.0.0-rc.1', emulationVersion: '1.0.0' }),
      candidate({ binaryVersion: '1.0.0-rc.10', emulationVersion: '1.0.0-rc.9' }),
      candidate({ emulationVersion: '', strategy: 'Youngest' }),
      candidate({ emulationVersion: '' }),
      candidate({ emulationVersion: '0.0.0' }),
      candidate({ strategy: 'a b/c' }),
    ]
    for (const body of refused) s.create(candidates, body, { query: { dryRun: 'All' } })
  })
  scenario('versions that servers store', (s) => {
    const name = '{{group}}.things'
    const set = (body: JsonObject) => s.patch(storageVersions, name, 'merge', { status: body }, status)
    const server = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1', 'g/v2'], servedVersions: ['v1'] }
    s.create(storageVersions, { ...named(name), spec: {}, status: { commonEncodingVersion: 'v1' } })
    set({ storageVersions: [server], commonEncodingVersion: 'v1' })
    s.get(storageVersions, name, table)
    set({ storageVersions: [server], commonEncodingVersion: null })
    set({ storageVersions: [server], commonEncodingVersion: 'v2' })
    set({ storageVersions: [server, { ...server, apiServerID: 'b', encodingVersion: 'g/v2' }] })
    set({ storageVersions: [{}, { ...server, apiServerID: 'A', encodingVersion: 'a/b/c', servedVersions: ['/v', 'g/'] }, server, server] })
    const condition = {
      type: 'AllEncodingVersionsEqual',
      status: 'True',
      reason: 'R',
      message: 'm',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    }
    set({ conditions: [condition, condition, {}] })
    set({ conditions: [condition] })
    s.update(storageVersions, { ...named(name), spec: {} })
    s.delete(storageVersions, name)
    for (const wrong of ['a', 'A.b', 'a.B']) s.create(storageVersions, { ...named(wrong), spec: {} })
  })
  scenario('questions about pools', (s) => {
    const name = s.unique('a')
    const set = (body: JsonObject) => s.patch(poolRequests, name, 'merge', { status: body }, status)
    s.create(poolRequests, { ...named(name), spec: { driver: 'd.example.com', poolName: 'a/b' }, status: { poolCount: 1 } })
    s.get(poolRequests, name, table)
    s.patch(poolRequests, name, 'merge', { spec: { limit: 3 } })
    set({ pools: [{ driver: 'D_', generation: -1, totalDevices: -1, nodeName: 'N_' }, {}], conditions: [{}] })
    const condition = { type: 'Complete', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' }
    const pool = { driver: 'd.example.com', poolName: 'p', generation: 1, totalDevices: 4, availableDevices: 3, allocatedDevices: 1 }
    set({ poolCount: 2, pools: [pool], conditions: [condition] })
    s.get(poolRequests, name)
    set({ poolCount: 3 })
    s.delete(poolRequests, name)
    const refused: readonly JsonObject[] = [{}, { driver: 'D_', poolName: 'P//', limit: 0 }, { driver: 'd', limit: 1001 }]
    for (const spec of refused) s.create(poolRequests, { ...named('a'), spec })
  })
  scenario('discovery of all', (s) => {
    s.request('GET', '/apis')
    s.request('GET', '/apis/resource.k8s.io')
    s.request('GET', '/apis/resource.k8s.io/v1beta1')
  })
})
