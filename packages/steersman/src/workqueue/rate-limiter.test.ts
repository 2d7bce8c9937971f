import { describe, expect, it } from 'vitest'
import { FakeEnvironment } from './fake-environment.testing.js'
import { BucketRateLimiter, defaultControllerRateLimiter, ItemExponentialFailureRateLimiter, MaxOfRateLimiter } from './index.js'

const times = <Value>(count: number, call: () => Value) => Array.from({ length: count }, call)

describe('ItemExponentialFailureRateLimiter', () => {
  it('doubles the wait of each item on its own until it is forgotten', () => {
    const limiter = new ItemExponentialFailureRateLimiter({ baseDelayMs: 1, maxDelayMs: 1000 })
    expect(times(5, () => limiter.when('one'))).toEqual([1, 2, 4, 8, 16])
    expect(limiter.numRequeues('one')).toBe(5)
    expect(times(2, () => limiter.when('two'))).toEqual([1, 2])
    limiter.forget('one')
    expect(limiter.numRequeues('one')).toBe(0)
    expect(limiter.when('one')).toBe(1)
  })

  it('stays at the maximum however often an item fails', () => {
    const limiter = new ItemExponentialFailureRateLimiter({ baseDelayMs: 1, maxDelayMs: 1000 })
    const never = new ItemExponentialFailureRateLimiter({ baseDelayMs: 0, maxDelayMs: 1000 })
    expect(times(2000, () => limiter.when('one')).slice(9)).toEqual(times(1991, () => 1000).fill(512, 0, 1))
    expect(times(2000, () => never.when('one')).every((wait) => wait === 0)).toBe(true)
  })

  it('refuses waits that make no sense', () => {
    expect(() => new ItemExponentialFailureRateLimiter({ baseDelayMs: -1 })).toThrow(RangeError)
    expect(() => new ItemExponentialFailureRateLimiter({ baseDelayMs: 2, maxDelayMs: 1 })).toThrow(RangeError)
  })
})

describe('defaultControllerRateLimiter', () => {
  it('waits 5 ms after the first failure and at most 1000 s', () => {
    const waits = times(20, () => undefined).map(
      (
        (limiter) => () =>
          limiter.when('one', undefined)
      )(defaultControllerRateLimiter()),
    )
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40])
    expect(waits.slice(-3)).toEqual([655_360, 1_000_000, 1_000_000])
  })
})

describe('BucketRateLimiter', () => {
  it('lets a burst pass, then makes failures line up, and refills with time', () => {
    const environment = FakeEnvironment.create()
    const limiter = new BucketRateLimiter(environment)
    expect(times(100, () => limiter.when()).every((wait) => wait === 0)).toBe(true)
    expect(times(3, () => limiter.when())).toEqual([100, 200, 300])
    environment.advance(250)
    expect(limiter.when()).toBe(150)
    environment.advance(3_600_000)
    expect(times(101, () => limiter.when()).slice(-2)).toEqual([0, 100])
    expect(limiter.numRequeues()).toBe(0)
  })

  it('refuses a bucket that never fills', () => {
    expect(() => new BucketRateLimiter(FakeEnvironment.create(), { qps: 0 })).toThrow(RangeError)
    expect(() => new BucketRateLimiter(FakeEnvironment.create(), { burst: 0 })).toThrow(RangeError)
  })
})

describe('MaxOfRateLimiter', () => {
  it('takes the longest wait, and every limiter counts each failure', () => {
    const slow = new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 40 })
    const bucket = new BucketRateLimiter(FakeEnvironment.create(), { qps: 100, burst: 2 })
    const limiter = new MaxOfRateLimiter(slow, bucket)
    expect(times(7, () => limiter.when('one', undefined))).toEqual([5, 10, 20, 40, 40, 40, 50])
    expect(limiter.numRequeues('one')).toBe(7)
    limiter.forget('one')
    expect(slow.numRequeues('one')).toBe(0)
    expect(limiter.when('one', undefined)).toBe(60)
  })
})
