/**
 * Room `api`: the words of the Kubernetes API as plain types and pure functions.
 *
 * It does no I/O and reads no clock. Objects are plain JSON exactly as on the wire.
 */
export type {
  KubernetesList,
  KubernetesObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectKey,
  ObjectMeta,
  OwnerReference,
  PartialObjectMetadata,
  StoredObjectMeta,
  UnstructuredObject,
} from './meta.js'
export type { JsonPatchOperation, Patch } from './patch.js'
export type {
  AnyResourceType,
  ApplyFor,
  ApplyOf,
  DeepPartial,
  Draft,
  InputFor,
  InputOf,
  ResourceOf,
  ResourceScope,
  ResourceType,
  Stored,
} from './resource-type.js'
export type { Status, StatusCause, StatusDetails } from './status.js'
export { StatusError } from './status.js'
export type { WatchEvent } from './watch-event.js'
export { initialEventsEndAnnotation } from './watch-event.js'
