import type { HistogramSnapshot } from './work-queue.js'

/** Twelve powers of ten from 10 ns: the bounds that client-go's work queue metrics have. */
const defaultBounds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000]

/** Counts durations by size, without a metrics library, so that a queue costs the same whether anybody looks or not. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** @param bounds upper bounds, ascending, in seconds. @default 12 powers of ten from 1e-8 */
  constructor(bounds: readonly number[] = defaultBounds) {
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  observe(seconds: number): void {
    const bounds = this.#bounds
    let index = 0
    while (index < bounds.length && seconds > bounds[index]!) index++
    this.#counts[index]!++
    this.#sum += seconds
  }

  snapshot(): HistogramSnapshot {
    let count = 0
    const buckets = this.#counts.map((inBucket, index) => {
      count += inBucket
      return { upperBound: this.#bounds[index] ?? Number.POSITIVE_INFINITY, count }
    })
    return { buckets, sum: this.#sum, count }
  }
}
