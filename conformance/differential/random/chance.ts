/** Choices that a seed decides. The same seed makes the same choices everywhere. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from 0, less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** Whether something of this probability happens. */
  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }

  /** One of the makers, with what it makes. */
  make<Value>(...makers: readonly (() => Value)[]): Value {
    return this.pick(makers)()
  }

  /** Up to `most` values that a maker makes. */
  some<Value>(most: number, maker: () => Value): Value[] {
    return Array.from({ length: this.below(most + 1) }, maker)
  }

  /** The members that are there: each with its probability. */
  members(candidates: Readonly<Record<string, readonly [probability: number, make: () => unknown]>>): Record<string, never> {
    const present = Object.entries(candidates).filter(([, [probability]]) => this.happens(probability))
    return Object.fromEntries(present.map(([name, [, make]]) => [name, make()])) as Record<string, never>
  }
}
