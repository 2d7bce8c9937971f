/**
 * A set of store keys that can be read in key order.
 *
 * Adding and deleting cost O(1). The order is made when it is asked for and kept until the next key comes or goes, so that reading again
 * after objects were merely updated sorts nothing. A set of one, the usual case in an index over owners, has no inner collection.
 */
export class KeySet {
  #single: string | undefined
  #many: Set<string> | undefined
  #sorted: readonly string[] | undefined

  get size(): number {
    return this.#many?.size ?? (this.#single === undefined ? 0 : 1)
  }

  add(key: string): void {
    if (this.#many !== undefined) {
      const before = this.#many.size
      this.#many.add(key)
      if (this.#many.size !== before) this.#sorted = undefined
    } else if (this.#single === undefined) {
      this.#single = key
      this.#sorted = undefined
    } else if (this.#single !== key) {
      this.#many = new Set([this.#single, key])
      this.#single = undefined
      this.#sorted = undefined
    }
  }

  delete(key: string): void {
    if (this.#many !== undefined ? this.#many.delete(key) : this.#single === key) {
      this.#single = undefined
      this.#sorted = undefined
    }
  }

  /** The keys in ascending order. The array is replaced, never changed, when keys come or go. */
  sorted(): readonly string[] {
    // Objects arrive in key order from a list, so the sort finds long runs and is close to linear.
    this.#sorted ??= this.#many !== undefined ? [...this.#many].sort() : this.#single === undefined ? [] : [this.#single]
    return this.#sorted
  }
}

/** Key sets by name; a set leaves when it is empty. */
export class KeySets {
  readonly #sets = new Map<string, KeySet>()

  get(name: string): KeySet | undefined {
    return this.#sets.get(name)
  }

  /** Whether the set is new. */
  add(name: string, key: string): boolean {
    const set = this.#sets.get(name)
    if (set !== undefined) {
      set.add(key)
      return false
    }
    const created = new KeySet()
    created.add(key)
    this.#sets.set(name, created)
    return true
  }

  /** Whether the set is gone. */
  delete(name: string, key: string): boolean {
    const set = this.#sets.get(name)
    if (set === undefined) return false
    set.delete(key)
    return set.size === 0 && this.#sets.delete(name)
  }

  clear(): void {
    this.#sets.clear()
  }
}
