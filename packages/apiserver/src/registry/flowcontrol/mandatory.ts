import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from 'steersman/api/types/flowcontrol/v1'

const everything = [
  {
    verbs: ['*'],
    apiGroups: ['*'],
    resources: ['*'],
    clusterScope: true,
    namespaces: ['*'],
  },
]
const everyUrl = [{ verbs: ['*'], nonResourceURLs: ['*'] }]
const groups = (...names: readonly string[]) => names.map((name) => ({ kind: 'Group', group: { name } }))

/** What the flow schemas that every server needs must say, by name. */
export const mandatoryFlowSchemaSpecs: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: groups('system:masters'), resourceRules: everything, nonResourceRules: everyUrl }],
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: groups('system:unauthenticated', 'system:authenticated'),
          resourceRules: everything,
          nonResourceRules: everyUrl,
        },
      ],
    },
  ],
])

/** What the priority levels that every server needs must say, by name. */
export const mandatoryPriorityLevelSpecs: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  ['catch-all', { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 } }],
])
