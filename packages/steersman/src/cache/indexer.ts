import { namespaceOfStoreKey } from './key.js'
import { KeySets } from './key-set.js'

/** Computes the values under which an object is found. Must depend on the object only: it is called again to find the entries to remove. */
export type IndexFunction<Resource> = (object: Resource) => readonly string[]

/**
 * One index: value to keys, over all namespaces and per namespace.
 *
 * An object may have any number of values; a value that appears twice counts once.
 */
export class Index<Resource> {
  readonly #values: IndexFunction<Resource>
  readonly #everywhere = new KeySets()
  /** Named `namespace/value`: a namespace holds no slash, so names are unambiguous. */
  readonly #inNamespace = new KeySets()

  constructor(values: IndexFunction<Resource>) {
    this.#values = values
  }

  /** Moves an object from its old values to its new ones. Costs nothing beyond the two computations when they are the same. */
  update(key: string, before: Resource | undefined, after: Resource | undefined): void {
    const oldValues = before === undefined ? none : this.#values(before)
    const newValues = after === undefined ? none : this.#values(after)
    if (sameValues(oldValues, newValues)) return
    const namespace = namespaceOfStoreKey(key)
    for (const value of oldValues) {
      this.#everywhere.delete(value, key)
      if (namespace !== '') this.#inNamespace.delete(`${namespace}/${value}`, key)
    }
    for (const value of newValues) {
      this.#everywhere.add(value, key)
      if (namespace !== '') this.#inNamespace.add(`${namespace}/${value}`, key)
    }
  }

  /** Keys in ascending order. Namespace absent or empty: all. */
  keys(value: string, namespace?: string): readonly string[] {
    const keys = namespace === undefined || namespace === '' ? this.#everywhere.get(value) : this.#inNamespace.get(`${namespace}/${value}`)
    return keys?.sorted() ?? none
  }
}

const none: readonly string[] = []

function sameValues(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index])
}
