/**
 * Room `controller`: from events to reconciles.
 *
 * Sources report events, predicates drop some, handlers turn the rest into requests, a queue keeps each request once, workers reconcile them.
 * The contract of a reconcile is in `reconcile.ts`.
 *
 * Promises: a key is reconciled by one worker at a time; a failing key is retried with backoff and never lost; nothing is written by this room
 * on its own. The controller does not know the manager: it needs a {@link ControllerHost}.
 */
export type { ControllerHost, ControllerTuning, OwnedKindOptions, WatchedKindOptions } from './builder.js'
export { ControllerBuilder, controllerManagedBy } from './builder.js'
export type { ReconcileCounts } from './controller.js'
export { CacheSyncTimeoutError, Controller } from './controller.js'
export type { ControllerOptions } from './controller-options.js'
export type { CreateOrUpdateResult } from './create-or-update.js'
export { createOrUpdate, mergeDesired } from './create-or-update.js'
export type { CreateEvent, DeleteEvent, GenericEvent, SourceEvent, UpdateEvent } from './event.js'
export { addFinalizer, hasFinalizer, isTerminating, removeFinalizer } from './finalizer.js'
export type { Enqueue, EnqueueOptions, EventHandler, OwnerOptions } from './handler.js'
export { enqueueRequestForObject, enqueueRequestForOwner, enqueueRequestsFromMap, lowPriority, requestFor } from './handler.js'
export type { Predicate } from './predicate.js'
export {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  not,
  objectPredicate,
  or,
  resourceVersionChanged,
} from './predicate.js'
export type { ReconcileContext, ReconcileFunction, ReconcileRequest, ReconcileResult, Reconciler } from './reconcile.js'
export { isTerminalError, TerminalError } from './reconcile.js'
export type { KindSourceOptions, Source } from './source.js'
export { ChannelSource, kindSource } from './source.js'
