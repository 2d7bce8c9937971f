import { describe, expect, test } from 'vitest'
import { median, quantile, spread } from './statistics.js'

describe('median', () => {
  test('is the value in the middle, in any order', () => expect(median([9, 1, 5])).toBe(5))
  test('lies half way between two in the middle', () => expect(median([1, 2, 4, 100])).toBe(3))
  test('of nothing is not a number', () => expect(median([])).toBeNaN())
})

describe('quantile', () => {
  const hundred = Array.from({ length: 101 }, (_, index) => 100 - index)
  test('of 0 to 100 is the percentage itself', () => {
    expect([0, 0.5, 0.9, 0.99, 1].map((q) => quantile(hundred, q))).toEqual([0, 50, 90, 99, 100])
  })
  test('of one value is that value', () => expect(quantile([7], 0.99)).toBe(7))
})

describe('spread', () => {
  // The quartiles of 8, 9, 10, 11, 12 are 9 and 11.
  test('is half the distance of the quartiles as a share of the median', () => expect(spread([8, 9, 10, 11, 12])).toBeCloseTo(0.1))
  test('of equal values is none', () => expect(spread([3, 3, 3])).toBe(0))
})
