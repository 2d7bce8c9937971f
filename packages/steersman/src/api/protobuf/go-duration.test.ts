import { describe, expect, it } from 'vitest'
import { formatGoDuration, parseGoDuration } from './go-duration.js'

/** Nanoseconds and what Go 1.26 prints of them. */
const durations: readonly (readonly [bigint, string])[] = [
  [0n, '0s'],
  [1n, '1ns'],
  [1100n, '1.1µs'],
  [2_200_000n, '2.2ms'],
  [3_300_000_000n, '3.3s'],
  [245_000_000_000n, '4m5s'],
  [245_001_000_000n, '4m5.001s'],
  [18_367_001_000_000n, '5h6m7.001s'],
  [480_000_000_001n, '8m0.000000001s'],
  [9_223_372_036_854_775_807n, '2562047h47m16.854775807s'],
  [-9_223_372_036_854_775_808n, '-2562047h47m16.854775808s'],
  [-60_000_000_000n, '-1m0s'],
]

describe('Go durations', () => {
  it('are written and read as Go does', () => {
    for (const [nanos, text] of durations) {
      expect(formatGoDuration(nanos)).toBe(text)
      expect(parseGoDuration(text)).toBe(nanos)
    }
  })

  it('may be written in other ways', () => {
    expect(parseGoDuration('+5.5s')).toBe(5_500_000_000n)
    expect(parseGoDuration('1.5h.5m')).toBe(5_430_000_000_000n)
    expect(parseGoDuration('12us3μs')).toBe(15_000n)
    expect(parseGoDuration('0')).toBe(0n)
  })

  it('are nothing else', () => {
    for (const text of ['', '3', '-', 's', '.', '-.', '.s', '1x', ' 1s', '1s ']) expect(parseGoDuration(text)).toBeUndefined()
  })
})
