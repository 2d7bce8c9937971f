import { defineArea, type JsonObject, named, pods } from '../../language/index.js'
import { container, template, templates, wrong } from './objects.js'

/** Places, networks and volumes of pods that are refused. */
export const wrongSpecs = defineArea('kinds pods', (scenario) => {
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
})
