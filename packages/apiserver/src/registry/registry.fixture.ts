import type { Status, UnstructuredObject, WatchEvent } from 'steersman/api'
import { statusOf } from 'steersman/api'
import { VirtualWorld } from 'steersman/environment'
import type { DeleteRequest, ResourceStore, WatchRequest, WriteRequest } from '../contracts/index.js'
import type { MemoryStorageOptions } from '../storage/index.js'
import { MemoryStorage } from '../storage/index.js'
import { ResourceRegistry } from './registry.js'

/** A registry over an empty storage in virtual time, for tests. */
export interface RegistryFixture {
  readonly world: VirtualWorld
  readonly storage: MemoryStorage
  readonly registry: ResourceRegistry
  readonly warnings: string[]
  /** The store of a resource, e.g. `v1/pods` or `apps/v1/deployments`. */
  store(path: string): ResourceStore
  /** Creates an object in the namespace `default`. */
  create(path: string, object: object, write?: Partial<WriteRequest>): Promise<UnstructuredObject>
  write(changes?: Partial<DeleteRequest>): DeleteRequest
}

/** Opens a {@link RegistryFixture}. */
export async function openRegistry(
  options: { readonly storage?: MemoryStorageOptions; readonly seed?: number } = {},
): Promise<RegistryFixture> {
  const world = new VirtualWorld({ seed: options.seed ?? 1 })
  const storage = new MemoryStorage(options.storage)
  const registry = await world.run(ResourceRegistry.open({ storage, environment: world.process('server') }))
  const warnings: string[] = []
  const store = (path: string): ResourceStore => {
    const parts = path.split('/')
    const [group = '', version = '', plural = ''] = parts.length === 2 ? ['', ...parts] : parts
    const found = registry.resource(group, version, plural)
    if (found === undefined) throw new TypeError(`Nothing serves ${path}`)
    return found
  }
  const write = (changes: Partial<DeleteRequest> = {}): DeleteRequest => ({
    user: { name: 'tester', groups: [] },
    dryRun: false,
    fieldManager: 'test',
    options: {},
    admission: { name: 'none' },
    warn: (text) => warnings.push(text),
    ...changes,
  })
  const create = (path: string, object: object, changes?: Partial<WriteRequest>) => {
    const target = store(path)
    const namespace = target.served.type.scope === 'Namespaced' ? 'default' : ''
    return target.create(decoded(target, object), { ...write(changes), namespace })
  }
  return { world, storage, registry, warnings, store, create, write }
}

/** An object as the endpoints would hand it over. */
export function decoded(store: ResourceStore, object: object): UnstructuredObject {
  const { group, version, kind } = store.served.type
  return store.decode({ apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object }).object
}

/** The Status of a refusal. */
export async function refusal(promise: Promise<unknown>): Promise<Status> {
  try {
    await promise
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined) throw error
    return status
  }
  throw new Error('expected a refusal')
}

/** Reads a watch, event by event. */
export class WatchReader {
  readonly abort = new AbortController()
  #iterator: AsyncIterator<readonly WatchEvent<UnstructuredObject>[]> | undefined
  #events: WatchEvent<UnstructuredObject>[] = []

  static async open(store: ResourceStore, request: Partial<WatchRequest> = {}): Promise<WatchReader> {
    const reader = new WatchReader()
    const watch = await store.watch({ namespace: '', timeoutMs: 3_600_000, signal: reader.abort.signal, ...request })
    reader.#iterator = watch[Symbol.asyncIterator]()
    return reader
  }

  /** The next event; `undefined` when the watch has ended. */
  async next(): Promise<WatchEvent<UnstructuredObject> | undefined> {
    while (this.#events.length === 0) {
      const result = await this.#iterator!.next()
      if (result.done) return undefined
      this.#events.push(...result.value)
    }
    return this.#events.shift()
  }

  /** The next events, as `TYPE name`. */
  async take(count: number): Promise<string[]> {
    const texts: string[] = []
    while (texts.length < count) {
      const event = await this.next()
      if (event === undefined) return [...texts, 'END']
      texts.push(`${event.type} ${(event.object as UnstructuredObject).metadata.name ?? ''}`)
    }
    return texts
  }
}
