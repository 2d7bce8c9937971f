import type { UnstructuredObject } from 'steersman/api'
import {
  alreadyExists,
  beingDeleted,
  fieldError,
  generateName,
  generateNameConflict,
  isAlreadyExists,
  StatusError,
  validatePathSegmentName,
} from 'steersman/api'
import { deepCopy, deepFreeze } from 'steersman/internal'
import type { WriteRequest } from '../contracts/index.js'
import { StorageError } from '../storage/index.js'
import { invalidObject } from './invalid-object.js'
import {
  dedupeOwnerReferences,
  normalizeMetadata,
  validateFinalizersQualified,
  validateMetadata,
  warnOfBareFinalizers,
  wipeSystemMetadata,
} from './metadata.js'
import type { ObjectDraft, StoreContext } from './store-context.js'
import {
  admissionAttributes,
  asStored,
  checkNamespace,
  defaultedDraft,
  isNamespaced,
  storageKey,
  strategyContext,
  timestamp,
} from './store-context.js'

/** With so many tries a million names of one prefix leave a chance of 0.1 % to fail. */
const maxNameAttempts = 8

/**
 * Creates an object from a decoded one.
 *
 * @returns the stored object in the served version; on a dry run what would have been stored.
 */
export async function createObject(
  store: StoreContext,
  object: UnstructuredObject,
  write: WriteRequest & { readonly namespace: string },
): Promise<UnstructuredObject> {
  store.refuseCreate?.()
  const admitted = await admitCreate(store, object, write)
  const generates = !admitted.metadata.name && Boolean(admitted.metadata.generateName)
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(store, admitted, write)
    } catch (error) {
      if (!generates || attempt === maxNameAttempts || !isAlreadyExists(error)) throw error
    }
  }
}

/** Completes the metadata that the request decides, applies defaults and asks admission. */
async function admitCreate(
  store: StoreContext,
  object: UnstructuredObject,
  write: WriteRequest & { readonly namespace: string },
): Promise<UnstructuredObject> {
  const draft = defaultedDraft(store, object)
  const { metadata } = draft
  checkNamespace(store, metadata.namespace, write.namespace)
  if (isNamespaced(store)) metadata.namespace = write.namespace
  else delete metadata.namespace
  wipeSystemMetadata(metadata)
  dedupeOwnerReferences(metadata, write.warn)
  if (write.admission.admit === undefined) return draft as UnstructuredObject
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
  const frozen = deepFreeze(draft) as UnstructuredObject
  const changed = await write.admission.admit(admissionAttributes(store, write, { operation: 'CREATE', key, object: frozen }))
  if (changed === undefined || changed === frozen) return frozen
  return defaultedDraft(store, store.decode(changed).object) as UnstructuredObject
}

async function createOnce(store: StoreContext, admitted: UnstructuredObject, write: WriteRequest): Promise<UnstructuredObject> {
  const draft = deepCopy(admitted) as ObjectDraft
  const { metadata } = draft
  metadata.uid = store.environment.uuid()
  metadata.creationTimestamp = timestamp(store.environment.now())
  const generated = !metadata.name && Boolean(metadata.generateName)
  if (generated) metadata.name = generateName(metadata.generateName!, () => store.environment.random())
  const reservation = store.reserve?.(draft, undefined)
  try {
    prepareForCreate(store, draft, write)
    validateCreate(store, draft as UnstructuredObject)
    if (store.strategy.allowBareFinalizers === 'with a warning') warnOfBareFinalizers(metadata, undefined, write.warn)
    store.strategy.warn?.(draft as UnstructuredObject, write.warn)
    store.complete?.(draft)
    const name = metadata.name ?? ''
    const object = draft as UnstructuredObject
    await write.admission.validate?.(
      admissionAttributes(store, write, {
        operation: 'CREATE',
        key: { namespace: metadata.namespace ?? '', name },
        object: deepFreeze(object),
      }),
    )
    const created = await putNew(store, object, Boolean(metadata.generateName), write.dryRun)
    if (write.dryRun) reservation?.release()
    else reservation?.commit()
    return created
  } catch (error) {
    reservation?.release()
    throw error
  }
}

function prepareForCreate(store: StoreContext, draft: ObjectDraft, write: WriteRequest): void {
  const { strategy } = store
  strategy.dropDisabledFields?.(draft)
  if (strategy.status !== undefined && strategy.status.acceptedOnCreate !== true) {
    delete draft.status
    const status = strategy.status.initial?.(draft as UnstructuredObject)
    if (status !== undefined) draft.status = status
  }
  strategy.prepareForCreate?.(draft, strategyContext(store, write))
  if (strategy.changesGeneration !== undefined) draft.metadata.generation = 1
  normalizeMetadata(draft.metadata)
}

function validateCreate(store: StoreContext, object: UnstructuredObject): void {
  const { strategy } = store
  const { metadata } = object
  const errors = validateMetadata(metadata, isNamespaced(store), strategy.validateName)
  if (!strategy.allowBareFinalizers || strategy.allowBareFinalizers === 'on an update')
    errors.push(...validateFinalizersQualified(metadata.finalizers))
  const own = strategy.validate?.(object) ?? []
  if (strategy.checksMetadataLast === true && own.length > 0) errors.splice(0)
  errors.push(...own)
  // Of a name that the kind has nothing against, storage still makes a path.
  if (errors.length === 0) {
    errors.push(...validatePathSegmentName(metadata.name ?? '').map((detail) => fieldError.invalid('metadata.name', metadata.name, detail)))
  }
  if (errors.length > 0) throw invalidObject(store, metadata.name ?? '', errors)
}

async function putNew(store: StoreContext, object: UnstructuredObject, generated: boolean, dryRun: boolean): Promise<UnstructuredObject> {
  const name = object.metadata.name ?? ''
  const { resourceVersion } = object.metadata
  const key = storageKey(store, object.metadata.namespace, name)
  if (dryRun) {
    const existing = await store.storage.get(key)
    if (existing !== undefined) throw existsError(store, name, generated, existing)
    return asStored(store, object)
  }
  // What is no revision is overwritten in silence.
  if (resourceVersion && /^\d+$/.test(resourceVersion) && Number(resourceVersion) !== 0) throw versionOnCreate()
  try {
    const stored = await store.storage.create(key, store.toStored(object))
    await store.afterWrite?.({ type: 'create', object: stored })
    return store.toServed(stored)
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'exists') throw error
    throw existsError(store, name, generated, error.current, error)
  }
}

/** Refused as late as storage would. */
function versionOnCreate(): StatusError {
  const message = 'resourceVersion should not be set on objects to be created'
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}

function existsError(
  store: StoreContext,
  name: string,
  generated: boolean,
  existing: UnstructuredObject | undefined,
  cause?: Error,
): StatusError {
  const options = cause === undefined ? undefined : { cause }
  if (existing?.metadata.deletionTimestamp !== undefined) return new StatusError(beingDeleted(store.type, name), options)
  return new StatusError(generated ? generateNameConflict(store.type, name) : alreadyExists(store.type, name), options)
}
