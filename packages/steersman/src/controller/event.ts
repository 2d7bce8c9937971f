import type { KubernetesObject } from '../api/index.js'

/** Something that happened to an object, as a source reports it to handlers and predicates. */
export type SourceEvent<Resource extends KubernetesObject = KubernetesObject> =
  | CreateEvent<Resource>
  | UpdateEvent<Resource>
  | DeleteEvent<Resource>
  | GenericEvent<Resource>

export interface CreateEvent<Resource extends KubernetesObject = KubernetesObject> {
  readonly type: 'create'
  readonly object: Resource
  /** The object was there when the watch began. */
  readonly isInInitialList: boolean
}

export interface UpdateEvent<Resource extends KubernetesObject = KubernetesObject> {
  readonly type: 'update'
  readonly oldObject: Resource
  readonly object: Resource
}

export interface DeleteEvent<Resource extends KubernetesObject = KubernetesObject> {
  readonly type: 'delete'
  /** The last state seen. */
  readonly object: Resource
  /** The deletion itself was missed, so the object may have changed in between. */
  readonly stateUnknown: boolean
}

/** An event from outside the cluster. */
export interface GenericEvent<Resource extends KubernetesObject = KubernetesObject> {
  readonly type: 'generic'
  readonly object: Resource
}
