import type { ReplicaSet } from 'steersman/api/types/apps/v1'
import { expect, test } from 'vitest'
import { countOf, scaleOld } from './deployment-rollout.js'

const limits = { replicas: 4, maxSurge: 1, maxUnavailable: 1 }

function replicaSet(name: string, replicas: number, availableReplicas: number): ReplicaSet {
  return {
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { replicas, selector: {} },
    status: { replicas: availableReplicas, availableReplicas },
  } as unknown as ReplicaSet
}

test('scaleOld lets go what more than the least available pods there are', () => {
  const old = [countOf(replicaSet('old', 3, 3))]
  expect(scaleOld(limits, countOf(replicaSet('new', 2, 2)), old)).toEqual(new Map([['old', 1]]))
})

test('scaleOld does not count pods that an earlier step has let go and the status still shows', () => {
  // The ReplicaSet was told to have 2 and still reports 3: 2 + 2 will be left, of which 3 must stay.
  const old = [countOf(replicaSet('old', 2, 3))]
  expect(scaleOld(limits, countOf(replicaSet('new', 3, 2)), old)).toEqual(new Map([['old', 1]]))
})
