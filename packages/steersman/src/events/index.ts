/**
 * Room `events`: tells people what a controller did, as Event objects beside the object concerned (`kubectl describe` shows them).
 *
 * Promises: recording never waits, never throws and never fails a reconcile; what cannot be written is logged and dropped. Repeats are counted in one
 * Event instead of making new ones, many similar ones are combined, and an object that causes a flood is throttled, all with kube-apiserver's
 * usual figures. Memory is bounded.
 *
 * Deliberately not here: reading events, and the series of `events.k8s.io/v1`. Events are written through core `v1`, which every server serves and every
 * client shows.
 */
export type { EventInput } from './event-input.js'
export type { EventRecorder, EventRecorderHost, EventRecorderOptions } from './event-recorder.js'
export { createEventRecorder } from './event-recorder.js'
