import { defineArea, type JsonObject, named, type Resource, type ScenarioBuilder, table } from '../language/index.js'

const core = (kind: string, plural: string, isNamespaced: boolean): Resource => ({ group: '', version: 'v1', plural, kind, isNamespaced })
const storage = (kind: string, plural: string, isNamespaced = false): Resource => ({
  group: 'storage.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced,
})

const volumes = core('PersistentVolume', 'persistentvolumes', false)
const claims = core('PersistentVolumeClaim', 'persistentvolumeclaims', true)
const classes = storage('StorageClass', 'storageclasses')
const drivers = storage('CSIDriver', 'csidrivers')
const csiNodes = storage('CSINode', 'csinodes')
const capacities = storage('CSIStorageCapacity', 'csistoragecapacities', true)
const attachments = storage('VolumeAttachment', 'volumeattachments')
const attributesClasses = storage('VolumeAttributesClass', 'volumeattributesclasses')

const withoutFinalizers = { metadata: { finalizers: null } }

const volumeSpec = (more: JsonObject = {}): JsonObject => ({
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  hostPath: { path: '/tmp/x' },
  ...more,
})
const claimSpec = (more: JsonObject = {}): JsonObject => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  ...more,
})
const zones = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }
const { hostPath: _, ...noSource } = volumeSpec()

/** Admission of the real server sees classes through a cache: this gives it time to follow. */
function letCachesFollow(s: ScenarioBuilder): void {
  for (let request = 0; request < 40; request++) s.list(claims, { isQuiet: true })
}

/** Volumes, claims and what the group storage.k8s.io knows of them. */
export const kindsStorage = defineArea('kinds storage', (scenario) => {
  scenario('persistent volumes', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.create(volumes, { ...named(a, { labels: { type: 'x' } }), spec: volumeSpec(), status: { phase: 'Bound' } })
    s.create(volumes, {
      ...named(b),
      spec: {
        ...noSource,
        capacity: { storage: '1024Mi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteOnce'],
        csi: {
          driver: 'csi.example.com',
          volumeHandle: 'h',
          fsType: 'ext4',
          volumeAttributes: { k: 'v' },
          nodePublishSecretRef: { name: 's', namespace: 'n' },
        },
        claimRef: { namespace: 'n', name: 'c' },
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'fast',
        mountOptions: ['ro'],
        volumeMode: 'Block',
        nodeAffinity: { required: { nodeSelectorTerms: [zones] } },
        volumeAttributesClassName: 'silver',
      },
    })
    s.get(volumes, a, table)
    s.get(volumes, b, table)
    s.list(volumes, { query: { labelSelector: 'type=x', fieldSelector: `metadata.name=${a}` }, ...table })
    s.list(volumes, { query: { fieldSelector: `name=${a}` }, ...table })
    s.list(volumes, { query: { fieldSelector: 'spec.storageClassName=x' } })
    s.patch(volumes, a, 'merge', { status: { phase: 'Available', message: 'm', reason: 'r' } }, { subresource: 'status' })
    s.patch(volumes, a, 'merge', { spec: { capacity: { storage: '2Gi' }, persistentVolumeReclaimPolicy: 'Delete' } })
    s.patch(volumes, a, 'merge', { spec: { hostPath: { path: '/tmp/y' } } })
    s.patch(volumes, a, 'merge', { spec: { volumeMode: 'Block' } })
    s.patch(volumes, b, 'merge', { spec: { csi: { controllerExpandSecretRef: { name: 's', namespace: 'n' } } } })
    s.patch(volumes, b, 'merge', { spec: { nodeAffinity: null } })
    s.patch(volumes, b, 'merge', { spec: { volumeAttributesClassName: null } })
    s.delete(volumes, a)
    s.get(volumes, a, table)
    for (const name of [a, b]) s.patch(volumes, name, 'merge', withoutFinalizers)
    s.delete(volumes, b)
  })

  scenario('persistent volumes that are wrong', (s) => {
    const create = (spec: JsonObject, annotations: JsonObject = {}) => s.create(volumes, { ...named(s.unique('a'), { annotations }), spec })
    s.create(volumes, named('A_b'))
    create({})
    create({
      capacity: { storage: '0', cpu: '1' },
      accessModes: ['ReadWriteOnce', 'ReadWriteOncePod', 'Sometimes'],
      persistentVolumeReclaimPolicy: 'Keep',
      nodeAffinity: {},
      storageClassName: 'A_b',
      volumeMode: 'Tape',
      volumeAttributesClassName: '',
    })
    create({ ...noSource, capacity: { cpu: '1' }, local: { path: '' } })
    create({ ...noSource, local: { path: '/a/../b' }, nodeAffinity: { required: { nodeSelectorTerms: [] } } })
    create({ ...noSource, local: { path: '/a' }, volumeAttributesClassName: 'A_b' })
    create(volumeSpec({ hostPath: { path: '', type: 'Odd' } }))
    create(volumeSpec({ hostPath: { path: '/a/../b', type: 'Odd' } }))
    create(volumeSpec({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }))
    create(volumeSpec({ nfs: { server: '', path: 'x' } }))
    create({ ...noSource, nfs: { server: '', path: 'x' } })
    create({
      ...noSource,
      csi: { driver: '', volumeHandle: '', nodePublishSecretRef: {}, controllerPublishSecretRef: { name: 'A_b', namespace: 'B_c' } },
    })
    create({ ...noSource, csi: { driver: 'A_b', volumeHandle: 'h' } })
    create({ ...noSource, iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthDiscovery: true, initiatorName: 'y' } })
    create({ ...noSource, iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:storage', lun: 0, secretRef: {} } })
    create({ ...noSource, fc: { wwids: ['w'], targetWWNs: ['t'] } })
    create({ ...noSource, rbd: { monitors: [], image: '' } })
    create({ ...noSource, cephfs: { monitors: [] } })
    create({ ...noSource, awsElasticBlockStore: { volumeID: '', partition: 256 } })
    create({ ...noSource, gcePersistentDisk: { pdName: '', partition: 256 } })
    create({ ...noSource, azureDisk: { diskName: '', diskURI: '', kind: 'Odd', cachingMode: 'Odd' } })
    create({ ...noSource, azureFile: { secretName: '', shareName: '', secretNamespace: '' } })
    create({ ...noSource, cinder: { volumeID: '', secretRef: {} } })
    create({ ...noSource, vsphereVolume: { volumePath: '' } })
    create({ ...noSource, flexVolume: { driver: '', secretRef: {} } })
    create({ ...noSource, glusterfs: { endpoints: '', path: '', endpointsNamespace: '' } })
    create({ ...noSource, portworxVolume: { volumeID: '' } })
    create(volumeSpec(), { 'volume.beta.kubernetes.io/mount-options': 'ro', 'volume.beta.kubernetes.io/storage-class': 'x' })
    create(
      volumeSpec({
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'A b', operator: 'Is', values: ['c d'] }] }] } },
      }),
    )
  })

  scenario('nodes of persistent volumes', (s) => {
    const [a, local] = [s.unique('a'), { ...noSource, local: { path: '/x' } }]
    const onNodes = (...nodeSelectorTerms: readonly JsonObject[]) => ({ ...local, nodeAffinity: { required: { nodeSelectorTerms } } })
    const [exists, isX] = [
      { key: 'a', operator: 'Exists' },
      { key: 'metadata.name', operator: 'In', values: ['x'] },
    ]
    s.create(volumes, { ...named(a), spec: local })
    s.create(volumes, { ...named(a), spec: { ...local, photonPersistentDisk: { pdID: 'x' } } })
    s.create(volumes, { ...named(a), spec: onNodes({ matchExpressions: [exists] }) })
    s.update(volumes, { ...named(a), spec: onNodes({ matchExpressions: [exists] }, { matchFields: [isX] }) })
    s.update(volumes, { ...named(a), spec: { ...local, nodeAffinity: {} } })
    s.update(volumes, { ...named(a), spec: local })
    s.delete(volumes, a)
    s.patch(volumes, a, 'merge', withoutFinalizers)
  })

  scenario('sources of persistent volumes', (s) => {
    const create = (source: JsonObject) => {
      const name = s.unique('a')
      s.create(volumes, { ...named(name), spec: { ...noSource, ...source } })
      s.delete(volumes, name)
      s.patch(volumes, name, 'merge', withoutFinalizers, { isQuiet: true })
    }
    create({ iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } })
    create({ nfs: { server: 's', path: '/x' } })
    create({ rbd: { monitors: ['m'], image: 'i' } })
    create({ azureDisk: { diskName: 'd', diskURI: '/subscriptions/x', kind: 'Managed' } })
    create({ azureFile: { secretName: 's', shareName: 'x' } })
    create({ cinder: { volumeID: 'v' } })
    create({ scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } })
    create({ glusterfs: { endpoints: 'e', path: 'p' } })
    create({ cephfs: { monitors: ['m'] } })
    create({ local: { path: '/x' }, nodeAffinity: { required: { nodeSelectorTerms: [zones] } } })
    create({ hostPath: { path: '/', type: '' }, persistentVolumeReclaimPolicy: 'Retain' })
  })

  scenario('persistent volume claims', (s) => {
    s.create(claims, { ...named('a', { labels: { x: 'y' } }), spec: claimSpec(), status: { phase: 'Bound' } })
    s.create(claims, {
      ...named('b', { finalizers: ['example.com/x'] }),
      spec: claimSpec({
        accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
        selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] },
        resources: { requests: { storage: '0.5Gi' }, limits: { storage: '2Gi' } },
        volumeName: 'v',
        storageClassName: 'fast',
        volumeMode: 'Block',
        dataSource: { kind: 'PersistentVolumeClaim', name: 'other' },
        volumeAttributesClassName: 'silver',
      }),
    })
    s.create(claims, {
      ...named('c'),
      spec: claimSpec({ dataSourceRef: { apiGroup: 'example.com', kind: 'Image', name: 'i' }, storageClassName: '' }),
    })
    s.create(claims, { ...named('d'), spec: claimSpec({ dataSource: { apiGroup: 'example.com', kind: 'Image', name: 'i' } }) })
    s.create(claims, { ...named('e'), spec: claimSpec({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'i', namespace: 'n' } }) })
    s.list(claims, table)
    s.list(claims, { query: { fieldSelector: 'name=a' }, ...table })
    s.patch(claims, 'a', 'merge', { spec: { resources: { requests: { storage: '2Gi' } } } })
    s.patch(claims, 'a', 'merge', { spec: { volumeName: 'v' } })
    s.patch(claims, 'a', 'merge', { spec: { storageClassName: 'slow' } })
    s.patch(claims, 'a', 'merge', { spec: { selector: {} } })
    s.patch(
      claims,
      'a',
      'merge',
      {
        status: {
          phase: 'Bound',
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1024Mi' },
          allocatedResources: { storage: '2Gi' },
          allocatedResourceStatuses: { storage: 'NodeResizePending' },
          conditions: [{ type: 'Resizing', status: 'True' }],
        },
      },
      { subresource: 'status' },
    )
    s.get(claims, 'a', table)
    s.patch(claims, 'a', 'merge', { spec: { resources: { requests: { storage: '3Gi' } }, volumeAttributesClassName: 'gold' } })
    s.patch(claims, 'a', 'merge', { spec: { resources: { requests: { storage: '1Gi' } } } })
    s.patch(claims, 'a', 'merge', { spec: { volumeMode: 'Block' } })
    s.patch(claims, 'a', 'merge', { spec: { accessModes: ['ReadOnlyMany'] } })
    s.patch(claims, 'a', 'merge', { status: { allocatedResourceStatuses: { cpu: 'Odd' } } }, { subresource: 'status' })
    s.patch(
      claims,
      'a',
      'merge',
      { status: { capacity: { cpu: '-1500m' }, allocatedResources: { storage: '9223372036854775808' } } },
      { subresource: 'status' },
    )
    s.patch(
      claims,
      'a',
      'merge',
      { metadata: { labels: { x: 'z' } }, status: { healthStatus: { condition: 'x' } } },
      { subresource: 'status' },
    )
    s.delete(claims, 'a')
    s.get(claims, 'a', table)
    s.patch(claims, 'a', 'merge', withoutFinalizers)
  })

  scenario('persistent volume claims that are wrong', (s) => {
    const create = (spec: JsonObject, metadata: JsonObject = {}) => s.create(claims, { metadata: { name: 'a', ...metadata }, spec })
    s.create(claims, named('A_b'))
    create({
      accessModes: ['ReadWriteOncePod', 'ReadWriteMany', 'Odd'],
      selector: { matchLabels: { 'A b': 'c d' } },
      resources: { requests: { storage: '-1' } },
      storageClassName: 'A_b',
      volumeMode: 'Tape',
      dataSource: { kind: 'PersistentVolumeClaim', name: '' },
      dataSourceRef: { apiGroup: 'A_b', kind: '', name: '' },
      volumeAttributesClassName: 'B_c',
    })
    create(claimSpec({ dataSourceRef: { kind: 'Odd', name: 'x' } }))
    create(
      claimSpec({ dataSource: { kind: 'PersistentVolumeClaim', name: 'x' }, dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'y' } }),
    )
    create(claimSpec({ resources: { requests: { storage: '1500m' } } }), {
      annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' },
    })
    create(claimSpec({ resources: { limits: { storage: '1Gi' } } }))
  })

  scenario('the default storage class', (s) => {
    const [old, fresh] = [s.unique('old'), s.unique('new')]
    const marked = (name: string) => named(name, { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } })
    s.create(claims, { ...named('none'), spec: claimSpec() })
    s.create(classes, { ...marked(old), provisioner: 'example.com/p' })
    letCachesFollow(s)
    s.create(claims, { ...named('a'), spec: claimSpec() })
    s.create(claims, { ...named('b'), spec: claimSpec({ storageClassName: '' }) })
    s.create(claims, { ...named('c', { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } }), spec: claimSpec() })
    s.list(classes, { ...table, query: { fieldSelector: `metadata.name=${old}` } })
    s.get(classes, old, table)
    s.delete(classes, old)
    s.create(classes, {
      ...marked(fresh),
      provisioner: 'example.com/p',
      metadata: { name: fresh, annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' } },
    })
    letCachesFollow(s)
    s.create(claims, { ...named('d'), spec: claimSpec() })
    s.delete(classes, fresh)
    letCachesFollow(s)
    s.patch(claims, 'none', 'merge', { spec: { storageClassName: 'late' } })
  })

  scenario('claims that grow', (s) => {
    const [grows, stays] = [s.unique('grows'), s.unique('stays')]
    const request = (name: string, storage: string) => s.patch(claims, name, 'merge', { spec: { resources: { requests: { storage } } } })
    s.create(classes, { ...named(grows), provisioner: 'example.com/p', allowVolumeExpansion: true })
    s.create(classes, { ...named(stays), provisioner: 'example.com/p' })
    for (const name of [grows, stays]) {
      s.create(claims, { ...named(name), spec: claimSpec({ storageClassName: name, volumeName: 'v' }) })
      s.patch(claims, name, 'merge', { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }, { subresource: 'status' })
    }
    letCachesFollow(s)
    for (const name of [grows, stays]) request(name, '2Gi')
    request(grows, '1.5Gi')
    request(grows, '1Gi')
    s.patch(claims, grows, 'merge', { spec: { volumeName: 'w', volumeAttributesClassName: 'gold' } })
    s.patch(claims, grows, 'merge', { spec: { volumeAttributesClassName: 'gold' } })
    s.patch(claims, grows, 'merge', { status: { currentVolumeAttributesClassName: 'gold' } }, { subresource: 'status' })
    s.patch(claims, grows, 'merge', { spec: { volumeAttributesClassName: null } })
    s.patch(claims, grows, 'merge', { spec: { volumeAttributesClassName: '' } })
    s.patch(claims, grows, 'strategic', { spec: { selector: { matchLabels: { a: 'b' } }, resources: { limits: { storage: '3Gi' } } } })
    s.patch(claims, stays, 'merge', { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } } })
    for (const name of [grows, stays]) s.delete(classes, name)
  })

  scenario('storage classes', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.create(classes, { ...named(a), provisioner: 'Example.com/P' })
    s.create(classes, {
      ...named(b),
      provisioner: 'example.com/p',
      parameters: { k: 'v' },
      reclaimPolicy: 'Retain',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', values: ['a', 'b'] }] }],
    })
    s.get(classes, b, table)
    s.create(classes, { ...named('A_b'), provisioner: 'a b', parameters: { '': 'x' }, reclaimPolicy: 'Recycle', volumeBindingMode: 'Late' })
    s.create(classes, {
      ...named(s.unique('c')),
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'A b', values: [] },
            { key: 'c', values: ['x', 'x'] },
            { key: 'c', values: ['y'] },
          ],
        },
        { matchLabelExpressions: [{ key: 'c', values: ['y'] }] },
        { matchLabelExpressions: [{ key: 'c', values: ['y'] }] },
      ],
    })
    s.patch(classes, b, 'merge', {
      provisioner: 'example.com/q',
      parameters: { k: 'w' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    })
    s.patch(classes, b, 'merge', { allowVolumeExpansion: false, mountOptions: null })
    s.delete(classes, a)
    s.delete(classes, b)
  })

  scenario('CSI drivers', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.create(drivers, { ...named(a), spec: {} })
    s.create(drivers, {
      ...named(b),
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Ephemeral', 'Persistent'],
        storageCapacity: true,
        fsGroupPolicy: 'File',
        tokenRequests: [{ audience: 'x', expirationSeconds: 3600 }, { audience: '' }],
        requiresRepublish: true,
        seLinuxMount: true,
        nodeAllocatableUpdatePeriodSeconds: 10,
        serviceAccountTokenInSecrets: true,
      },
    })
    s.get(drivers, a, table)
    s.get(drivers, b, table)
    s.create(drivers, {
      ...named('A_b'),
      spec: {
        fsGroupPolicy: 'Odd',
        volumeLifecycleModes: ['Odd', 'Persistent'],
        tokenRequests: [{ audience: 'x', expirationSeconds: 1 }, { audience: 'x' }, { audience: 'y', expirationSeconds: 4_294_967_297 }],
        nodeAllocatableUpdatePeriodSeconds: 9,
      },
    })
    s.create(drivers, { ...named(s.unique('c')), spec: { serviceAccountTokenInSecrets: false } })
    s.patch(drivers, a, 'merge', { spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] } })
    s.patch(drivers, a, 'merge', { spec: { podInfoOnMount: true, tokenRequests: [{ audience: 'x' }] } })
    s.update(drivers, { ...named(a), spec: {} })
    s.delete(drivers, a)
    s.delete(drivers, b)
  })

  scenario('CSI nodes', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    const driver = { name: 'csi.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }
    s.create(csiNodes, { ...named(a), spec: { drivers: [] } })
    s.create(csiNodes, { ...named(b), spec: { drivers: [driver, { name: 'other', nodeID: 'x', topologyKeys: null }] } })
    s.get(csiNodes, b, table)
    s.create(csiNodes, {
      ...named('A_b'),
      spec: {
        drivers: [
          { name: '', nodeID: '', topologyKeys: [''], allocatable: { count: -1 } },
          { name: 'A_b', nodeID: 'x', topologyKeys: ['k', 'k'] },
          { name: 'A_b', nodeID: 'x'.repeat(257) },
        ],
      },
    })
    s.patch(csiNodes, b, 'json', [{ op: 'replace', path: '/spec/drivers/0/nodeID', value: 'm' }])
    s.patch(csiNodes, b, 'json', [{ op: 'replace', path: '/spec/drivers/0/allocatable/count', value: 4 }])
    s.patch(csiNodes, b, 'json', [{ op: 'remove', path: '/spec/drivers/0' }])
    s.update(csiNodes, { ...named(b), spec: { drivers: [] } })
    s.delete(csiNodes, a)
    s.delete(csiNodes, b)
  })

  scenario('CSI storage capacities', (s) => {
    s.create(capacities, { ...named('a'), storageClassName: 'fast' })
    s.create(capacities, {
      ...named('b'),
      storageClassName: 'fast',
      capacity: '1024Mi',
      maximumVolumeSize: '0.5Gi',
      nodeTopology: { matchLabels: { 'beta.kubernetes.io/os': 'x' } },
    })
    s.list(capacities, table)
    s.create(capacities, { ...named('A_b'), storageClassName: 'A_b', capacity: '-1', nodeTopology: { matchLabels: { a: 'c d' } } })
    s.create(capacities, { ...named('c'), storageClassName: '' })
    s.patch(capacities, 'b', 'merge', { storageClassName: 'slow', nodeTopology: null })
    s.patch(capacities, 'b', 'merge', { nodeTopology: { matchExpressions: [{}, { key: 'a', operator: 'In', values: ['b'] }] } })
    s.list(capacities, { ...table, query: { labelSelector: 'nothing=here' } })
    s.patch(capacities, 'b', 'merge', { capacity: '2Gi' })
    s.update(capacities, { ...named('b'), storageClassName: 'fast' })
    s.delete(capacities, 'a')
  })

  scenario('volume attachments', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.create(attachments, {
      ...named(a),
      spec: { attacher: 'x', nodeName: 'n', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    })
    s.create(attachments, {
      ...named(b),
      spec: {
        attacher: 'x',
        nodeName: 'n',
        source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } } },
      },
    })
    s.get(attachments, a, table)
    s.create(attachments, { ...named('A_b'), spec: { attacher: '', nodeName: '', source: {} } })
    s.create(attachments, {
      ...named(s.unique('c')),
      spec: { attacher: 'A_b', nodeName: 'A_b', source: { persistentVolumeName: 'A_b', inlineVolumeSpec: volumeSpec() } },
    })
    s.create(attachments, {
      ...named(s.unique('c')),
      spec: { attacher: 'x'.repeat(64), nodeName: 'n', source: { persistentVolumeName: '' } },
    })
    s.create(attachments, {
      ...named(s.unique('c')),
      spec: { attacher: `_${'x'.repeat(253)}`, nodeName: 'n', source: { persistentVolumeName: 'a' } },
    })
    s.create(attachments, {
      ...named(s.unique('c')),
      spec: {
        attacher: 'x',
        nodeName: 'n',
        source: {
          inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], portworxVolume: { volumeID: 'x' }, volumeAttributesClassName: 'a/b' },
        },
      },
    })
    s.create(attachments, {
      ...named(s.unique('c')),
      spec: {
        attacher: 'x',
        nodeName: 'n',
        source: {
          inlineVolumeSpec: volumeSpec({
            claimRef: {},
            persistentVolumeReclaimPolicy: 'Delete',
            storageClassName: 'x',
            volumeMode: 'Block',
            nodeAffinity: {},
          }),
        },
      },
    })
    s.patch(attachments, a, 'merge', { spec: { nodeName: 'm' } })
    s.patch(attachments, a, 'merge', { metadata: { labels: { a: 'b' } }, status: { attached: true } })
    s.patch(
      attachments,
      a,
      'merge',
      {
        metadata: { labels: { a: 'c' } },
        status: { attached: true, attachmentMetadata: { k: 'v' }, detachError: { message: 'm', errorCode: 3 } },
      },
      { subresource: 'status' },
    )
    s.patch(attachments, a, 'merge', { status: { attachError: { message: 'm', errorCode: -3 } } }, { subresource: 'status' })
    s.get(attachments, a, table)
    s.delete(attachments, a)
    s.delete(attachments, b)
  })

  scenario('volume attributes classes', (s) => {
    const a = s.unique('a')
    s.create(attributesClasses, { ...named(a), driverName: 'Example.com', parameters: { k: 'v' } })
    s.get(attributesClasses, a, table)
    s.create(attributesClasses, { ...named('A_b'), driverName: 'a b', parameters: { '': 'x' } })
    s.create(attributesClasses, named(s.unique('b')))
    s.patch(attributesClasses, a, 'merge', { driverName: 'x', parameters: { k: 'w' } })
    s.patch(attributesClasses, a, 'merge', { metadata: { labels: { a: 'b' } } })
    s.delete(attributesClasses, a)
    s.patch(attributesClasses, a, 'merge', withoutFinalizers)
  })
})
