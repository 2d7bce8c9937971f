/**
 * Room `api`: the words of the Kubernetes API as plain types and pure functions.
 *
 * Holds what clients, controllers and the API server must say alike: metadata, resource descriptors, Status and its
 * refusals, field errors, names, selectors, patches, quantities, conditions, owner references, structural schemas and the
 * building of CustomResourceDefinitions; `json` is the only parser and serialiser.
 *
 * Promises: objects are plain JSON exactly as on the wire; no function touches its arguments; messages that reach the
 * wire are kube-apiserver's, letter by letter. Deliberately not here: I/O, a clock, randomness (both are arguments), and
 * zod, which is recognised by its shape and never imported.
 */
export type { Condition, ConditionInput, ConditionLike, ConditionStatus } from './condition.js'
export { findCondition, isConditionFalse, isConditionTrue, removeCondition, setCondition } from './condition.js'
export type { AnyDefinedResourceType } from './custom-resource-definition.js'
export { customResourceDefinition } from './custom-resource-definition.js'
export type {
  DeepReadonly,
  DefinedApply,
  DefinedInput,
  DefinedResource,
  DefinedResourceType,
  PrinterColumn,
  ResourceDefinition,
  ResourceDefinitionInput,
  ResourceSchema,
  ScaleSubresource,
  SchemaInput,
  SchemaOutput,
  UntypedFields,
} from './define-resource.js'
export { defineResource } from './define-resource.js'
export type { FieldError, FieldErrorType } from './field-error.js'
export { FieldPath, fieldError, fieldErrorBody, fieldErrorsText, fieldErrorText, fieldErrorToCause, fieldPath } from './field-error.js'
export type { CompiledFieldSelector, FieldRequirement } from './field-selector.js'
export { escapeFieldValue, everyField, parseFieldSelector, selectorFromFields } from './field-selector.js'
export { compareCodePoints, goFloat, goJson, goNumber, goQuote, utf8Length } from './go-format.js'
export type { GroupVersion, GroupVersionKind, ResourceCoordinates, ResourcePath } from './gvk.js'
export { apiVersionOf, gvkText, parseApiVersion, resourcePath } from './gvk.js'
export type { JsonScan } from './json/index.js'
export { findDuplicateKeys, JsonSyntaxError, maxJsonDepth, parseJson, scanJson, stringifyJson } from './json/index.js'
export { applyJsonPatch, JsonPatchError, maxJsonPatchCopyBytes, maxJsonPatchOperations } from './json-patch.js'
export type { LabelRequirement, SelectorOperator } from './label-requirement.js'
export { labelRequirement, SelectorError } from './label-requirement.js'
export type { CompiledLabelSelector, LabelSelector, LabelSelectorRequirement, Labels } from './label-selector.js'
export { compileLabelSelector, everything, nothing, parseLabelSelector, selectorFromLabels } from './label-selector.js'
export { applyMergePatch, createMergePatch } from './merge-patch.js'
export type {
  EmbeddedObject,
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
export type { NameValidator } from './names.js'
export {
  generateName,
  randomNameSuffix,
  safeEncodeName,
  validateConfigMapKey,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateEnvironmentVariableName,
  validateLabelValue,
  validateNamePrefix,
  validatePathSegmentName,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
} from './names.js'
export type { Owner, OwnerReferenceOptions } from './owner-reference.js'
export {
  AlreadyOwnedError,
  controllerOf,
  controllerReference,
  isControlledBy,
  isOwnedBy,
  ownerReference,
  withControllerReference,
  withOwnerReference,
} from './owner-reference.js'
export type { JsonPatchOperation, MergeFromOptions, Patch } from './patch.js'
export { jsonPatch, mergeFrom, mergePatch, strategicMergePatch } from './patch.js'
export type { Quantity, QuantityFormat } from './quantity.js'
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  subtractQuantities,
} from './quantity.js'
export type { FailedPrecondition, GenericResponse, GroupResource } from './refusal.js'
export {
  alreadyExists,
  applyConflict,
  badRequest,
  beingDeleted,
  bodyTooLarge,
  conflict,
  deleted,
  deletePreconditionFailed,
  evictionBlocked,
  expired,
  forbidden,
  generateNameConflict,
  genericResponse,
  gone,
  groupResourceName,
  internalError,
  invalid,
  methodNotAllowed,
  namespaceTerminating,
  notAcceptable,
  notFound,
  objectModifiedMessage,
  preconditionFailed,
  requestEntityTooLarge,
  serverTimeout,
  serviceUnavailable,
  strictDecodingError,
  timeout,
  tooLargeResourceVersion,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from './refusal.js'
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
export type { Decoded } from './scheme.js'
export { NotRegisteredError, Scheme } from './scheme.js'
export type { Status, StatusCause, StatusDetails } from './status.js'
export { isStatus, StatusError, statusOf } from './status.js'
export {
  hasStatusCause,
  ignoreAlreadyExists,
  ignoreConflict,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNamespaceTerminating,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  retryAfterSeconds,
} from './status-predicates.js'
export type {
  NestedValidation,
  StructuralSchema,
  StructuralType,
  TypedSchema,
  ValidationRule,
  ValueValidation,
} from './structural-schema.js'
export { typedSchema } from './structural-schema.js'
export { isFrozenObject, structuredCopy } from './structured-copy.js'
export { formatMicroTime, formatTime, parseTime } from './time.js'
export type { WatchEvent } from './watch-event.js'
export { initialEventsEndAnnotation } from './watch-event.js'
export type { ZodDefinition, ZodLike } from './zod-like.js'
export { isZodSchema } from './zod-like.js'
export { structuralSchemaFromZod } from './zod-schema.js'
