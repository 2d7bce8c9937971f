import {
  type Answer,
  clusterRoles,
  configMaps,
  customResource,
  defineArea,
  deployments,
  type Json,
  type JsonObject,
  named,
  namespaces,
  podSpec,
  pods,
  replicaSets,
  type ScenarioBuilder,
  secrets,
  serviceAccounts,
  versionOf,
  workloadSpec,
} from '../language/index.js'

/** Pods need the account that a controller makes. */
function awaitAccount(s: ScenarioBuilder): void {
  s.getUntil(serviceAccounts, 'default', { status: 200 }, { isQuiet: true })
}

function ownedBy(owner: Answer, name: string, more: { readonly [key: string]: Json } = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: owner.at('metadata.uid'), ...more }
}

const gone = { status: 404 } as const

/** What happens to dependents; and, beside the same controllers, what else they do. */
export const garbageCollection = defineArea('garbage collection', (scenario) => {
  scenario('background', (s) => {
    const owner = s.create(configMaps, named('owner'))
    s.create(configMaps, named('dependent', { ownerReferences: [ownedBy(owner, 'owner')] }))
    s.delete(configMaps, 'owner', { propagationPolicy: 'Background' })
    s.getUntil(configMaps, 'dependent', gone)
    s.getUntil(configMaps, 'owner', gone)
  })

  scenario('foreground', (s) => {
    const owner = s.create(configMaps, named('owner'))
    s.create(configMaps, named('dependent', { ownerReferences: [ownedBy(owner, 'owner', { blockOwnerDeletion: true })] }))
    s.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' })
    s.getUntil(configMaps, 'owner', gone)
    s.get(configMaps, 'dependent')
  })

  scenario('foreground waits for a dependent that blocks', (s) => {
    const owner = s.create(configMaps, named('owner'))
    s.create(
      configMaps,
      named('dependent', { finalizers: ['example.com/hold'], ownerReferences: [ownedBy(owner, 'owner', { blockOwnerDeletion: true })] }),
    )
    s.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' })
    s.getUntil(configMaps, 'dependent', { at: 'metadata.deletionTimestamp', exists: true })
    s.get(configMaps, 'owner')
    s.patch(configMaps, 'dependent', 'merge', { metadata: { finalizers: null } })
    s.getUntil(configMaps, 'owner', gone)
  })

  scenario('foreground does not wait for a dependent that does not block', (s) => {
    const owner = s.create(configMaps, named('owner'))
    s.create(configMaps, named('dependent', { finalizers: ['example.com/hold'], ownerReferences: [ownedBy(owner, 'owner')] }))
    s.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' })
    s.getUntil(configMaps, 'owner', gone)
    s.getUntil(configMaps, 'dependent', { at: 'metadata.deletionTimestamp', exists: true })
    s.patch(configMaps, 'dependent', 'merge', { metadata: { finalizers: null } })
  })

  scenario('orphan', (s) => {
    const owner = s.create(configMaps, named('owner'))
    s.create(configMaps, named('dependent', { ownerReferences: [ownedBy(owner, 'owner')] }))
    s.create(configMaps, named('witness', { ownerReferences: [ownedBy(owner, 'owner')] }))
    s.delete(configMaps, 'owner', { propagationPolicy: 'Orphan' })
    s.getUntil(configMaps, 'owner', gone)
    s.getUntil(configMaps, 'dependent', { at: 'metadata.ownerReferences', exists: false })
    s.getUntil(configMaps, 'witness', { at: 'metadata.ownerReferences', exists: false })
  })

  scenario('an owner that never was', (s) => {
    const uid = '11111111-2222-3333-4444-555555555555'
    s.create(configMaps, named('dependent', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'absent', uid }] }))
    s.getUntil(configMaps, 'dependent', gone)
  })

  scenario('an owner with another uid', (s) => {
    const uid = '11111111-2222-3333-4444-555555555555'
    s.create(configMaps, named('owner'))
    s.create(configMaps, named('dependent', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] }))
    s.getUntil(configMaps, 'dependent', gone)
    s.get(configMaps, 'owner')
  })

  scenario('one owner of two is left', (s) => {
    const first = s.create(configMaps, named('first'))
    const second = s.create(configMaps, named('second'))
    s.create(configMaps, named('dependent', { ownerReferences: [ownedBy(first, 'first'), ownedBy(second, 'second')] }))
    s.delete(configMaps, 'first', { propagationPolicy: 'Background' })
    s.getUntil(configMaps, 'dependent', { at: 'metadata.ownerReferences', length: 1 })
    s.delete(configMaps, 'second', { propagationPolicy: 'Background' })
    s.getUntil(configMaps, 'dependent', gone)
  })

  scenario('a chain of three', (s) => {
    const first = s.create(configMaps, named('first'))
    const second = s.create(configMaps, named('second', { ownerReferences: [ownedBy(first, 'first')] }))
    s.create(secrets, named('third', { ownerReferences: [ownedBy(second, 'second')] }))
    s.delete(configMaps, 'first')
    s.getUntil(secrets, 'third', gone)
    s.getUntil(configMaps, 'second', gone)
  })

  scenario('a circle', (s) => {
    const first = s.create(configMaps, named('first'))
    const second = s.create(configMaps, named('second', { ownerReferences: [ownedBy(first, 'first', { blockOwnerDeletion: true })] }))
    s.patch(configMaps, 'first', 'merge', { metadata: { ownerReferences: [ownedBy(second, 'second', { blockOwnerDeletion: true })] } })
    s.delete(configMaps, 'first', { propagationPolicy: 'Foreground' })
    s.getUntil(configMaps, 'first', gone)
    s.getUntil(configMaps, 'second', gone)
  })

  scenario('custom resources own built-in kinds', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    const owner = s.create(widgets, named('owner'))
    s.create(
      configMaps,
      named('dependent', {
        ownerReferences: [{ apiVersion: '{{group}}/v1', kind: 'Widget', name: 'owner', uid: owner.at('metadata.uid') }],
      }),
    )
    s.delete(widgets, 'owner')
    s.getUntil(configMaps, 'dependent', gone)
  })

  scenario('a deployment makes a replica set and pods', (s) => {
    awaitAccount(s)
    s.create(deployments, { ...named('web'), spec: workloadSpec({ replicas: 2 }) })
    s.listUntil(pods, { at: 'items', length: 2 }, { isQuiet: true })
    s.getUntil(deployments, 'web', { at: 'status.unavailableReplicas', equals: 2 }, { isQuiet: true })
    s.listUntil(replicaSets, { at: 'items.0.status.fullyLabeledReplicas', equals: 2 })
    s.list(pods)
    s.getUntil(deployments, 'web', { at: 'status.updatedReplicas', equals: 2 })
  })

  scenario('a deployment takes everything along', (s) => {
    awaitAccount(s)
    s.create(deployments, { ...named('web'), spec: workloadSpec() })
    s.listUntil(pods, { at: 'items', length: 1 }, { isQuiet: true })
    s.delete(deployments, 'web', { propagationPolicy: 'Background' })
    s.listUntil(pods, { at: 'items', length: 0 }, { isQuiet: true })
    s.listUntil(replicaSets, { at: 'items', length: 0 })
  })

  scenario('a deployment leaves its replica set', (s) => {
    awaitAccount(s)
    s.create(deployments, { ...named('web'), spec: workloadSpec() })
    s.listUntil(pods, { at: 'items', length: 1 }, { isQuiet: true })
    s.delete(deployments, 'web', { propagationPolicy: 'Orphan' }, { isQuiet: true })
    s.getUntil(deployments, 'web', gone)
    s.listUntil(replicaSets, { at: 'items.0.metadata.ownerReferences', exists: false }, { isQuiet: true })
    s.listUntil(replicaSets, { at: 'items.0.status.fullyLabeledReplicas', equals: 1 })
  })

  scenario('a replica set scales up and down', (s) => {
    awaitAccount(s)
    s.create(replicaSets, { ...named('web'), spec: workloadSpec({ replicas: 1 }) })
    s.getUntil(replicaSets, 'web', { at: 'status.fullyLabeledReplicas', equals: 1 }, { isQuiet: true })
    s.patch(replicaSets, 'web', 'merge', { spec: { replicas: 3 } }, { subresource: 'scale' })
    s.listUntil(pods, { at: 'items', length: 3 }, { isQuiet: true })
    s.getUntil(replicaSets, 'web', { at: 'status.fullyLabeledReplicas', equals: 3 })
    s.patch(replicaSets, 'web', 'merge', { spec: { replicas: 0 } }, { subresource: 'scale' })
    s.listUntil(pods, { at: 'items', length: 0 }, { isQuiet: true })
    s.getUntil(replicaSets, 'web', { at: 'status.replicas', equals: 0 })
  })

  scenario('a replica set adopts a pod', (s) => {
    awaitAccount(s)
    s.create(pods, { ...named('stray', { labels: { app: 'web' } }), spec: podSpec() }, { isQuiet: true })
    s.create(replicaSets, { ...named('web'), spec: workloadSpec({ replicas: 1 }) })
    s.getUntil(pods, 'stray', { at: 'metadata.ownerReferences', length: 1 })
    s.patch(pods, 'stray', 'merge', { metadata: { labels: { app: 'other' } } }, { isQuiet: true })
    s.getUntil(pods, 'stray', { at: 'metadata.ownerReferences', exists: false })
  })

  scenario('a new template makes a new replica set', (s) => {
    awaitAccount(s)
    s.create(deployments, { ...named('web'), spec: workloadSpec() })
    s.listUntil(pods, { at: 'items', length: 1 }, { isQuiet: true })
    s.patch(deployments, 'web', 'strategic', { spec: { template: { metadata: { labels: { more: 'yes' } } } } }, { isQuiet: true })
    s.listUntil(replicaSets, { at: 'items', length: 2 }, { isQuiet: true })
    s.listUntil(pods, { at: 'items', length: 2 }, { isQuiet: true })
    s.getUntil(deployments, 'web', { at: 'metadata.annotations.deployment\\.kubernetes\\.io/revision', equals: '2' }, { isQuiet: true })
    for (const index of [0, 1]) s.listUntil(replicaSets, { at: `items.${index}.status.fullyLabeledReplicas`, equals: 1 }, { isQuiet: true })
    s.list(replicaSets)
  })

  scenario('a namespace ends with its content', (s) => {
    const name = s.unique('ending')
    s.create(namespaces, named(name))
    s.create(configMaps, named('a'), { namespace: name })
    s.create(secrets, named('a'), { namespace: name })
    s.delete(namespaces, name)
    s.getUntil(namespaces, name, gone)
    s.list(configMaps, { namespace: name })
  })

  scenario('a namespace waits for a finalizer', (s) => {
    const name = s.unique('ending')
    s.create(namespaces, named(name))
    s.create(configMaps, named('a', { finalizers: ['example.com/hold'] }), { namespace: name })
    s.delete(namespaces, name)
    s.getUntil(namespaces, name, { at: 'status.conditions', length: 5 })
    s.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } }, { namespace: name })
    s.getUntil(namespaces, name, gone)
  })

  scenario('every namespace has its account and certificate', (s) => {
    awaitAccount(s)
    s.get(serviceAccounts, 'default')
    s.delete(serviceAccounts, 'default', undefined, { isQuiet: true })
    s.getUntil(serviceAccounts, 'default', { status: 200 })
  })

  scenario('a role gathers the rules of others', (s) => {
    const [gathering, first, second] = [s.unique('gathering'), s.unique('b-part'), s.unique('a-part')]
    const rule = (resource: string): JsonObject => ({ apiGroups: [''], resources: [resource], verbs: ['get'] })
    const label = { labels: { gathered: s.unique('yes') } }
    s.getUntil(clusterRoles, 'view', { at: 'rules.0', exists: true }, { isQuiet: true })
    s.create(clusterRoles, { ...named(first, label), rules: [rule('pods'), rule('services')] }, { isQuiet: true })
    s.create(clusterRoles, { ...named(second, label), rules: [rule('services'), rule('nodes')] }, { isQuiet: true })
    s.create(
      clusterRoles,
      { ...named(gathering), aggregationRule: { clusterRoleSelectors: [{ matchLabels: label.labels }] }, rules: [rule('secrets')] },
      { isQuiet: true },
    )
    s.getUntil(clusterRoles, gathering, { at: 'rules', length: 3 })
    s.delete(clusterRoles, second, undefined, { isQuiet: true })
    s.getUntil(clusterRoles, gathering, { at: 'rules', length: 2 })
    s.getUntil(clusterRoles, 'view', { at: 'rules.0', exists: true })
    s.getUntil(clusterRoles, 'edit', { at: 'rules.0', exists: true })
  })

  scenario('a pod gets the account of its namespace', (s) => {
    awaitAccount(s)
    s.create(pods, { ...named('a'), spec: podSpec() })
    s.create(pods, { ...named('b'), spec: podSpec({ serviceAccountName: 'absent' }) })
    s.create(pods, { ...named('c'), spec: podSpec({ automountServiceAccountToken: false }) })
  })
})
