import { describe, expect, test } from 'vitest'
import type { Difference } from '../compare/index.js'
import type { Json, Scenario } from '../language/index.js'
import { isOfOwners, knownReason, knownReasons } from './known-differences.js'

const difference = (path: string, expected: Json, got: Json): Difference => ({ step: 0, request: 'PUT /x', path, expected, got })
const scenario = (path: string): Scenario => ({
  area: 'errors',
  name: 'one',
  controllers: false,
  steps: [{ kind: 'request', id: 'r1', method: 'PUT', path, user: 'admin', headers: {}, isQuiet: false, keep: [] }],
})

describe('knownReason', () => {
  test('is that of what a difference shows, where it is about it', () => {
    const dangling = difference('body.status', 'Dangling', null)
    expect(knownReason(scenario('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/a'), dangling)).toContain('level of a flow schema')
    expect(knownReason(scenario('/api/v1/pods'), dangling)).toBeUndefined()
  })

  test('is none of an ordinary difference', () => {
    expect(knownReason(scenario('/api/v1/pods'), difference('body.spec.nodeName', 'a', 'b'))).toBeUndefined()
  })

  test('tells reasons apart', () => {
    expect(new Set(knownReasons).size).toBe(knownReasons.length)
  })
})

test('isOfOwners holds when the real server alone wrote', () => {
  expect(isOfOwners(difference('body.metadata.resourceVersion', '<rv-2>', '<rv-1>'))).toBe(true)
  expect(isOfOwners(difference('body.metadata.resourceVersion', '<rv-1>', '<rv-2>'))).toBe(false)
  expect(isOfOwners(difference('body.metadata.generation', '<rv-2>', '<rv-1>'))).toBe(false)
  expect(isOfOwners(difference('body.metadata.resourceVersion', '<rv-2>', null))).toBe(false)
})
