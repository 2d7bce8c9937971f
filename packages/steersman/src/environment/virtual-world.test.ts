import { describe, expect, test } from 'vitest'
import { VirtualWorld, type VirtualWorldOptions } from './index.js'

const world = (options?: Partial<VirtualWorldOptions>) => new VirtualWorld({ seed: 1, ...options })

describe('VirtualWorld: clock', () => {
  test('The clock begins at a fixed date and stands still while nothing runs', async () => {
    const w = world()
    expect(new Date(w.now).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    await w.advance(0)
    expect(w.elapsedMs).toBe(0)
  })

  test('The clock jumps an hour with 10,000 timers, in order of due time', async () => {
    const w = world()
    const process = w.process('p')
    const fired: number[] = []
    for (let index = 0; index < 10_000; index++) {
      const due = ((index * 7919) % 10_000) * 360
      process.timer(due, () => fired.push(due))
    }
    await w.advance(3_600_000)
    expect(fired).toHaveLength(10_000)
    expect(fired).toEqual([...fired].sort((a, b) => a - b))
    expect(w.elapsedMs).toBe(3_600_000)
  })

  test('advance handles what is due at its end and nothing later', async () => {
    const w = world()
    const process = w.process('p')
    const fired: string[] = []
    process.timer(10, () => fired.push('at 10'))
    process.timer(11, () => fired.push('at 11'))
    await w.advance(10)
    expect(fired).toEqual(['at 10'])
    await w.advance(1)
    expect(fired).toEqual(['at 10', 'at 11'])
  })

  test('A hundred thousand deliveries each resume their waiter', async () => {
    const w = world()
    const process = w.process('p')
    let resumed = 0
    const loop = async () => {
      for (let index = 0; index < 10_000; index++) {
        await process.deliver('x', Promise.resolve())
        resumed++
      }
    }
    await w.run(Promise.all(Array.from({ length: 10 }, loop)))
    expect(resumed).toBe(100_000)
    expect(w.events).toBe(100_000)
  })
})
