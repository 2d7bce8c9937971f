import { describe, expect, test } from 'vitest'
import type { Condition } from './condition.js'
import { findCondition, isConditionFalse, isConditionTrue, removeCondition, setCondition } from './condition.js'

const t0 = Date.UTC(2026, 0, 1)
const t1 = Date.UTC(2026, 0, 2)
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  observedGeneration: 1,
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'AllGood',
  message: '',
}

describe('setCondition', () => {
  test('setCondition adds a condition that is new, at the end', () => {
    const before = setCondition(undefined, { type: 'Synced', status: 'True', reason: 'Done' }, t0)
    expect(setCondition(before, { type: 'Ready', status: 'True', reason: 'AllGood', observedGeneration: 1 }, t0)).toEqual([
      { type: 'Synced', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ready,
    ])
  })

  test('setCondition returns the same array when nothing changes', () => {
    const before = Object.freeze([ready])
    expect(setCondition(before, { type: 'Ready', status: 'True', reason: 'AllGood', observedGeneration: 1 }, t1)).toBe(before)
  })

  test('setCondition moves the transition time only with the status', () => {
    const before = [ready]
    const reworded = setCondition(before, { type: 'Ready', status: 'True', reason: 'AllGood', message: 'yes', observedGeneration: 2 }, t1)
    expect(reworded).toEqual([{ ...ready, message: 'yes', observedGeneration: 2 }])
    const flipped = setCondition(before, { type: 'Ready', status: 'False', reason: 'Broken', observedGeneration: 1 }, t1)
    expect(flipped).toEqual([{ ...ready, status: 'False', reason: 'Broken', lastTransitionTime: '2026-01-02T00:00:00Z' }])
    expect(before).toEqual([ready])
  })

  test('setCondition takes a transition time that is given, when the status changes', () => {
    const given = '2025-12-31T00:00:00Z'
    const flipped = setCondition([ready], { type: 'Ready', status: 'False', reason: 'Broken', lastTransitionTime: given }, t1)
    expect(flipped[0]?.lastTransitionTime).toBe(given)
  })

  test('setCondition keeps the place of the condition that it replaces', () => {
    const other = { ...ready, type: 'Other' }
    expect(setCondition([ready, other], { type: 'Ready', status: 'False', reason: 'Broken' }, t1).map(({ type }) => type)).toEqual([
      'Ready',
      'Other',
    ])
  })
})

test('findCondition, isConditionTrue and isConditionFalse ask by type', () => {
  expect(findCondition([ready], 'Ready')).toBe(ready)
  expect(findCondition(undefined, 'Ready')).toBeUndefined()
  expect([isConditionTrue([ready], 'Ready'), isConditionFalse([ready], 'Ready')]).toEqual([true, false])
  expect([isConditionTrue([], 'Ready'), isConditionFalse([], 'Ready')]).toEqual([false, false])
})

test('removeCondition returns the same array when there is none', () => {
  const conditions = [ready]
  expect(removeCondition(conditions, 'Other')).toBe(conditions)
  expect(removeCondition(conditions, 'Ready')).toEqual([])
})
