import { describe, expect, it } from 'vitest'
import type { Environment } from '../environment/index.js'
import { Backoff } from './index.js'

function environmentAt(clock: { ms: number; random?: number }): Environment {
  const slept: Partial<Environment> = {
    monotonicMs: () => clock.ms,
    random: () => clock.random ?? 0,
    sleep: async (milliseconds) => {
      clock.ms += milliseconds
    },
  }
  return slept as Environment
}

describe('Backoff', () => {
  it('doubles up to the cap', () => {
    const backoff = new Backoff(environmentAt({ ms: 0 }), { initialMs: 800, maxMs: 30_000 })
    expect(Array.from({ length: 8 }, () => backoff.nextMs())).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
    backoff.reset()
    expect(backoff.nextMs()).toBe(800)
  })

  it('adds jitter to each wait but not to the growth', () => {
    const backoff = new Backoff(environmentAt({ ms: 0, random: 0.5 }), { initialMs: 100, factor: 3, maxMs: 500, jitter: 1 })
    expect([backoff.nextMs(), backoff.nextMs(), backoff.nextMs()]).toEqual([150, 450, 750])
  })

  it('starts again after a healthy period', async () => {
    const clock = { ms: 0 }
    const backoff = new Backoff(environmentAt(clock), { initialMs: 100, maxMs: 1000, resetAfterMs: 5000 })
    await backoff.sleep()
    await backoff.sleep()
    expect(clock.ms).toBe(300)
    clock.ms = 5100
    expect(backoff.nextMs()).toBe(400)
    clock.ms += 5001
    expect(backoff.nextMs()).toBe(100)
  })

  it('refuses options that make no backoff', () => {
    for (const options of [
      { initialMs: -1, maxMs: 1 },
      { initialMs: 2, maxMs: 1 },
      { initialMs: 1, maxMs: 1, factor: 0.5 },
      { initialMs: Number.NaN, maxMs: 1 },
    ]) {
      expect(() => new Backoff(environmentAt({ ms: 0 }), options)).toThrow(RangeError)
    }
  })
})
