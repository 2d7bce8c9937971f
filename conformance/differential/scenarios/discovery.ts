import {
  configMaps,
  customResource,
  customResourceDefinitions,
  defineArea,
  definition,
  deployments,
  events,
  type JsonObject,
  type Keep,
  leases,
  named,
  namespaces,
  nodes,
  podSpec,
  pods,
  replicaSets,
  secrets,
  serviceAccounts,
  services,
  table,
  tableMediaType,
  versionOf,
  workloadSpec,
} from '../language/index.js'
import { openApiScenarios } from './openapi.js'

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const coreKinds = ['namespaces', 'pods', 'configmaps', 'secrets', 'services', 'serviceaccounts', 'nodes', 'events']
const coreSubresources = [
  'namespaces/finalize',
  'namespaces/status',
  'nodes/status',
  'pods/binding',
  'pods/eviction',
  'pods/status',
  'services/status',
]
const keepCore: readonly Keep[] = [{ path: 'resources', by: 'name', values: [...coreKinds, ...coreSubresources] }]
const keepApps: readonly Keep[] = [
  {
    path: 'resources',
    by: 'name',
    values: ['deployments', 'deployments/scale', 'deployments/status', 'replicasets', 'replicasets/scale', 'replicasets/status'],
  },
]
const groups = ['apps', 'events.k8s.io', 'coordination.k8s.io', 'apiextensions.k8s.io']

/** Discovery, negotiation of media types, tables. */
export const discovery = defineArea('discovery', (scenario) => {
  scenario('versions of the core', (s) => {
    s.request('GET', '/api')
  })

  scenario('resources of the core', (s) => {
    s.request('GET', '/api/v1', undefined, { keep: keepCore })
  })

  scenario('groups', (s) => {
    s.request('GET', '/apis', undefined, { keep: [{ path: 'groups', by: 'name', values: groups }] })
    for (const group of groups) s.request('GET', `/apis/${group}`)
  })

  scenario('resources of groups', (s) => {
    s.request('GET', '/apis/apps/v1', undefined, { keep: keepApps })
    s.request('GET', '/apis/events.k8s.io/v1')
    s.request('GET', '/apis/coordination.k8s.io/v1')
    s.request('GET', '/apis/apiextensions.k8s.io/v1')
  })

  scenario('aggregated, of the core', (s) => {
    const keep = [
      { path: 'items.*.versions.*.resources', by: 'resource', values: coreKinds },
      ...['pods', 'services', 'nodes', 'namespaces'].map(() => ({
        path: 'items.*.versions.*.resources.*.subresources',
        by: 'subresource',
        values: ['finalize', 'status', 'binding', 'eviction'],
      })),
    ]
    s.request('GET', '/api', undefined, { accept: aggregated, keep })
  })

  scenario('aggregated, of groups', (s) => {
    const keep = [
      { path: 'items', by: 'metadata.name', values: groups },
      { path: 'items.*.versions', by: 'version', values: ['v1'] },
      {
        path: 'items.*.versions.*.resources',
        by: 'resource',
        values: ['deployments', 'replicasets', 'events', 'leases', 'customresourcedefinitions'],
      },
    ]
    s.request('GET', '/apis', undefined, { accept: aggregated, keep })
  })

  scenario('aggregated, older and preferred versions', (s) => {
    const keep = [{ path: 'items', by: 'metadata.name', values: ['events.k8s.io'] }]
    s.request('GET', '/apis', undefined, { accept: `${aggregated.replace('v=v2', 'v=v2beta1')}`, keep })
    s.request('GET', '/apis', undefined, { accept: `${aggregated},${aggregated.replace('v=v2', 'v=v2beta1')},application/json`, keep })
    s.request('GET', '/apis', undefined, {
      accept: aggregated.replace('v=v2', 'v=v9'),
      keep: [{ path: 'groups', by: 'name', values: groups }],
    })
  })

  scenario('aggregated, tags', (s) => {
    const keep = [{ path: 'items', by: 'metadata.name', values: [] }]
    const etag = s.request('GET', '/apis', undefined, { accept: aggregated, keep }).at('etag')
    for (const known of [etag, '"another"', `W/${etag}`, `"another", ${etag}`, '*']) {
      s.request('HEAD', '/apis', undefined, { accept: aggregated, headers: { 'if-none-match': known } })
    }
    s.request('HEAD', '/apis', undefined, { headers: { 'if-none-match': etag } })
  })

  scenario('aggregated, media types', (s) => {
    for (const accept of [
      aggregated.replace('application/json', 'application/yaml'),
      aggregated.replace('application/json', '*/*'),
      `${aggregated};profile=nopeer`,
      `${aggregated};q=0.1,application/json`,
      `application/json,${aggregated}`,
      `${aggregated.replace('v=v2', 'v=v9')},application/json`,
      'application/json;as=APIGroupDiscoveryList,application/json',
    ]) {
      s.request('HEAD', '/apis', undefined, { accept })
    }
    s.request('GET', '/apis/', undefined, { accept: aggregated })
    s.request('GET', '/apis/apps', undefined, { accept: aggregated })
    s.request('GET', '/api/v1', undefined, { accept: aggregated })
  })

  scenario('methods', (s) => {
    for (const path of [
      '/api',
      '/api/v1',
      '/api/v2',
      '/apis',
      '/apis/apps',
      '/apis/apps/v1',
      '/apis/apps/v2',
      '/apis/nothing',
      '/apis/nothing/v1',
    ]) {
      s.request('HEAD', path)
      s.request('POST', path, {}, { keep: [{ path: 'groups', by: 'name', values: ['apps'] }] })
    }
  })

  scenario('refusals in YAML', (s) => {
    for (const path of ['/api/v2', '/apis/apps/v2', '/apis/nothing']) s.request('GET', path, undefined, { accept: 'application/yaml' })
  })

  scenario('of a custom resource', (s) => {
    const widgets = customResource('Widget')
    s.create(
      customResourceDefinitions,
      definition(
        widgets,
        [
          versionOf(
            { spec: { type: 'object' } },
            { subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } } },
          ),
        ],
        {
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'], categories: ['all'] },
        },
      ),
      { isQuiet: true },
    )
    s.untilServed(widgets)
    s.until('/apis/{{group}}', { status: 200 })
    s.until('/apis/{{group}}/v1', { status: 200 })
    s.request('GET', '/apis', undefined, {
      accept: aggregated,
      keep: [{ path: 'items', by: 'metadata.name', values: ['{{group}}'] }],
      isQuiet: true,
    })
    s.request('GET', '/apis/{{group}}/v2')
  })

  scenario('health', (s) => {
    for (const path of ['/healthz', '/livez', '/readyz', '/healthz/ping', '/readyz/ping', '/healthz/nothing'])
      s.request('GET', path, undefined, { accept: '*/*' })
    s.request('POST', '/healthz', {}, { accept: '*/*' })
  })

  scenario('media types of answers that exist', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    for (const accept of [
      'application/json',
      '*/*',
      'application/*',
      'application/yaml',
      'application/yaml, application/json;q=0.5',
      'text/html, application/json',
      '',
    ]) {
      s.get(configMaps, 'a', { accept })
    }
  })

  scenario('media types of answers that do not exist', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    for (const accept of [
      'text/html',
      'application/xml',
      'application/json;as=Nothing;v=v1;g=meta.k8s.io',
      'application/json;as=Table;v=v9;g=meta.k8s.io',
      'nonsense',
    ]) {
      s.get(configMaps, 'a', { accept })
    }
    s.create(configMaps, named('b'), { accept: 'text/html' })
    s.get(configMaps, 'b')
  })

  scenario('the first media type that can be had', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.get(configMaps, 'a', { accept: `${tableMediaType},application/json` })
    s.get(configMaps, 'a', { accept: `application/json;as=Nothing;v=v1;g=meta.k8s.io,${metadata}` })
    s.get(configMaps, 'a', { accept: 'application/json;pretty=1' })
    s.list(configMaps, { accept: `text/html,${metadataList}` })
  })

  scenario('bodies in YAML', (s) => {
    s.create(
      configMaps,
      {},
      { text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "v"\n', contentType: 'application/yaml' },
    )
    s.create(
      configMaps,
      {},
      { text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\ndata:\n  k: 1\n', contentType: 'application/yaml' },
    )
    s.create(configMaps, named('c'), { contentType: 'application/json; charset=utf-8' })
    s.create(configMaps, named('d'), { contentType: '' })
    s.create(configMaps, named('e'), { contentType: 'text/plain' })
  })

  scenario('metadata alone', (s) => {
    s.create(secrets, { ...named('a', { labels: { k: 'v' } }), stringData: { k: 'v' } }, { isQuiet: true })
    s.get(secrets, 'a', { accept: metadata })
    s.list(secrets, { accept: metadataList })
    s.list(secrets, { accept: metadata })
    s.get(secrets, 'a', { accept: metadataList })
    s.patch(secrets, 'a', 'merge', { metadata: { labels: { l: 'w' } } }, { accept: metadata })
    s.create(secrets, named('b'), { accept: metadata })
    s.delete(secrets, 'b', undefined, { accept: metadata })
  })

  scenario('table of config maps and secrets', (s) => {
    s.create(configMaps, { ...named('a'), data: { k: 'v' }, binaryData: { b: 'eA==' } }, { isQuiet: true })
    s.create(secrets, { ...named('a'), stringData: { k: 'v' } }, { isQuiet: true })
    s.list(configMaps, table)
    s.list(secrets, table)
    s.get(secrets, 'a', table)
  })

  scenario('table of pods', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec() }, { isQuiet: true })
    s.create(pods, { ...named('b'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    const ready = [{ name: 'main', ready: true, restartCount: 2, image: 'busybox:1.36', imageID: '', state: { running: {} } }]
    s.patch(
      pods,
      'b',
      'merge',
      { status: { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }], containerStatuses: ready } },
      { subresource: 'status', isQuiet: true },
    )
    s.create(pods, { ...named('c'), spec: podSpec({ nodeName: 'one' }) }, { isQuiet: true })
    const waiting = [
      {
        name: 'main',
        ready: false,
        restartCount: 0,
        image: 'busybox:1.36',
        imageID: '',
        state: { waiting: { reason: 'ImagePullBackOff' } },
      },
    ]
    s.patch(pods, 'c', 'merge', { status: { phase: 'Pending', containerStatuses: waiting } }, { subresource: 'status', isQuiet: true })
    s.delete(pods, 'b', undefined, { isQuiet: true })
    s.list(pods, table)
  })

  scenario('table of deployments and replica sets', (s) => {
    s.create(deployments, { ...named('a'), spec: workloadSpec({ replicas: 3 }) }, { isQuiet: true })
    s.patch(
      deployments,
      'a',
      'merge',
      { status: { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 } },
      { subresource: 'status', isQuiet: true },
    )
    s.create(replicaSets, { ...named('a'), spec: workloadSpec({ replicas: 2 }) }, { isQuiet: true })
    s.list(deployments, table)
    s.list(replicaSets, table)
  })

  scenario('table of services', (s) => {
    s.create(
      services,
      {
        ...named('a'),
        spec: {
          selector: { app: 'web' },
          ports: [
            { name: 'w', port: 80 },
            { name: 'v', port: 81, protocol: 'UDP' },
          ],
        },
      },
      { isQuiet: true },
    )
    s.create(services, { ...named('b'), spec: { clusterIP: 'None', ports: [{ port: 80 }] } }, { isQuiet: true })
    s.create(services, { ...named('c'), spec: { type: 'ExternalName', externalName: 'example.com' } }, { isQuiet: true })
    s.list(services, table)
  })

  scenario('table of service accounts', (s) => {
    s.create(serviceAccounts, { ...named('a'), secrets: [{ name: 's' }] }, { isQuiet: true })
    s.list(serviceAccounts, table)
  })

  scenario('table of nodes and namespaces', (s) => {
    const labels = { run: '{{run}}' }
    const query = { labelSelector: 'run={{run}}' }
    s.create(
      nodes,
      { ...named(s.unique('one'), { labels: { ...labels, 'node-role.kubernetes.io/worker': '' } }), spec: { unschedulable: true } },
      { isQuiet: true },
    )
    s.create(nodes, named(s.unique('two'), { labels }), { isQuiet: true })
    const info = { kubeletVersion: 'v1.37.2', osImage: 'Debian', kernelVersion: '6.1', containerRuntimeVersion: 'containerd://2.0' }
    const nodeInfo = { architecture: '', bootID: '', kubeProxyVersion: '', machineID: '', operatingSystem: '', systemUUID: '', ...info }
    s.patch(
      nodes,
      s.unique('two'),
      'merge',
      { status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address: '10.1.2.3' }], nodeInfo } },
      { subresource: 'status', isQuiet: true },
    )
    s.list(nodes, { ...table, query })
    s.create(namespaces, named(s.unique('one'), { labels }), { isQuiet: true })
    s.list(namespaces, { ...table, query })
  })

  scenario('table of events and leases', (s) => {
    const regarding = { kind: 'Pod', namespace: '{{namespace}}', name: 'p', apiVersion: 'v1' }
    s.create(
      events,
      {
        ...named('a'),
        eventTime: '2020-01-02T03:04:05.000006Z',
        reportingController: 'example.com/c',
        reportingInstance: 'c-1',
        action: 'Start',
        reason: 'Started',
        type: 'Normal',
        note: 'It started.',
        regarding,
      },
      { isQuiet: true },
    )
    s.list(events, { ...table, isQuiet: true })
    s.create(leases, { ...named('a'), spec: { holderIdentity: 'me' } }, { isQuiet: true })
    s.list(leases, table)
  })

  scenario('table of custom resources', (s) => {
    const widgets = customResource('Widget')
    const columns: readonly JsonObject[] = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How big it is.' },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'Colours', type: 'string', jsonPath: '.spec.colours', priority: 1 },
      { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
    ]
    const properties = {
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }
    s.define(widgets, [versionOf(properties, { additionalPrinterColumns: columns })])
    s.create(
      widgets,
      { ...named('a'), spec: { size: 3, colours: ['red', 'blue'], on: true }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { isQuiet: true },
    )
    s.create(widgets, { ...named('b'), spec: {} }, { isQuiet: true })
    s.list(widgets, table)
    s.get(widgets, 'a', table)
  })

  scenario('table of custom resources without columns', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    s.create(widgets, named('a'), { isQuiet: true })
    s.list(widgets, table)
    s.list(customResourceDefinitions, { ...table, query: { fieldSelector: 'metadata.name=widgets.{{group}}' } })
  })

  scenario('tables with objects', (s) => {
    s.create(configMaps, { ...named('a'), data: { k: 'v' } }, { isQuiet: true })
    for (const includeObject of ['None', 'Metadata', 'Object', 'Everything']) s.list(configMaps, { ...table, query: { includeObject } })
  })

  scenario('tables of what has none', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true, ...table })
    s.delete(configMaps, 'a', undefined, table)
    s.delete(configMaps, 'a', undefined, table)
    s.get(configMaps, 'a', table)
  })

  scenario('HEAD and OPTIONS', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.request('HEAD', s.path(configMaps, 'a'))
    s.request('OPTIONS', s.path(configMaps, 'a'))
  })

  openApiScenarios(scenario)
})
