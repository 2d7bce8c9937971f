import type { KubernetesObject } from './meta.js'
import type { Status } from './status.js'

/** What a watch brings. A `BOOKMARK` object carries only apiVersion, kind and metadata; an `ERROR` object is a Status. */
export type WatchEvent<Resource extends KubernetesObject = KubernetesObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: Resource }
  | { readonly type: 'ERROR'; readonly object: Status }

/** On the metadata of a bookmark: all objects that existed when the watch began have been sent. */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end'
