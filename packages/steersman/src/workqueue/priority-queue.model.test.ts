import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeEnvironment } from './fake-environment.testing.js'
import { PriorityQueue } from './index.js'

/** What a queue shall do, written for clarity: everything is a list that is sorted when asked. */
class Model {
  now = 0
  readonly processing = new Set<string>()
  readonly failures = new Map<string, number>()
  #order = 0
  #pending: { key: string; priority: number; readyAt: number; order: number }[] = []

  add(key: string, priority: number, delay: number) {
    const readyAt = this.now + Math.max(0, delay)
    const pending = this.#pending.find((entry) => entry.key === key)
    if (pending === undefined) {
      this.#pending.push({ key, priority, readyAt, order: this.#order++ })
      return
    }
    const wasDue = pending.readyAt <= this.now
    const isRaised = priority > pending.priority
    pending.priority = Math.max(pending.priority, priority)
    if (wasDue ? isRaised : readyAt <= this.now) pending.order = this.#order++
    if (!wasDue) pending.readyAt = Math.min(pending.readyAt, readyAt)
  }

  fail(key: string) {
    const failures = this.failures.get(key) ?? 0
    this.failures.set(key, failures + 1)
    return Math.min(5 * 2 ** failures, 1_000_000)
  }

  advance(milliseconds: number) {
    const end = this.now + milliseconds
    const becomeDue = this.#pending.filter(({ readyAt }) => readyAt > this.now && readyAt <= end)
    for (const entry of becomeDue.sort((left, right) => left.readyAt - right.readyAt || left.order - right.order))
      entry.order = this.#order++
    this.now = end
  }

  due() {
    const due = this.#pending.filter(({ key, readyAt }) => readyAt <= this.now && !this.processing.has(key))
    return due.sort((left, right) => right.priority - left.priority || left.order - right.order)
  }

  get() {
    const [first] = this.due()
    if (first === undefined) return undefined
    this.#pending = this.#pending.filter((entry) => entry !== first)
    this.processing.add(first.key)
    return { item: first.key, priority: first.priority }
  }

  done(key: string) {
    if (!this.processing.delete(key)) return
    const pending = this.#pending.find((entry) => entry.key === key)
    if (pending !== undefined && pending.readyAt <= this.now) pending.order = this.#order++
  }

  waiting() {
    return this.#pending.filter(({ readyAt }) => readyAt > this.now).length
  }

  get isEmpty() {
    return this.#pending.length === 0 && this.processing.size === 0
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const priority = fc.constantFrom(-100, 0, 0, 0, 3)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), key, priority }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('addAfter' as const), key, priority, ms: fc.integer({ min: -1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('addRateLimited' as const), key, priority }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('get' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('done' as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(40) }) },
)

describe('PriorityQueue against its model', () => {
  it('agrees after every step of any history, loses nothing and leaves nothing behind', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const environment = FakeEnvironment.create()
        const queue = new PriorityQueue<string>(environment, { keyOf: (item) => item })
        const model = new Model()
        const get = () => {
          const expected = model.get()
          expect(queue.tryGet()).toEqual(expected)
          return expected?.item
        }
        const done = (item: string) => {
          queue.done(item)
          model.done(item)
        }
        const advance = (ms: number) => {
          environment.advance(ms)
          model.advance(ms)
        }
        for (const action of steps) {
          if (action.kind === 'add') {
            queue.addWithOptions({ priority: action.priority }, action.key)
            model.add(action.key, action.priority, 0)
          } else if (action.kind === 'addAfter') {
            queue.addWithOptions({ priority: action.priority, afterMs: action.ms }, action.key)
            model.add(action.key, action.priority, action.ms)
          } else if (action.kind === 'addRateLimited') {
            queue.addWithOptions({ priority: action.priority, rateLimited: true }, action.key)
            model.add(action.key, action.priority, model.fail(action.key))
          } else if (action.kind === 'forget') {
            queue.forget(action.key)
            model.failures.delete(action.key)
          } else if (action.kind === 'get') get()
          else if (action.kind === 'done') done(action.key)
          else advance(action.ms)
          const { depth, waiting, processing } = queue.snapshot()
          expect([depth, waiting, processing]).toEqual([model.due().length, model.waiting(), model.processing.size])
          expect(environment.pendingTimers).toBeLessThanOrEqual(1)
        }
        for (const item of [...model.processing]) done(item)
        advance(2_000_000)
        for (let item = get(); item !== undefined; item = get()) done(item)
        expect(model.isEmpty).toBe(true)
        expect([queue.length, environment.pendingTimers, queue.tryGet()]).toEqual([0, 0, undefined])
      }),
      { numRuns: 1000 },
    )
  })

  it('with many workers: no key in two hands, and every add is handled after it was made', async () => {
    const addition = fc.record({ key, priority, after: fc.nat(50), pause: fc.nat(10) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(addition, { maxLength: 60 }),
        fc.array(fc.nat(20), { minLength: 1 }),
        fc.integer({ min: 1, max: 4 }),
        async (additions, durations, workers) => {
          const environment = FakeEnvironment.create()
          const queue = new PriorityQueue<string>(environment, { keyOf: (item) => item })
          const held = new Set<string>()
          const unhandled = new Set<string>()
          let works = 0
          const work = async () => {
            for (let next = await queue.get(); next !== undefined; next = await queue.get()) {
              expect(held.has(next.item)).toBe(false)
              held.add(next.item)
              unhandled.delete(next.item)
              await environment.sleep(durations[works++ % durations.length]!)
              held.delete(next.item)
              queue.done(next.item)
            }
          }
          const running = Array.from({ length: workers }, work)
          for (const { key: item, priority: level, after, pause } of additions) {
            unhandled.add(item)
            queue.addWithOptions({ priority: level, afterMs: after }, item)
            await environment.run(pause)
          }
          await environment.run(10_000)
          expect([...unhandled]).toEqual([])
          await queue.shutDownWithDrain()
          await Promise.all(running)
          expect(held.size).toBe(0)
        },
      ),
      { numRuns: 50 },
    )
  })
})
