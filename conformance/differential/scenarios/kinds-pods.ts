import { defineArea, type JsonObject, named, nodes, podSpec, pods, type Resource, services } from '../language/index.js'

const core = (kind: string, plural: string): Resource => ({ group: '', version: 'v1', plural, kind, isNamespaced: true })
const templates = core('PodTemplate', 'podtemplates')
const controllers = core('ReplicationController', 'replicationcontrollers')

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const status = { subresource: 'status' }
const template = (spec: JsonObject = {}): JsonObject => ({ metadata: { labels: { app: 'web' } }, spec: podSpec(spec) })
const container = (more: JsonObject = {}): JsonObject => ({ name: 'main', image: 'busybox:1.36', ...more })
const podOf = (name: string, spec: JsonObject): JsonObject => ({ ...named(name), spec: { containers: [container()], ...spec } })
const wrong = (spec: JsonObject): JsonObject => podOf('wrong', spec)

/** Pods, and the plainest things that make them. */
export const kindsPods = defineArea('kinds pods', (scenario) => {
  scenario('pod templates', (s) => {
    s.create(templates, { ...named('a'), template: template() })
    s.create(templates, { ...named('b'), template: { metadata: { labels: { b: '2', a: '1' } }, spec: podSpec({ hostNetwork: true }) } })
    s.create(templates, named('c'))
    s.create(templates, {
      ...named('C_'),
      template: { metadata: { labels: { 'a b': 'c' }, annotations: { 'a b': 'c' } }, spec: { containers: [{}] } },
    })
    s.patch(templates, 'a', 'merge', { template: { spec: { nodeSelector: { a: 'b' } } } })
    s.patch(templates, 'a', 'merge', { metadata: { labels: { a: 'b' } } })
    s.list(templates, table)
    s.delete(templates, 'a')
  })

  scenario('replication controllers', (s) => {
    s.create(controllers, { ...named('a'), spec: { template: template() }, status: { replicas: 3 } })
    s.create(controllers, {
      ...named('b.c', { labels: { own: 'yes' } }),
      spec: { replicas: 0, minReadySeconds: 5, selector: { app: 'web' }, template: template() },
    })
    s.create(controllers, { ...named('C_'), spec: { replicas: -1, minReadySeconds: -1 } })
    s.create(controllers, {
      ...named('c'),
      spec: { selector: { a: 'b' }, template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 3 }), replicas: -1 },
    })
    s.create(controllers, named('c'))
    s.patch(
      controllers,
      'a',
      'merge',
      { status: { replicas: 2, readyReplicas: 1, fullyLabeledReplicas: 2, availableReplicas: 1, observedGeneration: 1 } },
      status,
    )
    s.patch(
      controllers,
      'a',
      'merge',
      { status: { replicas: -1, readyReplicas: 2, fullyLabeledReplicas: -3, availableReplicas: 4, observedGeneration: -1 } },
      status,
    )
    s.list(controllers, { ...table, query: { fieldSelector: 'status.replicas=2' } })
    s.list(controllers, { query: { fieldSelector: 'spec.replicas=2' } })
    s.get(controllers, 'a', { subresource: 'scale' })
    s.patch(controllers, 'a', 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' })
    s.patch(controllers, 'a', 'merge', { spec: { selector: { app: 'other' }, replicas: 5 } })
    s.patch(controllers, 'a', 'merge', { spec: { selector: { app: 'web', more: 'x' }, template: { metadata: { labels: { more: 'x' } } } } })
    s.delete(controllers, 'a')
    s.get(controllers, 'a')
    s.delete(controllers, 'b.c', { propagationPolicy: 'Background' })
  })

  scenario('a pod with everything', (s) => {
    s.create(
      pods,
      podOf('full', {
        terminationGracePeriodSeconds: 10,
        activeDeadlineSeconds: 100,
        nodeSelector: { disk: 'ssd' },
        hostname: 'h',
        subdomain: 's',
        shareProcessNamespace: true,
        os: { name: 'linux' },
        priorityClassName: 'system-node-critical',
        preemptionPolicy: 'PreemptLowerPriority',
        setHostnameAsFQDN: true,
        securityContext: {
          runAsUser: 0,
          runAsNonRoot: false,
          fsGroup: 3,
          fsGroupChangePolicy: 'OnRootMismatch',
          supplementalGroups: [1, 2],
          sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }],
          seccompProfile: { type: 'RuntimeDefault' },
        },
        readinessGates: [{ conditionType: 'example.com/ready' }],
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        hostAliases: [{ ip: '10.0.0.1', hostnames: ['a.example.com'] }],
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['10.0.0.2'],
          searches: ['example.com.', '_x.y', '.'],
          options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
        },
        imagePullSecrets: [{ name: 'pull' }],
        resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            minDomains: 2,
            nodeAffinityPolicy: 'Honor',
            nodeTaintsPolicy: 'Ignore',
            labelSelector: { matchLabels: { a: 'b' } },
          },
        ],
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['3'] }] } },
            ],
          },
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } }, matchLabelKeys: ['c'], mismatchLabelKeys: ['d'] },
            ],
          },
        },
        initContainers: [
          container({ name: 'before', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }),
          container({ name: 'beside', restartPolicy: 'Always', startupProbe: { exec: { command: ['true'] } } }),
        ],
        containers: [
          container({
            command: ['sh'],
            args: ['-c', 'true'],
            workingDir: '/',
            stdin: true,
            stdinOnce: true,
            tty: true,
            ports: [
              { name: 'web', containerPort: 80 },
              { containerPort: 53, protocol: 'UDP', hostPort: 53, hostIP: '10.0.0.1' },
            ],
            env: [
              { name: 'A', value: 'b' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } },
              { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
              { name: 'D', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
              { name: 'E', valueFrom: { secretKeyRef: { name: 'c', key: 'k' } } },
              { name: 'F', valueFrom: { fileKeyRef: { volumeName: 'scratch', path: 'env', key: 'K' } } },
            ],
            envFrom: [{ prefix: 'P_', configMapRef: { name: 'c' } }, { secretRef: { name: 's', optional: true } }],
            resources: {
              limits: { cpu: '1.5', memory: '1024Mi', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
              requests: { cpu: '0.0015' },
              claims: [{ name: 'gpu' }],
            },
            resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }],
            livenessProbe: { httpGet: { port: 'web', httpHeaders: [{ name: 'X-A', value: 'b' }] }, initialDelaySeconds: 3 },
            readinessProbe: { grpc: { port: 80 }, successThreshold: 2 },
            startupProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 5 },
            lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { sleep: { seconds: 3 } } },
            terminationMessagePath: '/tmp/message',
            terminationMessagePolicy: 'FallbackToLogsOnError',
            imagePullPolicy: 'Never',
            securityContext: {
              capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
              privileged: true,
              readOnlyRootFilesystem: true,
              seLinuxOptions: { level: 's0' },
              appArmorProfile: { type: 'Localhost', localhostProfile: 'p' },
            },
            volumeMounts: [
              { name: 'scratch', mountPath: '/a', subPathExpr: '$(A)', mountPropagation: 'Bidirectional' },
              { name: 'all', mountPath: '/b', readOnly: true, recursiveReadOnly: 'IfPossible' },
            ],
            volumeDevices: [{ name: 'claim', devicePath: '/dev/x' }],
          }),
        ],
        volumes: [
          { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } },
          { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
          {
            name: 'own',
            ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
          },
          { name: 'oci', image: { reference: 'busybox' } },
          { name: 'csi', csi: { driver: 'csi.example.com', volumeAttributes: { a: 'b' } } },
          { name: 'host', hostPath: { path: '/tmp' } },
          {
            name: 'all',
            projected: {
              sources: [
                { configMap: { name: 'c', items: [{ key: 'k', path: 'p', mode: 256 }] } },
                { secret: { name: 's' } },
                { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
                { clusterTrustBundle: { name: 'b', path: 'bundle' } },
              ],
            },
          },
        ],
      }),
    )
    s.create(
      pods,
      podOf('old', {
        volumes: [
          { name: 'iscsi', iscsi: { targetPortal: '10.0.0.1', iqn: 'iqn.2001-04.com.example:storage', lun: 1 } },
          { name: 'rbd', rbd: { monitors: ['m'], image: 'i' } },
          { name: 'azure', azureDisk: { diskName: 'd', diskURI: 'https://a.blob.core.windows.net/b/c.vhd' } },
          { name: 'scale', scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } },
          { name: 'quobyte', quobyte: { registry: 'r:1,s:2', volume: 'v' } },
          { name: 'nfs', nfs: { server: 's', path: '/p' } },
          { name: 'git', gitRepo: { repository: 'r' } },
          { name: 'fc', fc: { wwids: ['w'] } },
          { name: 'flex', flexVolume: { driver: 'example.com/d' } },
        ],
      }),
    )
  })

  scenario('pods whose resources are of the pod', (s) => {
    s.create(pods, podOf('a', { resources: { limits: { cpu: '2', memory: '1Gi' } } }))
    s.create(
      pods,
      podOf('b', {
        resources: { requests: { cpu: '1' }, limits: { cpu: '2', 'hugepages-2Mi': '4Mi' } },
        containers: [container({ resources: { requests: { cpu: '500m', memory: '1Gi' } } })],
      }),
    )
    s.create(
      pods,
      wrong({
        resources: {
          requests: { cpu: '1' },
          limits: { cpu: '500m', 'ephemeral-storage': '-1' },
          claims: [{ name: 'a' }],
        },
        containers: [container({ resources: { requests: { cpu: '1500m' }, limits: { cpu: '1500m' } } })],
        initContainers: [container({ name: 'init', resources: { requests: { cpu: '3' } } })],
      }),
    )
    const limited = container({ resources: { limits: { cpu: '3', memory: '1Gi' } } })
    s.create(pods, podOf('c', { resources: { requests: { cpu: '1' } }, containers: [limited, { ...limited, name: 'second' }] }))
    s.create(
      pods,
      podOf('d', { resources: { requests: { cpu: '9' } }, containers: [limited], initContainers: [container({ name: 'init' })] }),
    )
    s.create(pods, wrong({ resources: { requests: { 'example.com/gpu': '1' } } }))
    s.create(pods, wrong({ resources: { requests: { x: '1' } } }))
    s.create(pods, wrong({ resources: { limits: { 'hugepages-2Mi': '3Mi' } } }))
  })

  scenario('containers that are added to a pod', (s) => {
    const added = { subresource: 'ephemeralcontainers' }
    const debug = { name: 'debug', image: 'busybox', targetContainerName: 'main' }
    s.create(pods, podOf('a', {}), { isQuiet: true })
    s.get(pods, 'a', added)
    s.patch(
      pods,
      'a',
      'strategic',
      { metadata: { labels: { x: 'y' } }, spec: { hostname: 'ignored', ephemeralContainers: [debug] } },
      added,
    )
    s.patch(
      pods,
      'a',
      'strategic',
      { spec: { ephemeralContainers: [{ name: 'main', image: ' x', ports: [{ containerPort: 1 }], targetContainerName: 'nobody' }] } },
      added,
    )
    s.patch(pods, 'a', 'merge', { spec: { ephemeralContainers: null } }, added)
    s.patch(pods, 'a', 'merge', { spec: { ephemeralContainers: [{ name: 'main2' }, debug] } }, added)
    s.update(pods, podOf('a', { ephemeralContainers: [] }), added)
    s.update(pods, podOf('none', { ephemeralContainers: [] }), added)
    s.create(pods, podOf('a', {}), added)
  })

  scenario('pods that get other resources', (s) => {
    const resized = { subresource: 'resize' }
    const asking = (cpu: string, more: JsonObject = {}): JsonObject => ({
      spec: { containers: [{ name: 'main', resources: { requests: { cpu, ...more } } }] },
    })
    const first = container({ resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2' } } })
    s.create(pods, podOf('a', { containers: [first], initContainers: [container({ name: 'init' })] }), { isQuiet: true })
    s.create(pods, podOf('b', { resources: { requests: { cpu: '2' } } }), { isQuiet: true })
    s.get(pods, 'a', resized)
    s.patch(pods, 'a', 'strategic', { metadata: { labels: { x: 'y' } }, ...asking('1500m') }, resized)
    s.patch(pods, 'a', 'strategic', asking('3'), resized)
    s.patch(pods, 'a', 'strategic', asking('1', { 'ephemeral-storage': '1Gi' }), resized)
    s.patch(pods, 'a', 'json', [{ op: 'remove', path: '/spec/containers/0/resources/requests/memory' }], resized)
    s.patch(pods, 'a', 'json', [{ op: 'remove', path: '/spec/containers/0/resources' }], resized)
    s.patch(pods, 'a', 'json', [{ op: 'replace', path: '/spec/containers/0/name', value: 'other' }], resized)
    s.patch(pods, 'a', 'strategic', { spec: { containers: [container({ name: 'second' })] } }, resized)
    s.patch(pods, 'a', 'strategic', { spec: { initContainers: [{ name: 'init', resources: { requests: { cpu: '5' } } }] } }, resized)
    s.patch(pods, 'a', 'merge', { spec: { resources: { requests: { cpu: '7' } } } }, resized)
    s.patch(pods, 'b', 'merge', { spec: { resources: { requests: { cpu: '3' }, limits: { cpu: '3', memory: '1Gi' } } } }, resized)
    s.patch(pods, 'b', 'merge', { spec: { resources: { requests: { cpu: null } } } }, resized)
  })

  scenario('what only a node can answer', (s) => {
    const text = { accept: '*/*' }
    const on = (subresource: string, query: Record<string, string> = {}) => ({ ...text, subresource, query })
    s.create(pods, podOf('a', { containers: [container(), container({ name: 'second' })] }), { isQuiet: true })
    s.create(pods, podOf('b', {}), { isQuiet: true })
    s.create(pods, podOf('c', { nodeName: s.unique('nowhere') }), { isQuiet: true })
    s.get(pods, 'a', on('log'))
    s.get(pods, 'a', on('log', { container: 'third' }))
    s.get(pods, 'a', on('log', { container: 'second' }))
    s.get(pods, 'b', on('log'))
    s.get(pods, 'c', on('log'))
    s.get(pods, 'none', on('log'))
    s.get(pods, 'b', on('log', { tailLines: '-1', limitBytes: '0', sinceSeconds: '0', follow: 'true' }))
    s.get(pods, 'b', on('log', { tailLines: 'x' }))
    for (const subresource of ['exec', 'attach']) {
      s.create(pods, named('a'), on(subresource, { command: 'x', stdout: 'true' }))
      s.create(pods, named('b'), on(subresource, { command: 'x', stdout: 'true' }))
      s.get(pods, 'b', on(subresource, { stdout: 'true' }))
      s.get(pods, 'b', on(subresource, { command: 'x' }))
      s.get(pods, 'b', on(subresource, { command: 'x', stdout: 'true', stderr: 'true', tty: 'true', container: 'z' }))
      s.get(pods, 'c', on(subresource, { command: 'x', stdout: 'true' }))
      s.get(pods, 'none', on(subresource, { command: 'x', stdout: 'true' }))
    }
    s.create(pods, named('b'), on('portforward'))
    s.get(pods, 'c', on('portforward', { ports: '80' }))
    s.get(pods, 'none', on('portforward'))
    s.get(pods, 'b', on('proxy'))
    s.get(pods, 'c', on('proxy'))
    s.get(pods, 'none', on('proxy'))
    s.get(pods, 'b:x:y', on('proxy'))
    s.create(
      services,
      {
        ...named('web'),
        spec: {
          ports: [
            { port: 80, name: 'http' },
            { port: 81, name: 'more' },
          ],
        },
      },
      { isQuiet: true },
    )
    s.get(services, 'web', on('proxy'))
    s.get(services, 'web:http', on('proxy'))
    s.get(services, 'web:none', on('proxy'))
    s.get(services, 'none', on('proxy'))
    s.get(nodes, s.unique('nowhere'), on('proxy'))
    s.get(nodes, 'a:b:c', on('proxy'))
    const [bare, closed] = [s.unique('bare'), s.unique('closed')]
    s.create(nodes, named(bare), { isQuiet: true })
    s.create(nodes, named(closed), { isQuiet: true })
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]
    s.patch(
      nodes,
      closed,
      'merge',
      { status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 1 } } } },
      { subresource: 'status', isQuiet: true },
    )
    s.create(pods, podOf('d', { nodeName: bare }), { isQuiet: true })
    s.create(pods, podOf('e', { nodeName: closed }), { isQuiet: true })
    for (const name of ['d', 'e']) {
      s.get(pods, name, on('log'))
      s.get(pods, name, on('exec', { command: 'x', stdout: 'true' }))
      s.get(pods, name, on('portforward'))
    }
    s.get(nodes, bare, on('proxy'))
    s.get(nodes, closed, on('proxy'))
    s.delete(nodes, bare, undefined, { isQuiet: true })
    s.delete(nodes, closed, undefined, { isQuiet: true })
  })

  scenario('containers that are wrong', (s) => {
    const mounts: readonly JsonObject[] = [
      { name: 'none', mountPath: '/a', subPath: '/abs/../x', subPathExpr: '..', mountPropagation: 'Sometimes', recursiveReadOnly: 'Maybe' },
      { name: 'e', mountPath: '/a', mountPropagation: 'Bidirectional', recursiveReadOnly: 'Enabled' },
      { name: '', mountPath: '' },
    ]
    s.create(
      pods,
      wrong({
        volumes: [{ name: 'e', emptyDir: {} }],
        containers: [
          container({
            name: 'Main_',
            image: '',
            terminationMessagePolicy: 'Nowhere',
            imagePullPolicy: 'Sometimes',
            restartPolicy: 'Sometimes',
            restartPolicyRules: [{ action: 'Explode' }, { action: 'Restart', exitCodes: { operator: 'Near', values: [1] } }],
            volumeMounts: mounts,
            volumeDevices: [
              { name: 'e', devicePath: '/a' },
              { name: 'none', devicePath: '../x' },
              { name: 'none', devicePath: '' },
            ],
            resizePolicy: [
              { resourceName: 'disk', restartPolicy: 'Maybe' },
              { resourceName: 'disk', restartPolicy: 'NotRequired' },
            ],
          }),
          container({
            name: 'second',
            image: ' spaces ',
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
          }),
        ],
        initContainers: [
          container({
            name: 'second',
            restartPolicy: 'Maybe',
            lifecycle: { postStart: { exec: { command: ['x'] } } },
            livenessProbe: { exec: { command: ['x'] } },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
          }),
          container({ name: '', restartPolicy: 'Always', readinessProbe: {} }),
        ],
        ephemeralContainers: [container({ name: 'main', image: ' e ', ports: [{ containerPort: 1 }], targetContainerName: 'nobody' })],
      }),
    )
  })

  scenario('variables that are wrong', (s) => {
    const from = (name: string, valueFrom: JsonObject, more: JsonObject = {}): JsonObject => ({ name, valueFrom, ...more })
    s.create(
      pods,
      wrong({
        volumes: [{ name: 'host', hostPath: { path: '/' } }],
        containers: [
          container({
            env: [
              { name: '' },
              { name: 'a=b' },
              from('A', {}),
              from('B', { fieldRef: {} }),
              from('C', { fieldRef: { fieldPath: 'spec.nothing' } }),
              from('D', { fieldRef: { fieldPath: 'status.phase' } }),
              from('E', { fieldRef: { fieldPath: "spec.x['y']" } }),
              from('F', { fieldRef: { fieldPath: "metadata.labels['a b']", apiVersion: 'v2' } }),
              from('G', { resourceFieldRef: { resource: 'limits.disk' } }),
              from('H', { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } }),
              from('I', { resourceFieldRef: { resource: 'requests.memory', divisor: '3Ki' } }),
              from('J', { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '1m' } }),
              from('K', { configMapKeyRef: { name: 'A_', key: 'a b' } }),
              from('L', { secretKeyRef: {} }),
              from('M', { configMapKeyRef: { name: 'a', key: 'k' }, secretKeyRef: { name: 'a', key: 'k' } }),
              from('N', { configMapKeyRef: { name: 'a', key: 'k' } }, { value: 'x' }),
              from('O', { fileKeyRef: { volumeName: 'None_', path: '../x', key: 'a=b' } }),
              from('P', { fileKeyRef: {} }),
              from('Q', { fileKeyRef: { volumeName: 'host', path: 'x', key: 'k' } }),
            ],
            envFrom: [{}, { prefix: 'a=', configMapRef: { name: '' }, secretRef: { name: 'A_' } }, { configMapRef: { name: 'ends-' } }],
          }),
        ],
      }),
    )
  })

  scenario('handlers that are wrong', (s) => {
    s.create(
      pods,
      wrong({
        terminationGracePeriodSeconds: 5,
        containers: [
          container({
            livenessProbe: {
              exec: {},
              httpGet: { port: 1 },
              initialDelaySeconds: -1,
              timeoutSeconds: -1,
              periodSeconds: -1,
              successThreshold: 2,
              failureThreshold: -1,
              terminationGracePeriodSeconds: 0,
            },
            readinessProbe: {
              httpGet: { port: 'no_port', scheme: 'FTP', httpHeaders: [{ name: 'a b', value: 'c' }] },
              successThreshold: -1,
            },
            startupProbe: { tcpSocket: { port: 70_000 }, grpc: { port: 0 } },
            lifecycle: { postStart: { sleep: { seconds: 6 } }, preStop: {} },
          }),
          container({
            name: 'b',
            lifecycle: { postStart: { sleep: { seconds: -1 } }, preStop: { httpGet: { port: 0 } } },
            startupProbe: { grpc: { port: 0 } },
          }),
        ],
      }),
    )
  })

  scenario('resources that are wrong', (s) => {
    s.create(
      pods,
      wrong({
        resourceClaims: [
          { name: '' },
          { name: 'gpu', resourceClaimName: 'A_', resourceClaimTemplateName: 'B_' },
          { name: 'gpu', resourceClaimName: 'x' },
          { name: 'G_', resourceClaimName: 'x' },
        ],
        overhead: { cpu: '-1' },
        containers: [
          container({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
          ...['-memory', 'a b', 'pods', 'disk', 'storage', 'requests.example.com/x', 'kubernetes.io/y', 'example.com/gpu'].map(
            (name, index) =>
              container({ name: `n${index}`, resources: { limits: { [name.replace('-', '')]: name.startsWith('-') ? '-1' : '1500m' } } }),
          ),
          container({ name: 'c', resources: { limits: { 'hugepages-2Mi': '3Mi' } } }),
          container({ name: 'd', resources: { requests: { 'example.com/gpu': '1' }, limits: { cpu: '1' } } }),
          container({ name: 'e', resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } } }),
          container({
            name: 'f',
            resources: { claims: [{ name: '' }, { name: 'gpu' }, { name: 'gpu' }, { name: 'gpu', request: 'R_' }, { name: 'other' }] },
          }),
        ],
      }),
    )
    s.create(pods, wrong({ containers: [container({ resources: { limits: { cpu: 'lots' } } })] }))
    s.create(pods, wrong({ containers: [container({ resources: { claims: [{ name: 'a' }] } })] }))
  })

  scenario('security contexts that are wrong', (s) => {
    s.create(
      pods,
      wrong({
        hostNetwork: true,
        hostIPC: true,
        securityContext: {
          runAsUser: -1,
          runAsGroup: -1,
          fsGroup: -1,
          fsGroupChangePolicy: 'Sometimes',
          supplementalGroups: [1, -1],
          supplementalGroupsPolicy: 'Loose',
          seLinuxChangePolicy: 'Never',
          sysctls: [
            { name: '', value: '' },
            { name: 'A b', value: '1' },
            { name: 'net.ipv4.x', value: '1' },
            { name: 'kernel.shmmax', value: '1' },
            { name: 'kernel.shmmax', value: '1' },
          ],
          seccompProfile: { type: 'Localhost' },
          appArmorProfile: { type: 'Unconfined', localhostProfile: 'x' },
          windowsOptions: { gmsaCredentialSpecName: 'A_', gmsaCredentialSpec: '', runAsUserName: '' },
        },
        containers: [
          container({
            securityContext: {
              runAsUser: -1,
              runAsGroup: -1,
              procMount: 'Unmasked',
              allowPrivilegeEscalation: false,
              privileged: true,
              capabilities: { add: ['CAP_SYS_ADMIN'] },
              seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' },
              appArmorProfile: { type: 'Localhost' },
              windowsOptions: { runAsUserName: 'a\\b\\c', hostProcess: true },
            },
          }),
          container({
            name: 'b',
            securityContext: {
              procMount: 'Half',
              seccompProfile: { type: 'Magic' },
              appArmorProfile: { type: 'Localhost', localhostProfile: ' x ' },
              windowsOptions: { runAsUserName: '...bad"\\..' },
            },
          }),
          container({
            name: 'c',
            securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: '/../x' }, appArmorProfile: { type: 'Magic' } },
          }),
        ],
      }),
    )
    s.create(
      pods,
      wrong({
        os: { name: 'windows' },
        hostUsers: false,
        hostPID: true,
        hostIPC: true,
        shareProcessNamespace: true,
        resources: { limits: { cpu: '1' } },
        securityContext: { runAsUser: 1, sysctls: [{ name: 'a.b', value: '1' }], seLinuxOptions: { level: 's0' } },
        containers: [container({ securityContext: { privileged: true, capabilities: {}, procMount: 'Default' }, volumeDevices: [] })],
      }),
    )
    s.create(
      pods,
      wrong({
        os: { name: 'linux' },
        containers: [container({ securityContext: { windowsOptions: {} }, volumeDevices: [{ name: 'x', devicePath: '/x' }] })],
        hostUsers: false,
        hostNetwork: true,
      }),
    )
    s.create(pods, wrong({ os: { name: 'plan9' } }))
    s.create(pods, wrong({ os: {} }))
    s.create(pods, {
      ...named('wrong', {
        annotations: {
          'seccomp.security.alpha.kubernetes.io/pod': 'magic',
          'container.seccomp.security.alpha.kubernetes.io/main': 'localhost/../x',
          'container.apparmor.security.beta.kubernetes.io/nobody': 'magic',
          'kubernetes.io/config.mirror': 'x',
          'controller.kubernetes.io/pod-deletion-cost': '+1',
        },
      }),
      spec: { containers: [container({ securityContext: { seccompProfile: { type: 'Unconfined' } } })] },
    })
  })

  scenario('where pods would like to be, wrong', (s) => {
    const expression = (key: string, operator: string, ...values: string[]): JsonObject => ({ key, operator, values })
    const unmanaged = { runtimeClassName: 'R_', preemptionPolicy: 'Maybe', priorityClassName: 'P_' }
    s.create(templates, { ...named('wrong'), template: template({ ...unmanaged, serviceAccountName: 'a', serviceAccount: 'b' }) })
    s.create(
      pods,
      wrong({
        nodeName: 'N_',
        nodeSelector: { 'a b': '-' },
        schedulerName: '',
        activeDeadlineSeconds: 0,
        restartPolicy: 'Sometimes',
        hostname: 'H_',
        subdomain: 'S_',
        serviceAccountName: 'A_',
        schedulingGates: [{ name: 'a b' }, { name: 'g' }, { name: 'g' }],
        readinessGates: [{ conditionType: 'a b' }],
        tolerations: [
          { operator: 'Equal' },
          { key: 'a b', operator: 'Exists', value: 'x', effect: 'Sometimes' },
          { key: 'a', operator: 'Lt', value: 'x' },
          { key: 'a', value: '-', tolerationSeconds: 1 },
          { key: 'a', operator: 'Near' },
        ],
        topologySpreadConstraints: [
          {
            maxSkew: 0,
            topologyKey: '',
            whenUnsatisfiable: 'Shrug',
            minDomains: 0,
            nodeAffinityPolicy: 'Maybe',
            nodeTaintsPolicy: 'Maybe',
            matchLabelKeys: ['a'],
          },
          {
            maxSkew: 1,
            topologyKey: 'z',
            whenUnsatisfiable: 'ScheduleAnyway',
            minDomains: 1,
            matchLabelKeys: ['a b', 'c'],
            labelSelector: { matchLabels: { c: '-' }, matchExpressions: [expression('c', 'Maybe')] },
          },
          { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway' },
        ],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    expression('a b', 'In'),
                    expression('a', 'Exists', 'x'),
                    expression('a', 'Gt'),
                    expression('a', 'Near', '-'),
                  ],
                  matchFields: [
                    expression('metadata.name', 'Exists'),
                    expression('x', 'In', 'A_'),
                    expression('metadata.name', 'In', 'A_'),
                  ],
                },
              ],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: { matchExpressions: [expression('a', 'In')] } }],
          },
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: '', namespaces: ['N_'], matchLabelKeys: ['a'], mismatchLabelKeys: ['b'] },
              {
                topologyKey: 'a b',
                labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [expression('a', 'In', 'c')] },
                namespaceSelector: { matchLabels: { 'a b': 'c' } },
                matchLabelKeys: ['a', 'b b'],
                mismatchLabelKeys: ['a'],
              },
            ],
          },
          podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: 'z' } }] },
        },
      }),
    )
    s.create(pods, wrong({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } }))
  })

  scenario('networks of pods that are wrong', (s) => {
    s.create(
      pods,
      wrong({
        hostNetwork: true,
        hostPID: true,
        shareProcessNamespace: true,
        hostnameOverride: 'X_'.repeat(40),
        setHostnameAsFQDN: true,
        dnsPolicy: 'Magic',
        dnsConfig: {
          nameservers: ['x', '1.1.1.1', '1.1.1.2', '1.1.1.3'],
          searches: ['A_', '-', ...Array.from({ length: 31 }, () => 'a')],
          options: [{ value: 'x' }],
        },
        hostAliases: [{ ip: 'x', hostnames: ['A_', 'b'] }, { ip: '010.0.0.1' }],
        containers: [
          container({
            ports: [
              { containerPort: 80, hostPort: 81, protocol: 'HTTP', name: 'Wrong_' },
              { containerPort: 0, hostPort: 70_000 },
              { name: 'a', containerPort: 1, hostPort: 1 },
              { name: 'a', containerPort: 1, hostPort: 1 },
            ],
          }),
        ],
      }),
    )
    s.create(pods, wrong({ dnsPolicy: 'None' }))
    s.create(pods, wrong({ dnsPolicy: 'None', dnsConfig: {} }))
  })

  scenario('volumes that are wrong', (s) => {
    const volume = (name: string, source: JsonObject): JsonObject => ({ name, ...source })
    s.create(
      pods,
      wrong({
        volumes: [
          volume('', {}),
          volume('V_', { emptyDir: { sizeLimit: '-1' }, hostPath: { path: '' }, downwardAPI: {}, cephfs: { monitors: [] } }),
          volume('a', { emptyDir: {} }),
          volume('a', { hostPath: { path: '../x', type: 'Magic' } }),
          volume('git', { gitRepo: { repository: '', directory: '/../x' } }),
          volume('secret', {
            secret: {
              defaultMode: 512,
              items: [
                { key: '', path: '..x', mode: -1 },
                { key: 'k', path: '' },
              ],
            },
          }),
          volume('config', { configMap: { defaultMode: -1, items: [{ key: 'k', path: '/a/../b', mode: 512 }] } }),
          volume('pvc', { persistentVolumeClaim: { claimName: '' } }),
          volume('csi', { csi: { driver: 'A_', nodePublishSecretRef: {} } }),
          volume('csi2', { csi: { driver: '', nodePublishSecretRef: { name: 'S_' } } }),
          volume('img', { image: { pullPolicy: 'Sometimes' } }),
          volume('eph', { ephemeral: {} }),
          volume('eph2', {
            ephemeral: { volumeClaimTemplate: { metadata: { name: 'x', labels: { 'a b': 'c' }, annotations: { 'a b': '' } }, spec: {} } },
          }),
          volume('eph3', {
            ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } } },
          }),
          volume('taken', { persistentVolumeClaim: { claimName: 'wrong-eph3' } }),
          volume('down', {
            downwardAPI: {
              defaultMode: 512,
              items: [
                { path: '' },
                { path: 'x', mode: 512, fieldRef: { fieldPath: 'spec.nodeName' }, resourceFieldRef: { resource: 'x' } },
                { path: '../y', resourceFieldRef: { resource: 'limits.cpu' } },
                { path: 'z', resourceFieldRef: { containerName: 'main', resource: '' } },
              ],
            },
          }),
        ],
      }),
    )
    s.create(
      pods,
      wrong({
        volumes: [
          volume('p', {
            projected: {
              defaultMode: 512,
              sources: [
                {},
                {
                  secret: {
                    items: [
                      { key: 'a', path: 'a' },
                      { key: '', path: 'a' },
                    ],
                  },
                  configMap: { items: [{ key: 'k', path: 'a' }] },
                },
                { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }, { path: 'b' }] } },
                { serviceAccountToken: { expirationSeconds: 1, path: '' } },
                { serviceAccountToken: { expirationSeconds: 5_000_000_000, path: '/x' } },
                { clusterTrustBundle: { path: '' } },
                { clusterTrustBundle: { name: 'A_', path: 'a', labelSelector: { matchLabels: { a: 'b' } } } },
                { clusterTrustBundle: { signerName: 'x', path: '../c', labelSelector: { matchLabels: { 'a b': 'c' } } } },
                { clusterTrustBundle: { name: 'example.com:x:B_', path: 'd' } },
                { podCertificate: { signerName: '', keyType: 'DES' } },
                {
                  podCertificate: {
                    signerName: 'kubernetes.io/x',
                    keyType: 'ED25519',
                    maxExpirationSeconds: 90_000,
                    keyPath: 'a',
                    certificateChainPath: '/e',
                  },
                },
                {
                  podCertificate: { signerName: 'example.com/x', keyType: 'ED25519', maxExpirationSeconds: 1, credentialBundlePath: '..f' },
                },
              ],
            },
          }),
        ],
      }),
    )
  })

  scenario('volumes of networks that are wrong', (s) => {
    const volume = (name: string, source: JsonObject): JsonObject => ({ name, ...source })
    s.create(
      pods,
      wrong({
        volumes: [
          volume('gce', { gcePersistentDisk: { pdName: '', partition: 256 } }),
          volume('aws', { awsElasticBlockStore: { volumeID: '', partition: -1 } }),
          volume('nfs', { nfs: { server: '', path: 'x' } }),
          volume('nfs2', { nfs: { server: '', path: '' } }),
          volume('iscsi', { iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthSession: true, initiatorName: 'y' } }),
          volume('iscsi2', { iscsi: { targetPortal: 'p'.repeat(64), iqn: 'iqn.x', lun: 0, initiatorName: 'eui.x' } }),
          volume('gluster', { glusterfs: { endpoints: '', path: '' } }),
          volume('flocker', { flocker: {} }),
          volume('flocker2', { flocker: { datasetName: 'a/b', datasetUUID: 'x' } }),
          volume('rbd', { rbd: { monitors: [], image: '' } }),
          volume('cinder', { cinder: { volumeID: '', secretRef: {} } }),
          volume('cephfs', { cephfs: { monitors: [] } }),
          volume('quobyte', { quobyte: { registry: '', volume: '' } }),
          volume('quobyte2', { quobyte: { registry: 'a,b:1', volume: 'v' } }),
          volume('fc', { fc: {} }),
          volume('fc2', { fc: { targetWWNs: ['a'], wwids: ['b'] } }),
          volume('fc3', { fc: { targetWWNs: ['a'], lun: 256 } }),
          volume('flex', { flexVolume: { driver: '', options: { 'a.kubernetes.io/x': '1' } } }),
          volume('azf', { azureFile: { secretName: '', shareName: '' } }),
          volume('vs', { vsphereVolume: { volumePath: '' } }),
          volume('photon', { photonPersistentDisk: { pdID: '' } }),
          volume('px', { portworxVolume: { volumeID: '' } }),
          volume('azd', { azureDisk: { diskName: '', diskURI: '', cachingMode: 'Some', kind: 'Other' } }),
          volume('azd2', { azureDisk: { diskName: 'd', diskURI: 'x', kind: 'Managed' } }),
          volume('os', { storageos: { secretRef: {} } }),
          volume('os2', { storageos: { volumeName: 'V_', volumeNamespace: 'N_' } }),
          volume('sio', { scaleIO: { gateway: '', system: '', volumeName: '', secretRef: {} } }),
        ],
      }),
    )
  })
  scenario('fields of pods that a server without their features leaves out', (s) => {
    const items = [{ key: 'a', path: 'a', user: 7 }]
    const spec: JsonObject = {
      schedulingGroup: { podGroupName: 'g' },
      evictionResponders: [{ name: 'example.com/a', priority: 5 }],
      containers: [
        container({
          volumeMounts: [{ name: 'empty', mountPath: '/a', bindMountOptions: ['noexec'] }],
          lifecycle: { stopSignal: 'SIGTERM' },
          livenessProbe: { grpc: { port: 1, mode: 'TLS' } },
          readinessProbe: { httpGet: { path: '/', port: 1, protocol: 'HTTP2' } },
        }),
        container({
          name: 'other',
          lifecycle: { stopSignal: 'SIGTERM', preStop: { httpGet: { path: '/', port: 1, protocol: 'HTTP2' } } },
        }),
      ],
      initContainers: [container({ name: 'first', restartPolicy: 'Always', lifecycle: { stopSignal: 'SIGTERM' } })],
      volumes: [
        { name: 'empty', emptyDir: { mode: 511 } },
        { name: 'secret', secret: { secretName: 's', defaultUser: 7, items } },
        { name: 'map', configMap: { name: 'c', defaultUser: 7, items } },
        { name: 'down', downwardAPI: { defaultUser: 7, items: [{ path: 'a', user: 7, fieldRef: { fieldPath: 'metadata.name' } }] } },
        {
          name: 'all',
          projected: {
            defaultUser: 7,
            sources: [
              { secret: { name: 's', items } },
              { configMap: { name: 'c', items: [{ key: 'b', path: 'b', user: 7 }] } },
              { downwardAPI: { items: [{ path: 'c', user: 7, fieldRef: { fieldPath: 'metadata.name' } }] } },
              { clusterTrustBundle: { name: 't', path: 'd', user: 7 } },
              { podCertificate: { signerName: 'example.com/x', keyType: 'ED25519', credentialBundlePath: 'e', user: 7 } },
            ],
          },
        },
      ],
    }
    s.create(pods, podOf('a', spec))
    s.patch(pods, 'a', 'merge', { spec: { schedulingGroup: { podGroupName: 'h' } } })
    s.patch(
      pods,
      'a',
      'merge',
      {
        status: {
          volumeHealth: [{ name: 'empty', status: 'Healthy' }],
          nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'c', containers: [] }],
          containerStatuses: [
            {
              name: 'main',
              ready: true,
              restartCount: 0,
              image: 'busybox:1.36',
              imageID: '',
              volumeMounts: [{ name: 'empty', mountPath: '/a', volumeStatus: { image: { imageRef: 'x' } } }],
            },
          ],
        },
      },
      status,
    )
    s.create(templates, { ...named('a'), template: { spec } })
    s.patch(templates, 'a', 'merge', { template: { spec: { schedulingGroup: { podGroupName: 'h' } } } })
    s.create(controllers, { ...named('a'), spec: { template: { ...template(), spec: { ...podSpec(), ...spec } } } })
  })

  scenario('profiles of AppArmor in annotations', (s) => {
    const key = 'container.apparmor.security.beta.kubernetes.io'
    const profiled = (name: string, profile: string, spec: JsonObject = {}): JsonObject => ({
      ...podOf(name, spec),
      ...named(name, { annotations: { [`${key}/main`]: profile, 'pod.beta.kubernetes.io/init-containers': '[]' } }),
    })
    s.create(pods, profiled('a', 'runtime/default'))
    s.create(pods, profiled('b', 'localhost/some'))
    s.create(pods, profiled('c', 'unconfined'))
    s.create(pods, profiled('d', 'localhost/'))
    s.create(pods, profiled('e', 'other'))
    s.create(pods, profiled('f', 'unconfined', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }))
    s.create(pods, profiled('g', 'runtime/default', { os: { name: 'windows' } }))
    s.create(
      pods,
      profiled('h', 'unconfined', { containers: [container({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } })] }),
    )
  })
  scenario('updates of pods that are refused', (s) => {
    const armor = 'container.apparmor.security.beta.kubernetes.io/main'
    s.create(pods, {
      ...podOf('a', {
        activeDeadlineSeconds: 10,
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        initContainers: [container({ name: 'first' })],
      }),
      ...named('a', { annotations: { [armor]: 'unconfined' } }),
    })
    const change = (body: JsonObject) => s.patch(pods, 'a', 'strategic', body)
    change({ metadata: { annotations: { [armor]: 'runtime/default' } } })
    change({ metadata: { annotations: { [armor]: null } } })
    change({ metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/other': 'unconfined' } } })
    change({ metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } })
    change({ metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } } })
    change({ spec: { activeDeadlineSeconds: 20 } })
    change({ spec: { activeDeadlineSeconds: null } })
    change({ spec: { activeDeadlineSeconds: -1 } })
    change({ spec: { activeDeadlineSeconds: 0 } })
    change({ spec: { activeDeadlineSeconds: 2_147_483_648 } })
    change({ spec: { activeDeadlineSeconds: 5 } })
    s.patch(pods, 'a', 'merge', { spec: { tolerations: [] } })
    s.patch(pods, 'a', 'json', [{ op: 'replace', path: '/spec/tolerations/0/tolerationSeconds', value: 7 }])
    s.patch(pods, 'a', 'json', [{ op: 'add', path: '/spec/tolerations/-', value: { key: 'b b', operator: 'Some' } }])
    change({ spec: { schedulingGates: [{ name: 'new' }] } })
    change({ spec: { containers: [{ name: 'main', image: '' }], initContainers: [{ name: 'first', image: ' x ' }] } })
    change({ spec: { containers: [{ name: 'other', image: 'x' }] } })
    change({ spec: { initContainers: [{ name: 'other', image: 'x' }] } })
    change({ spec: { terminationGracePeriodSeconds: -1 } })
    change({ spec: { containers: [{ name: 'main', image: 'busybox:2' }], initContainers: [{ name: 'first', image: 'busybox:3' }] } })
  })

  scenario('pods that wait for something get narrower', (s) => {
    const requirement = (key: string, value: string): JsonObject => ({ key, operator: 'In', values: [value] })
    const affinity = (...terms: JsonObject[]): JsonObject => ({
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    })
    s.create(
      pods,
      podOf('a', {
        schedulingGates: [{ name: 'one' }, { name: 'two' }],
        nodeSelector: { a: 'b' },
        affinity: affinity({ matchExpressions: [requirement('a', 'b')] }),
      }),
    )
    const change = (spec: JsonObject) => s.patch(pods, 'a', 'merge', { spec })
    change({ nodeSelector: { c: 'd' } })
    change({ nodeSelector: { c: 'e' } })
    change({ nodeSelector: { a: null } })
    change({ nodeSelector: null })
    change({ affinity: affinity({ matchExpressions: [requirement('a', 'b'), requirement('c', 'd')] }) })
    change({ affinity: affinity({ matchExpressions: [requirement('a', 'c'), requirement('c', 'd')] }) })
    change({ affinity: affinity({ matchFields: [requirement('metadata.name', 'x')] }, { matchExpressions: [requirement('c', 'd')] }) })
    change({ affinity: affinity({ matchFields: [requirement('metadata.name', 'x')] }) })
    change({ affinity: null })
    change({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [requirement('e', 'f')] } }],
        },
      },
    })
    change({ schedulingGates: [{ name: 'two' }] })
    change({ schedulingGates: [{ name: 'two' }, { name: 'three' }] })
    change({ schedulingGates: [] })
    s.create(pods, podOf('b', { schedulingGates: [{ name: 'one' }] }))
    s.patch(pods, 'b', 'merge', { spec: { nodeSelector: { a: 'b' }, affinity: affinity({ matchExpressions: [requirement('a', 'b')] }) } })
    s.patch(pods, 'b', 'merge', { spec: { affinity: affinity() } })
  })

  scenario('statuses of pods that are refused', (s) => {
    s.create(
      pods,
      podOf('a', {
        restartPolicy: 'OnFailure',
        containers: [container({ resources: { requests: { 'example.com/x': '1' }, limits: { 'example.com/x': '1' } } })],
        initContainers: [container({ name: 'first' }), container({ name: 'side', restartPolicy: 'Always' })],
      }),
    )
    const change = (body: JsonObject) => s.patch(pods, 'a', 'merge', { status: body }, status)
    const containerStatus = (name: string, more: JsonObject): JsonObject => ({
      name,
      ready: false,
      restartCount: 0,
      image: 'busybox:1.36',
      imageID: '',
      ...more,
    })
    const ended = (exitCode: number): JsonObject => ({ state: { terminated: { exitCode } } })
    const running = { state: { running: {} } }
    change({ qosClass: 'Guaranteed' })
    change({ conditions: [{ type: 'a b', status: 'True', observedGeneration: -1 }], observedGeneration: -1 })
    change({ nominatedNodeName: 'A_' })
    change({ podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }] })
    change({ podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.4' }, { ip: '::1' }, { ip: '::2' }] })
    change({ podIP: 'x', podIPs: [{ ip: 'x' }, { ip: '::1' }] })
    change({ podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.4' }, { ip: '::1' }] })
    change({ hostIP: '1.2.3.4', hostIPs: [{ ip: '1.2.3.5' }] })
    change({ hostIP: '1.2.3.4', hostIPs: [{ ip: '1.2.3.4' }, { ip: '01.2.3.4' }] })
    change({ hostIPs: [{ ip: '1.2.3.4' }] })
    change({ hostIP: '1.2.3.4', hostIPs: [] })
    change({
      containerStatuses: [containerStatus('main', { ...ended(0) })],
      initContainerStatuses: [containerStatus('first', ended(0)), containerStatus('side', ended(0))],
    })
    change({
      containerStatuses: [containerStatus('main', running)],
      initContainerStatuses: [containerStatus('first', running), containerStatus('side', running)],
    })
    change({ containerStatuses: [containerStatus('main', ended(1))] })
    change({ containerStatuses: [containerStatus('main', running)] })
    change({ ephemeralContainerStatuses: [containerStatus('main', ended(1))] })
    change({ ephemeralContainerStatuses: [containerStatus('main', running)] })
    change({ resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'A_' }, { name: 'a' }] })
    change({ extendedResourceClaimStatus: { requestMappings: [], resourceClaimName: '' } })
    change({
      extendedResourceClaimStatus: {
        resourceClaimName: 'A_',
        requestMappings: [
          { containerName: 'none', resourceName: 'x', requestName: 'r' },
          { containerName: 'main', resourceName: 'x', requestName: 'R_' },
          { containerName: 'main', resourceName: 'example.com/x', requestName: 'r' },
          { containerName: 'main', resourceName: 'example.com/x', requestName: 'r' },
        ],
      },
    })
    change({
      containerStatuses: [
        containerStatus('main', {
          user: { linux: { uid: -1, gid: -1, supplementalGroups: [-1, 2_147_483_648] } },
          allocatedResourcesStatus: [
            { name: 'claim:a/b' },
            { name: 'x' },
            {
              name: 'example.com/x',
              resources: [
                { resourceID: 'a', health: 'Fine', message: '' },
                { resourceID: 'a', health: 'Healthy' },
              ],
            },
          ],
        }),
      ],
      ephemeralContainerStatuses: [containerStatus('main', { allocatedResourcesStatus: [{ name: 'x' }] })],
    })
    s.patch(pods, 'a', 'merge', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }, status)
    s.create(pods, podOf('b', { nodeName: 'some' }))
    s.patch(pods, 'b', 'merge', { status: { nominatedNodeName: 'other' } }, status)
  })
})
