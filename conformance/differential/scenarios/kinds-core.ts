import {
  configMaps,
  coreEvents,
  defineArea,
  events,
  type JsonObject,
  named,
  namespaces,
  nodes,
  type Resource,
  secrets,
  serviceAccounts,
  services,
  table,
} from '../language/index.js'

/** The kinds that every cluster has, where the other areas do not reach. */
export const kindsCore = defineArea('kinds core', (scenario) => {
  scenario('nodes', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.create(nodes, named(a, { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'x' } }))
    s.create(nodes, {
      ...named(b),
      spec: { podCIDR: '10.1.0.0/24', providerID: 'p://1', unschedulable: true, taints: [{ key: 'k', value: 'v', effect: 'NoExecute' }] },
      status: {
        capacity: { cpu: '1000m', memory: '1024Mi', pods: '110' },
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'Hostname', address: 'h' },
        ],
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { kubeletVersion: 'v1.37.2', osImage: 'Linux' },
        images: [{ names: ['x'], sizeBytes: 3 }],
      },
    })
    s.get(nodes, a, table)
    s.get(nodes, b, table)
    s.patch(nodes, b, 'merge', { spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] } })
    s.patch(nodes, b, 'merge', { spec: { providerID: 'p://2' } })
    s.patch(nodes, b, 'merge', { spec: { unschedulable: null, taints: null }, status: { phase: 'Running' } })
    s.patch(
      nodes,
      b,
      'merge',
      { status: { capacity: { cpu: '2.5' }, allocatable: { cpu: '2' }, volumesInUse: ['x'] } },
      { subresource: 'status' },
    )
    s.patch(nodes, b, 'strategic', { status: { conditions: [{ type: 'DiskPressure', status: 'False' }] } }, { subresource: 'status' })
    s.patch(
      nodes,
      b,
      'merge',
      {
        status: {
          addresses: [
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'InternalIP', address: '10.0.0.1' },
          ],
        },
      },
      { subresource: 'status' },
    )
    s.patch(nodes, b, 'merge', { status: { capacity: { 'a b': '1' } } }, { subresource: 'status' })
    s.create(nodes, {
      ...named('A_b'),
      spec: {
        podCIDRs: ['x', '10.0.0.0/8', '10.1.0.0/16'],
        taints: [
          { key: 'a b', value: 'c d', effect: 'Odd' },
          { key: 'k', effect: '' },
        ],
      },
    })
    s.create(nodes, { ...named(s.unique('c')), spec: { podCIDRs: ['10.0.0.0/8', '2001:db8::/64'], configSource: {} } })
    s.delete(nodes, a)
    s.delete(nodes, b)
  })

  scenario('services that are wrong', (s) => {
    const create = (spec: JsonObject) => s.create(services, { ...named('a'), spec })
    s.create(services, { ...named('A_b'), spec: { type: 'Odd' } })
    create({
      ports: [
        { name: 'A_b', port: 0, protocol: 'Odd', targetPort: 'A_b', appProtocol: 'a b' },
        { name: 'x', port: 80 },
        { name: 'x', port: 80, nodePort: 30_000 },
      ],
      selector: { 'a b': 'c d' },
      sessionAffinity: 'Odd',
      externalIPs: ['x', '127.0.0.1', '10.0.0.01'],
      externalTrafficPolicy: 'Odd',
      internalTrafficPolicy: 'Odd',
      ipFamilyPolicy: 'Odd',
      ipFamilies: ['Odd'],
    })
    create({ ports: [{ port: 80 }], sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } })
    create({ ports: [{ port: 80 }], sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } })
    create({ type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: ['x', '10.0.0.1/8'], loadBalancerClass: 'A b' })
    create({
      ports: [{ port: 80 }],
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      loadBalancerClass: 'x/y',
      allocateLoadBalancerNodePorts: true,
    })
    create({ type: 'LoadBalancer', ports: [{ port: 80 }], externalTrafficPolicy: 'Local', healthCheckNodePort: -1 })
    create({ type: 'ExternalName', externalName: 'A_b', ports: [{ port: 80 }], clusterIP: '10.0.0.1' })
    create({ type: 'NodePort', ports: [{ port: 80, nodePort: 1 }] })
    create({ type: 'NodePort', clusterIP: 'None', ports: [{ port: 80 }] })
    create({ ports: [{ port: 80 }], clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.6'] })
    create({ ports: [{ port: 80 }], clusterIPs: ['10.0.0.5', '10.0.0.6', '10.0.0.7'] })
    create({ ports: [{ port: 80 }], trafficDistribution: 'Odd' })
    create({ ports: [{ port: 80 }], publishNotReadyAddresses: true, trafficDistribution: 'PreferClose', loadBalancerIP: 'x' })
  })

  scenario('a load balancer is filled in', (s) => {
    const status = (ingress: readonly JsonObject[]) =>
      s.patch(services, 'a', 'merge', { status: { loadBalancer: { ingress } } }, { subresource: 'status' })
    s.create(services, {
      ...named('a'),
      spec: {
        type: 'LoadBalancer',
        loadBalancerClass: 'example.com/x',
        allocateLoadBalancerNodePorts: false,
        ports: [{ port: 80 }],
        externalTrafficPolicy: 'Local',
      },
    })
    status([{ ip: '1.2.3.4' }, { hostname: 'a.example.com', ports: [{ port: 80, protocol: 'TCP' }] }])
    s.get(services, 'a', table)
    status([{ ip: 'x', ipMode: 'Odd' }, { hostname: 'A_b' }])
    s.patch(services, 'a', 'merge', { spec: { loadBalancerClass: 'example.com/y' } })
    s.patch(services, 'a', 'merge', { spec: { type: 'ClusterIP' } })
    s.patch(services, 'a', 'strategic', { spec: { ports: [{ port: 81, name: 'x' }] } })
    s.patch(services, 'a', 'strategic', {
      spec: {
        ports: [
          { port: 80, name: 'y' },
          { port: 81, name: 'x' },
        ],
      },
    })
    s.delete(services, 'a')
  })

  scenario('secrets and config maps that are wrong', (s) => {
    s.create(secrets, { ...named('A_b'), data: { 'a b': 'eA==', '..': 'eA==' } })
    s.create(secrets, { ...named('a'), type: 'kubernetes.io/dockercfg', data: { '.dockercfg': 'eA==' } })
    s.create(secrets, { ...named('a'), type: 'kubernetes.io/dockerconfigjson' })
    s.create(secrets, { ...named('a'), type: 'kubernetes.io/tls', data: { 'tls.crt': '' } })
    s.create(secrets, { ...named('a'), type: 'kubernetes.io/ssh-auth' })
    s.create(secrets, { ...named('a'), type: 'kubernetes.io/service-account-token' })
    s.create(secrets, { ...named('a'), type: 'kubernetes.io/basic-auth' })
    s.create(secrets, { ...named('a'), data: { x: 'not base64' } })
    s.create(secrets, { ...named('a'), data: { x: 'eA==' }, immutable: true })
    s.patch(secrets, 'a', 'merge', { type: 'Other', data: { x: 'eQ==' }, immutable: false })
    s.patch(secrets, 'a', 'merge', { metadata: { labels: { a: 'b' } } })
    s.list(secrets, { query: { fieldSelector: 'type=Opaque' }, ...table })
    s.create(configMaps, { ...named('A_b'), data: { 'a b': 'x', both: 'x' }, binaryData: { both: 'eA==', '..': 'eA==' } })
    s.create(configMaps, { ...named('c'), data: { k: 'v' }, immutable: true })
    s.patch(configMaps, 'c', 'merge', { data: { k: 'w' }, binaryData: { b: 'eA==' }, immutable: null })
    s.list(configMaps, { query: { fieldSelector: 'metadata.name=c' }, ...table })
  })

  scenario('namespaces and service accounts', (s) => {
    const a = s.unique('a')
    s.create(namespaces, named('A_b'))
    s.create(namespaces, { ...named(a, { labels: { x: 'y' } }), spec: { finalizers: ['example.com/x'] }, status: { phase: 'Terminating' } })
    s.patch(namespaces, a, 'merge', { spec: { finalizers: [] }, metadata: { labels: { 'kubernetes.io/metadata.name': 'other', z: '1' } } })
    s.patch(namespaces, a, 'merge', { status: { phase: 'Odd' } }, { subresource: 'status' })
    s.get(namespaces, a, table)
    s.create(serviceAccounts, named('A_b'))
    s.create(serviceAccounts, {
      ...named('a'),
      secrets: [{ name: 's', namespace: 'n', kind: 'Secret' }, {}],
      imagePullSecrets: [{}, { name: 'p' }],
    })
    s.get(serviceAccounts, 'a', table)
    s.delete(serviceAccounts, 'a')
  })

  scenario('events that are wrong', (s) => {
    s.create(coreEvents, { ...named('a'), involvedObject: { namespace: 'other' } })
    s.create(coreEvents, {
      ...named('b'),
      eventTime: '2020-01-02T03:04:05.000006Z',
      involvedObject: { namespace: '{{namespace}}' },
      type: 'Odd',
    })
    s.create(events, { ...named('c'), regarding: { namespace: '{{namespace}}' } })
    s.create(events, {
      ...named('d'),
      eventTime: '2020-01-02T03:04:05.000006Z',
      reportingController: 'A b',
      reportingInstance: 'x'.repeat(129),
      action: 'x'.repeat(129),
      reason: 'x'.repeat(129),
      note: 'x'.repeat(1025),
      type: 'Odd',
      regarding: { namespace: '{{namespace}}' },
      series: { count: 1 },
    })
    s.create(coreEvents, {
      ...named('e'),
      involvedObject: { kind: 'Pod', namespace: '{{namespace}}', name: 'p', uid: 'u', fieldPath: 'spec' },
      reason: 'R',
      type: 'Warning',
      message: 'M',
    })
    s.patch(coreEvents, 'e', 'merge', { reason: 'S', count: 3 })
    s.list(coreEvents, { query: { fieldSelector: 'involvedObject.name=p,reason=S,type=Warning' }, ...table })
    s.delete(coreEvents, 'e')
  })

  scenario('values that hardly anybody writes', (s) => {
    const claims: Resource = {
      group: '',
      version: 'v1',
      plural: 'persistentvolumeclaims',
      kind: 'PersistentVolumeClaim',
      isNamespaced: true,
    }
    const budgets: Resource = {
      group: 'policy',
      version: 'v1',
      plural: 'poddisruptionbudgets',
      kind: 'PodDisruptionBudget',
      isNamespaced: true,
    }
    const internal = { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' }
    const size = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    s.create(secrets, { ...named('a'), data: { a: [104, null, 105] } })
    s.create(nodes, { ...named(s.unique('n')), status: { allocatable: {}, capacity: { cpu: '2' } } })
    s.create(budgets, named('b'))
    s.patch(budgets, 'b', 'merge', { spec: { selector: { matchLabels: {}, matchExpressions: [internal] } } })
    s.create(claims, { ...named('c'), spec: { ...size, dataSourceRef: { apiGroup: 'example.com', kind: 'Image', name: 'i' } } })
    s.patch(claims, 'c', 'json', [{ op: 'replace', path: '/spec', value: { dataSourceRef: { apiGroup: 'Apps', kind: 'b', name: 'x' } } }])
    s.create(claims, { ...named('d'), spec: size })
    s.patch(claims, 'd', 'json', [{ op: 'remove', path: '/spec/resources/requests/storage' }])
  })
})
