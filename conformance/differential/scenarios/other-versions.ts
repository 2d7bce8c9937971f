import type { JsonObject, Resource, ScenarioBuilder } from '../language/index.js'
import { defineArea, named } from '../language/index.js'

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
    s.list(beta)
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
  scenario('discovery of all', (s) => {
    const accept = 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList'
    s.request('GET', '/apis', undefined, { accept })
    s.request('GET', '/apis/resource.k8s.io')
    s.request('GET', '/apis/resource.k8s.io/v1beta1')
  })
})
