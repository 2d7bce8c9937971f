import { defineArea, type JsonObject, named, type Resource, type ScenarioBuilder, table } from '../language/index.js'

const kind = (name: string, plural: string): Resource => ({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  plural,
  kind: name,
  isNamespaced: false,
})
const flowSchemas = kind('FlowSchema', 'flowschemas')
const priorityLevels = kind('PriorityLevelConfiguration', 'prioritylevelconfigurations')

const limited = (more: JsonObject = {}): JsonObject => ({
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...more } },
})
const queuing = (more: JsonObject): JsonObject => limited({ limitResponse: { type: 'Queue', queuing: more } })
const flow = (more: JsonObject = {}): JsonObject => ({ spec: { priorityLevelConfiguration: { name: 'nobody' }, ...more } })
const subject = { kind: 'User', user: { name: 'nobody-at-all' } }
const resourceRule = { verbs: ['get'], apiGroups: ['x'], resources: ['y'], namespaces: ['z'] }

function live(s: ScenarioBuilder, resource: Resource, body: JsonObject, change: JsonObject): void {
  const name = s.unique('a')
  s.create(resource, { ...named(name), ...body })
  // The server itself says whether the priority level is there.
  if (resource === flowSchemas) s.getUntil(resource, name, { at: 'status.conditions', length: 1 })
  s.get(resource, name, table)
  s.patch(resource, name, 'merge', change)
  s.patch(resource, name, 'merge', { metadata: { labels: { k: 'v' } } })
  s.delete(resource, name)
}

const wrongFlows: readonly JsonObject[] = [
  { ...named('a'), spec: {} },
  { ...named('a'), ...flow({ matchingPrecedence: 1 }) },
  { ...named('a'), ...flow({ matchingPrecedence: -1, distinguisherMethod: {}, priorityLevelConfiguration: { name: 'A' } }) },
  { ...named('a'), ...flow({ matchingPrecedence: 10001, distinguisherMethod: { type: 'ByColor' } }) },
  {
    ...named('a'),
    ...flow({
      rules: [
        {},
        {
          subjects: [{}, { kind: 'Robot' }, { kind: 'User' }, { kind: 'Group' }, { kind: 'ServiceAccount' }],
          resourceRules: [{}],
          nonResourceRules: [{}],
        },
        {
          subjects: [
            { kind: 'User', user: {}, group: { name: 'g' }, serviceAccount: { name: 's', namespace: 'n' } },
            { kind: 'Group', group: {}, user: { name: 'u' }, serviceAccount: { name: 's', namespace: 'n' } },
            { kind: 'ServiceAccount', serviceAccount: {}, user: { name: 'u' }, group: { name: 'g' } },
            { kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: 'B' } },
          ],
          resourceRules: [
            { verbs: ['*', 'get'], apiGroups: ['*', ''], resources: ['*', 'x'], namespaces: ['*', 'x'] },
            { ...resourceRule, verbs: ['fly', 'get'], namespaces: ['A b'] },
            { ...resourceRule, clusterScope: true, namespaces: [] },
          ],
          nonResourceRules: [
            { verbs: ['*', 'get'], nonResourceURLs: ['*', '/x'] },
            { verbs: ['fly'], nonResourceURLs: ['', 'x', '/a b', '/a//b', '/*/x', '/*/*', '/x/*', '/'] },
          ],
        },
      ],
    }),
  },
  { ...named('exempt'), ...flow() },
  { ...named('A'), ...flow() },
]

const wrongLevels: readonly JsonObject[] = [
  { ...named('a'), spec: {} },
  { ...named('a'), spec: { type: 'Boundless' } },
  { ...named('a'), spec: { type: 'Exempt', limited: { limitResponse: { type: 'Reject' } } } },
  { ...named('a'), spec: { type: 'Limited' } },
  { ...named('a'), spec: { type: 'Limited', exempt: {}, limited: { limitResponse: {} } } },
  {
    ...named('a'),
    ...limited({
      nominalConcurrencyShares: -1,
      lendablePercent: 101,
      borrowingLimitPercent: -1,
      limitResponse: { type: 'Reject', queuing: {} },
    }),
  },
  { ...named('a'), ...limited({ limitResponse: { type: 'Wait' } }) },
  { ...named('a'), ...limited({ limitResponse: { type: 'Queue' } }) },
  { ...named('a'), ...queuing({ queues: -1, handSize: -1, queueLengthLimit: -1 }) },
  { ...named('a'), ...queuing({ queues: 10000001 }) },
  { ...named('a'), ...queuing({ queues: 4, handSize: 5 }) },
  { ...named('a'), ...queuing({ queues: 1000, handSize: 20 }) },
  { ...named('exempt'), spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: -1, lendablePercent: -1 } } },
  { ...named('exempt'), ...limited() },
  { ...named('catch-all'), ...limited() },
  { ...named('a', { annotations: { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' } }), ...limited() },
]

/** The kinds of flowcontrol.apiserver.k8s.io. */
export const kindsFlowControl = defineArea('kinds flowcontrol', (scenario) => {
  scenario('flow schemas', (s) => {
    live(s, flowSchemas, flow(), { spec: { matchingPrecedence: 9000 } })
    live(
      s,
      flowSchemas,
      flow({
        matchingPrecedence: 9999,
        distinguisherMethod: { type: 'ByUser' },
        rules: [{ subjects: [subject], resourceRules: [resourceRule], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }],
      }),
      { spec: { distinguisherMethod: null } },
    )
  })
  scenario('priority levels', (s) => {
    live(s, priorityLevels, limited(), { spec: { limited: { lendablePercent: 7 } } })
    live(s, priorityLevels, queuing({}), { spec: { limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 3 } } })
  })
  // Each in a scenario of its own: the order in which the server makes them is no fact.
  for (const name of ['catch-all', 'exempt', 'probes', 'service-accounts', 'system-leader-election']) {
    scenario(`the flow schema ${name}`, (s) => {
      s.getUntil(flowSchemas, name, { at: 'status.conditions', length: 1 })
      s.get(flowSchemas, name, table)
    })
  }
  for (const name of ['catch-all', 'exempt', 'leader-election', 'workload-low']) {
    scenario(`the priority level ${name}`, (s) => {
      s.get(priorityLevels, name)
      s.get(priorityLevels, name, table)
    })
  }
  scenario('statuses of flow control', (s) => {
    const name = s.unique('a')
    s.create(priorityLevels, { ...named(name), ...limited() })
    const condition = { type: 'X', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z', reason: 'R', message: 'm' }
    const subresource = { subresource: 'status' }
    s.patch(priorityLevels, name, 'merge', { metadata: { labels: { k: 'v' } }, status: { conditions: [condition] } }, subresource)
    s.patch(priorityLevels, name, 'merge', { status: { conditions: [{}, condition, condition] } }, subresource)
    s.patch(
      priorityLevels,
      name,
      'merge',
      { spec: { limited: { lendablePercent: 9 } }, status: { conditions: [{ type: 'Y' }] } },
      subresource,
    )
    s.create(flowSchemas, { ...named(name), ...flow({ priorityLevelConfiguration: { name } }) })
    s.getUntil(flowSchemas, name, { at: 'status.conditions', length: 1 })
    s.delete(priorityLevels, name)
    s.getUntil(flowSchemas, name, { at: 'status.conditions.0.status', equals: 'True' })
    s.delete(flowSchemas, name)
  })
  scenario('flow schemas that are refused', (s) => {
    for (const body of wrongFlows) s.create(flowSchemas, body)
  })
  scenario('priority levels that are refused', (s) => {
    for (const body of wrongLevels) s.create(priorityLevels, body)
  })
})
