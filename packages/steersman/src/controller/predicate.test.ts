import { describe, expect, test } from 'vitest'
import type { ObjectMeta } from '../api/index.js'
import { and, annotationsChanged, generationChanged, labelsChanged, not, objectPredicate, or, resourceVersionChanged } from './predicate.js'

const update = (before: ObjectMeta, after: ObjectMeta) => ({
  type: 'update' as const,
  oldObject: { metadata: before },
  object: { metadata: after },
})
const create = { type: 'create' as const, object: { metadata: { name: 'a' } }, isInInitialList: false }

describe('predicates', () => {
  test('generationChanged drops updates of status and metadata', () => {
    expect(generationChanged()(update({ generation: 1, resourceVersion: '1' }, { generation: 1, resourceVersion: '2' }))).toBe(false)
    expect(generationChanged()(update({ generation: 1 }, { generation: 2 }))).toBe(true)
    expect(generationChanged()(create)).toBe(true)
  })

  test('resourceVersionChanged drops updates that are none', () => {
    expect(resourceVersionChanged()(update({ resourceVersion: '1' }, { resourceVersion: '1' }))).toBe(false)
    expect(resourceVersionChanged()(update({ resourceVersion: '1' }, { resourceVersion: '2' }))).toBe(true)
  })

  test('labelsChanged and annotationsChanged compare contents; absent is the same as empty', () => {
    expect(labelsChanged()(update({ labels: { a: '1' } }, { labels: { a: '1' } }))).toBe(false)
    expect(labelsChanged()(update({}, { labels: {} }))).toBe(false)
    expect(labelsChanged()(update({ labels: { a: '1' } }, { labels: { a: '2' } }))).toBe(true)
    expect(annotationsChanged()(update({ annotations: { a: '1' } }, {}))).toBe(true)
  })

  test('and, or, not and objectPredicate combine', () => {
    const named = objectPredicate((object) => object.metadata.name === 'a')
    const other = objectPredicate((object) => object.metadata.name === 'b')
    expect(and(named, other)(create)).toBe(false)
    expect(or(named, other)(create)).toBe(true)
    expect(not(named)(create)).toBe(false)
  })
})
