import {
  defineArea,
  deployments,
  type JsonObject,
  named,
  podSpec,
  type Resource,
  replicaSets,
  table,
  workloadSpec,
} from '../language/index.js'

const apps = (kind: string, plural: string): Resource => ({ group: 'apps', version: 'v1', plural, kind, isNamespaced: true })
const statefulSets = apps('StatefulSet', 'statefulsets')
const daemonSets = apps('DaemonSet', 'daemonsets')
const revisions = apps('ControllerRevision', 'controllerrevisions')

const status = { subresource: 'status' }
const template = { metadata: { labels: { app: 'web' } }, spec: podSpec() }
const selected = (more: JsonObject = {}): JsonObject => ({ selector: { matchLabels: { app: 'web' } }, template, ...more })
const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } }, ...spec },
})
/** Templates that no controller takes. */
const wrongTemplate = {
  metadata: { labels: { app: 'other', 'a b': '-' }, annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } },
  spec: podSpec({ restartPolicy: 'Never', activeDeadlineSeconds: 5, ephemeralContainers: [{ name: 'e', image: 'x' }] }),
}

/** What keeps pods. */
export const kindsApps = defineArea('kinds apps', (scenario) => {
  scenario('stateful sets', (s) => {
    s.create(statefulSets, { ...named('a', { generation: 7 }), spec: selected(), status: { replicas: 3, readyReplicas: 3 } })
    s.create(statefulSets, {
      ...named('b'),
      spec: selected({
        replicas: 3,
        serviceName: 'web',
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2, maxUnavailable: '50%' } },
        revisionHistoryLimit: -1,
        minReadySeconds: 5,
        ordinals: { start: 4 },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
        volumeClaimTemplates: [claim('data', { storageClassName: 'fast', dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } })],
        template: {
          metadata: { labels: { app: 'web' }, name: 'ignored' },
          spec: podSpec({
            hostname: 'not_checked',
            subdomain: 'NotChecked',
            volumes: [{ name: 'data', secret: {} }],
            containers: [{ name: 'main', image: 'busybox', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
          }),
        },
      }),
    })
    s.create(statefulSets, { ...named('c'), spec: selected({ updateStrategy: { type: 'OnDelete' } }) })
    const counters = { replicas: 3, readyReplicas: 2, currentReplicas: 1, updatedReplicas: 1, availableReplicas: 1, collisionCount: 2 }
    s.patch(
      statefulSets,
      'b',
      'merge',
      {
        metadata: { labels: { seen: 'yes' } },
        spec: { replicas: 9 },
        status: { ...counters, observedGeneration: 1, currentRevision: 'b-1', conditions: [{ type: 'X', status: 'True' }] },
      },
      status,
    )
    s.list(statefulSets, table)
    const wrong = { replicas: -1, readyReplicas: 2, currentReplicas: 3, updatedReplicas: -4, availableReplicas: 5, observedGeneration: -1 }
    s.patch(statefulSets, 'b', 'merge', { status: { ...wrong, collisionCount: 1 } }, status)
    s.patch(statefulSets, 'b', 'merge', {
      spec: {
        selector: { matchLabels: { app: 'web', more: 'x' } },
        serviceName: 'other',
        podManagementPolicy: 'OrderedReady',
        replicas: 5,
        template: { metadata: { labels: { more: 'x' } } },
      },
    })
    s.patch(statefulSets, 'a', 'merge', { spec: { template: { spec: { containers: [] } } } })
    s.patch(statefulSets, 'a', 'merge', {
      spec: { replicas: 2, minReadySeconds: 3, updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
    })
    s.get(statefulSets, 'a', { subresource: 'scale' })
    s.patch(statefulSets, 'a', 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' })
    s.patch(statefulSets, 'a', 'merge', { spec: { replicas: -4 } }, { subresource: 'scale' })
    s.patch(statefulSets, 'a', 'merge', { metadata: { annotations: { x: 'y' } } })
    s.delete(statefulSets, 'a')
    s.delete(statefulSets, 'b', { propagationPolicy: 'Foreground' })
  })

  scenario('stateful sets that are refused', (s) => {
    s.create(statefulSets, { ...named('a') })
    s.create(statefulSets, { ...named('Not.A.Label'), spec: { selector: {}, template } })
    s.create(statefulSets, {
      ...named('a'),
      spec: {
        replicas: -1,
        minReadySeconds: -1,
        podManagementPolicy: 'Any',
        serviceName: 'Web_',
        updateStrategy: { type: 'Magic', rollingUpdate: { partition: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: 'Drop' },
        ordinals: { start: -1 },
        selector: { matchLabels: { app: 'web' } },
        volumeClaimTemplates: [
          { metadata: { name: 'x' }, spec: {} },
          claim('y', {
            accessModes: ['ReadWriteOncePod', 'ReadWriteOnce', 'Sometimes'],
            resources: { requests: { storage: '0' } },
            storageClassName: 'Wrong_',
            volumeMode: 'Tape',
            dataSource: { kind: 'Thing', name: '' },
            dataSourceRef: { kind: '', name: 'x', apiGroup: 'A_', namespace: 'N_' },
            selector: { matchLabels: { 'a b': 'c' } },
            volumeAttributesClassName: 'A_',
          }),
        ],
        template: wrongTemplate,
      },
    })
    const update = (updateStrategy: JsonObject) => s.create(statefulSets, { ...named('a'), spec: selected({ updateStrategy }) })
    update({ type: 'OnDelete', rollingUpdate: { partition: 1 } })
    update({ rollingUpdate: { partition: -1, maxUnavailable: '0%' } })
    update({ rollingUpdate: { maxUnavailable: '101%' } })
    update({ rollingUpdate: { maxUnavailable: 'some' } })
    update({ type: 'Recreate' })
    s.create(statefulSets, { ...named('a'), spec: selected({ selector: { matchExpressions: [{ key: 'a', operator: 'Maybe' }] } }) })
  })

  scenario('daemon sets', (s) => {
    s.create(daemonSets, { ...named('a'), spec: selected(), status: { numberReady: 3 } })
    s.create(daemonSets, {
      ...named('b', { annotations: { 'deprecated.daemonset.template.generation': '5' } }),
      spec: selected({
        minReadySeconds: 5,
        revisionHistoryLimit: 2,
        updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '30%' } },
        template: { ...template, spec: podSpec({ nodeSelector: { disk: 'ssd', arch: 'arm' } }) },
      }),
    })
    s.create(daemonSets, { ...named('c'), spec: selected({ updateStrategy: { type: 'OnDelete' } }) })
    const counters = { currentNumberScheduled: 2, desiredNumberScheduled: 3, numberReady: 1, updatedNumberScheduled: 2, numberAvailable: 1 }
    s.patch(
      daemonSets,
      'b',
      'merge',
      {
        metadata: { annotations: { x: 'y', 'deprecated.daemonset.template.generation': '9' } },
        status: { ...counters, collisionCount: 2 },
      },
      status,
    )
    s.list(daemonSets, table)
    s.patch(daemonSets, 'b', 'merge', { status: { ...counters, numberReady: -1, numberMisscheduled: -2, collisionCount: 1 } }, status)
    s.patch(daemonSets, 'b', 'merge', { spec: { template: { spec: { nodeSelector: { disk: 'hdd' } } } } })
    s.patch(daemonSets, 'b', 'merge', { metadata: { annotations: null } })
    s.patch(daemonSets, 'b', 'merge', { spec: { minReadySeconds: 6 } })
    s.patch(daemonSets, 'b', 'merge', {
      spec: { selector: { matchLabels: { app: 'other' } }, template: { metadata: { labels: { app: 'other' } } } },
    })
    s.delete(daemonSets, 'b')
  })

  scenario('daemon sets that are refused', (s) => {
    s.create(daemonSets, named('a'))
    s.create(daemonSets, { ...named('a'), spec: { selector: {}, template } })
    s.create(daemonSets, {
      ...named('A_'),
      spec: {
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
        updateStrategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: -1 } },
        selector: { matchLabels: { app: 'web' } },
        template: wrongTemplate,
      },
    })
    const update = (updateStrategy: JsonObject) => s.create(daemonSets, { ...named('a'), spec: selected({ updateStrategy }) })
    update({ type: 'Magic', rollingUpdate: { maxSurge: 1 } })
    update({ type: 'Magic' })
    update({ rollingUpdate: { maxUnavailable: 0 } })
    update({ rollingUpdate: { maxSurge: 'some', maxUnavailable: '120%' } })
    s.create(daemonSets, { ...named('a'), spec: selected({ selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }) })
    s.create(daemonSets, { ...named('a', { annotations: { 'deprecated.daemonset.template.generation': 'x' } }), spec: selected() })
  })

  scenario('revisions', (s) => {
    s.create(revisions, { ...named('a'), data: { spec: { x: [1, null] } }, revision: 3 })
    s.create(revisions, {
      ...named('b', {
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: '1', controller: true },
          { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '2' },
        ],
      }),
      data: { '<': '&' },
      revision: 4,
    })
    s.create(revisions, {
      ...named('c', { ownerReferences: [{ apiVersion: 'v1', kind: 'Thing', name: 'web', uid: '1', controller: true }] }),
      data: {},
    })
    s.list(revisions, table)
    s.patch(revisions, 'a', 'merge', { revision: 4, metadata: { labels: { x: 'y' } } })
    s.patch(revisions, 'a', 'merge', { data: { spec: { x: 2 } } })
    s.patch(revisions, 'a', 'merge', { revision: -1 })
    s.create(revisions, { ...named('d'), revision: -1 })
    s.create(revisions, { ...named('d'), data: null })
    s.create(revisions, { ...named('d'), data: [1] })
    s.create(revisions, { ...named('d'), data: 'text' })
    s.delete(revisions, 'a')
  })

  scenario('deployments and replica sets that are wrong everywhere', (s) => {
    const spec = workloadSpec({
      replicas: -1,
      minReadySeconds: -1,
      revisionHistoryLimit: -1,
      progressDeadlineSeconds: -5,
      paused: true,
      strategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: 'x' } },
      template: wrongTemplate,
    })
    s.create(apps('Deployment', 'deployments'), { ...named('A_'), spec })
    const { strategy: _, progressDeadlineSeconds: __, revisionHistoryLimit: ___, paused: ____, ...rest } = spec
    s.create(apps('ReplicaSet', 'replicasets'), { ...named('A_'), spec: rest })
    s.create(apps('Deployment', 'deployments'), { ...named('a'), spec: { selector: {}, template } })
    s.create(apps('ReplicaSet', 'replicasets'), { ...named('a'), spec: { selector: {}, template } })
    s.create(apps('Deployment', 'deployments'), { ...named('a.b'), spec: workloadSpec() })
    s.create(apps('ReplicaSet', 'replicasets'), { ...named('a.b'), spec: workloadSpec() })
  })
  scenario('statuses of what keeps a number of pods are wrong', (s) => {
    for (const resource of [deployments, replicaSets]) {
      s.create(resource, { ...named('a'), spec: selected() })
      const change = (body: JsonObject) => s.patch(resource, 'a', 'merge', { status: body }, status)
      change({ replicas: 2, readyReplicas: 2, availableReplicas: 1, terminatingReplicas: 1, collisionCount: 3 })
      change({ replicas: -1, readyReplicas: -1, availableReplicas: -1, terminatingReplicas: -1, observedGeneration: -1 })
      change({ updatedReplicas: -1, unavailableReplicas: -1, fullyLabeledReplicas: -1, collisionCount: -1 })
      change({ replicas: 1, readyReplicas: 2, availableReplicas: 3, updatedReplicas: 4, fullyLabeledReplicas: 5, collisionCount: 2 })
      change({ replicas: -1, readyReplicas: null, availableReplicas: null })
    }
  })
  scenario('claims and services of a StatefulSet stay what they are', (s) => {
    s.create(statefulSets, { ...named('a'), spec: selected({ serviceName: 'web' }) })
    s.patch(statefulSets, 'a', 'merge', { spec: { serviceName: null } })
    s.patch(statefulSets, 'a', 'merge', {
      spec: { volumeClaimTemplates: [{ metadata: { name: 'b', labels: { a: 'b' } }, spec: { accessModes: ['ReadWriteOnce'] } }, {}] },
    })
    s.create(daemonSets, {
      ...named('d'),
      spec: selected({ updateStrategy: { rollingUpdate: { maxUnavailable: '1', maxSurge: '30%' } } }),
    })
  })
})
