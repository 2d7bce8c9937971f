import type { AnyResourceType, Draft, ObjectKey, UnstructuredObject } from 'steersman/api'
import { badRequest, StatusError } from 'steersman/api'
import type { Environment } from 'steersman/environment'
import { deepCopy } from 'steersman/internal'
import type { AdmissionAttributes, DecodedObject, TokenSigner, WriteRequest } from '../contracts/index.js'
import type { Storage } from '../storage/index.js'
import type { Strategy, StrategyContext } from './strategy.js'

/** Everything the operations on one served resource share. */
export interface StoreContext {
  /** The descriptor, in the served version. */
  readonly type: AnyResourceType
  readonly strategy: Strategy
  readonly storage: Storage
  readonly environment: Environment
  /** Key of the resource in storage, with a slash at its end. The same for all versions of a resource. */
  readonly prefix: string
  /** Reads what admission made of an object: drops what the kind does not have. */
  decode(value: Readonly<Record<string, unknown>>): DecodedObject
  /** Writes out, in place, what the kind writes for fields that hold nothing. @default nothing */
  complete?(draft: ObjectDraft): void
  /** From the storage version to the served one. The same frozen object gives the same frozen object. */
  toServed(stored: UnstructuredObject): UnstructuredObject
  /** From the served version to the storage version. */
  toStored(served: UnstructuredObject): UnstructuredObject
  /** Refuses creates, with the Status to throw, while the definition of the resource is being deleted. */
  refuseCreate?(): void
  /** Takes what the object needs from elsewhere (a cluster IP) and gives it back when the write fails. May change the draft. */
  reserve?(object: UnstructuredObject, old: UnstructuredObject | undefined): Reservation
  /** Runs after a write is committed and before its answer. Objects are in the storage version. */
  afterWrite?(write: CommittedWrite): Promise<void> | void
  /** Makes tokens of service accounts. */
  readonly tokenSigner?: TokenSigner
  /** Aborted when the resource is no longer served: its watches end. */
  readonly unserved: AbortSignal
}

/** Something taken for a write that is not committed yet. */
export interface Reservation {
  commit(): void
  release(): void
}

/** A write that took place. */
export interface CommittedWrite {
  readonly type: 'create' | 'update' | 'delete'
  readonly object: UnstructuredObject
  readonly previous?: UnstructuredObject
}

/** The prefix of a resource's keys. */
export function resourcePrefix(group: string, plural: string): string {
  return `/${group === '' ? 'core' : group}/${plural}/`
}

/** What a dry run answers: the object as it would come back from storage. */
export function asStored(store: StoreContext, object: UnstructuredObject): UnstructuredObject {
  return store.toServed(store.toStored(object))
}

export function isNamespaced(store: StoreContext): boolean {
  return store.type.scope === 'Namespaced'
}

/** The key of an object in storage. */
export function storageKey(store: StoreContext, namespace: string | undefined, name: string): string {
  return isNamespaced(store) ? `${store.prefix}${namespace}/${name}` : store.prefix + name
}

export function revisionOf(object: UnstructuredObject): number {
  return Number(object.metadata.resourceVersion)
}

/** A time as metadata carries it: RFC 3339, seconds, UTC. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`
}

/** What strategies are told about a write. */
export function strategyContext(store: StoreContext, write: WriteRequest): StrategyContext {
  const { environment } = store
  return {
    now: timestamp(environment.now()),
    uuid: () => environment.uuid(),
    random: () => environment.random(),
    warn: write.warn,
    user: write.user,
  }
}

/** The facts of a write that admission decides on. */
export interface AdmissionFacts {
  readonly operation: AdmissionAttributes['operation']
  readonly subresource?: string
  readonly key: ObjectKey
  readonly object?: UnstructuredObject
  readonly oldObject?: UnstructuredObject
}

export function admissionAttributes(store: StoreContext, write: WriteRequest, facts: AdmissionFacts): AdmissionAttributes {
  return {
    operation: facts.operation,
    type: store.type,
    subresource: facts.subresource ?? '',
    namespace: facts.key.namespace ?? '',
    name: facts.key.name,
    ...(facts.object === undefined ? {} : { object: facts.object }),
    ...(facts.oldObject === undefined ? {} : { oldObject: facts.oldObject }),
    options: write.options,
    dryRun: write.dryRun,
    user: write.user,
  }
}

/** @throws {StatusError} BadRequest when the object says another namespace than the request. */
export function checkNamespace(store: StoreContext, objectNamespace: string | undefined, requestNamespace: string | undefined): void {
  // A request without a namespace says nothing about it.
  if (objectNamespace && isNamespaced(store) && objectNamespace !== (requestNamespace ?? '')) {
    throw new StatusError(badRequest('the namespace of the provided object does not match the namespace sent on the request'))
  }
}

/** A mutable object in the served version. */
export type ObjectDraft = Draft<UnstructuredObject>

/** A draft of the object with its defaults filled in. */
export function defaultedDraft(store: StoreContext, object: UnstructuredObject): ObjectDraft {
  const draft = deepCopy(object) as ObjectDraft
  draft.metadata ??= {}
  return store.strategy.default?.(draft) ?? draft
}
