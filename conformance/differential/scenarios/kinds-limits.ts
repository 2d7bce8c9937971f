import { defineArea, type JsonObject, named, podSpec, pods, type Resource, table } from '../language/index.js'

const core = (kind: string, plural: string, isNamespaced = true): Resource => ({ group: '', version: 'v1', plural, kind, isNamespaced })
const quotas = core('ResourceQuota', 'resourcequotas')
const limitRanges = core('LimitRange', 'limitranges')
const componentStatuses = core('ComponentStatus', 'componentstatuses', false)
const container = (resources: JsonObject = {}): JsonObject => ({ name: 'main', image: 'busybox:1.36', resources })

/** What limits a namespace. */
export const kindsLimits = defineArea('kinds limits', (scenario) => {
  scenario('resource quotas', (s) => {
    s.create(quotas, { ...named('a'), spec: {}, status: { hard: { pods: '1' } } })
    s.create(quotas, {
      ...named('b'),
      spec: {
        hard: { 'requests.cpu': '1500m', 'limits.memory': '1024Mi', pods: '10', 'count/deployments.apps': '0.5k' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['x'] }] },
      },
    })
    s.create(quotas, { ...named('c'), spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotTerminating'] } })
    s.create(quotas, { ...named('d'), spec: { hard: { 'requests.cpu': '2', 'limits.cpu': '1', memory: '2Gi', 'limits.memory': '1Gi' } } })
    s.patch(
      quotas,
      'b',
      'merge',
      { status: { hard: { 'requests.cpu': '1500m', 'limits.memory': '1Gi', pods: '10' }, used: { pods: '1', 'limits.memory': '0' } } },
      { subresource: 'status' },
    )
    s.list(quotas, table)
    s.patch(quotas, 'b', 'merge', { spec: { hard: { pods: '11' } } })
    s.patch(quotas, 'c', 'merge', { spec: { scopes: ['NotTerminating', 'BestEffort'] } })
    s.patch(quotas, 'c', 'merge', { spec: { scopes: ['BestEffort'] } })
    s.patch(quotas, 'b', 'merge', { status: { hard: { odd: '1' } } }, { subresource: 'status' })
    s.delete(quotas, 'a')
  })

  scenario('resource quotas that are wrong', (s) => {
    const create = (spec: JsonObject) => s.create(quotas, { ...named('a'), spec })
    s.create(quotas, { ...named('A_b'), spec: { hard: { 'a b': '1' } } })
    create({ hard: { odd: '1' } })
    create({ hard: { storage: '1' } })
    create({ hard: { pods: '1.5' } })
    create({ hard: { cpu: '-1' } })
    create({ hard: { 'requests.storage': '1' }, scopes: ['BestEffort', 'Odd', 'NotBestEffort', 'Terminating', 'NotTerminating'] })
    create({
      hard: { services: '1' },
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'Odd', operator: 'Is' },
          { scopeName: 'Terminating', operator: 'In' },
          { scopeName: 'PriorityClass', operator: 'Exists', values: ['x'] },
        ],
      },
    })
    create({ hard: { services: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'Exists' }, {}] } })
  })

  scenario('limit ranges', (s) => {
    s.list(limitRanges, table)
    s.create(limitRanges, { ...named('a'), spec: { limits: [] } })
    s.create(limitRanges, {
      ...named('b'),
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '0.1', memory: '4Mi' },
            default: { memory: '1024Mi' },
            maxLimitRequestRatio: { cpu: '20' },
          },
          { type: 'Pod', max: { cpu: '4' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
          { type: 'example.com/odd', max: { 'example.com/x': '1' } },
        ],
      },
    })
    s.list(limitRanges, table)
    s.patch(limitRanges, 'a', 'merge', { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } })
    s.patch(limitRanges, 'a', 'merge', { spec: { limits: [{ type: 'Odd' }] } })
    s.update(limitRanges, { ...named('new'), spec: { limits: [{ type: 'Container' }] } })
    s.delete(limitRanges, 'a')
  })

  scenario('limit ranges that are wrong', (s) => {
    const create = (...limits: readonly JsonObject[]) => s.create(limitRanges, { ...named('a'), spec: { limits } })
    s.create(limitRanges, { ...named('A_b'), spec: {} })
    create({ type: '' }, { type: 'Odd' }, { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }, { type: 'Pod' })
    create({ type: 'Container', max: { storage: '1' } }, { type: 'PersistentVolumeClaim', max: { odd: '1' } })
    create({ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' }, default: { cpu: '3' }, defaultRequest: { cpu: '4' } })
    create({
      type: 'Container',
      min: { cpu: '2' },
      default: { cpu: '1' },
      defaultRequest: { cpu: '1' },
      maxLimitRequestRatio: { cpu: '500m' },
    })
    create({ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } })
    create({ type: 'Container', default: { 'example.com/x': '2' }, defaultRequest: { 'example.com/x': '1' } })
  })

  scenario('limits of new pods', (s) => {
    s.create(limitRanges, {
      ...named('a'),
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '100m' },
            default: { cpu: '1', memory: '1Gi' },
            maxLimitRequestRatio: { cpu: '4' },
          },
          { type: 'Pod', max: { cpu: '3' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
        ],
      },
    })
    const create = (...resources: readonly JsonObject[]) =>
      s.create(pods, {
        ...named('p'),
        spec: podSpec({ containers: resources.map((one, index) => ({ ...container(one), name: `c${index}` })) }),
      })
    create({})
    s.delete(pods, 'p', { gracePeriodSeconds: 0 })
    create({ requests: { cpu: '500m' } }, { limits: { cpu: '2' } })
    s.delete(pods, 'p', { gracePeriodSeconds: 0 })
    create({ limits: { cpu: '3' } })
    create({ requests: { cpu: '50m' } })
    create({ requests: { cpu: '100m' }, limits: { cpu: '1' } })
    create({ limits: { cpu: '2' } }, { limits: { cpu: '2' } })
    const claims = core('PersistentVolumeClaim', 'persistentvolumeclaims')
    const claim = (size: string): JsonObject => ({
      ...named('c'),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
    })
    s.create(claims, claim('512Mi'))
    s.create(claims, claim('3Gi'))
    s.create(claims, claim('1Gi'))
  })

  scenario('limits of pods with init containers', (s) => {
    s.create(limitRanges, {
      ...named('a'),
      spec: {
        limits: [
          { type: 'Container', defaultRequest: { cpu: '100m' } },
          { type: 'Pod', max: { memory: '1Gi' }, min: { cpu: '1' } },
        ],
      },
    })
    s.create(limitRanges, {
      ...named('b'),
      spec: { limits: [{ type: 'Container', default: { memory: '256Mi' }, maxLimitRequestRatio: { memory: '1' } }] },
    })
    const create = (spec: JsonObject) => s.create(pods, { ...named('p'), spec: podSpec(spec) })
    create({})
    create({
      initContainers: [
        { ...container({ requests: { cpu: '1' } }), name: 'first' },
        { ...container(), name: 'beside', restartPolicy: 'Always' },
      ],
    })
    s.delete(pods, 'p', { gracePeriodSeconds: 0 })
    create({ containers: [container({ requests: { cpu: '1', memory: '128Mi' }, limits: { memory: '2Gi' } })] })
  })

  scenario('component statuses', (s) => {
    s.get(componentStatuses, 'scheduler', table)
    s.get(componentStatuses, 'controller-manager')
    s.get(componentStatuses, 'nobody')
    s.list(componentStatuses, { query: { fieldSelector: 'metadata.name=scheduler' } })
    s.create(componentStatuses, named('a'))
    s.delete(componentStatuses, 'scheduler')
  })
})
