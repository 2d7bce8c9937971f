const maxChunk = 512

/**
 * A sorted set of strings in chunks of at most 512, so that an insertion moves a chunk and never the whole set.
 *
 * Order is by UTF-16 code unit, which for the ASCII keys of the API is the order of bytes.
 */
export class SortedKeys {
  readonly #chunks: string[][] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a key; does nothing when it is there. */
  add(key: string): void {
    if (this.#chunks.length === 0) {
      this.#chunks.push([key])
      this.#size = 1
      return
    }
    const at = Math.min(this.#chunkOf(key), this.#chunks.length - 1)
    const chunk = this.#chunks[at]!
    const index = lowerBound(chunk, key)
    if (chunk[index] === key) return
    chunk.splice(index, 0, key)
    this.#size++
    if (chunk.length > maxChunk) this.#split(at, index)
  }

  /** Removes a key; does nothing when it is not there. */
  remove(key: string): void {
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    const index = lowerBound(chunk, key)
    if (chunk[index] !== key) return
    chunk.splice(index, 1)
    this.#size--
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** The keys in `[start, end)`, in order. The set must not change during the iteration. */
  *range(start: string, end: string): Generator<string, void, undefined> {
    for (let at = this.#chunkOf(start); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!
      for (let index = chunk[0]! >= start ? 0 : lowerBound(chunk, start); index < chunk.length; index++) {
        const key = chunk[index]!
        if (key >= end) return
        yield key
      }
    }
  }

  /** The first `limit` keys in `[start, end)`, in order: {@link range} without its cost per key. */
  slice(start: string, end: string, limit: number): string[] {
    const keys: string[] = []
    for (let at = this.#chunkOf(start); at < this.#chunks.length && keys.length < limit; at++) {
      const chunk = this.#chunks[at]!
      if (chunk[0]! >= end) break
      const from = chunk[0]! >= start ? 0 : lowerBound(chunk, start)
      const to = chunk[chunk.length - 1]! < end ? chunk.length : lowerBound(chunk, end)
      for (let index = from; index < to && keys.length < limit; index++) keys.push(chunk[index]!)
    }
    return keys
  }

  /** How many keys are in `[start, end)`. */
  count(start: string, end: string): number {
    let count = 0
    for (let at = this.#chunkOf(start); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!
      if (chunk[0]! >= end) break
      const from = chunk[0]! >= start ? 0 : lowerBound(chunk, start)
      const to = chunk[chunk.length - 1]! < end ? chunk.length : lowerBound(chunk, end)
      count += to - from
    }
    return count
  }

  /** Index of the first chunk whose last key is not before `key`. */
  #chunkOf(key: string): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const chunk = this.#chunks[middle]!
      if (chunk[chunk.length - 1]! < key) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Halves a full chunk; keys that arrive in order leave full chunks behind instead of half empty ones. */
  #split(at: number, inserted: number): void {
    const chunk = this.#chunks[at]!
    const appended = at === this.#chunks.length - 1 && inserted === chunk.length - 1
    this.#chunks.splice(at + 1, 0, chunk.splice(appended ? maxChunk : maxChunk >>> 1))
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The first key after every key that begins with `prefix`. */
export function prefixEnd(prefix: string): string {
  return prefix === '' ? '\uffff' : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}
