import { defineArea, type JsonObject, named, podSpec, pods } from '../../language/index.js'
import { container, controllers, podOf, status, template, templates } from './objects.js'

/** What becomes of a pod when it is written. */
export const changesOfPods = defineArea('kinds pods', (scenario) => {
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
    change({ podIP: null, podIPs: [{}] })
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
