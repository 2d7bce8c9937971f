import { describe, expect, test } from 'vitest'
import { systemEnvironment } from './index.js'

describe('systemEnvironment', () => {
  test('systemEnvironment reads the clocks, host name and generators of this machine', () => {
    expect(Math.abs(systemEnvironment.now() - Date.now())).toBeLessThan(1_000)
    expect(systemEnvironment.monotonicMs()).toBeLessThanOrEqual(systemEnvironment.monotonicMs())
    expect(systemEnvironment.hostname()).not.toBe('')
    expect(systemEnvironment.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const random = systemEnvironment.random()
    expect(random >= 0 && random < 1).toBe(true)
    expect(systemEnvironment.network).toBeUndefined()
  })

  test('sleep resolves, and does not keep its abort listener', async () => {
    await systemEnvironment.sleep(0, new AbortController().signal)
  })

  test('sleep rethrows the reason of an abort unchanged, before and during the wait', async () => {
    const reason = { why: 'leaving' }
    await expect(systemEnvironment.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const waiting = systemEnvironment.sleep(60_000, controller.signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  test('timer fires once, and not when it was cancelled', async () => {
    const fired: string[] = []
    await new Promise<void>((resolve) => {
      const cancelled = systemEnvironment.timer(0, () => fired.push('cancelled'))
      systemEnvironment.timer(5, () => {
        fired.push('last')
        resolve()
      })
      cancelled.cancel()
    })
    expect(fired).toEqual(['last'])
  })

  test('timer keeps a delay that is longer than Node can hold', async () => {
    const fired: string[] = []
    const timer = systemEnvironment.timer(2 ** 31 + 10, () => fired.push('too early'), { unref: true })
    await systemEnvironment.sleep(20)
    timer.cancel()
    expect(fired).toEqual([])
  })

  test('timer and sleep refuse a delay that is not a finite number', async () => {
    expect(() => systemEnvironment.timer(Number.NaN, () => {})).toThrow(RangeError)
    await expect(systemEnvironment.sleep(Infinity)).rejects.toThrow(RangeError)
  })

  test('deliver and hold hand the promise through', () => {
    const promise = Promise.resolve(1)
    expect(systemEnvironment.deliver('x', promise)).toBe(promise)
    expect(systemEnvironment.hold(promise)).toBe(promise)
  })
})
