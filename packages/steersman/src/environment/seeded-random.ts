/**
 * A seeded generator of numbers (sfc32): the same seed and label give the same sequence on every machine and version of Node. Not for
 * secrets.
 *
 * Two generators with different labels are independent, so that a draw by one part of a simulated world does not move another part's
 * sequence.
 */
export class SeededRandom {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /**
   * @param seed any finite number; all 53 bits of an integer count.
   * @param label what the numbers are for.
   */
  constructor(seed: number, label: string) {
    let state = mixSeed(seed, label)
    const word = () => {
      state = (state + 0x9e3779b9) | 0
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
      return mixed ^ (mixed >>> 15)
    }
    this.#a = word() ^ (seed | 0)
    this.#b = word() ^ Math.floor(seed / 2 ** 32)
    this.#c = word()
    for (let round = 0; round < 15; round++) this.bits()
  }

  /** The next 32 bits, as an unsigned integer. */
  bits(): number {
    const result = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0
    return result >>> 0
  }

  /** A number in [0, 1) with 53 random bits. */
  fraction(): number {
    return ((this.bits() >>> 5) * 2 ** 26 + (this.bits() >>> 6)) / 2 ** 53
  }

  /** An integer in [0, bound), for a bound of at most 2^32. */
  below(bound: number): number {
    return Math.floor((this.bits() / 2 ** 32) * bound)
  }

  /** A version 4 UUID in lower case. */
  uuid(): string {
    const text =
      hex(this.bits()) + hex((this.bits() & 0xffff0fff) | 0x4000) + hex((this.bits() & 0x3fffffff) | 0x80000000) + hex(this.bits())
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}

function mixSeed(seed: number, label: string): number {
  let mixed = Math.imul(seed | 0, 0x85ebca6b) ^ Math.imul(Math.floor(seed / 2 ** 32), 0xc2b2ae35)
  for (let index = 0; index < label.length; index++) {
    mixed = Math.imul(mixed ^ label.charCodeAt(index), 0x01000193)
    mixed ^= mixed >>> 15
  }
  return mixed
}
