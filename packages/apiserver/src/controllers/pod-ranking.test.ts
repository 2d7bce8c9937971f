import type { Pod } from 'steersman/api/types/core/v1'
import { expect, test } from 'vitest'
import { rankPodsForDeletion } from './pod-ranking.js'

interface Facts {
  readonly node?: string
  readonly phase?: string
  readonly ready?: boolean
  readonly readySince?: string
  readonly cost?: string
  readonly restarts?: number
  readonly created?: string
}

function pod(name: string, facts: Facts = {}): Pod {
  const {
    node = name,
    phase = 'Running',
    ready = true,
    readySince = '2026-01-01T00:00:00Z',
    cost,
    restarts = 0,
    created = '2026-01-01T00:00:00Z',
  } = facts
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: created,
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: { containers: [], ...(node === '' ? {} : { nodeName: node }) },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: readySince }],
      containerStatuses: [{ name: 'main', ready, restartCount: restarts, image: '', imageID: '' }],
    },
  } as unknown as Pod
}

// The order that the documentation of ReplicaSet and the source of the real controller give.
test.each<readonly [string, Facts, Facts]>([
  ['not assigned before assigned', { node: '', ready: true }, { phase: 'Pending', ready: false }],
  ['pending before running', { phase: 'Pending' }, { ready: false }],
  ['not ready before ready', { ready: false, cost: '100' }, { cost: '-100' }],
  ['lower deletion cost', { cost: '-5' }, { cost: '5', readySince: '2026-01-02T00:00:00Z' }],
  ['ready for a shorter time', { readySince: '2026-01-02T00:00:00Z' }, { restarts: 5 }],
  ['more restarts', { restarts: 3 }, { created: '2026-01-05T00:00:00Z' }],
  ['newer', { created: '2026-01-03T00:00:00Z' }, {}],
])('rankPodsForDeletion: %s', (_, first, second) => {
  const ranked = rankPodsForDeletion([pod('z', second), pod('a', first)]).map(({ metadata }) => metadata.name)
  expect(ranked).toEqual(['a', 'z'])
  const other = rankPodsForDeletion([pod('z', first), pod('a', second)]).map(({ metadata }) => metadata.name)
  expect(other).toEqual(['z', 'a'])
})

test('rankPodsForDeletion takes from the node that has most', () => {
  const pods = [pod('a', { node: 'lonely' }), pod('b', { node: 'crowded' }), pod('c', { node: 'crowded' })]
  expect(rankPodsForDeletion(pods).at(-1)?.metadata.name).toBe('a')
})
