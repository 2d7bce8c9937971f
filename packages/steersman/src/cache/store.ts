import type { KubernetesObject } from '../api/index.js'
import { deepFreeze } from '../internal/index.js'
import type { IndexFunction } from './indexer.js'
import { Index } from './indexer.js'
import { namespaceOfStoreKey } from './key.js'
import { KeySet, KeySets } from './key-set.js'

/**
 * The objects of one informer by store key, with indices.
 *
 * Objects are frozen in depth when they are first handed out (read, or given to an index function), not when they come in: what nobody
 * reads costs nothing, and what an in-process server has frozen already costs one check.
 *
 * Lists are in ascending order of the keys, as a server's are: equal contents give equal lists, however they came about.
 */
export class Store<Resource extends KubernetesObject = KubernetesObject> {
  readonly #objects = new Map<string, Resource>()
  readonly #namespaces = new KeySets()
  /** Each with a trailing slash: `a-b/` sorts before `a/`, as the keys under them do. */
  readonly #namespaceNames = new KeySet()
  readonly #indices = new Map<string, Index<Resource>>()
  readonly #onIndexError: (indexName: string, error: unknown) => void

  /** @param onIndexError told when an index function throws; the object then has no value in that index. */
  constructor(onIndexError: (indexName: string, error: unknown) => void) {
    this.#onIndexError = onIndexError
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): Resource | undefined {
    return deepFreeze(this.#objects.get(key))
  }

  /** The object without freezing it, for looking at its metadata in this room. */
  peek(key: string): Resource | undefined {
    return this.#objects.get(key)
  }

  /** All keys, in no particular order. Keys may be deleted during the iteration. */
  keys(): IterableIterator<string> {
    return this.#objects.keys()
  }

  set(key: string, object: Resource): void {
    const before = this.#objects.get(key)
    this.#objects.set(key, object)
    if (before === undefined) {
      const namespace = namespaceOfStoreKey(key)
      if (this.#namespaces.add(namespace, key)) this.#namespaceNames.add(`${namespace}/`)
    }
    for (const index of this.#indices.values()) index.update(key, before, object)
  }

  delete(key: string): void {
    const before = this.#objects.get(key)
    if (before === undefined) return
    this.#objects.delete(key)
    const namespace = namespaceOfStoreKey(key)
    if (this.#namespaces.delete(namespace, key)) this.#namespaceNames.delete(`${namespace}/`)
    for (const index of this.#indices.values()) index.update(key, before, undefined)
  }

  clear(): void {
    for (const key of [...this.#objects.keys()]) this.delete(key)
  }

  /** Objects in key order. Namespace absent or empty: all. */
  list(namespace?: string): Resource[] {
    if (namespace !== undefined && namespace !== '') return this.#objectsOf(this.#namespaces.get(namespace)?.sorted() ?? [])
    const objects: Resource[] = []
    for (const name of this.#namespaceNames.sorted()) {
      const keys = this.#namespaces.get(name.slice(0, -1))?.sorted() ?? []
      for (const key of keys) objects.push(deepFreeze(this.#objects.get(key) as Resource))
    }
    return objects
  }

  hasIndex(name: string): boolean {
    return this.#indices.has(name)
  }

  /**
   * Indexes the objects by the values that the function returns, those present at once.
   *
   * @throws {TypeError} when there is an index of this name.
   */
  addIndex(name: string, values: IndexFunction<Resource>): void {
    if (this.#indices.has(name)) throw new TypeError(`Cannot add index "${name}": there is one of this name`)
    const index = new Index<Resource>((object) => this.#valuesOf(name, values, object))
    for (const [key, object] of this.#objects) index.update(key, undefined, object)
    this.#indices.set(name, index)
  }

  /**
   * Objects in key order whose index has the value.
   *
   * @throws {TypeError} when there is no such index.
   */
  byIndex(name: string, value: string, namespace?: string): Resource[] {
    const index = this.#indices.get(name)
    if (index === undefined) {
      const known = [...this.#indices.keys()].map((known) => `"${known}"`).join(', ')
      throw new TypeError(`Cannot read by index "${name}": no such index, there are: ${known || 'none'}`)
    }
    return this.#objectsOf(index.keys(value, namespace))
  }

  #objectsOf(keys: readonly string[]): Resource[] {
    return keys.map((key) => deepFreeze(this.#objects.get(key) as Resource))
  }

  #valuesOf(name: string, values: IndexFunction<Resource>, object: Resource): readonly string[] {
    try {
      return values(deepFreeze(object))
    } catch (error) {
      this.#onIndexError(name, error)
      return []
    }
  }
}
