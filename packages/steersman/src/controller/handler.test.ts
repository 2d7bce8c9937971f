import { describe, expect, test } from 'vitest'
import type { AnyResourceType, KubernetesObject, OwnerReference } from '../api/index.js'
import type { SourceEvent } from './event.js'
import { type EventHandler, enqueueRequestForObject, enqueueRequestForOwner, enqueueRequestsFromMap } from './handler.js'
import type { ReconcileRequest } from './reconcile.js'

const Widget: AnyResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  shortNames: [],
  categories: [],
  scope: 'Namespaced',
}
const owner = (given: Partial<OwnerReference>): OwnerReference => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  name: 'w',
  uid: 'u',
  ...given,
})
const child = (...ownerReferences: OwnerReference[]): KubernetesObject => ({
  metadata: { name: 'child', namespace: 'ns', ownerReferences },
})
const created = (object: KubernetesObject): SourceEvent => ({ type: 'create', object, isInInitialList: false })

function requests(handler: EventHandler, event: SourceEvent): ReconcileRequest[] {
  const queued: ReconcileRequest[] = []
  handler(event, (request) => queued.push(request))
  return queued
}

describe('enqueueRequestForObject', () => {
  test('queues the object, whatever happened to it', () => {
    expect(requests(enqueueRequestForObject(), created(child()))).toEqual([{ namespace: 'ns', name: 'child', cluster: '' }])
    expect(requests(enqueueRequestForObject(), { type: 'delete', object: { metadata: { name: 'node' } }, stateUnknown: true })).toEqual([
      { namespace: '', name: 'node', cluster: '' },
    ])
  })
})

describe('enqueueRequestForOwner', () => {
  test('queues the controller of the given group and kind, in the namespace of the child', () => {
    const handler = enqueueRequestForOwner(Widget)
    expect(requests(handler, created(child(owner({ controller: true }))))).toEqual([{ namespace: 'ns', name: 'w', cluster: '' }])
    expect(requests(handler, created(child(owner({}))))).toEqual([])
    expect(requests(handler, created(child(owner({ controller: true, kind: 'Gadget' }))))).toEqual([])
    expect(requests(handler, created(child(owner({ controller: true, apiVersion: 'other.com/v1' }))))).toEqual([])
  })

  test('does not mind the version of the reference', () => {
    expect(
      requests(enqueueRequestForOwner(Widget), created(child(owner({ controller: true, apiVersion: 'example.com/v1beta1' })))),
    ).toHaveLength(1)
  })

  test('queues every owner when asked to', () => {
    const handler = enqueueRequestForOwner(Widget, { onlyController: false })
    expect(requests(handler, created(child(owner({ name: 'a' }), owner({ name: 'b' })))).map((request) => request.name)).toEqual(['a', 'b'])
  })

  test('queues a cluster-scoped owner without namespace', () => {
    const handler = enqueueRequestForOwner({ ...Widget, scope: 'Cluster' })
    expect(requests(handler, created(child(owner({ controller: true }))))).toEqual([{ namespace: '', name: 'w', cluster: '' }])
  })

  test('queues both owners when the owner changes', () => {
    const event: SourceEvent = {
      type: 'update',
      oldObject: child(owner({ controller: true, name: 'a' })),
      object: child(owner({ controller: true, name: 'b' })),
    }
    expect(requests(enqueueRequestForOwner(Widget), event).map((request) => request.name)).toEqual(['a', 'b'])
  })
})

describe('enqueueRequestsFromMap', () => {
  test('maps the old and the new state and queues each key once', () => {
    const handler = enqueueRequestsFromMap((object) => [{ name: object.metadata.labels?.for ?? '' }, { name: 'always' }])
    const event: SourceEvent = {
      type: 'update',
      oldObject: { metadata: { labels: { for: 'a' } } },
      object: { metadata: { labels: { for: 'b' } } },
    }
    expect(requests(handler, event).map((request) => request.name)).toEqual(['a', 'always', 'b'])
  })
})
