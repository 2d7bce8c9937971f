/**
 * Room `contracts`: interfaces between rooms that need not import each other.
 *
 * `endpoints` ask a `Registry`, an `Authenticator` and an `Authorizer`; `registry` calls `AdmissionPlugin`s and `ReviewEvaluator`s. Types only: nothing here runs.
 */
export type { AdmissionAttributes, AdmissionPlugin } from './admission.js'
export type { ObjectProtobuf, ProtobufEnvelope, ProtobufKind, ProtobufWatchEvent } from './protobuf.js'
export type {
  BodyStore,
  DecodedObject,
  DecodeOptions,
  DeleteRequest,
  GetRequest,
  KindName,
  ListRequest,
  ListResult,
  Registry,
  ResourceStore,
  ServedResource,
  ServedSubresource,
  StrategicMerged,
  SubresourceStore,
  TableColumn,
  TableConverter,
  TableRowCondition,
  Transform,
  UpdateResult,
  WatchRequest,
  WriteRequest,
} from './registry.js'
export type { Authenticator, Authorizer, Credentials, RequestInfo, TokenVerdict, UserInfo } from './request.js'
export type { AccessRule, ResolvedRules, ReviewEvaluator, ReviewRequest, RuleResolver, TokenSigner } from './review.js'
