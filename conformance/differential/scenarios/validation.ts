import {
  configMaps,
  coreEvents,
  defineArea,
  deployments,
  type Json,
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
const podSpecOf = (spec: JsonObject): JsonObject => ({ ...named('a'), spec: podSpec(spec) })
const service = (spec: JsonObject): JsonObject => ({ ...named('a'), spec })
const workload = (spec: JsonObject): JsonObject => ({ ...named('a'), spec: workloadSpec(spec) })

type Case = readonly [name: string, body: JsonObject]
type Family = readonly [title: string, resource: Resource, cases: readonly Case[]]

/** Objects that are refused, by kind. Each is a scenario of its own. */
const families: readonly Family[] = [
  [
    'metadata',
    configMaps,
    [
      ['a name with capitals', named('Config')],
      ['a name that is too long', named('x'.repeat(254))],
      ['a name with a slash', named('a/b')],
      ['a wrong label key', named('a', { labels: { 'a/b/c': 'v' } })],
      ['a wrong label value', named('a', { labels: { k: '-v' } })],
      ['a label value that is too long', named('a', { labels: { k: 'v'.repeat(64) } })],
      ['a wrong annotation key', named('a', { annotations: { 'a b': 'v' } })],
      ['annotations that are too large', named('a', { annotations: { big: 'x'.repeat(262_145) } })],
      ['a finalizer without a domain', named('a', { finalizers: ['hold'] })],
      ['a wrong finalizer', named('a', { finalizers: ['a/b/c'] })],
      ['an owner without a uid', named('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '' }] })],
      ['an owner without anything', named('a', { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] })],
      [
        'two owners that control',
        named('a', {
          ownerReferences: ['1', '2'].map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid, controller: true })),
        }),
      ],
      ['an owner that is an event', named('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'o', uid: '1' }] })],
      ['a generation that is negative', named('a', { generation: -1 })],
    ],
  ],
  [
    'config map',
    configMaps,
    [
      ['a wrong key', { ...named('a'), data: { 'a b': 'v' } }],
      ['the key ..', { ...named('a'), data: { '..': 'v' } }],
      ['a key that is too long', { ...named('a'), data: { ['k'.repeat(254)]: 'v' } }],
      ['the same key as text and bytes', { ...named('a'), data: { k: 'v' }, binaryData: { k: 'eA==' } }],
      ['bytes that are no base64', { ...named('a'), binaryData: { k: '***' } }],
    ],
  ],
  [
    'secret',
    secrets,
    [
      ['a wrong key', { ...named('a'), stringData: { 'a b': 'v' } }],
      ['data that is no base64', { ...named('a'), data: { k: 'not base64!' } }],
      ['TLS without a key', { ...named('a'), type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'x' } }],
      ['a registry without its file', { ...named('a'), type: 'kubernetes.io/dockerconfigjson' }],
      ['a registry with a wrong file', { ...named('a'), type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } }],
      ['an account token without an account', { ...named('a'), type: 'kubernetes.io/service-account-token' }],
      ['basic authentication without a user', { ...named('a'), type: 'kubernetes.io/basic-auth' }],
      ['SSH without a key', { ...named('a'), type: 'kubernetes.io/ssh-auth' }],
    ],
  ],
  [
    'service',
    services,
    [
      ['no ports', service({ selector: { a: 'b' } })],
      ['a port that is too large', service({ ports: [{ port: 70_000 }] })],
      ['a port of 0', service({ ports: [{ port: 0 }] })],
      ['two ports without names', service({ ports: [{ port: 80 }, { port: 81 }] })],
      [
        'two ports of one name',
        service({
          ports: [
            { name: 'a', port: 80 },
            { name: 'a', port: 81 },
          ],
        }),
      ],
      [
        'the same port twice',
        service({
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 80 },
          ],
        }),
      ],
      ['a wrong protocol', service({ ports: [{ port: 80, protocol: 'HTTP' }] })],
      ['a wrong port name', service({ ports: [{ port: 80, name: 'Web Port' }] })],
      ['a wrong target port', service({ ports: [{ port: 80, targetPort: 'no_name' }] })],
      ['a wrong type', service({ type: 'Magic', ports: [{ port: 80 }] })],
      ['an external name that is missing', service({ type: 'ExternalName' })],
      ['an external name that is wrong', service({ type: 'ExternalName', externalName: '-x-' })],
      ['an address that is none', service({ clusterIP: 'nowhere', ports: [{ port: 80 }] })],
      ['a node port out of range', service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })],
      ['a node port without the type', service({ ports: [{ port: 80, nodePort: 30_200 }] })],
      ['a wrong selector', service({ selector: { 'a b': 'c' }, ports: [{ port: 80 }] })],
      ['a wrong affinity', service({ sessionAffinity: 'Forever', ports: [{ port: 80 }] })],
      ['a wrong traffic policy', service({ type: 'NodePort', externalTrafficPolicy: 'Nowhere', ports: [{ port: 80 }] })],
      ['headless on every node', service({ type: 'NodePort', clusterIP: 'None', ports: [{ port: 80 }] })],
      ['source ranges that are wrong', service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['everywhere'], ports: [{ port: 80 }] })],
    ],
  ],
  [
    'pod',
    pods,
    [
      ['no containers', { ...named('a'), spec: {} }],
      ['no spec', named('a')],
      ['an empty list of containers', { ...named('a'), spec: { containers: [] } }],
      ['a container without a name', { ...named('a'), spec: { containers: [{ image: 'x' }] } }],
      ['a container without an image', { ...named('a'), spec: { containers: [{ name: 'x' }] } }],
      ['an image with spaces', podWith({ image: ' x ' })],
      ['two containers of one name', { ...named('a'), spec: { containers: [container(), container()] } }],
      ['a wrong container name', podWith({ name: 'Main_Container' })],
      ['a wrong pull policy', podWith({ imagePullPolicy: 'Sometimes' })],
      ['a wrong restart policy', podSpecOf({ restartPolicy: 'Sometimes' })],
      ['a wrong DNS policy', podSpecOf({ dnsPolicy: 'Magic' })],
      ['DNS of its own without servers', podSpecOf({ dnsPolicy: 'None' })],
      ['a port that is too large', podWith({ ports: [{ containerPort: 70_000 }] })],
      ['a port without a number', podWith({ ports: [{ name: 'web' }] })],
      [
        'two ports of one name',
        podWith({
          ports: [
            { name: 'w', containerPort: 80 },
            { name: 'w', containerPort: 81 },
          ],
        }),
      ],
      ['a wrong port name', podWith({ ports: [{ name: 'a-name-that-is-too-long', containerPort: 80 }] })],
      [
        'the same host port twice',
        podWith({
          ports: [
            { containerPort: 80, hostPort: 80 },
            { containerPort: 81, hostPort: 80 },
          ],
        }),
      ],
      ['a wrong variable', podWith({ env: [{ name: '' }, { name: 'a=b' }] })],
      [
        'a variable with two sources',
        podWith({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
      ],
      ['a variable from no source', podWith({ env: [{ name: 'A', valueFrom: {} }] })],
      ['a variable from a wrong field', podWith({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nothing' } } }] })],
      ['a quantity that is wrong', podWith({ resources: { limits: { cpu: 'much' } } })],
      ['a request above the limit', podWith({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } })],
      ['a negative request', podWith({ resources: { requests: { memory: '-1' } } })],
      ['a resource that nobody knows', podWith({ resources: { limits: { magic: '1' } } })],
      ['a fraction of a gpu', podWith({ resources: { limits: { 'example.com/gpu': '0.5' } } })],
      ['a probe without a handler', podWith({ livenessProbe: {} })],
      ['a probe with two handlers', podWith({ livenessProbe: { httpGet: { port: 80 }, exec: { command: ['x'] } } })],
      ['a probe with negative times', podWith({ livenessProbe: { exec: { command: ['x'] }, periodSeconds: -1, timeoutSeconds: -1 } })],
      ['a liveness probe that needs two successes', podWith({ livenessProbe: { exec: { command: ['x'] }, successThreshold: 2 } })],
      ['a volume without a name', podSpecOf({ volumes: [{ emptyDir: {} }] })],
      ['a volume of two kinds', podSpecOf({ volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'c' } }] })],
      [
        'two volumes of one name',
        podSpecOf({
          volumes: [
            { name: 'v', emptyDir: {} },
            { name: 'v', emptyDir: {} },
          ],
        }),
      ],
      ['a mount of no volume', podWith({ volumeMounts: [{ name: 'absent', mountPath: '/x' }] })],
      [
        'two mounts of one path',
        podWith(
          {
            volumeMounts: [
              { name: 'v', mountPath: '/x' },
              { name: 'v', mountPath: '/x' },
            ],
          },
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      ],
      ['a mount without a path', podWith({ volumeMounts: [{ name: 'v', mountPath: '' }] }, { volumes: [{ name: 'v', emptyDir: {} }] })],
      ['a config map volume without a name', podSpecOf({ volumes: [{ name: 'v', configMap: {} }] })],
      ['a secret volume without a name', podSpecOf({ volumes: [{ name: 'v', secret: {} }] })],
      ['a mode that is too large', podSpecOf({ volumes: [{ name: 'v', configMap: { name: 'c', defaultMode: 512 } }] })],
      ['a wrong node name', podSpecOf({ nodeName: 'No Name' })],
      ['a wrong node selector', podSpecOf({ nodeSelector: { 'a b': 'c' } })],
      ['a wrong host name', podSpecOf({ hostname: 'a.b', subdomain: 'A' })],
      ['a wrong account', podSpecOf({ serviceAccountName: 'No Name' })],
      ['a negative grace period', podSpecOf({ terminationGracePeriodSeconds: -5 })],
      ['a deadline of 0', podSpecOf({ activeDeadlineSeconds: 0 })],
      [
        'a wrong toleration',
        podSpecOf({
          tolerations: [
            { key: 'a', operator: 'Like' },
            { key: '', operator: 'Equal' },
            { key: 'b', operator: 'Exists', value: 'x' },
            { key: 'c', effect: 'Never' },
          ],
        }),
      ],
      [
        'a toleration with seconds and no effect',
        podSpecOf({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }] }),
      ],
      [
        'a wrong affinity',
        podSpecOf({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } }),
      ],
      [
        'a wrong requirement of an affinity',
        podSpecOf({
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [
                      { key: 'a', operator: 'Like' },
                      { key: 'b', operator: 'In' },
                    ],
                  },
                ],
              },
            },
          },
        }),
      ],
      [
        'a pod affinity without topology',
        podSpecOf({
          affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: '' }] } },
        }),
      ],
      ['a spread without skew', podSpecOf({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Perhaps' }] })],
      ['an init container of the same name', podSpecOf({ initContainers: [container()] })],
      [
        'an init container with probes',
        podSpecOf({ initContainers: [container({ name: 'i', livenessProbe: { exec: { command: ['x'] } } })] }),
      ],
      ['a user that is negative', podWith({ securityContext: { runAsUser: -1 } })],
      ['root that may not be root', podWith({ securityContext: { privileged: true, allowPrivilegeEscalation: false } })],
      ['a wrong priority class', podSpecOf({ priorityClassName: 'absent' })],
      ['host aliases that are wrong', podSpecOf({ hostAliases: [{ ip: 'nowhere', hostnames: ['a b'] }] })],
      ['a pull secret without a name', podSpecOf({ imagePullSecrets: [{}] })],
      ['scheduling gates of one name', podSpecOf({ schedulingGates: [{ name: 'example.com/a' }, { name: 'example.com/a' }] })],
      ['gates and a node', podSpecOf({ schedulingGates: [{ name: 'example.com/a' }], nodeName: 'one' })],
      [
        'everything at once',
        { ...named('Bad Name', { labels: { 'a b': '-' } }), spec: { containers: [{ name: '', image: '' }], restartPolicy: 'Sometimes' } },
      ],
    ],
  ],
  [
    'deployment',
    deployments,
    [
      ['no spec', named('a')],
      ['no selector', { ...named('a'), spec: { template: { metadata: { labels: { a: 'b' } }, spec: podSpec() } } }],
      ['an empty selector', workload({ selector: {} })],
      ['a selector that does not match', workload({ selector: { matchLabels: { app: 'other' } } })],
      [
        'a wrong selector',
        workload({
          selector: {
            matchExpressions: [
              { key: 'a', operator: 'Like' },
              { key: 'b', operator: 'In' },
              { key: '-', operator: 'Exists' },
            ],
          },
        }),
      ],
      ['negative replicas', workload({ replicas: -1 })],
      ['a wrong strategy', workload({ strategy: { type: 'Magic' } })],
      ['a surge for recreation', workload({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } })],
      ['no surge and nothing unavailable', workload({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } })],
      ['a surge that is wrong', workload({ strategy: { rollingUpdate: { maxSurge: 'many', maxUnavailable: '150%' } } })],
      ['negative times', workload({ minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 })],
      ['a deadline before readiness', workload({ minReadySeconds: 60, progressDeadlineSeconds: 60 })],
      [
        'a template that runs once',
        workload({ template: { metadata: { labels: { app: 'web' } }, spec: podSpec({ restartPolicy: 'Never' }) } }),
      ],
      ['a template without containers', workload({ template: { metadata: { labels: { app: 'web' } }, spec: {} } })],
      ['a template with a wrong label', workload({ template: { metadata: { labels: { app: 'web', 'a b': 'c' } }, spec: podSpec() } })],
    ],
  ],
  [
    'replica set',
    replicaSets,
    [
      ['no selector', { ...named('a'), spec: { template: { metadata: { labels: { a: 'b' } }, spec: podSpec() } } }],
      ['a selector that does not match', workload({ selector: { matchLabels: { app: 'other' } } })],
      ['negative numbers', workload({ replicas: -1, minReadySeconds: -1 })],
      ['no template', { ...named('a'), spec: { selector: { matchLabels: { a: 'b' } } } }],
    ],
  ],
  [
    'lease',
    leases,
    [
      ['negative numbers', { ...named('a'), spec: { leaseDurationSeconds: -1, leaseTransitions: -1 } }],
      ['a duration of 0', { ...named('a'), spec: { leaseDurationSeconds: 0 } }],
      ['an empty holder', { ...named('a'), spec: { holderIdentity: '' } }],
      ['a time that is none', { ...named('a'), spec: { renewTime: 'now' } }],
      ['a strategy alone', { ...named('a'), spec: { preferredHolder: 'x' } }],
    ],
  ],
  [
    'service account',
    serviceAccounts,
    [
      ['a wrong name', named('Robot')],
      ['a list for a map', { ...named('a'), secrets: { name: 's' } }],
    ],
  ],
  [
    'event',
    coreEvents,
    [
      ['no object', named('a')],
      ['another namespace', { ...named('a'), involvedObject: { kind: 'Pod', namespace: 'elsewhere', name: 'p' } }],
      [
        'a time without the rest',
        { ...named('a'), involvedObject: { kind: 'Pod', namespace: '{{namespace}}', name: 'p' }, eventTime: '2020-01-02T03:04:05.000006Z' },
      ],
    ],
  ],
]

/** Changes that are refused: kind, object, patch. */
const changes: readonly (readonly [name: string, resource: Resource, body: JsonObject, patches: readonly Json[]])[] = [
  [
    'a secret',
    secrets,
    { ...named('a'), stringData: { k: 'v' } },
    [{ type: 'example.com/other' }, { immutable: true }, { data: { k: 'eA==' } }, { immutable: false }],
  ],
  [
    'a service',
    services,
    { ...named('a'), spec: { ports: [{ port: 80 }] } },
    [
      { spec: { clusterIP: '' } },
      { spec: { ports: [] } },
      { spec: { ipFamilyPolicy: 'RequireDualStack' } },
      { spec: { ipFamilies: ['IPv6'] } },
    ],
  ],
  [
    'a replica set',
    replicaSets,
    workload({}),
    [
      { spec: { selector: { matchLabels: { app: 'other' } } } },
      { spec: { replicas: -1 } },
      { spec: { template: { spec: { restartPolicy: 'Never' } } } },
    ],
  ],
  [
    'a deployment',
    deployments,
    workload({}),
    [
      { spec: { template: null } },
      { spec: { replicas: null } },
      { spec: { strategy: { type: 'Recreate' } } },
      { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } },
    ],
  ],
  [
    'a lease',
    leases,
    { ...named('a'), spec: { holderIdentity: 'me', leaseTransitions: 5 } },
    [{ spec: { leaseTransitions: 3 } }, { spec: { leaseTransitions: null } }, { spec: { holderIdentity: null } }],
  ],
  [
    'a config map',
    configMaps,
    { ...named('a'), data: { k: 'v' } },
    [
      { metadata: { namespace: 'elsewhere' } },
      { metadata: { generateName: 'x-' } },
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '' }] } },
    ],
  ],
]

/** What is refused of built-in kinds. */
export const validation = defineArea('validation', (scenario) => {
  for (const [title, resource, cases] of families) {
    for (const [name, body] of cases) {
      scenario(`${title}: ${name}`, (s) => {
        s.create(resource, body)
      })
    }
  }

  for (const [name, resource, body, patches] of changes) {
    scenario(`change of ${name}`, (s) => {
      s.create(resource, body, { isQuiet: true })
      for (const patch of patches) s.patch(resource, 'a', 'merge', patch)
    })
  }

  scenario('namespace: wrong names', (s) => {
    s.create(namespaces, named('With.Dot'))
    s.create(namespaces, named('x'.repeat(64)))
    s.create(namespaces, { ...named(s.unique('a')), spec: { finalizers: ['wrong'] } })
  })

  scenario('node: wrong fields', (s) => {
    const name = s.unique('node')
    s.create(nodes, { ...named('Node') })
    s.create(nodes, {
      ...named(name),
      spec: {
        taints: [
          { key: 'a b', effect: 'Never' },
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
    })
    s.create(nodes, { ...named(name), spec: { podCIDR: 'everywhere' } })
    s.create(nodes, { ...named(name), spec: { providerID: 'x' } })
    s.patch(nodes, name, 'merge', { spec: { providerID: 'y' } })
  })
})
