import { defineArea, type JsonObject, named, podSpec, pods, table } from '../../language/index.js'
import { container, controllers, podOf, status, template, templates, wrong } from './objects.js'

/** Pods, and the plainest things that make them. */
export const podsAndTemplates = defineArea('kinds pods', (scenario) => {
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
  scenario('controllers that say what their pods say', (s) => {
    s.create(controllers, { metadata: {}, spec: { template: template() } })
    s.create(controllers, { ...named('a'), spec: { template: template() } })
    s.update(controllers, { ...named('a'), status: { replicas: 1 } }, status)
    s.update(controllers, { ...named('a'), spec: { template: { metadata: { labels: { app: 'a/b/c' } }, spec: podSpec() } } })
    const probes = { readinessProbe: { terminationGracePeriodSeconds: 1 }, startupProbe: {} }
    const resizePolicy: readonly JsonObject[] = [{ resourceName: '' }, {}]
    s.create(pods, wrong({ containers: [container({ ...probes, resizePolicy })] }))
    s.create(templates, { ...named('b'), template: { spec: { containers: [{}, {}] } } })
    const added = { lifecycle: {}, ports: [], resources: {}, targetContainerName: 'none' }
    s.create(templates, { ...named('c'), template: template({ ephemeralContainers: [added, added] }) })
    s.create(pods, wrong({ resources: { limits: { cpu: -2 } } }))
  })
})
