import type { KubernetesObject } from '../api/index.js'
import { deepEqual } from '../internal/index.js'
import type { SourceEvent } from './event.js'

/** Whether an event is worth a reconcile. */
export type Predicate<Resource extends KubernetesObject = KubernetesObject> = (event: SourceEvent<Resource>) => boolean

/** Passes updates whose `metadata.generation` changed: the desired state, not status or metadata. Everything else passes. */
export function generationChanged(): Predicate {
  return (event) => event.type !== 'update' || event.oldObject.metadata.generation !== event.object.metadata.generation
}

/** Passes updates with a new `metadata.resourceVersion`. Everything else passes. */
export function resourceVersionChanged(): Predicate {
  return (event) => event.type !== 'update' || event.oldObject.metadata.resourceVersion !== event.object.metadata.resourceVersion
}

/** Passes updates that change labels. Everything else passes. */
export function labelsChanged(): Predicate {
  return (event) => event.type !== 'update' || !deepEqual(event.oldObject.metadata.labels ?? {}, event.object.metadata.labels ?? {})
}

/** Passes updates that change annotations. Everything else passes. */
export function annotationsChanged(): Predicate {
  return (event) =>
    event.type !== 'update' || !deepEqual(event.oldObject.metadata.annotations ?? {}, event.object.metadata.annotations ?? {})
}

/** Passes events of objects for which `test` holds. */
export function objectPredicate<Resource extends KubernetesObject>(test: (object: Resource) => boolean): Predicate<Resource> {
  return (event) => test(event.object)
}

/** Passes what every predicate passes. */
export function and<Resource extends KubernetesObject>(...predicates: readonly Predicate<Resource>[]): Predicate<Resource> {
  return (event) => predicates.every((predicate) => predicate(event))
}

/** Passes what at least one predicate passes. */
export function or<Resource extends KubernetesObject>(...predicates: readonly Predicate<Resource>[]): Predicate<Resource> {
  return (event) => predicates.some((predicate) => predicate(event))
}

/** Passes what the predicate does not pass. */
export function not<Resource extends KubernetesObject>(predicate: Predicate<Resource>): Predicate<Resource> {
  return (event) => !predicate(event)
}
