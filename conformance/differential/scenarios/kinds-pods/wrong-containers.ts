import { defineArea, type JsonObject, named, pods } from '../../language/index.js'
import { container, wrong } from './objects.js'

/** Containers that are refused. */
export const wrongContainers = defineArea('kinds pods', (scenario) => {
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
})
