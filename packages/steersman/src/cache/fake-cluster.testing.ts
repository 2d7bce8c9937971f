import type { AnyResourceType, KubernetesList, KubernetesObject, ObjectKey, ResourceType, Status, WatchEvent } from '../api/index.js'
import {
  alreadyExists,
  conflict,
  expired,
  initialEventsEndAnnotation,
  notFound,
  parseFieldSelector,
  parseLabelSelector,
  StatusError,
} from '../api/index.js'
import type { Client, ListOptions, WatchOptions } from '../client/index.js'
import { type Environment, TransportError } from '../environment/index.js'
import { BatchQueue, deepFreeze } from '../internal/index.js'
import { kindKey, storeKeyOf, storeKeyOfObject } from './key.js'

export interface Widget extends KubernetesObject {
  readonly spec?: { readonly size?: number; readonly color?: string }
}

function descriptor(kind: string, plural: string, scope: 'Namespaced' | 'Cluster'): ResourceType<Widget> {
  const singular = kind.toLowerCase()
  return { group: 'example.com', version: 'v1', kind, plural, singular, listKind: `${kind}List`, shortNames: [], categories: [], scope }
}

export const Widget = descriptor('Widget', 'widgets', 'Namespaced')
export const Gadget = descriptor('Gadget', 'gadgets', 'Namespaced')
export const Zone = descriptor('Zone', 'zones', 'Cluster')

interface HistoryEntry {
  readonly revision: number
  readonly kind: string
  readonly before: Widget | undefined
  /** Absent: deleted; `last` carries the revision of the deletion. */
  readonly after: Widget | undefined
  readonly last: Widget
}

interface Watcher {
  readonly kind: string
  readonly queue: BatchQueue<WatchEvent<Widget>>
  readonly selects: (object: Widget) => boolean
  readonly project: (object: Widget) => Widget
  isStalled: boolean
  sent: number
}

export interface SeenRequest {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete' | 'deleteCollection'
  readonly kind: string
  readonly atMs: number
  readonly options: ListOptions & WatchOptions
}

/**
 * A server of a few kinds and its client, in memory: one revision counter, history, compaction, lists with pages, watches with initial events and
 * bookmarks, and the faults that a network has.
 */
export class FakeCluster {
  readonly #environment: Environment
  readonly #objects = new Map<string, Map<string, Widget>>()
  readonly #history: HistoryEntry[] = []
  readonly #watchers = new Set<Watcher>()
  /** What remains of a list, a snapshot, by continue token. */
  readonly #pages = new Map<string, { readonly revision: number; readonly items: readonly Widget[] }>()
  #revision = 100
  #oldest = 0
  #uids = 0
  readonly requests: SeenRequest[] = []
  /** No connection. */
  isDown = false
  /** How the server takes `sendInitialEvents`. */
  streaming: 'yes' | 'refused' | 'ignored' = 'yes'
  /** Kinds that are not installed. */
  readonly missing = new Set<AnyResourceType>()
  /** Consulted before every request: what it returns is thrown. */
  fault: ((request: SeenRequest) => unknown) | undefined
  /** The next write takes place and its answer is lost. */
  losesNextAnswer = false
  /** How long after a write its events reach watchers. */
  lagMs = 0
  latencyMs = 1

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get revision(): number {
    return this.#revision
  }

  count(verb: SeenRequest['verb']): number {
    return this.requests.filter((request) => request.verb === verb).length
  }

  all(type: AnyResourceType): Widget[] {
    return [...this.#kind(kindKey(type)).values()].sort((left, right) => (storeKeyOfObject(left) < storeKeyOfObject(right) ? -1 : 1))
  }

  /** Creates or replaces without a request. */
  put(
    type: AnyResourceType,
    namespace: string | undefined,
    name: string,
    spec: Widget['spec'] = {},
    labels?: Record<string, string>,
  ): Widget {
    const key = storeKeyOf(type, namespace === undefined ? { name } : { namespace, name })
    const before = this.#kind(kindKey(type)).get(key)
    const metadata = {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: before?.metadata.uid ?? `uid-${++this.#uids}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(labels === undefined ? {} : { labels }),
      managedFields: [{ manager: 'test' }],
    }
    return this.#store(type, key, { apiVersion: 'example.com/v1', kind: type.kind, metadata, spec } as Widget)
  }

  remove(type: AnyResourceType, namespace: string | undefined, name: string): Widget | undefined {
    const kind = kindKey(type)
    const key = storeKeyOf(type, namespace === undefined ? { name } : { namespace, name })
    const before = this.#kind(kind).get(key)
    if (before === undefined) return undefined
    this.#kind(kind).delete(key)
    this.#revision++
    const last = deepFreeze({ ...before, metadata: { ...before.metadata, resourceVersion: String(this.#revision) } })
    this.#publish({ revision: this.#revision, kind, before, after: undefined, last })
    return before
  }

  /** The revision moves on by a change of some other kind. */
  tick(): void {
    this.#revision++
  }

  /** Forgets the history. */
  compact(): void {
    this.#oldest = this.#revision
    this.#history.length = 0
  }

  /** Ends all watches: cleanly, or with an error. */
  cut(error?: unknown): void {
    for (const { queue } of [...this.#watchers]) {
      if (error === undefined) queue.close()
      else queue.fail(error)
    }
  }

  goDown(): void {
    this.isDown = true
    this.cut(new TransportError('ECONNRESET', 'socket hang up'))
  }

  /** The watches that are open now bring nothing any more and do not end. */
  stall(): void {
    for (const watcher of this.#watchers) watcher.isStalled = true
  }

  bookmark(): void {
    for (const watcher of this.#watchers) {
      const event = this.#bookmarkOf(watcher.kind)
      // Not before the changes that it stands for.
      if (this.lagMs > 0) this.#environment.timer(this.lagMs, () => this.#send(watcher, [event]))
      else this.#send(watcher, [event])
    }
  }

  /** Puts an event on all watches of a kind as it is. */
  inject(type: AnyResourceType, event: unknown): void {
    for (const watcher of this.#watchers) if (watcher.kind === kindKey(type)) this.#send(watcher, [event as WatchEvent<Widget>])
  }

  get openWatches(): number {
    return this.#watchers.size
  }

  readonly client: Client = this.#makeClient()

  #makeClient(): Client {
    const notUsed = () => {
      throw new TypeError('Not part of the fake')
    }
    const write = async (verb: SeenRequest['verb'], type: AnyResourceType, signal: AbortSignal | undefined, change: () => unknown) => {
      await this.#begin(verb, type, signal === undefined ? {} : { signal })
      const result = change()
      const isLost = this.losesNextAnswer
      this.losesNextAnswer = false
      await this.#environment.sleep(this.latencyMs, signal)
      if (isLost) throw new TransportError('ECONNRESET', 'socket hang up')
      return result
    }
    const update = (type: AnyResourceType, input: Widget, options: { signal?: AbortSignal } = {}) =>
      write('update', type, options.signal, () => this.#update(type, input))
    const partial = (object: Widget) => ({ apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata }) as Widget
    const subresource = { get: notUsed, create: notUsed, update, patch: notUsed }
    const client = {
      get: async (type: AnyResourceType, key: ObjectKey, options: ListOptions = {}) => {
        await this.#begin('get', type, options)
        const object = this.#kind(kindKey(type)).get(storeKeyOf(type, key))
        if (object === undefined) throw new StatusError(notFound(type, key.name))
        return object
      },
      list: (type: AnyResourceType, options: ListOptions = {}) => this.#list(type, options, (object) => object),
      watch: (type: AnyResourceType, options: WatchOptions = {}) => this.#watch(type, options, (object) => object),
      metadata: {
        list: (type: AnyResourceType, options: ListOptions = {}) => this.#list(type, options, partial),
        watch: (type: AnyResourceType, options: WatchOptions = {}) => this.#watch(type, options, partial),
      },
      create: (type: AnyResourceType, input: Widget, options: { signal?: AbortSignal } = {}) =>
        write('create', type, options.signal, () => this.#create(type, input)),
      update,
      patch: notUsed,
      delete: (type: AnyResourceType, key: ObjectKey, options: { signal?: AbortSignal } = {}) =>
        write('delete', type, options.signal, () => this.#delete(type, key)),
      deleteCollection: (type: AnyResourceType, options: ListOptions = {}) =>
        write('deleteCollection', type, options.signal, () => {
          for (const { metadata } of this.all(type)) {
            if (!options.namespace || metadata.namespace === options.namespace)
              this.remove(type, metadata.namespace, metadata.name as string)
          }
        }),
      status: subresource,
      subresource: () => subresource,
      with: () => client,
    }
    return client as unknown as Client
  }

  async #begin(verb: SeenRequest['verb'], type: AnyResourceType, options: ListOptions & WatchOptions): Promise<void> {
    const request = { verb, kind: type.kind, atMs: this.#environment.monotonicMs(), options }
    this.requests.push(request)
    await this.#environment.sleep(this.latencyMs, options.signal)
    if (this.isDown) throw new TransportError('ECONNREFUSED', 'connect ECONNREFUSED')
    if (this.missing.has(type))
      throw new StatusError({ ...notFound(type, ''), message: 'the server could not find the requested resource' })
    const error = this.fault?.(request)
    if (error !== undefined) throw error
  }

  #create(type: AnyResourceType, { metadata, spec }: Widget): Widget {
    const { namespace, name = '' } = metadata
    if (this.#kind(kindKey(type)).has(storeKeyOfObject({ metadata }))) throw new StatusError(alreadyExists(type, name))
    return this.put(type, namespace, name, spec, metadata.labels)
  }

  #update(type: AnyResourceType, input: Widget): Widget | undefined {
    const { name = '', namespace, resourceVersion } = input.metadata
    const key = storeKeyOfObject(input)
    const before = this.#kind(kindKey(type)).get(key)
    if (before === undefined) throw new StatusError(notFound(type, name))
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion) throw new StatusError(conflict(type, name))
    const { deletionTimestamp } = before.metadata
    const metadata = { ...input.metadata, uid: before.metadata.uid as string, ...(deletionTimestamp ? { deletionTimestamp } : {}) }
    // An update that takes the last finalizer from a terminating object removes it, and answers with the object.
    if (deletionTimestamp && !metadata.finalizers?.length) {
      this.remove(type, namespace, name)
      return { ...input, metadata }
    }
    return this.#store(type, key, { ...input, metadata })
  }

  #delete(type: AnyResourceType, key: ObjectKey): Status | Widget {
    const before = this.#kind(kindKey(type)).get(storeKeyOf(type, key))
    if (before === undefined) throw new StatusError(notFound(type, key.name))
    if (before.metadata.finalizers?.length) {
      const metadata = { ...before.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 }
      return this.#store(type, storeKeyOf(type, key), { ...before, metadata })
    }
    this.remove(type, key.namespace, key.name)
    const details = { name: key.name, group: type.group, kind: type.plural, uid: before.metadata.uid as string }
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  }

  #store(type: AnyResourceType, key: string, object: Widget): Widget {
    const kind = kindKey(type)
    const before = this.#kind(kind).get(key)
    this.#revision++
    const stored = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } })
    this.#kind(kind).set(key, stored)
    this.#publish({ revision: this.#revision, kind, before, after: stored, last: stored })
    return stored
  }

  #publish(entry: HistoryEntry): void {
    this.#history.push(entry)
    const watchers = [...this.#watchers].filter((watcher) => watcher.kind === entry.kind)
    const send = () => {
      for (const watcher of watchers) if (this.#watchers.has(watcher)) this.#send(watcher, eventsOf(watcher, entry))
    }
    if (this.lagMs > 0) this.#environment.timer(this.lagMs, send)
    else send()
  }

  #send(watcher: Watcher, events: readonly WatchEvent<Widget>[]): void {
    if (watcher.isStalled) return
    for (const event of events) {
      watcher.queue.push(event)
      watcher.sent++
    }
  }

  async #list(type: AnyResourceType, options: ListOptions, project: (object: Widget) => Widget): Promise<KubernetesList<Widget>> {
    await this.#begin('list', type, options)
    const { limit = Number.POSITIVE_INFINITY, continue: token } = options
    const page =
      token === undefined ? { revision: this.#revision, items: this.all(type).filter(selectorOf(options)) } : this.#pages.get(token)
    if (page === undefined || page.revision < this.#oldest) throw new StatusError(expired('The provided continue parameter is too old'))
    const rest = page.items.slice(limit)
    const next = `token-${this.requests.length}`
    if (rest.length > 0) this.#pages.set(next, { ...page, items: rest })
    const metadata = { resourceVersion: String(page.revision), ...(rest.length > 0 ? { continue: next } : {}) }
    return { apiVersion: 'example.com/v1', kind: type.listKind, metadata, items: page.items.slice(0, limit).map(project) }
  }

  async *#watch(type: AnyResourceType, options: WatchOptions, project: Watcher['project']): AsyncIterable<readonly WatchEvent<Widget>[]> {
    await this.#begin('watch', type, options)
    if (options.sendInitialEvents && this.streaming === 'refused') {
      throw new StatusError({ ...notFound(type, ''), code: 422, reason: 'Invalid', message: 'sendInitialEvents is forbidden for watch' })
    }
    const queue = new BatchQueue<WatchEvent<Widget>>({
      maxPending: 1_000_000,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onEnd: () => {
        this.#watchers.delete(watcher)
        timer?.cancel()
      },
    })
    const watcher: Watcher = { kind: kindKey(type), queue, selects: selectorOf(options), project, isStalled: false, sent: 0 }
    const { timeoutSeconds } = options
    const timer =
      timeoutSeconds === undefined ? undefined : this.#environment.timer(timeoutSeconds * 1000, () => watcher.isStalled || queue.close())
    this.#watchers.add(watcher)
    this.#sendPast(watcher, type, options)
    yield* queue
  }

  #sendPast(watcher: Watcher, type: AnyResourceType, options: WatchOptions): void {
    const { resourceVersion = '' } = options
    if (resourceVersion === '' || resourceVersion === '0') {
      const objects = this.all(type).filter(watcher.selects)
      this.#send(
        watcher,
        objects.map((object) => ({ type: 'ADDED', object: watcher.project(object) })),
      )
      if (options.sendInitialEvents && this.streaming === 'yes') {
        this.#send(watcher, [this.#bookmarkOf(watcher.kind, { [initialEventsEndAnnotation]: 'true' })])
      }
    } else if (Number(resourceVersion) < this.#oldest) {
      this.#send(watcher, [{ type: 'ERROR', object: expired(`too old resource version: ${resourceVersion} (${this.#oldest})`) }])
      watcher.queue.close()
    } else {
      const entries = this.#history.filter((entry) => entry.kind === watcher.kind && entry.revision > Number(resourceVersion))
      for (const entry of entries) this.#send(watcher, eventsOf(watcher, entry))
    }
  }

  #bookmarkOf(kind: string, annotations?: Record<string, string>): WatchEvent<Widget> {
    const metadata = { resourceVersion: String(this.#revision), ...(annotations === undefined ? {} : { annotations }) }
    return { type: 'BOOKMARK', object: { apiVersion: 'example.com/v1', kind: kind.slice(kind.lastIndexOf('/') + 1), metadata } }
  }

  #kind(kind: string): Map<string, Widget> {
    let objects = this.#objects.get(kind)
    if (objects === undefined) {
      objects = new Map()
      this.#objects.set(kind, objects)
    }
    return objects
  }
}

function selectorOf(options: ListOptions | WatchOptions): (object: Widget) => boolean {
  const labels = parseLabelSelector(options.labelSelector ?? '')
  const fields = parseFieldSelector(options.fieldSelector ?? '')
  return ({ metadata, spec }) => {
    const field = (name: string) => (name === 'metadata.name' ? metadata.name : name === 'spec.color' ? spec?.color : metadata.namespace)
    return (!options.namespace || metadata.namespace === options.namespace) && labels.matches(metadata.labels) && fields.matches(field)
  }
}

/** Selectors on a watch: an object that begins to match is added, one that ceases to is deleted, in its last state with the event's version. */
function eventsOf({ selects, project }: Watcher, { before, after, last, revision }: HistoryEntry): readonly WatchEvent<Widget>[] {
  const did = before !== undefined && selects(before)
  const does = after !== undefined && selects(after)
  if (does) return [{ type: did ? 'MODIFIED' : 'ADDED', object: project(last) }]
  if (!did) return []
  return [{ type: 'DELETED', object: project({ ...before, metadata: { ...before.metadata, resourceVersion: String(revision) } }) }]
}
