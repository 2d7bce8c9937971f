/**
 * A 64-bit hash in two lanes of 32 bits (the mixing steps of MurmurHash3 with different constants). Only 32-bit integer arithmetic, so it
 * is the same on every machine. Not for secrets.
 */
export class RollingHash {
  high = 0x2f6b4a1d
  low = 0x5bd1e995

  /** Adds 32 bits. */
  word(word: number): void {
    let mixed = Math.imul(word, 0xcc9e2d51)
    mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593) ^ this.high
    this.high = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
    mixed = Math.imul(word ^ 0x5f356495, 0x239b961b)
    mixed = Math.imul((mixed << 16) | (mixed >>> 16), 0xab0e9789) ^ this.low
    this.low = (Math.imul((mixed << 17) | (mixed >>> 15), 5) + 0x561ccd1b) | 0
  }

  /** Adds a non-negative integer of up to 53 bits. */
  integer(integer: number): void {
    this.word(integer | 0)
    this.word(Math.floor(integer / 2 ** 32))
  }

  /** Adds a text and its length. */
  text(text: string): void {
    const { length } = text
    this.word(length)
    const last = length & ~1
    for (let index = 0; index < last; index += 2) this.word(text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16))
    if (last < length) this.word(text.charCodeAt(last))
  }

  /** Adds bytes and their number. */
  bytes(bytes: Uint8Array): void {
    this.word(bytes.length)
    for (let index = 0; index < bytes.length; index += 4) {
      this.word(bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24))
    }
  }

  /** What has been added so far, as 16 hexadecimal digits. */
  digest(): string {
    return (this.high >>> 0).toString(16).padStart(8, '0') + (this.low >>> 0).toString(16).padStart(8, '0')
  }
}

/**
 * Adds plain JSON to a hash, independent of the order of properties.
 *
 * An object that is frozen (as stored by a server and handed to every reader) is hashed once and remembered, also in a list or a batch of
 * watch events: down to {@link MEMO_DEPTH} levels. Deeper, remembering costs more than hashing again.
 */
export class ValueHasher {
  readonly #known = new WeakMap<object, RollingHash>()

  /** Adds `value` to `hash`. */
  add(hash: RollingHash, value: unknown): void {
    this.#add(hash, value, 0)
  }

  /** The hash of an object depends on its value alone, not on how deep it lies or whether it was remembered. */
  #add(hash: RollingHash, value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null) {
      addScalar(hash, value)
      return
    }
    const remember = depth <= MEMO_DEPTH && !Array.isArray(value) && Object.isFrozen(value)
    let own = remember ? this.#known.get(value) : undefined
    if (own === undefined) {
      own = new RollingHash()
      const size = this.#addMembers(own, value, depth)
      if (remember && size >= MEMO_MIN_SIZE) this.#known.set(value, own)
    }
    hash.word(own.high)
    hash.word(own.low)
  }

  /** Returns how many members there are. */
  #addMembers(hash: RollingHash, value: object, depth: number): number {
    if (Array.isArray(value)) {
      hash.word(TAG_ARRAY)
      hash.word(value.length)
      for (const element of value) this.#add(hash, element, depth + 1)
      return value.length
    }
    const properties = value as Record<string, unknown>
    const keys = Object.keys(properties).sort()
    hash.word(TAG_OBJECT)
    hash.word(keys.length)
    for (const key of keys) {
      hash.text(key)
      this.#add(hash, properties[key], depth + 1)
    }
    return keys.length
  }
}

const MEMO_DEPTH = 2
/** A watch event `{ type, object }` is made anew more often than it is met again; its object is remembered. */
const MEMO_MIN_SIZE = 3
const TAG_NULL = 1
const TAG_BOOLEAN = 2
const TAG_NUMBER = 3
const TAG_STRING = 4
const TAG_ARRAY = 5
const TAG_OBJECT = 6

function addScalar(hash: RollingHash, value: unknown): void {
  switch (typeof value) {
    case 'string':
      hash.word(TAG_STRING)
      hash.text(value)
      break
    case 'boolean':
      hash.word(TAG_BOOLEAN)
      hash.word(value ? 1 : 0)
      break
    case 'number':
    case 'bigint':
      // As on the wire, where 5n and 5 are the same text.
      hash.word(TAG_NUMBER)
      hash.text(String(value))
      break
    default:
      hash.word(TAG_NULL)
  }
}
