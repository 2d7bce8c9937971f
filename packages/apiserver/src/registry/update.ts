import type { ObjectKey, UnstructuredObject } from 'steersman/api'
import { badRequest, conflict, fieldError, goQuote, invalid, notFound, preconditionFailed, StatusError } from 'steersman/api'
import { deepCopy, deepEqual, deepFreeze, throwIfAborted } from 'steersman/internal'
import type { Transform, UpdateResult, WriteRequest } from '../contracts/index.js'
import { StorageError } from '../storage/index.js'
import { createObject } from './create.js'
import { invalidObject } from './invalid-object.js'
import {
  dedupeOwnerReferences,
  normalizeMetadata,
  validateFinalizersQualified,
  validateMetadataUpdate,
  warnOfBareFinalizers,
} from './metadata.js'
import type { ObjectDraft, StoreContext } from './store-context.js'
import { admissionAttributes, asStored, checkNamespace, defaultedDraft, isNamespaced, revisionOf, storageKey } from './store-context.js'
import type { UpdateRules } from './update-rules.js'

/** How often a write is tried again because the object changed between reading and writing. */
export const maxUpdateAttempts = 5

/** Replaces an object, or a part of it, by what `transform` makes of the current one. See `BodyStore.update`. */
export async function updateObject(
  store: StoreContext,
  rules: UpdateRules,
  key: ObjectKey,
  transform: Transform,
  write: WriteRequest,
): Promise<UpdateResult> {
  const path = storageKey(store, key.namespace, key.name)
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(write.signal)
    const stored = await store.storage.get(path)
    try {
      if (stored === undefined) return await createByUpdate(store, rules, key, transform, write)
      return { object: await updateOnce(store, rules, key, path, stored, transform, write), created: false }
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      if (error.code === 'not-found' && !rules.allowCreate) throw new StatusError(notFound(store.type, key.name), { cause: error })
      if (error.code !== 'conflict' && error.code !== 'not-found') throw error
      if (attempt === maxUpdateAttempts) throw new StatusError(conflict(store.type, key.name), { cause: error })
    }
  }
}

async function createByUpdate(
  store: StoreContext,
  rules: UpdateRules,
  key: ObjectKey,
  transform: Transform,
  write: WriteRequest,
): Promise<UpdateResult> {
  if (!rules.allowCreate) throw new StatusError(notFound(store.type, key.name))
  const object = withMetadata(await transform(undefined))
  checkName(store, object, key)
  if (object.metadata.uid) {
    throw uidMismatch(store, key, { wanted: object.metadata.uid, actual: '' }, write.dryRun)
  }
  const { resourceVersion, ...metadata } = object.metadata
  if (resourceVersion && !/^\d+$/.test(resourceVersion)) throw unreadableVersion(resourceVersion)
  const created = await createObject(
    store,
    { ...object, metadata: { ...metadata, name: key.name } },
    { ...write, namespace: key.namespace ?? '' },
  )
  return { object: created, created: true }
}

async function updateOnce(
  store: StoreContext,
  rules: UpdateRules,
  key: ObjectKey,
  path: string,
  stored: UnstructuredObject,
  transform: Transform,
  write: WriteRequest,
): Promise<UnstructuredObject> {
  const old = store.toServed(stored)
  const admitted = await admitUpdate(store, rules, key, old, withMetadata(await transform(old)), write)
  const draft = deepCopy(admitted) as ObjectDraft
  checkResourceVersion(store, draft, old, key.name)
  const reservation = rules.subresource === '' ? store.reserve?.(draft, old) : undefined
  try {
    prepareForUpdate(rules, draft, old, write)
    validateUpdate(store, rules, draft as UnstructuredObject, old)
    if (store.strategy.allowBareFinalizers === 'with a warning') warnOfBareFinalizers(draft.metadata, old.metadata, write.warn)
    store.complete?.(draft)
    // Only now is the draft written out as the old object is, so that both can be compared.
    if (rules.changesGeneration?.(draft as UnstructuredObject, old)) draft.metadata.generation = (old.metadata.generation ?? 0) + 1
    rules.warn?.(draft as UnstructuredObject, write.warn, old)
    const object = deepFreeze(draft) as UnstructuredObject
    const facts = { operation: 'UPDATE', subresource: rules.subresource, key, object, oldObject: old } as const
    await write.admission.validate?.(admissionAttributes(store, write, facts))
    const result = await putChanged(store, path, object, old, stored, write.dryRun)
    if (write.dryRun) reservation?.release()
    else reservation?.commit()
    return result
  } catch (error) {
    reservation?.release()
    throw error
  }
}

async function admitUpdate(
  store: StoreContext,
  rules: UpdateRules,
  key: ObjectKey,
  old: UnstructuredObject,
  next: UnstructuredObject,
  write: WriteRequest,
): Promise<UnstructuredObject> {
  checkName(store, next, key)
  // A patch names no precondition: it only tries to change what cannot change.
  if (next.metadata.uid && next.metadata.uid !== old.metadata.uid && write.options.kind !== 'PatchOptions') {
    throw uidMismatch(store, key, { wanted: next.metadata.uid, actual: old.metadata.uid ?? '' }, write.dryRun)
  }
  const draft = defaultedDraft(store, next)
  if (isNamespaced(store)) draft.metadata.namespace ||= key.namespace ?? ''
  else delete draft.metadata.namespace
  draft.metadata.name ??= key.name
  dedupeOwnerReferences(draft.metadata, write.warn)
  if (write.admission.admit === undefined) return draft as UnstructuredObject
  const object = deepFreeze(draft) as UnstructuredObject
  const facts = { operation: 'UPDATE', subresource: rules.subresource, key, object, oldObject: old } as const
  const changed = await write.admission.admit(admissionAttributes(store, write, facts))
  if (changed === undefined || changed === object) return object
  return defaultedDraft(store, store.decode(changed).object) as UnstructuredObject
}

/** A body may come without metadata. */
function withMetadata(object: UnstructuredObject): UnstructuredObject {
  return object.metadata === undefined || object.metadata === null ? { ...object, metadata: {} } : object
}

function checkName(store: StoreContext, object: UnstructuredObject, key: ObjectKey): void {
  const { name, namespace } = object.metadata
  if (name && name !== key.name) {
    throw new StatusError(badRequest(`the name of the object (${name}) does not match the name on the URL (${key.name})`))
  }
  if (isNamespaced(store) && namespace && namespace !== key.namespace) {
    const message = `the namespace of the object (${namespace}) does not match the namespace on the request (${key.namespace})`
    throw new StatusError(badRequest(message))
  }
  checkNamespace(store, namespace, key.namespace)
}

/** @throws {StatusError} Conflict when the writer saw another state, Invalid when it must say which one it saw. */
function checkResourceVersion(store: StoreContext, draft: ObjectDraft, old: UnstructuredObject, name: string): void {
  const { resourceVersion } = draft.metadata
  if (resourceVersion && resourceVersion !== '0') {
    if (!/^\d+$/.test(resourceVersion)) throw unreadableVersion(resourceVersion)
    if (resourceVersion !== old.metadata.resourceVersion) throw new StatusError(conflict(store.type, name))
    return
  }
  if (store.strategy.allowUnconditionalUpdate === false) {
    const error = fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update')
    throw new StatusError(invalid(store.type.plural, store.type.group, name, [error]))
  }
  draft.metadata.resourceVersion = old.metadata.resourceVersion ?? ''
}

/** kube-apiserver has no better word for it. */
function unreadableVersion(text: string): StatusError {
  const message = `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}

function prepareForUpdate(rules: UpdateRules, draft: ObjectDraft, old: UnstructuredObject, write: WriteRequest): void {
  const { metadata } = draft
  if (old.metadata.generation === undefined) delete metadata.generation
  else metadata.generation = old.metadata.generation
  rules.prepare(draft, old, write)
  draft.metadata.uid ||= old.metadata.uid ?? ''
  if (draft.metadata.deletionGracePeriodSeconds === undefined && old.metadata.deletionGracePeriodSeconds !== undefined) {
    draft.metadata.deletionGracePeriodSeconds = old.metadata.deletionGracePeriodSeconds
  }
  const { creationTimestamp, deletionTimestamp } = old.metadata
  if (creationTimestamp === undefined) delete draft.metadata.creationTimestamp
  else draft.metadata.creationTimestamp = creationTimestamp
  // Where there was no deletion, one is a change, and refused as that.
  if (deletionTimestamp !== undefined) draft.metadata.deletionTimestamp = deletionTimestamp
  normalizeMetadata(draft.metadata)
}

function validateUpdate(store: StoreContext, rules: UpdateRules, object: UnstructuredObject, old: UnstructuredObject): void {
  const errors = validateMetadataUpdate(object.metadata, old.metadata)
  if (!store.strategy.allowBareFinalizers) errors.push(...validateFinalizersQualified(object.metadata.finalizers))
  errors.push(...rules.validate(object, old))
  if (errors.length > 0) throw invalidObject(store, old.metadata.name ?? '', errors)
}

async function putChanged(
  store: StoreContext,
  path: string,
  object: UnstructuredObject,
  old: UnstructuredObject,
  stored: UnstructuredObject,
  dryRun: boolean,
): Promise<UnstructuredObject> {
  if (completesDeletion(store, object, old)) {
    if (dryRun) return object
    // What watchers see go is what was stored last; the writer sees what it wrote.
    const removed = await store.storage.delete(path, stored, revisionOf(stored))
    await store.afterWrite?.({ type: 'delete', object: removed, previous: stored })
    return object
  }
  if (deepEqual(object, old)) return old
  if (dryRun) return asStored(store, object)
  const updated = await store.storage.update(path, store.toStored(object), revisionOf(stored))
  await store.afterWrite?.({ type: 'update', object: updated, previous: stored })
  return store.toServed(updated)
}

/** Whether this write takes away the last thing that kept a deleted object. */
function completesDeletion(store: StoreContext, object: UnstructuredObject, old: UnstructuredObject): boolean {
  if (old.metadata.deletionTimestamp === undefined || (object.metadata.finalizers ?? []).length > 0) return false
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 && store.strategy.deletion?.isHeld?.(object) !== true
}

/** A failed precondition; the message names the key that kube-apiserver would use, which begins elsewhere on a dry run. */
function uidMismatch(
  store: StoreContext,
  key: ObjectKey,
  uids: { readonly wanted: string; readonly actual: string },
  dryRun: boolean,
): StatusError {
  const path = isNamespaced(store) ? `${key.namespace}/${key.name}` : key.name
  const root = dryRun ? '' : '/registry'
  return new StatusError(preconditionFailed(store.type, key.name, { what: 'UID', ...uids }, `${root}/${keyFolder(store)}/${path}`))
}

/** Resources that kube-apiserver keeps under another name. */
const keptAs: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  ingresses: 'ingress',
}

/** Where kube-apiserver keeps the objects of a kind: its own under the name of the resource, those of others under the group too. */
function keyFolder({ type: { group, plural }, complete }: StoreContext): string {
  const isOfOthers = complete === undefined || group === 'apiextensions.k8s.io' || group === 'apiregistration.k8s.io'
  return isOfOthers ? `${group}/${plural}` : (keptAs[plural] ?? plural)
}
