import type { FieldError, Status, UnstructuredObject, WatchEvent } from 'steersman/api'
import { expired, fieldError, initialEventsEndAnnotation, invalid, StatusError, tooLargeResourceVersion } from 'steersman/api'
import type { Timer } from 'steersman/environment'
import { deepFreeze, onAbort } from 'steersman/internal'
import type { WatchRequest } from '../contracts/index.js'
import type { StorageEvent, StorageWatch, StorageWatchBatch } from '../storage/index.js'
import { StorageError } from '../storage/index.js'
import { parseResourceVersion, selectionPrefix } from './list.js'
import type { Selection } from './selection.js'
import { compileSelection } from './selection.js'
import type { StoreContext } from './store-context.js'

/** An event of a watch: the same value, with the same object, for every watcher of a served version that sees the same change. */
export type ResourceEvent = WatchEvent<UnstructuredObject>

const bookmarkIntervalMs = 60_000
/** A last bookmark comes so long before the end, in time for the client to read it. */
const lastBookmarkMs = 2_000
const futureVersionWaitMs = 3_000

/** Watches what a request selects. See `ResourceStore.watch`. */
export async function watchObjects(store: StoreContext, request: WatchRequest): Promise<AsyncIterable<readonly ResourceEvent[]>> {
  validateWatchOptions(request)
  request.signal.throwIfAborted()
  const selection = compileSelection(store, request)
  const wanted = parseResourceVersion(request.resourceVersion)
  const prefix = selectionPrefix(store, selection)
  const sendsInitial = request.sendInitialEvents ?? wanted === 0
  const life = new AbortController()
  const watcher = new Watcher(store, selection, request, life)
  try {
    if (!sendsInitial) {
      const from = wanted === 0 ? await store.storage.currentRevision() : wanted
      watcher.start(await store.storage.watch(prefix, from, { signal: life.signal }), from)
    } else if (await reaches(store, wanted, request)) {
      const list = await store.storage.list(prefix)
      const source = await store.storage.watch(prefix, list.revision, { signal: life.signal })
      watcher.start(source, list.revision, initialEvents(store, selection, list.items))
    } else watcher.refuse(tooLargeResourceVersion(wanted, await store.storage.currentRevision()))
  } catch (error) {
    request.signal.throwIfAborted()
    if (life.signal.aborted) return watcher
    if (!(error instanceof StorageError) || error.code !== 'compacted') {
      watcher.end()
      throw error
    }
    watcher.refuse(await tooOld(store, wanted))
  }
  return watcher
}

async function tooOld(store: StoreContext, wanted: number): Promise<Status> {
  // The oldest possible start is not part of the storage's interface; clients do not read it.
  return expired(`too old resource version: ${wanted} (${await store.storage.currentRevision()})`)
}

/** Whether the storage has the version asked for, within the time that clients are made to wait. */
async function reaches(store: StoreContext, wanted: number, request: WatchRequest): Promise<boolean> {
  if (wanted <= (await store.storage.currentRevision())) return true
  await store.environment.sleep(Math.min(futureVersionWaitMs, request.timeoutMs), request.signal)
  return wanted <= (await store.storage.currentRevision())
}

function initialEvents(store: StoreContext, selection: Selection, items: readonly UnstructuredObject[]): ResourceEvent[] {
  const events: ResourceEvent[] = []
  for (const item of items) {
    const object = store.toServed(item)
    if (selection.isEmpty || selection.matches(object)) events.push({ type: 'ADDED', object })
  }
  return events
}

/** One watch: merges what storage brings with the bookmarks and ends in time. One reader. */
class Watcher implements AsyncIterableIterator<readonly ResourceEvent[]> {
  readonly #store: StoreContext
  readonly #selection: Selection
  readonly #request: WatchRequest
  readonly #life: AbortController
  readonly #timers: Timer[] = []
  readonly #releases: (() => void)[] = []
  #source: StorageWatch | undefined
  #iterator: AsyncIterator<StorageWatchBatch> | undefined
  #reading = false
  #ready: ResourceEvent[][] = []
  #bookmarkDue = false
  #finishing = false
  #state: 'open' | 'draining' | 'ended' = 'open'
  #failure: { readonly error: unknown } | undefined
  #waiter:
    | { readonly resolve: (result: IteratorResult<readonly ResourceEvent[]>) => void; readonly reject: (error: unknown) => void }
    | undefined

  constructor(store: StoreContext, selection: Selection, request: WatchRequest, life: AbortController) {
    this.#store = store
    this.#selection = selection
    this.#request = request
    this.#life = life
    this.#releases.push(
      onAbort(request.signal, () => this.#fail(request.signal.reason)),
      onAbort(store.unserved, () => this.#finish()),
    )
    if (store.unserved.aborted) this.#finish()
  }

  start(source: StorageWatch, revision: number, initial?: ResourceEvent[]): void {
    if (this.#state !== 'open') return
    this.#source = source
    this.#iterator = source[Symbol.asyncIterator]()
    if (initial !== undefined) {
      if (this.#request.sendInitialEvents === true && this.#request.allowWatchBookmarks === true) {
        initial.push(this.#bookmark(revision, { [initialEventsEndAnnotation]: 'true' }))
      }
      if (initial.length > 0) this.#ready.push(initial)
    }
    const { environment } = this.#store
    const { timeoutMs } = this.#request
    this.#timers.push(environment.timer(timeoutMs, () => this.#drain(), { unref: true }))
    if (this.#request.allowWatchBookmarks !== true) return
    if (timeoutMs > lastBookmarkMs) {
      this.#timers.push(environment.timer(timeoutMs - lastBookmarkMs, () => this.#askForBookmark(), { unref: true }))
    }
    this.#scheduleBookmark()
  }

  /** Makes the watch say why it cannot be, and end. */
  refuse(status: Status): void {
    if (this.#state !== 'open') return
    this.#ready.push([{ type: 'ERROR', object: status }])
    this.#drain()
  }

  next(): Promise<IteratorResult<readonly ResourceEvent[]>> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
      this.#settle()
      if (this.#waiter !== undefined) this.#read()
    })
  }

  async return(): Promise<IteratorResult<readonly ResourceEvent[]>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  end(): void {
    this.#ready = []
    this.#drain()
  }

  #fail(error: unknown): void {
    if (this.#state === 'ended') return
    this.#ready = []
    this.#failure = { error }
    this.#drain()
  }

  /** Brings what was committed up to now, and ends. */
  #finish(): void {
    if (this.#source === undefined) this.#drain()
    else {
      this.#finishing = true
      this.#source.requestProgress()
    }
  }

  /** Takes nothing new; what is ready still goes out. */
  #drain(): void {
    if (this.#state === 'ended') return
    this.#state = 'draining'
    for (const timer of this.#timers.splice(0)) timer.cancel()
    for (const release of this.#releases.splice(0)) release()
    this.#life.abort()
    this.#settle()
  }

  #settle(): void {
    const waiter = this.#waiter
    if (waiter === undefined) return
    const batch = this.#ready.shift()
    if (batch !== undefined) {
      this.#waiter = undefined
      waiter.resolve({ done: false, value: batch })
    } else if (this.#state !== 'open') {
      this.#waiter = undefined
      this.#state = 'ended'
      const failure = this.#failure
      this.#failure = undefined
      if (failure === undefined) waiter.resolve({ done: true, value: undefined })
      else waiter.reject(failure.error)
    }
  }

  /** Reads storage only while somebody waits, so that its bound on what is pending holds for the whole watch. */
  #read(): void {
    if (this.#reading || this.#state !== 'open' || this.#iterator === undefined) return
    this.#reading = true
    this.#iterator.next().then(
      (result) => {
        this.#reading = false
        if (this.#state !== 'open') return
        if (result.done === true) this.#drain()
        else this.#accept(result.value)
        if (this.#waiter !== undefined) this.#read()
      },
      (error: unknown) => {
        this.#reading = false
        // A reader that is too slow is cut off, as the real server does: it resumes from the last version it has seen.
        if (error instanceof StorageError) this.#drain()
        else this.#fail(error)
      },
    )
  }

  #accept(batch: StorageWatchBatch): void {
    const events: ResourceEvent[] = []
    for (const event of batch.events) {
      const seen = transition(this.#store, event, this.#selection)
      if (seen !== undefined) events.push(seen)
    }
    if (this.#bookmarkDue) {
      this.#bookmarkDue = false
      events.push(this.#bookmark(batch.revision))
    }
    if (events.length > 0) this.#ready.push(events)
    if (this.#finishing) this.#drain()
    else this.#settle()
  }

  #scheduleBookmark(): void {
    const timer = this.#store.environment.timer(
      bookmarkIntervalMs,
      () => {
        const index = this.#timers.indexOf(timer)
        if (index !== -1) this.#timers.splice(index, 1)
        this.#askForBookmark()
        this.#scheduleBookmark()
      },
      { unref: true },
    )
    this.#timers.push(timer)
  }

  #askForBookmark(): void {
    this.#bookmarkDue = true
    this.#source?.requestProgress()
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): ResourceEvent {
    const { group, version, kind } = this.#store.type
    const metadata = { resourceVersion: String(revision), ...(annotations === undefined ? {} : { annotations }) }
    const apiVersion = group === '' ? version : `${group}/${version}`
    return { type: 'BOOKMARK', object: deepFreeze({ kind, apiVersion, metadata }) }
  }
}

/** The views of a change in one served version, made on first use. */
interface Views {
  added?: ResourceEvent
  modified?: ResourceEvent
  deleted?: ResourceEvent
}

const viewsOfStores = new WeakMap<StoreContext, WeakMap<StorageEvent, Views>>()

/** How a change shows to a watcher with a selection; `undefined`: not at all. What leaves the selection is deleted for the watcher. */
function transition(store: StoreContext, event: StorageEvent, selection: Selection): ResourceEvent | undefined {
  const before = event.previous
  const wasSelected = before !== undefined && (selection.isEmpty || selection.matches(store.toServed(before)))
  const isSelected = event.type !== 'delete' && (selection.isEmpty || selection.matches(store.toServed(event.object)))
  if (!wasSelected && !isSelected) return undefined
  const views = viewsOf(store, event)
  if (!isSelected) {
    views.deleted ??= deletedView(store, event)
    return views.deleted
  }
  if (wasSelected) {
    views.modified ??= Object.freeze({ type: 'MODIFIED', object: store.toServed(event.object) })
    return views.modified
  }
  views.added ??= Object.freeze({ type: 'ADDED', object: store.toServed(event.object) })
  return views.added
}

function viewsOf(store: StoreContext, event: StorageEvent): Views {
  let ofStore = viewsOfStores.get(store)
  if (ofStore === undefined) {
    ofStore = new WeakMap()
    viewsOfStores.set(store, ofStore)
  }
  let views = ofStore.get(event)
  if (views === undefined) {
    views = {}
    ofStore.set(event, views)
  }
  return views
}

function deletedView(store: StoreContext, event: StorageEvent): ResourceEvent {
  if (event.type === 'delete') return Object.freeze({ type: 'DELETED', object: store.toServed(event.object) })
  const last = store.toServed(event.previous ?? event.object)
  const object = deepFreeze({ ...last, metadata: { ...last.metadata, resourceVersion: String(event.revision) } })
  return Object.freeze({ type: 'DELETED', object })
}

function validateWatchOptions(request: WatchRequest): void {
  const { resourceVersionMatch: match, sendInitialEvents } = request
  const path = 'resourceVersionMatch'
  const errors: FieldError[] = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(fieldError.forbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  }
  if (match) {
    if (sendInitialEvents === undefined) {
      errors.push(fieldError.forbidden(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'))
    }
    if (match !== 'NotOlderThan') errors.push(fieldError.notSupported(path, match, ['NotOlderThan']))
  }
  if (errors.length > 0) throw new StatusError(invalid('ListOptions', 'meta.k8s.io', '', errors))
}
