import { defineArea, type JsonObject, named, podSpec, pods, type Resource, type ScenarioBuilder, table } from '../language/index.js'

const cluster = (group: string, kind: string, plural: string): Resource => ({ group, version: 'v1', plural, kind, isNamespaced: false })
const priorityClasses = cluster('scheduling.k8s.io', 'PriorityClass', 'priorityclasses')
const runtimeClasses = cluster('node.k8s.io', 'RuntimeClass', 'runtimeclasses')
const migrations = cluster('storagemigration.k8s.io', 'StorageVersionMigration', 'storageversionmigrations')

/** Admission of the real server sees classes through a cache: this gives it time to follow. */
function letCachesFollow(s: ScenarioBuilder): void {
  for (let request = 0; request < 40; request++) s.list(pods, { isQuiet: true })
}

/** Classes that pods name, and migrations of what is stored. */
export const kindsScheduling = defineArea('kinds scheduling', (scenario) => {
  scenario('priority classes', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.list(priorityClasses, { ...table, query: { fieldSelector: 'metadata.name=system-node-critical' } })
    s.get(priorityClasses, 'system-cluster-critical')
    s.create(priorityClasses, named(a))
    s.create(priorityClasses, { ...named(b), value: 7, description: 'd', preemptionPolicy: 'Never' })
    s.get(priorityClasses, b, table)
    s.create(priorityClasses, { ...named('system-odd'), value: 3, preemptionPolicy: 'Odd' })
    s.create(priorityClasses, { ...named('A_b'), value: 1_000_000_001, preemptionPolicy: '' })
    s.patch(priorityClasses, b, 'merge', { value: 8, preemptionPolicy: 'PreemptLowerPriority' })
    s.patch(priorityClasses, b, 'merge', { description: 'e' })
    s.delete(priorityClasses, 'system-node-critical')
    s.delete(priorityClasses, a)
    s.delete(priorityClasses, b)
  })

  scenario('priorities of pods', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    const create = (name: string, spec: JsonObject) => s.create(pods, { ...named(name), spec: podSpec(spec) })
    s.create(priorityClasses, { ...named(a), value: 7, preemptionPolicy: 'Never' })
    letCachesFollow(s)
    create('a', { priorityClassName: a })
    create('x', { priorityClassName: a, priority: 8 })
    create('x', { priorityClassName: a, preemptionPolicy: 'PreemptLowerPriority' })
    create('x', { priorityClassName: 'nobody' })
    create('system', { priorityClassName: 'system-node-critical' })
    s.create(priorityClasses, { ...named(b), value: 3, globalDefault: true })
    letCachesFollow(s)
    create('default', {})
    create('x', { priority: 4 })
    s.create(priorityClasses, { ...named(s.unique('c')), value: 4, globalDefault: true })
    s.patch(priorityClasses, a, 'merge', { globalDefault: true })
    s.delete(priorityClasses, b)
    letCachesFollow(s)
    create('none', {})
    s.delete(priorityClasses, a)
    s.patch(pods, 'a', 'merge', { metadata: { labels: { a: 'b' } } })
  })

  scenario('runtime classes', (s) => {
    const [a, b] = [s.unique('a'), s.unique('b')]
    s.create(runtimeClasses, { ...named(a), handler: 'runc' })
    s.create(runtimeClasses, {
      ...named(b),
      handler: 'kata',
      overhead: { podFixed: { cpu: '250m', memory: '1024Mi' } },
      scheduling: { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }] },
    })
    s.get(runtimeClasses, b, table)
    s.create(runtimeClasses, named('A_b'))
    s.create(runtimeClasses, {
      ...named(s.unique('c')),
      handler: 'A_b',
      overhead: { podFixed: { odd: '1' } },
      scheduling: {
        nodeSelector: { 'a b': 'c' },
        tolerations: [{ key: 'k', operator: 'Exists' }, { key: 'k', operator: 'Exists' }, { operator: 'Is' }],
      },
    })
    s.patch(runtimeClasses, a, 'merge', { handler: 'crun' })
    s.create(runtimeClasses, { ...named(s.unique('c')), handler: '_'.repeat(70) })
    s.create(runtimeClasses, { ...named(s.unique('c')), handler: 'x', overhead: { podFixed: { cpu: '1n' } } }, { query: { dryRun: 'All' } })
    s.patch(runtimeClasses, a, 'merge', { handler: '_'.repeat(70) })
    s.patch(runtimeClasses, a, 'merge', { scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'x' } } })
    s.create(pods, {
      ...named('a'),
      spec: podSpec({ runtimeClassName: b, nodeSelector: { app: 'x' }, tolerations: [{ key: 'l', operator: 'Exists' }] }),
    })
    s.create(pods, { ...named('b'), spec: podSpec({ runtimeClassName: s.unique('nobody') }) })
    s.create(pods, { ...named('b'), spec: podSpec({ runtimeClassName: b, nodeSelector: { disk: 'slow' } }) })
    s.create(pods, { ...named('b'), spec: podSpec({ runtimeClassName: b, overhead: { cpu: '1' } }) })
    s.create(pods, { ...named('b'), spec: podSpec({ overhead: { cpu: '1' } }) })
    s.delete(runtimeClasses, a)
    s.delete(runtimeClasses, b)
  })

  scenario('storage version migrations', (s) => {
    const a = s.unique('a')
    const condition = (type: string): JsonObject => ({
      type,
      status: 'True',
      reason: 'R',
      message: '',
      lastTransitionTime: '2020-01-02T03:04:05Z',
    })
    const status = (value: JsonObject) => s.patch(migrations, a, 'merge', { status: value }, { subresource: 'status' })
    s.create(migrations, { ...named(a), spec: { resource: { group: 'apps', resource: 'deployments' } }, status: { resourceVersion: '3' } })
    s.get(migrations, a, table)
    s.create(migrations, { ...named('A_b'), spec: {} })
    s.create(migrations, { ...named(s.unique('b')), spec: { resource: { group: 'A_b', resource: 'A_b' } } })
    s.patch(migrations, a, 'merge', { spec: { resource: { resource: 'pods' } } })
    status({ resourceVersion: 'x', conditions: [{ type: 'Odd' }] })
    status({ resourceVersion: '5', conditions: [condition('Running')] })
    status({ resourceVersion: '6', conditions: [condition('Succeeded'), condition('Failed')] })
    status({ conditions: [condition('Running'), condition('Succeeded')] })
    s.get(migrations, a, table)
    status({ conditions: [condition('Running')] })
    s.delete(migrations, a)
  })
})
