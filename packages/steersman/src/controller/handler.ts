import type { AnyResourceType, KubernetesObject, ObjectKey } from '../api/index.js'
import { parseApiVersion } from '../api/index.js'
import type { SourceEvent } from './event.js'
import type { ReconcileRequest } from './reconcile.js'

/** Puts a request into the controller's queue. */
export type Enqueue = (request: ReconcileRequest, options?: EnqueueOptions) => void

/** How a request is queued. */
export interface EnqueueOptions {
  /** Higher is served first. @default 0, or {@link lowPriority} for objects of the initial list and unchanged ones */
  readonly priority?: number
  /** Queue after so many milliseconds. */
  readonly afterMs?: number
}

/** Priority of what is queued only because a watch began: real changes go first. */
export const lowPriority = -100

/** Decides which requests an event leads to. Runs synchronously and must be quick. */
export type EventHandler<Resource extends KubernetesObject = KubernetesObject> = (event: SourceEvent<Resource>, enqueue: Enqueue) => void

/** The request for an object. */
export function requestFor(key: ObjectKey): ReconcileRequest {
  return { namespace: key.namespace ?? '', name: key.name, cluster: '' }
}

/** Queues the object itself. */
export function enqueueRequestForObject(): EventHandler {
  return (event, enqueue) => {
    const { name, namespace } = event.object.metadata
    if (name !== undefined) enqueue(requestFor({ name, ...(namespace === undefined ? {} : { namespace }) }))
  }
}

/** Options of {@link enqueueRequestForOwner}. */
export interface OwnerOptions {
  /** Only the owner that is the managing controller. @default true */
  readonly onlyController?: boolean
}

/** Queues the owners of the object that are of `ownerType`: group and kind are compared, the version is not. */
export function enqueueRequestForOwner(ownerType: AnyResourceType, options: OwnerOptions = {}): EventHandler {
  const onlyController = options.onlyController ?? true
  const enqueueOwners = (object: KubernetesObject, enqueue: Enqueue): void => {
    for (const owner of object.metadata.ownerReferences ?? []) {
      if (onlyController && owner.controller !== true) continue
      if (owner.kind !== ownerType.kind || parseApiVersion(owner.apiVersion).group !== ownerType.group) continue
      const namespace = ownerType.scope === 'Namespaced' ? (object.metadata.namespace ?? '') : ''
      enqueue({ namespace, name: owner.name, cluster: '' })
    }
  }
  return (event, enqueue) => {
    if (event.type === 'update') enqueueOwners(event.oldObject, enqueue)
    enqueueOwners(event.object, enqueue)
  }
}

/** Queues what `map` returns for the object; for an update, for its old and its new state. */
export function enqueueRequestsFromMap<Resource extends KubernetesObject>(
  map: (object: Resource) => readonly ObjectKey[],
): EventHandler<Resource> {
  return (event, enqueue) => {
    const seen = new Set<string>()
    const states = event.type === 'update' ? [event.oldObject, event.object] : [event.object]
    for (const state of states) {
      for (const key of map(state)) {
        const request = requestFor(key)
        const id = `${request.namespace}/${request.name}`
        if (seen.has(id)) continue
        seen.add(id)
        enqueue(request)
      }
    }
  }
}
