import { defineArea, type JsonObject, named, podSpec, pods, type Resource, table } from '../language/index.js'

const autoscalers = (version: string): Resource => ({
  group: 'autoscaling',
  version,
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  isNamespaced: true,
})
const v1 = autoscalers('v1')
const v2 = autoscalers('v2')
const budgets: Resource = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  isNamespaced: true,
}

const status = { subresource: 'status' }
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const scale = (more: JsonObject = {}): JsonObject => ({ scaleTargetRef: target, maxReplicas: 3, ...more })
const annotation = (name: string): string => `autoscaling.alpha.kubernetes.io/${name}`
const described = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'main' }
const metrics: readonly JsonObject[] = [
  { type: 'Object', object: { describedObject: described, metric: { name: 'hits' }, target: { type: 'Value', value: '2k' } } },
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1024Mi' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'main', target: { type: 'Utilization', averageUtilization: 50 } },
  },
  {
    type: 'Pods',
    pods: { metric: { name: 'q<&>', selector: { matchLabels: { a: 'b' } } }, target: { type: 'AverageValue', averageValue: '1500m' } },
  },
  { type: 'External', external: { metric: { name: 'jobs' }, target: { type: 'AverageValue', averageValue: '30' } } },
]
const measured: readonly JsonObject[] = [
  { type: 'Object', object: { describedObject: described, metric: { name: 'hits' }, current: { value: '1500' } } },
  { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 30, averageValue: '100m' } } },
]

/** What decides how many pods there are. */
export const kindsAutoscaling = defineArea('kinds autoscaling', (scenario) => {
  scenario('autoscalers of v2', (s) => {
    s.create(v2, { ...named('a'), spec: scale(), status: { currentReplicas: 3 } })
    s.create(v2, {
      ...named('b', { annotations: { [annotation('metrics')]: 'gone', kept: 'yes' } }),
      spec: scale({
        minReplicas: 0,
        metrics,
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 5, policies: [{ type: 'Pods', value: 1, periodSeconds: 10 }], tolerance: '50m' },
          scaleDown: { selectPolicy: 'Disabled' },
        },
      }),
    })
    s.get(v1, 'b')
    s.patch(
      v2,
      'b',
      'merge',
      {
        status: {
          currentReplicas: 1,
          desiredReplicas: 2,
          lastScaleTime: '2026-01-01T00:00:00Z',
          currentMetrics: measured,
          conditions: [{ type: 'AbleToScale', status: 'True', reason: 'R', message: '<M>', observedGeneration: 1 }],
        },
      },
      status,
    )
    s.get(v1, 'b')
    s.list(v2, table)
    s.list(v1, table)
    s.patch(
      v2,
      'b',
      'merge',
      { status: { currentReplicas: -1, desiredReplicas: -2, conditions: [{ type: 'X', status: 'True', observedGeneration: -1 }] } },
      status,
    )
    s.patch(v2, 'b', 'merge', { spec: { maxReplicas: 5, metrics: null, behavior: null } })
    s.get(v1, 'b')
    s.patch(v2, 'b', 'merge', { metadata: { labels: { x: 'y' } } })
    s.delete(v2, 'b')
  })

  scenario('autoscalers of v1', (s) => {
    const unknown = {
      [annotation('metrics')]: 'no json',
      [annotation('behavior')]: '{"scaleDown":{"policies":[{"type":"Pods","value":1,"periodSeconds":2}]}}',
    }
    s.create(v1, { ...named('a'), spec: scale({ targetCPUUtilizationPercentage: 70 }) })
    s.create(v1, {
      ...named('b', { annotations: { ...unknown, [annotation('conditions')]: '[{"type":"X","status":"True"}]' } }),
      spec: scale(),
    })
    s.get(v2, 'b')
    s.patch(v1, 'b', 'merge', {
      metadata: {
        annotations: { [annotation('metrics')]: '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]' },
      },
    })
    s.get(v2, 'b')
    s.patch(v1, 'b', 'merge', { status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 40 } }, status)
    s.get(v2, 'b')
    s.patch(v1, 'b', 'merge', { metadata: { annotations: { [annotation('behavior')]: null, [annotation('current-metrics')]: null } } })
    s.get(v2, 'b')
    s.patch(v1, 'b', 'merge', { spec: { maxReplicas: 7 } })
    s.create(v1, {
      ...named('c'),
      spec: { minReplicas: 5, maxReplicas: 2, scaleTargetRef: { kind: 'a/b', name: '..' }, targetCPUUtilizationPercentage: 0 },
    })
    s.watch(v1, { resourceVersion: 0 }).expect(2)
    s.watch(v2, { resourceVersion: 0 }).expect(2)
    s.delete(v1, 'a')
  })

  scenario('autoscalers that are refused', (s) => {
    s.create(v2, named('a'))
    s.create(v2, {
      ...named('A_'),
      spec: scale({ minReplicas: -1, maxReplicas: -2, scaleTargetRef: { apiVersion: 'a/b/c', kind: 'K', name: 'n%' } }),
    })
    s.create(v2, { ...named('a'), spec: scale({ scaleTargetRef: { apiVersion: 'v1', kind: 'Pod', name: 'x' }, minReplicas: 0 }) })
    s.create(v2, { ...named('ok'), spec: scale({ scaleTargetRef: { kind: 'ReplicationController', name: 'x' } }) })
    const policies = [
      { type: 'Magic', value: 0, periodSeconds: 0 },
      { type: 'Pods', value: 1, periodSeconds: 1801 },
    ]
    s.create(v2, {
      ...named('a'),
      spec: scale({
        behavior: {
          scaleUp: { stabilizationWindowSeconds: -1, selectPolicy: 'Some', tolerance: '-1' },
          scaleDown: { stabilizationWindowSeconds: 3601, policies },
        },
      }),
    })
    s.create(v2, { ...named('a'), spec: scale({ behavior: { scaleUp: { policies: [] } } }) })
    s.create(v2, {
      ...named('a'),
      spec: scale({
        metrics: [
          { type: '' },
          { type: 'Magic', pods: { metric: { name: '' }, target: { type: '' } } },
          {
            type: 'Object',
            object: {
              describedObject: { kind: '', name: 'a/b', apiVersion: 'x/y/z' },
              metric: { name: 'a/b' },
              target: { type: 'Value', value: '0' },
            },
          },
          { type: 'Object', object: { describedObject: described, metric: { name: 'x' }, target: { type: 'Value' } } },
          { type: 'External', external: { metric: { name: 'x' }, target: { type: 'Value', value: '1', averageValue: '-1' } } },
          { type: 'External', external: { metric: { name: 'x' }, target: { type: 'Value' } } },
          { type: 'Resource', resource: { name: '', target: { type: 'Utilization', averageUtilization: 0, averageValue: '1' } } },
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } },
          { type: 'ContainerResource', containerResource: { name: 'x', container: 'A_', target: { type: 'Value', value: '1' } } },
          { type: 'Pods' },
          { type: 'Resource', pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1' } } },
        ],
      }),
    })
  })
})

/** What must not be disturbed. */
export const kindsPolicy = defineArea('kinds policy', (scenario) => {
  scenario('budgets', (s) => {
    s.create(budgets, { ...named('a'), status: { disruptionsAllowed: 3 } })
    s.create(budgets, {
      ...named('b'),
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    })
    const internal = { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' }
    s.create(budgets, { ...named('c'), spec: { maxUnavailable: 1, selector: { matchLabels: { a: 'b' }, matchExpressions: [internal] } } })
    s.create(budgets, { ...named('d'), spec: { maxUnavailable: 0, selector: { matchExpressions: [internal] } } })
    s.patch(
      budgets,
      'b',
      'merge',
      {
        status: {
          disruptionsAllowed: 1,
          currentHealthy: 2,
          desiredHealthy: 1,
          expectedPods: 2,
          observedGeneration: 1,
          disruptedPods: { x: '2026-01-01T00:00:00Z' },
          conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      status,
    )
    s.list(budgets, table)
    s.patch(
      budgets,
      'b',
      'merge',
      {
        status: {
          disruptionsAllowed: -1,
          currentHealthy: -1,
          desiredHealthy: -1,
          expectedPods: -1,
          conditions: [{ type: 'a b', status: 'Maybe', reason: '-' }],
        },
      },
      status,
    )
    s.update(budgets, { ...named('b'), spec: { maxUnavailable: 1 } })
    s.patch(budgets, 'b', 'merge', { spec: { minAvailable: null, maxUnavailable: 2, selector: { matchLabels: { app: 'other' } } } })
    s.patch(budgets, 'b', 'merge', { metadata: { labels: { x: 'y' } } })
    s.create(budgets, {
      ...named('A_'),
      spec: {
        minAvailable: '101%',
        maxUnavailable: -1,
        selector: { matchLabels: { 'a b': '-' }, matchExpressions: [{ key: '', operator: 'Maybe' }] },
        unhealthyPodEvictionPolicy: 'Sometimes',
      },
    })
    s.create(budgets, { ...named('e'), spec: { minAvailable: 'some' } })
    s.delete(budgets, 'b')
  })

  scenario('evictions that budgets allow or refuse', (s) => {
    const evict = (name: string, more: JsonObject = {}) =>
      s.create(pods, { apiVersion: 'policy/v1', kind: 'Eviction', ...named(name), ...more }, { subresource: 'eviction' })
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
    for (const name of ['a', 'b', 'c', 'sick', 'waiting']) {
      s.create(pods, { ...named(name, { labels: { app: 'web', name } }), spec: podSpec() }, { isQuiet: true })
      if (name === 'waiting') continue
      const state = name === 'sick' ? { phase: 'Running' } : ready
      s.patch(pods, name, 'merge', { status: state }, { subresource: 'status', isQuiet: true })
    }
    s.create(budgets, { ...named('web'), spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } }, { isQuiet: true })
    const allow = (more: JsonObject) =>
      s.patch(budgets, 'web', 'merge', { status: { observedGeneration: 1, ...more } }, { subresource: 'status', isQuiet: true })
    evict('waiting')
    evict('a')
    allow({ disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 3, expectedPods: 4 })
    evict('a')
    const told = { type: 'DisruptionAllowed', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z', message: 'why' }
    allow({ currentHealthy: 4, conditions: [{ ...told, reason: 'Because' }] })
    evict('a')
    allow({ conditions: [{ ...told, reason: 'SyncFailed' }] })
    evict('a')
    allow({ conditions: null })
    evict('a')
    evict('sick')
    allow({ disruptionsAllowed: 2 })
    evict('a')
    evict('b', { deleteOptions: { dryRun: ['All'] } })
    evict('b')
    s.get(budgets, 'web')
    s.create(budgets, { ...named('other'), spec: { selector: {} } }, { isQuiet: true })
    evict('c')
    evict('none')
  })
})
