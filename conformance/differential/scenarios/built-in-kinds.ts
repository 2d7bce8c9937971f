import {
  configMaps,
  coreEvents,
  defineArea,
  deployments,
  events,
  type JsonObject,
  leases,
  named,
  namespaces,
  nodes,
  podSpec,
  pods,
  type Resource,
  replicaSets,
  secrets,
  serviceAccounts,
  services,
  workloadSpec,
} from '../language/index.js'

const container = (more: JsonObject = {}): JsonObject => ({ name: 'main', image: 'busybox:1.36', ...more })
const podWith = (more: JsonObject, spec: JsonObject = {}): JsonObject => ({
  ...named('a'),
  spec: { containers: [container(more)], ...spec },
})

/** Objects that are right, for their defaults. */
const objects: readonly (readonly [name: string, resource: Resource, body: JsonObject])[] = [
  ['a config map', configMaps, { ...named('a'), data: { k: 'v', e: '' }, binaryData: { b: 'AAEC' }, immutable: true }],
  ['an empty config map', configMaps, { ...named('a'), data: {}, binaryData: {} }],
  ['a secret with text', secrets, { ...named('a'), stringData: { k: 'v', both: 'text' }, data: { both: 'eA==', d: 'ZA==' } }],
  [
    'a secret for a registry',
    secrets,
    { ...named('a'), type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } },
  ],
  ['a secret for TLS', secrets, { ...named('a'), type: 'kubernetes.io/tls', stringData: { 'tls.crt': '', 'tls.key': '' } }],
  ['a secret for basic authentication', secrets, { ...named('a'), type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } }],
  ['a service', services, { ...named('a'), spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  [
    'a service with named ports',
    services,
    {
      ...named('a'),
      spec: {
        ports: [
          { name: 'w', port: 80, targetPort: 'web' },
          { name: 'x', port: 81, targetPort: 8081, protocol: 'UDP', appProtocol: 'h2' },
        ],
      },
    },
  ],
  ['a headless service', services, { ...named('a'), spec: { clusterIP: 'None', selector: { app: 'web' } } }],
  ['a service on every node', services, { ...named('a'), spec: { type: 'NodePort', ports: [{ port: 80 }] } }],
  [
    'a load balancer',
    services,
    {
      ...named('a'),
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: ['10.0.0.0/8'], sessionAffinity: 'ClientIP' },
    },
  ],
  ['a service elsewhere', services, { ...named('a'), spec: { type: 'ExternalName', externalName: 'example.com' } }],
  [
    'a service account',
    serviceAccounts,
    { ...named('a'), secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: false },
  ],
  [
    'a lease',
    leases,
    {
      ...named('a'),
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: '2020-01-02T03:04:05.000006Z',
        renewTime: '2020-01-02T03:04:05Z',
        leaseTransitions: 1,
      },
    },
  ],
  ['an empty lease', leases, named('a')],
  ['the least pod', pods, podWith({})],
  ['a pod with a latest image', pods, podWith({ image: 'busybox' })],
  [
    'a pod with an image by digest',
    pods,
    podWith({ image: 'busybox@sha256:0000000000000000000000000000000000000000000000000000000000000000' }),
  ],
  [
    'a pod with probes',
    pods,
    podWith({
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { exec: { command: ['true'] }, periodSeconds: 3 },
      startupProbe: { tcpSocket: { port: 'web' } },
    }),
  ],
  [
    'a pod with a gRPC probe and lifecycle',
    pods,
    podWith({
      livenessProbe: { grpc: { port: 9000 } },
      lifecycle: { preStop: { exec: { command: ['sleep', '1'] } }, postStart: { httpGet: { port: 80, path: '/x' } } },
    }),
  ],
  ['a pod with resources', pods, podWith({ resources: { limits: { cpu: '1', memory: '128Mi' }, requests: { cpu: '500m' } } })],
  ['a pod with limits alone', pods, podWith({ resources: { limits: { cpu: '0.5', memory: '1000000000' } } })],
  [
    'a pod with environment',
    pods,
    podWith({
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
      ],
      envFrom: [{ secretRef: { name: 's' } }],
    }),
  ],
  ['a pod with ports', pods, podWith({ ports: [{ containerPort: 80 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }] })],
  ['a pod on the network of its node', pods, podWith({ ports: [{ containerPort: 80 }] }, { hostNetwork: true })],
  [
    'a pod with volumes',
    pods,
    podWith(
      { volumeMounts: [{ name: 'e', mountPath: '/e' }] },
      {
        volumes: [
          { name: 'e', emptyDir: {} },
          { name: 'c', configMap: { name: 'c' } },
          { name: 's', secret: { secretName: 's' } },
          { name: 'h', hostPath: { path: '/x' } },
          { name: 'd', downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    ),
  ],
  [
    'a pod with a projected volume',
    pods,
    podWith(
      {},
      {
        volumes: [
          { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 't' } }, { configMap: { name: 'c' } }] } },
          { name: 'n' },
        ],
      },
    ),
  ],
  [
    'a pod with tolerations and affinity',
    pods,
    podWith(
      {},
      {
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } } },
            ],
          },
        },
        nodeSelector: { disk: 'fast' },
      },
    ),
  ],
  [
    'a pod with spread constraints',
    pods,
    podWith(
      {},
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { a: 'b' } } },
        ],
      },
    ),
  ],
  [
    'a pod with init containers',
    pods,
    podWith({}, { initContainers: [container({ name: 'first' }), container({ name: 'beside', restartPolicy: 'Always' })] }),
  ],
  [
    'a pod with security',
    pods,
    podWith(
      { securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } } },
      { securityContext: { fsGroup: 1, runAsNonRoot: true } },
    ),
  ],
  ['a pod of an account', pods, podWith({}, { serviceAccountName: 'robot', automountServiceAccountToken: false })],
  ['a pod that runs once', pods, podWith({}, { restartPolicy: 'Never', activeDeadlineSeconds: 60, terminationGracePeriodSeconds: 0 })],
  [
    'the least deployment',
    deployments,
    {
      ...named('a'),
      spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: podSpec() } },
    },
  ],
  [
    'a deployment that recreates',
    deployments,
    {
      ...named('a'),
      spec: workloadSpec({
        strategy: { type: 'Recreate' },
        paused: true,
        minReadySeconds: 5,
        revisionHistoryLimit: 0,
        progressDeadlineSeconds: 60,
      }),
    },
  ],
  [
    'a deployment that surges',
    deployments,
    { ...named('a'), spec: workloadSpec({ strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: '10%' } } }) },
  ],
  [
    'a replica set',
    replicaSets,
    {
      ...named('a', { labels: { k: 'v' } }),
      spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: podSpec() } },
    },
  ],
  [
    'an event',
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
      regarding: { kind: 'Pod', namespace: '{{namespace}}', name: 'p' },
    },
  ],
  [
    'an event, the old way',
    coreEvents,
    {
      ...named('a'),
      involvedObject: { kind: 'Pod', namespace: '{{namespace}}', name: 'p' },
      reason: 'Started',
      message: 'It started.',
      count: 2,
      firstTimestamp: '2020-01-02T03:04:05Z',
      lastTimestamp: '2020-01-02T03:04:06Z',
      source: { component: 'c' },
      type: 'Normal',
    },
  ],
]

/** Defaults, and what a server adds to the kinds it knows. */
export const builtInKinds = defineArea('built-in kinds', (scenario) => {
  for (const [name, resource, body] of objects) {
    scenario(name, (s) => {
      s.create(resource, body)
      s.get(resource, 'a')
      s.update(resource, body)
    })
  }

  scenario('a namespace', (s) => {
    const name = s.unique('made')
    s.create(namespaces, named(name, { labels: { k: 'v' } }))
    s.update(namespaces, named(name))
    s.patch(namespaces, name, 'merge', { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } })
  })

  scenario('a node', (s) => {
    const name = s.unique('node')
    s.create(nodes, {
      ...named(name),
      spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'a', effect: 'NoSchedule' }] },
      status: { capacity: { cpu: '4' } },
    })
    s.patch(nodes, name, 'merge', { spec: { unschedulable: true } })
    s.patch(nodes, name, 'merge', { spec: { podCIDR: '10.2.0.0/24' } })
    s.delete(nodes, name)
  })

  scenario('an event in both groups', (s) => {
    s.create(coreEvents, {
      ...named('a'),
      involvedObject: { kind: 'Pod', namespace: '{{namespace}}', name: 'p' },
      reason: 'R',
      message: 'M',
      source: { component: 'c' },
    })
    s.get(events, 'a')
    s.create(events, {
      ...named('b'),
      eventTime: '2020-01-02T03:04:05.000006Z',
      reportingController: 'c',
      reportingInstance: 'c-1',
      action: 'A',
      reason: 'R',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: '{{namespace}}', name: 'p' },
    })
    s.get(coreEvents, 'b')
    s.patch(events, 'b', 'merge', { series: { count: 2, lastObservedTime: '2020-01-02T03:04:06.000006Z' } })
  })

  scenario('cluster addresses', (s) => {
    s.create(services, { ...named('a'), spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] } })
    s.create(services, { ...named('b'), spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] } })
    s.create(services, { ...named('b'), spec: { clusterIP: '10.9.0.77', ports: [{ port: 80 }] } })
    s.delete(services, 'a')
    s.create(services, { ...named('b'), spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] } })
    s.delete(services, 'b')
  })

  scenario('a service changes its type', (s) => {
    s.create(services, { ...named('a'), spec: { ports: [{ port: 80 }] } })
    s.patch(services, 'a', 'merge', { spec: { type: 'NodePort' } })
    s.patch(services, 'a', 'merge', { spec: { type: 'ClusterIP' } })
    s.patch(services, 'a', 'merge', { spec: { type: 'ExternalName', externalName: 'example.com' } })
    s.patch(services, 'a', 'merge', { spec: { clusterIP: '10.0.0.99' } })
  })
})
