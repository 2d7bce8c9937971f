import { describe, expect, test } from 'vitest'
import { SeededRandom } from './index.js'

const draws = (random: SeededRandom, count = 8) => Array.from({ length: count }, () => random.bits())

describe('SeededRandom', () => {
  test('SeededRandom repeats for the same seed and label', () => {
    expect(draws(new SeededRandom(42, 'a'))).toEqual(draws(new SeededRandom(42, 'a')))
  })

  test('SeededRandom differs by label, by seed, and by the upper half of a large seed', () => {
    const sequences = [
      new SeededRandom(42, 'a'),
      new SeededRandom(42, 'b'),
      new SeededRandom(43, 'a'),
      new SeededRandom(42 + 2 ** 40, 'a'),
      new SeededRandom(-42, 'a'),
    ]
    expect(new Set(sequences.map((random) => draws(random).join())).size).toBe(sequences.length)
  })

  test('SeededRandom.fraction is uniform in [0, 1)', () => {
    const random = new SeededRandom(7, 'fractions')
    const buckets = new Array<number>(10).fill(0)
    for (let index = 0; index < 100_000; index++) buckets[Math.floor(random.fraction() * 10)]!++
    for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })

  test('SeededRandom.below covers its range evenly and never leaves it', () => {
    const random = new SeededRandom(7, 'below')
    const counts = new Array<number>(3).fill(0)
    for (let index = 0; index < 30_000; index++) counts[random.below(3)]!++
    expect(counts).toHaveLength(3)
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
    expect(random.below(1)).toBe(0)
  })

  test('SeededRandom.uuid gives distinct version 4 UUIDs in lower case', () => {
    const random = new SeededRandom(7, 'uuid')
    const uuids = Array.from({ length: 1_000 }, () => random.uuid())
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(uuids).size).toBe(1_000)
  })
})
