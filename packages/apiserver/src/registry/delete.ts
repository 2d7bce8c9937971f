import type { Draft, FieldError, ObjectKey, ObjectMeta, Status, UnstructuredObject } from 'steersman/api'
import {
  conflict,
  deleted,
  deletePreconditionFailed,
  fieldError,
  forbidden,
  invalid,
  isNotFound,
  notFound,
  StatusError,
} from 'steersman/api'
import { deepCopy, deepEqual, deepFreeze, throwIfAborted } from 'steersman/internal'
import type { DeleteRequest, ListRequest, ListResult } from '../contracts/index.js'
import { StorageError } from '../storage/index.js'
import { listObjects } from './list.js'
import { foregroundFinalizer, orphanFinalizer } from './metadata.js'
import type { ObjectDraft, StoreContext } from './store-context.js'
import { admissionAttributes, revisionOf, storageKey, strategyContext, timestamp } from './store-context.js'
import { maxUpdateAttempts } from './update.js'

/** What a delete does to the object as it is now. */
type DeletionPlan =
  /** The deletion is under way and the request asks for nothing more. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'remove' }
  /** The object stays, marked; `thenRemove` when nothing keeps it but the mark should be seen. */
  | { readonly kind: 'mark'; readonly object: UnstructuredObject; readonly thenRemove: boolean }

/** Deletes an object, or begins to. See `ResourceStore.delete`. */
export async function deleteObject(store: StoreContext, key: ObjectKey, request: DeleteRequest): Promise<UnstructuredObject | Status> {
  const path = storageKey(store, key.namespace, key.name)
  validateOptions(request)
  const { warningWithoutPolicy } = store.strategy.deletion ?? {}
  const saysPolicy = request.propagationPolicy !== undefined || request.orphanDependents !== undefined
  if (warningWithoutPolicy !== undefined && !saysPolicy) request.warn(warningWithoutPolicy)
  const refusal = store.strategy.deletion?.refuse?.(key.name)
  if (refusal !== undefined) throw new StatusError(forbidden(store.type, key.name, refusal))
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(request.signal)
    const stored = await store.storage.get(path)
    if (stored === undefined) throw new StatusError(notFound(store.type, key.name))
    const current = store.toServed(stored)
    checkPreconditions(store, current, key.name, request)
    const attributes = admissionAttributes(store, request, { operation: 'DELETE', key, oldObject: current })
    await request.admission.admit?.(attributes)
    await request.admission.validate?.(attributes)
    try {
      return await carryOut(store, path, stored, current, planDeletion(store, current, request), request)
    } catch (error) {
      if (!(error instanceof StorageError) || (error.code !== 'conflict' && error.code !== 'not-found')) throw error
      // The object that a precondition on its version allowed to delete is not there any more.
      const final = attempt === maxUpdateAttempts || request.preconditions?.resourceVersion !== undefined
      if (error.code === 'conflict' && final) throw new StatusError(conflict(store.type, key.name), { cause: error })
    }
  }
}

async function carryOut(
  store: StoreContext,
  path: string,
  stored: UnstructuredObject,
  current: UnstructuredObject,
  plan: DeletionPlan,
  request: DeleteRequest,
): Promise<UnstructuredObject | Status> {
  if (plan.kind === 'pending') return answer(store, current)
  let last = stored
  let lastServed = current
  if (plan.kind === 'mark') {
    lastServed = plan.object
    if (!request.dryRun && !deepEqual(plan.object, current)) {
      last = await store.storage.update(path, store.toStored(plan.object), revisionOf(stored))
      await store.afterWrite?.({ type: 'update', object: last, previous: stored })
      lastServed = store.toServed(last)
    }
    if (!plan.thenRemove) return lastServed
  }
  if (request.dryRun) return answer(store, lastServed)
  const removed = await store.storage.delete(path, last, revisionOf(last))
  await store.afterWrite?.({ type: 'delete', object: removed, previous: last })
  return answer(store, store.toServed(removed))
}

function answer(store: StoreContext, object: UnstructuredObject): UnstructuredObject | Status {
  if (store.strategy.deletion?.returnsObject === true) return object
  return deleted(store.type, object.metadata.name ?? '', object.metadata.uid ?? '')
}

/** Deletes what a list selects, one by one, and returns the list. */
export async function deleteObjects(store: StoreContext, list: ListRequest, request: DeleteRequest): Promise<ListResult> {
  validateOptions(request)
  const result = await listObjects(store, list)
  for (const { metadata } of result.items) {
    try {
      await deleteObject(store, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }, request)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  return result
}

const policies = ['Foreground', 'Background', 'Orphan']

function validateOptions({ orphanDependents, propagationPolicy }: DeleteRequest): void {
  const errors: FieldError[] = []
  if (propagationPolicy !== undefined) {
    if (orphanDependents !== undefined) {
      errors.push(fieldError.invalid('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'))
    }
    if (!policies.includes(propagationPolicy)) {
      errors.push(fieldError.notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil']))
    }
  }
  if (errors.length > 0) throw new StatusError(invalid('DeleteOptions', 'meta.k8s.io', '', errors))
}

function checkPreconditions(store: StoreContext, current: UnstructuredObject, name: string, { preconditions }: DeleteRequest): void {
  const { uid = '', resourceVersion = '' } = current.metadata
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw new StatusError(deletePreconditionFailed(store.type, name, { what: 'UID', wanted: preconditions.uid, actual: uid }))
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const failed = { what: 'ResourceVersion', wanted: preconditions.resourceVersion, actual: resourceVersion } as const
    throw new StatusError(deletePreconditionFailed(store.type, name, failed))
  }
}

function planDeletion(store: StoreContext, current: UnstructuredObject, request: DeleteRequest): DeletionPlan {
  const grace = planGrace(store, current, request)
  if (grace === 'pending') return { kind: 'pending' }
  const draft = deepCopy(current) as ObjectDraft
  const { metadata } = draft
  const { deletion } = store.strategy
  const finalizers = current.metadata.finalizers ?? []
  const followsPolicies = deletion?.ignoresPolicies !== true
  setFinalizers(metadata, followsPolicies ? finalizersAfterDelete(finalizers, request, deletion?.orphansByDefault === true) : finalizers)
  const begins = current.metadata.deletionTimestamp === undefined
  if (begins) deletion?.begin?.(draft, strategyContext(store, request))
  const held = (metadata.finalizers ?? []).length > 0 || deletion?.isHeld?.(draft as UnstructuredObject) === true
  if (grace === undefined && !held) return { kind: 'remove' }
  const nowMs = store.environment.now()
  const marksTimeOnly = deletion?.marksTimeOnly === true
  if (begins && !marksTimeOnly && (metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1
  const seconds = grace?.seconds ?? 0
  if (grace !== undefined) metadata.deletionTimestamp = grace.deletionTimestamp
  else if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > nowMs) {
    metadata.deletionTimestamp = timestamp(nowMs)
  }
  // What is held by its own spec (a namespace) has no grace period at all.
  if (!marksTimeOnly && (grace !== undefined || deletion?.isHeld === undefined)) metadata.deletionGracePeriodSeconds = seconds
  return { kind: 'mark', object: deepFreeze(draft) as UnstructuredObject, thenRemove: !held && seconds === 0 }
}

interface Grace {
  readonly seconds: number
  readonly deletionTimestamp: string
}

/** How long the object may go on; `undefined` when the kind, or this object, needs no time. */
function planGrace(store: StoreContext, current: UnstructuredObject, request: DeleteRequest): Grace | 'pending' | undefined {
  const { deletion } = store.strategy
  if (deletion?.graceSeconds === undefined) return undefined
  const nowMs = store.environment.now()
  // A negative period means one second.
  const requested = request.gracePeriodSeconds !== undefined && request.gracePeriodSeconds < 0 ? 1 : request.gracePeriodSeconds
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.metadata
  if (deletionTimestamp === undefined) {
    const seconds = deletion.graceSeconds(current, requested)
    return seconds === undefined ? undefined : { seconds, deletionTimestamp: timestamp(nowMs + seconds * 1000) }
  }
  if (deletionGracePeriodSeconds === 0) return undefined
  // Who asks again may only shorten the time.
  if (requested === undefined || requested >= deletionGracePeriodSeconds) return 'pending'
  const endMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000 + requested * 1000
  if (endMs >= nowMs) return { seconds: requested, deletionTimestamp: timestamp(endMs) }
  return { seconds: Math.min(requested, 1), deletionTimestamp: timestamp(nowMs) }
}

/** The finalizers that the garbage collector acts on follow the propagation policy; without one those that are there stay, and else the kind decides. */
function finalizersAfterDelete(finalizers: readonly string[], request: DeleteRequest, orphansByDefault: boolean): readonly string[] {
  const { orphanDependents, propagationPolicy } = request
  const kept = finalizers.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer)
  let policy = propagationPolicy
  if (orphanDependents !== undefined) policy = orphanDependents ? 'Orphan' : 'Background'
  if (policy === undefined && orphansByDefault && kept.length === finalizers.length) policy = 'Orphan'
  if (policy === undefined) return finalizers
  if (policy === 'Orphan') kept.push(orphanFinalizer)
  if (policy === 'Foreground') kept.push(foregroundFinalizer)
  const same = kept.length === finalizers.length && kept.every((finalizer) => finalizers.includes(finalizer))
  return same ? finalizers : kept
}

function setFinalizers(metadata: Draft<ObjectMeta>, finalizers: readonly string[]): void {
  if (finalizers.length === 0) delete metadata.finalizers
  else metadata.finalizers = [...finalizers]
}
