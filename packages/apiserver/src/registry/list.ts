import type { FieldError, ObjectKey, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, expired, fieldError, invalid, notFound, StatusError, tooLargeResourceVersion } from 'steersman/api'
import type { GetRequest, ListRequest, ListResult } from '../contracts/index.js'
import type { ContinueToken, StorageListResult } from '../storage/index.js'
import { decodeContinueToken, encodeContinueToken, StorageError } from '../storage/index.js'
import type { Selection } from './selection.js'
import { compileSelection } from './selection.js'
import type { StoreContext } from './store-context.js'
import { isNamespaced, storageKey } from './store-context.js'

const tooOldList = 'The resourceVersion for the provided list is too old.'
const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

/** Reads one object. @throws {StatusError} NotFound; Timeout when the version asked for lies in the future. */
export async function getObject(store: StoreContext, key: ObjectKey, request: GetRequest = {}): Promise<UnstructuredObject> {
  const wanted = parseResourceVersion(request.resourceVersion)
  if (wanted > 0) await mustHaveReached(store, wanted)
  const stored = await store.storage.get(storageKey(store, key.namespace, key.name))
  if (stored === undefined) throw new StatusError(notFound(store.type, key.name))
  return store.toServed(stored)
}

/** Lists what a request selects. */
export async function listObjects(store: StoreContext, request: ListRequest): Promise<ListResult> {
  validateListOptions(request)
  const selection = compileSelection(store, request)
  const prefix = selectionPrefix(store, selection)
  const token = parseToken(request)
  const revision = token === undefined ? await listRevision(store, request) : token.revision === -1 ? undefined : token.revision
  // Whatever is at hand is given as a whole: kube-apiserver's cache has no pages. One object has none either.
  const isWhole = request.resourceVersion === '0' || selection.name !== ''
  const limit = isWhole ? 0 : (request.limit ?? 0)
  const listed = await readStorage(store, prefix, selection.isEmpty ? limit : 0, revision, token)
  const page = selection.isEmpty ? takeAll(listed) : filter(store, listed, selection, limit)
  const items = page.items.map((item) => store.toServed(item))
  const result = { items, resourceVersion: String(listed.revision) }
  if (page.lastKey === undefined || page.remaining === 0) return result
  const next = encodeContinueToken({ revision: listed.revision, start: `/${page.lastKey.slice(prefix.length)}\0` })
  return selection.isEmpty ? { ...result, continue: next, remainingItemCount: page.remaining } : { ...result, continue: next }
}

/** The part of storage that can hold what is selected. */
export function selectionPrefix(store: StoreContext, selection: Selection): string {
  return isNamespaced(store) && selection.namespace !== '' ? `${store.prefix}${selection.namespace}/` : store.prefix
}

interface Page {
  readonly items: readonly UnstructuredObject[]
  readonly lastKey: string | undefined
  /** Objects after the page, whether selected or not. */
  readonly remaining: number
}

function takeAll({ items, keys, remaining }: StorageListResult): Page {
  return { items, lastKey: keys.at(-1), remaining }
}

function filter(store: StoreContext, listed: StorageListResult, selection: Selection, limit: number): Page {
  const items: UnstructuredObject[] = []
  for (let index = 0; index < listed.items.length; index++) {
    const item = listed.items[index]!
    if (!selection.matches(store.toServed(item))) continue
    items.push(item)
    if (items.length === limit) return { items, lastKey: listed.keys[index], remaining: listed.items.length - index - 1 }
  }
  return { items, lastKey: undefined, remaining: 0 }
}

async function readStorage(
  store: StoreContext,
  prefix: string,
  limit: number,
  revision: number | undefined,
  token: ContinueToken | undefined,
): Promise<StorageListResult> {
  const startKey = token === undefined ? undefined : prefix + token.start
  try {
    return await store.storage.list(prefix, {
      limit,
      ...(startKey === undefined ? {} : { startKey }),
      ...(revision === undefined ? {} : { revision }),
    })
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (error.code === 'compacted') {
      const rest = token === undefined ? undefined : encodeContinueToken({ revision: -1, start: token.start })
      throw new StatusError(rest === undefined ? expired(tooOldList) : expired(inconsistentContinue, rest), { cause: error })
    }
    if (error.code === 'future') {
      throw new StatusError(tooLargeResourceVersion(revision ?? 0, await store.storage.currentRevision()), { cause: error })
    }
    throw error
  }
}

function parseToken(request: ListRequest): ContinueToken | undefined {
  if (!request.continue) return undefined
  if (request.resourceVersion && request.resourceVersion !== '0') {
    throw new StatusError(badRequest('specifying resource version is not allowed when using continue'))
  }
  try {
    return decodeContinueToken(request.continue)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StatusError(badRequest(`invalid continue token: ${error.message}`), { cause: error })
  }
}

/** The revision that a list must show exactly; `undefined`: the newest, which is never older than what was asked for. */
async function listRevision(store: StoreContext, request: ListRequest): Promise<number | undefined> {
  const wanted = parseResourceVersion(request.resourceVersion, (message) => badRequest(`invalid resource version: ${message}`))
  if (wanted === 0) return undefined
  const exact = request.resourceVersionMatch === 'Exact' || (!request.resourceVersionMatch && (request.limit ?? 0) > 0)
  if (exact) return wanted
  await mustHaveReached(store, wanted)
  return undefined
}

async function mustHaveReached(store: StoreContext, revision: number): Promise<void> {
  const current = await store.storage.currentRevision()
  if (revision > current) throw new StatusError(tooLargeResourceVersion(revision, current))
}

/** The number of a resource version; 0 for an absent one and for `0`. @throws {StatusError} as the real server does: 500 unless told otherwise. */
export function parseResourceVersion(text: string | undefined, refusal: (message: string) => Status = internal): number {
  if (text === undefined || text === '') return 0
  if (!/^\d+$/.test(text)) {
    const value = fieldError.invalid('resourceVersion', text, `strconv.ParseUint: parsing "${text}": invalid syntax`)
    throw new StatusError(refusal(`${value.field}: Invalid value: "${text}": ${value.detail}`))
  }
  return Number(text)
}

const internal = (message: string) => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }) as const

function validateListOptions(request: ListRequest): void {
  const { resourceVersionMatch: match, resourceVersion } = request
  if (!match) return
  const path = 'resourceVersionMatch'
  const errors: FieldError[] = []
  if (!resourceVersion) errors.push(fieldError.forbidden(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
  if (request.continue) errors.push(fieldError.forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'))
  if (match !== 'Exact' && match !== 'NotOlderThan') errors.push(fieldError.notSupported(path, match, ['Exact', 'NotOlderThan', '']))
  if (match === 'Exact' && resourceVersion === '0') {
    errors.push(fieldError.forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (errors.length > 0) throw new StatusError(invalid('ListOptions', 'meta.k8s.io', '', errors))
}
