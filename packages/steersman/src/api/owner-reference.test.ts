import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from './meta.js'
import {
  AlreadyOwnedError,
  controllerOf,
  controllerReference,
  isControlledBy,
  isOwnedBy,
  ownerReference,
  withControllerReference,
  withOwnerReference,
} from './owner-reference.js'

const Widget = { group: 'example.com', version: 'v1', kind: 'Widget' }
const widget = { metadata: { namespace: 'n', name: 'w', uid: 'u1' } }
const child: KubernetesObject = { kind: 'ConfigMap', metadata: { namespace: 'n', name: 'c' } }
const reference = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  name: 'w',
  uid: 'u1',
  controller: true,
  blockOwnerDeletion: true,
}

test('controllerReference and ownerReference say what the garbage collector reads', () => {
  expect(controllerReference(Widget, widget)).toEqual(reference)
  expect(controllerReference(Widget, widget, { blockOwnerDeletion: false }).blockOwnerDeletion).toBe(false)
  expect(ownerReference(Widget, widget)).toEqual({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u1' })
})

test('controllerReference refuses an owner that was never stored', () => {
  expect(() => controllerReference(Widget, { metadata: { name: 'w' } })).toThrow(TypeError)
  expect(() => ownerReference(Widget, { metadata: { uid: 'u1' } })).toThrow(TypeError)
})

describe('withControllerReference', () => {
  test('withControllerReference adds the reference to a copy', () => {
    const owned = withControllerReference(child, Widget, widget)
    expect(owned).toEqual({ kind: 'ConfigMap', metadata: { ...child.metadata, ownerReferences: [reference] } })
    expect(child.metadata).not.toHaveProperty('ownerReferences')
    expect([isControlledBy(owned, widget), isOwnedBy(owned, widget), controllerOf(owned)]).toEqual([true, true, reference])
  })

  test('withControllerReference returns the same object when it is owned already', () => {
    const owned = withControllerReference(child, Widget, widget)
    expect(withControllerReference(owned, Widget, widget)).toBe(owned)
  })

  test('withControllerReference replaces a reference to the same owner of another version or life', () => {
    const old = { ...reference, apiVersion: 'example.com/v1alpha1', uid: 'u0' }
    const other = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u9' }
    const owned = withControllerReference<KubernetesObject>(
      { ...child, metadata: { ...child.metadata, ownerReferences: [old, other] } },
      Widget,
      widget,
    )
    expect(owned.metadata.ownerReferences).toEqual([reference, other])
  })

  test('withControllerReference refuses an object that another controller manages', () => {
    const owned = withControllerReference(child, Widget, widget)
    const rival = { metadata: { namespace: 'n', name: 'rival', uid: 'u2' } }
    expect(() => withControllerReference(owned, Widget, rival)).toThrow(AlreadyOwnedError)
    expect(withOwnerReference(owned, Widget, rival).metadata.ownerReferences).toHaveLength(2)
  })

  test('withControllerReference refuses an owner of another namespace', () => {
    const elsewhere = { metadata: { namespace: 'm', name: 'c' } }
    expect(() => withControllerReference(elsewhere, Widget, widget)).toThrow('cross-namespace owner references are disallowed')
  })

  test('withControllerReference refuses a namespaced owner for a cluster-scoped object, and allows the reverse', () => {
    expect(() => withControllerReference({ metadata: { name: 'c' } }, Widget, widget)).toThrow(
      'cluster-scoped resource must not have a namespace-scoped owner',
    )
    expect(withControllerReference(child, Widget, { metadata: { name: 'w', uid: 'u1' } }).metadata.ownerReferences).toHaveLength(1)
  })
})

test('isOwnedBy is false of an object without owners and of an owner that was made anew', () => {
  expect(isOwnedBy(child, widget)).toBe(false)
  const owned = withControllerReference(child, Widget, widget)
  expect(isOwnedBy(owned, { metadata: { name: 'w', uid: 'other' } })).toBe(false)
  expect(isControlledBy(child, { metadata: {} })).toBe(false)
})
