import { describe, expect, test } from 'vitest'
import type { TransportRequest, TransportResponse } from '../environment/index.js'
import { systemEnvironment } from '../environment/index.js'
import { createDiscovery, NoMatchError, RestMapper } from './index.js'

// Documents as kube-apiserver 1.37 sends them, shortened.
const coreAggregated = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [
    {
      metadata: {},
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'namespaces',
              responseKind: { group: '', version: '', kind: 'Namespace' },
              scope: 'Cluster',
              singularResource: 'namespace',
              verbs: ['create', 'get'],
              shortNames: ['ns'],
              subresources: [{ subresource: 'finalize', responseKind: { group: '', version: '', kind: 'Namespace' }, verbs: ['update'] }],
            },
          ],
          freshness: 'Current',
        },
      ],
    },
  ],
}
const groupsAggregated = {
  ...coreAggregated,
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'deployments',
              responseKind: { group: '', version: '', kind: 'Deployment' },
              scope: 'Namespaced',
              singularResource: 'deployment',
              verbs: ['get', 'list'],
              shortNames: ['deploy'],
              categories: ['all'],
              subresources: [
                { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
              ],
            },
          ],
          freshness: 'Current',
        },
      ],
    },
    { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', resources: null, freshness: 'Stale' }] },
  ],
}
const deployments = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  scope: 'Namespaced',
  verbs: ['get', 'list'],
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] }],
}
const namespaces = {
  ...deployments,
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  scope: 'Cluster',
  verbs: ['create', 'get'],
  shortNames: ['ns'],
  categories: [],
  subresources: [{ name: 'finalize', group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] }],
}

const legacy: Record<string, unknown> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'apps',
        versions: [
          { groupVersion: 'apps/v1beta1', version: 'v1beta1' },
          { groupVersion: 'apps/v1', version: 'v1' },
        ],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      },
      { name: 'metrics.k8s.io', versions: [{ groupVersion: 'metrics.k8s.io/v1beta1', version: 'v1beta1' }] },
    ],
  },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'namespaces', singularName: 'namespace', namespaced: false, kind: 'Namespace', verbs: ['create', 'get'], shortNames: ['ns'] },
      { name: 'namespaces/finalize', singularName: '', namespaced: false, kind: 'Namespace', verbs: ['update'] },
    ],
  },
  '/apis/apps/v1': {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'apps/v1',
    resources: [
      {
        name: 'deployments',
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        verbs: ['get', 'list'],
        shortNames: ['deploy'],
        categories: ['all'],
      },
      { name: 'deployments/scale', singularName: '', namespaced: true, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
    ],
  },
}

function discoveryOf(documents: () => Record<string, unknown>) {
  const requests: TransportRequest[] = []
  const transport = {
    async request(request: TransportRequest): Promise<TransportResponse> {
      requests.push(request)
      const value = documents()[request.path]
      const status = typeof value === 'number' ? value : value === undefined ? 404 : 200
      return { status, headers: {}, body: { kind: 'bytes', bytes: new TextEncoder().encode(status === 200 ? JSON.stringify(value) : 'x') } }
    },
    close: async () => undefined,
  }
  return { discovery: createDiscovery({ environment: systemEnvironment, transport }), requests }
}

describe('Discovery', () => {
  test('reads aggregated documents in two requests and reports a stale version', async () => {
    const { discovery, requests } = discoveryOf(() => ({ '/api': coreAggregated, '/apis': groupsAggregated }))
    const result = await discovery.resources()
    expect(result.resources).toEqual([namespaces, deployments])
    expect(result.groups).toEqual([
      { group: '', versions: ['v1'] },
      { group: 'apps', versions: ['v1'] },
      { group: 'metrics.k8s.io', versions: ['v1beta1'] },
    ])
    expect(result.failures).toMatchObject([{ group: 'metrics.k8s.io', version: 'v1beta1', error: expect.any(Error) }])
    expect(Object.isFrozen(result.resources[0]?.verbs)).toBe(true)
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'
    expect(requests.map(({ path, headers }) => [path, headers.accept])).toEqual([
      ['/api', accept],
      ['/apis', accept],
    ])
  })

  test('falls back to legacy documents, preferred version first, and reports what could not be asked', async () => {
    const { discovery, requests } = discoveryOf(() => ({ ...legacy, '/apis/metrics.k8s.io/v1beta1': 503 }))
    const result = await discovery.resources()
    expect(result.resources).toEqual([namespaces, deployments])
    expect(result.groups).toContainEqual({ group: 'apps', versions: ['v1', 'v1beta1'] })
    // A version that is gone since the list was made (here apps/v1beta1) is no failure.
    expect(result.failures).toMatchObject([{ group: 'metrics.k8s.io', version: 'v1beta1', error: { name: 'StatusError' } }])
    expect(requests.map(({ path }) => path)).toEqual([
      '/api',
      '/api/v1',
      '/apis',
      '/apis/apps/v1',
      '/apis/apps/v1beta1',
      '/apis/metrics.k8s.io/v1beta1',
    ])
  })

  test('takes a server without core group, and fails when it learns nothing', async () => {
    expect((await discoveryOf(() => ({ '/apis': groupsAggregated })).discovery.resources()).resources).toEqual([deployments])
    await expect(discoveryOf(() => ({ '/api': 503 })).discovery.resources()).rejects.toMatchObject({ status: { code: 503 } })
  })
})

describe('RestMapper', () => {
  test('finds descriptors by kind and by plural with one discovery', async () => {
    const { discovery, requests } = discoveryOf(() => ({ '/api': coreAggregated, '/apis': groupsAggregated }))
    const mapper = new RestMapper(discovery)
    const [type, byPlural] = await Promise.all([mapper.typeFor('apps/v1', 'Deployment'), mapper.typeForResource('apps/v1', 'deployments')])
    expect(type).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      singular: 'deployment',
      listKind: 'DeploymentList',
      scope: 'Namespaced',
      shortNames: ['deploy'],
      categories: ['all'],
    })
    expect(byPlural).toBe(type)
    expect(await mapper.typeFor('v1', 'Namespace')).toMatchObject({ group: '', scope: 'Cluster' })
    expect(requests).toHaveLength(2)
  })

  test('asks again on a miss, once for all who miss, and says what it could not ask', async () => {
    let documents: Record<string, unknown> = { '/api': coreAggregated }
    const { discovery, requests } = discoveryOf(() => documents)
    const mapper = new RestMapper(discovery)
    await mapper.typeFor('v1', 'Namespace')
    documents = { '/api': coreAggregated, '/apis': groupsAggregated }
    const kinds = ['Deployment', 'Deployment', 'Unknown'].map((kind) => mapper.typeFor('apps/v1', kind))
    const results = await Promise.allSettled(kinds)
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(requests).toHaveLength(4)
    const error = await mapper.typeFor('apps/v1', 'Unknown').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NoMatchError)
    expect(error).toMatchObject({
      code: 'NO_MATCH',
      message: 'Cannot find kind Unknown in apps/v1: the server does not have it; metrics.k8s.io/v1beta1 could not be asked',
    })
  })

  test('asks again after a failure and after being told to forget', async () => {
    let documents: Record<string, unknown> = { '/api': 500 }
    const { discovery, requests } = discoveryOf(() => documents)
    const mapper = new RestMapper(discovery)
    await expect(mapper.typeFor('v1', 'Namespace')).rejects.toMatchObject({ status: { code: 500 } })
    documents = { '/api': coreAggregated }
    expect((await mapper.typeFor('v1', 'Namespace')).plural).toBe('namespaces')
    const before = requests.length
    mapper.invalidate()
    await mapper.typeFor('v1', 'Namespace')
    expect(requests.length).toBe(before + 2)
  })

  test('lets one caller leave without harm to the others', async () => {
    const { discovery } = discoveryOf(() => ({ '/api': coreAggregated }))
    const mapper = new RestMapper(discovery)
    const controller = new AbortController()
    const leaver = mapper.typeFor('v1', 'Namespace', controller.signal)
    const stayer = mapper.typeFor('v1', 'Namespace')
    controller.abort('bye')
    await expect(leaver).rejects.toBe('bye')
    expect((await stayer).kind).toBe('Namespace')
  })
})
