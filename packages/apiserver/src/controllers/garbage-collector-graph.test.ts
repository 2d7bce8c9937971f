import fc from 'fast-check'
import type { KubernetesObject, OwnerReference } from 'steersman/api'
import { describe, expect, test } from 'vitest'
import { OwnerGraph } from './garbage-collector-graph.js'

const kind = { apiVersion: 'v1', kind: 'ConfigMap' }
const reference = (uid: string, blockOwnerDeletion = false): OwnerReference => ({ ...kind, name: uid, uid, blockOwnerDeletion })

function object(uid: string, owners: readonly OwnerReference[] = [], more: object = {}): KubernetesObject {
  return { ...kind, metadata: { uid, name: uid, namespace: 'default', ownerReferences: owners, ...more } }
}

const deleting = (finalizer: string): object => ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [finalizer] })

describe('OwnerGraph', () => {
  test('asks for an object whose owner is not known, and not for one whose owner is', () => {
    const graph = new OwnerGraph()
    expect(graph.observe(kind, object('early', [reference('owner')]))).toEqual(['early'])
    expect(graph.observe(kind, object('owner'))).toEqual([])
    expect(graph.observe(kind, object('late', [reference('owner')]))).toEqual([])
    expect(graph.dependentsOf('owner').map(({ uid }) => uid)).toEqual(['early', 'late'])
  })

  test('asks for the dependents of an object that is gone', () => {
    const graph = new OwnerGraph()
    graph.observe(kind, object('owner'))
    graph.observe(kind, object('a', [reference('owner')]))
    graph.observe(kind, object('b', [reference('owner')]))
    expect(graph.remove('owner')).toEqual(['a', 'b'])
    expect(graph.remove('owner')).toEqual([])
  })

  test('does not ask again when something else of an object changes', () => {
    const graph = new OwnerGraph()
    graph.observe(kind, object('a', [reference('absent')]))
    expect(graph.observe(kind, object('a', [reference('absent')], { resourceVersion: '2', labels: { x: 'y' } }))).toEqual([])
  })

  test('asks for an owner and its dependents when its foreground deletion begins', () => {
    const graph = new OwnerGraph()
    graph.observe(kind, object('owner'))
    graph.observe(kind, object('a', [reference('owner', true)]))
    graph.observe(kind, object('b', [reference('owner')]))
    expect(graph.observe(kind, object('owner', [], deleting('foregroundDeletion')))).toEqual(['owner', 'a', 'b'])
    expect(graph.blockingDependentsOf('owner').map(({ uid }) => uid)).toEqual(['a'])
  })

  test('asks for an owner in foreground deletion when a dependent goes, lets it go or stops blocking', () => {
    const graph = new OwnerGraph()
    graph.observe(kind, object('owner', [], deleting('foregroundDeletion')))
    for (const uid of ['a', 'b', 'c']) graph.observe(kind, object(uid, [reference('owner', true)]))
    expect(graph.remove('a')).toEqual(['owner'])
    expect(graph.observe(kind, object('b'))).toEqual(['owner'])
    expect(graph.observe(kind, object('c', [reference('owner', false)]))).toEqual(['c', 'owner'])
    expect(graph.blockingDependentsOf('owner')).toEqual([])
  })

  test('asks for an object whose orphaning deletion begins, which comes before a foreground deletion', () => {
    const graph = new OwnerGraph()
    graph.observe(kind, object('owner'))
    expect(graph.observe(kind, object('owner', [], { deletionTimestamp: 'x', finalizers: ['foregroundDeletion', 'orphan'] }))).toEqual([
      'owner',
    ])
    expect(graph.get('owner')?.deletion).toBe('orphan')
  })

  test('takes no object of another namespace, kind, group or name for an owner', () => {
    const graph = new OwnerGraph()
    graph.observe(kind, object('owner'))
    const dependent = (owner: object, namespace = 'default'): boolean => {
      graph.observe(kind, { ...kind, metadata: { uid: 'd', name: 'd', namespace, ownerReferences: [{ ...reference('owner'), ...owner }] } })
      const node = graph.get('d')
      return node !== undefined && graph.isSettled(node)
    }
    expect(dependent({})).toBe(true)
    expect(dependent({}, 'elsewhere')).toBe(false)
    expect(dependent({ kind: 'Secret' })).toBe(false)
    expect(dependent({ apiVersion: 'example.com/v1' })).toBe(false)
    expect(dependent({ name: 'other' })).toBe(false)
    graph.observe({ apiVersion: 'v1', kind: 'Node' }, { ...kind, metadata: { uid: 'node', name: 'node' } })
    expect(dependent({ ...reference('node'), kind: 'Node' }, 'elsewhere')).toBe(true)
  })

  test('knows exactly the dependents that the objects it was told of name, after any changes', () => {
    const uid = fc.integer({ min: 0, max: 6 }).map(String)
    const change = fc.record({ uid, owners: fc.uniqueArray(uid, { maxLength: 3 }), isGone: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const graph = new OwnerGraph()
        const model = new Map<string, readonly string[]>()
        for (const { uid, owners, isGone } of changes) {
          if (isGone) {
            graph.remove(uid)
            model.delete(uid)
          } else {
            graph.observe(
              kind,
              object(
                uid,
                owners.map((owner) => reference(owner)),
              ),
            )
            model.set(uid, owners)
          }
        }
        for (let owner = 0; owner <= 6; owner += 1) {
          const expected = [...model].filter(([, owners]) => owners.includes(String(owner))).map(([uid]) => uid)
          expect(
            graph
              .dependentsOf(String(owner))
              .map(({ uid }) => uid)
              .sort(),
          ).toEqual(expected.sort())
        }
        expect(graph.size).toBe(model.size)
      }),
    )
  })
})
