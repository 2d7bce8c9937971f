import type { Node, Pod } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import { matchesNodeAffinity } from './node-affinity.js'
import { placePod } from './node-fit.js'
import { NodeUsage } from './node-usage.js'
import { podRequests } from './pod-resources.js'
import { isTolerated } from './tolerations.js'

function node(
  name: string,
  more: { readonly spec?: object; readonly labels?: object; readonly cpu?: string; readonly pods?: string; readonly ready?: string } = {},
): Node {
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...more.labels } },
    spec: more.spec,
    status: {
      allocatable: { cpu: more.cpu ?? '4', memory: '8Gi', pods: more.pods ?? '110' },
      conditions: [{ type: 'Ready', status: more.ready ?? 'True' }],
    },
  } as unknown as Node
}

let pods = 0
function pod(spec: object = {}, requests: object = {}): Pod {
  pods += 1
  const name = `pod-${pods}`
  return {
    metadata: { name, namespace: 'default', uid: name },
    spec: { containers: [{ name: 'main', resources: { requests } }], ...spec },
  } as unknown as Pod
}

const message = (wanted: Pod, nodes: readonly Node[], usage = new NodeUsage()): string => {
  const placement = placePod(wanted, nodes, usage)
  return 'message' in placement ? placement.message : placement.node
}

describe('placePod', () => {
  test('takes the node with most left, and of equals the first by name', () => {
    const usage = new NodeUsage()
    const nodes = [node('b'), node('a'), node('c')]
    const places = Array.from({ length: 6 }, () => {
      const wanted = pod()
      const place = message(wanted, nodes, usage)
      usage.place(wanted, place)
      return place
    })
    expect(places).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })

  // Texts as kube-scheduler 1.37 puts them together.
  test('says why no node takes the pod', () => {
    const usage = new NodeUsage()
    usage.place(pod({}, { cpu: '3' }), 'full')
    const nodes = [
      node('full'),
      node('tainted', { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } }),
      node('cordoned', { spec: { unschedulable: true } }),
      node('small', { cpu: '1' }),
      node('dead', { ready: 'Unknown' }),
    ]
    expect(message(pod({}, { cpu: '2' }), nodes, usage)).toBe(
      '0/5 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu, 2 node(s) had untolerated taint(s). preemption: 0/5 nodes are available: 1 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling.',
    )
    expect(message(pod({ nodeSelector: { disk: 'ssd' } }), [node('a')])).toBe(
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    )
    expect(message(pod(), [])).toBe('no nodes available to schedule pods')
    const crowded = new NodeUsage()
    crowded.place(pod(), 'a')
    expect(message(pod({ preemptionPolicy: 'Never' }), [node('a', { pods: '1' })], crowded)).toBe(
      '0/1 nodes are available: 1 Too many pods. preemption: not eligible due to preemptionPolicy=Never.',
    )
  })

  test('counts resources that the node does not have', () => {
    expect(message(pod({}, { 'example.com/gpu': '1' }), [node('a')])).toContain('1 Insufficient example.com/gpu')
  })
})

describe('NodeUsage', () => {
  test('keeps an assignment that older news do not show, and gives it back in the end', () => {
    const usage = new NodeUsage()
    const wanted = pod({}, { cpu: '500m', memory: '1Gi' })
    usage.place(wanted, 'a')
    usage.observe(wanted)
    expect(usage.of('a').pods).toBe(1)
    expect(Object.fromEntries(usage.of('a').requested)).toEqual({ cpu: 500, memory: 1024 ** 3 })
    usage.observe({ ...wanted, spec: { ...wanted.spec, nodeName: 'a' }, status: { phase: 'Succeeded' } } as unknown as Pod)
    expect(usage.of('a')).toEqual({ pods: 0, requested: new Map(), scored: { cpu: 0, memory: 0 } })
  })
})

describe('podRequests', () => {
  // https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
  test('takes the larger of what runs and what starts, side cars with both', () => {
    const container = (cpu: string, more: object = {}) => ({ name: 'c', resources: { requests: { cpu } }, ...more })
    const requests = (spec: object): number | undefined => podRequests(pod(spec)).get('cpu')
    expect(requests({ containers: [container('1'), container('500m')] })).toBe(1500)
    expect(requests({ containers: [container('1')], initContainers: [container('3'), container('2')] })).toBe(3000)
    expect(requests({ containers: [container('1')], initContainers: [container('1', { restartPolicy: 'Always' }), container('3')] })).toBe(
      4000,
    )
    expect(
      requests({
        containers: [container('2')],
        initContainers: [container('3'), container('2', { restartPolicy: 'Always' })],
        overhead: { cpu: '250m' },
      }),
    ).toBe(4250)
    expect(requests({ containers: [{ name: 'c', resources: { limits: { cpu: '2' } } }] })).toBe(2000)
  })
})

describe('matchesNodeAffinity', () => {
  const required = (...nodeSelectorTerms: object[]): Pod =>
    pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } })
  const labelled = node('a', { labels: { zone: 'x', size: '8' } })

  test.each<readonly [string, string, readonly string[] | undefined, boolean]>([
    ['zone', 'In', ['x', 'y'], true],
    ['zone', 'In', ['y'], false],
    ['zone', 'NotIn', ['y'], true],
    ['other', 'NotIn', ['y'], true],
    ['zone', 'Exists', undefined, true],
    ['other', 'Exists', undefined, false],
    ['other', 'DoesNotExist', undefined, true],
    ['size', 'Gt', ['7'], true],
    ['size', 'Gt', ['8'], false],
    ['size', 'Lt', ['9'], true],
    ['zone', 'Lt', ['9'], false],
  ])('%s %s %j is %s', (key, operator, values, expected) => {
    expect(matchesNodeAffinity(required({ matchExpressions: [{ key, operator, values }] }), labelled)).toBe(expected)
  })

  test('needs one term, and all requirements of it', () => {
    const zone = { key: 'zone', operator: 'In', values: ['x'] }
    const wrong = { key: 'zone', operator: 'In', values: ['y'] }
    expect(matchesNodeAffinity(required({ matchExpressions: [zone, wrong] }), labelled)).toBe(false)
    expect(matchesNodeAffinity(required({ matchExpressions: [wrong] }, { matchExpressions: [zone] }), labelled)).toBe(true)
    expect(matchesNodeAffinity(required({}), labelled)).toBe(false)
    expect(matchesNodeAffinity(required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }), labelled)).toBe(true)
    expect(matchesNodeAffinity(required({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }] }), labelled)).toBe(
      false,
    )
  })
})

describe('isTolerated', () => {
  const taint = { key: 'gpu', value: '8', effect: 'NoSchedule' }
  test.each<readonly [object, boolean]>([
    [{ key: 'gpu', value: '8', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', value: '8' }, true],
    [{ key: 'gpu', value: '9' }, false],
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoExecute' }, false],
    [{ key: 'other', operator: 'Exists' }, false],
    [{ key: 'gpu', operator: 'Gt', value: '7' }, true],
    [{ key: 'gpu', operator: 'Lt', value: '7' }, false],
  ])('%j: %s', (toleration, expected) => {
    expect(isTolerated(taint, [toleration])).toBe(expected)
  })
})
