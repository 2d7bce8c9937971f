import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeEnvironment, turn } from './fake-environment.testing.js'
import { BucketRateLimiter, PriorityQueue, type WorkQueueOptions } from './index.js'

function create(options: Partial<WorkQueueOptions<string>> = {}) {
  const environment = FakeEnvironment.create()
  const queue = new PriorityQueue<string>(environment, { keyOf: (item) => item, ...options })
  const take = () => queue.tryGet()?.item
  const takeAll = () => {
    const items: string[] = []
    for (let item = take(); item !== undefined; item = take()) items.push(item)
    return items
  }
  return { environment, queue, take, takeAll }
}

describe('PriorityQueue as a plain queue', () => {
  it('hands out items first in, first out, each once', () => {
    const { queue, takeAll } = create()
    for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item)
    expect(queue.length).toBe(3)
    expect(takeAll()).toEqual(['a', 'b', 'c'])
    expect(queue.length).toBe(0)
  })

  it('compares items by key', () => {
    const environment = FakeEnvironment.create()
    const queue = new PriorityQueue<{ name: string }>(environment, { keyOf: ({ name }) => name })
    queue.add({ name: 'a' })
    queue.add({ name: 'a' })
    expect(queue.length).toBe(1)
    queue.done(queue.tryGet()!.item)
    expect(queue.snapshot().processing).toBe(0)
  })

  it('hands a key to one worker at a time and, when added meanwhile, again after done, behind what is due', () => {
    const { queue, take } = create()
    queue.add('a')
    expect(take()).toBe('a')
    queue.add('a')
    queue.add('a')
    queue.add('b')
    expect(queue.length).toBe(1)
    expect(queue.snapshot().depth).toBe(1)
    queue.done('a')
    expect([take(), take(), take()]).toEqual(['b', 'a', undefined])
    queue.done('a')
    expect(take()).toBeUndefined()
  })

  it('ignores done for what nobody holds', () => {
    const { queue, takeAll } = create()
    queue.add('a')
    queue.done('a')
    queue.done('never added')
    expect(takeAll()).toEqual(['a'])
  })

  it('serves waiting workers in the order of their calls', async () => {
    const { queue } = create()
    const served = [1, 2, 3].map(async (worker) => `${worker} ${(await queue.get())?.item}`)
    for (const item of ['a', 'b', 'c']) queue.add(item)
    expect(await Promise.all(served)).toEqual(['1 a', '2 b', '3 c'])
  })

  it('gives an item to the worker that waits longest, not to the one that asks last', async () => {
    const { queue } = create()
    const first = queue.get()
    queue.add('a')
    const second = queue.get()
    queue.add('b')
    expect([(await first)?.item, (await second)?.item]).toEqual(['a', 'b'])
  })

  it('lets a waiting worker go when its signal aborts, with the reason, and loses no item', async () => {
    const { queue } = create()
    const controller = new AbortController()
    const reason = new Error('stop')
    const workers = [queue.get(controller.signal), queue.get(controller.signal)]
    const patient = queue.get()
    controller.abort(reason)
    queue.add('a')
    expect((await Promise.allSettled(workers)).map((result) => result.status === 'rejected' && result.reason)).toEqual([reason, reason])
    expect((await patient)?.item).toBe('a')
    queue.add('b')
    await expect(queue.get(controller.signal)).rejects.toBe(reason)
    expect(queue.length).toBe(1)
  })

  it('leaves no listener on the signal of a worker that was served', async () => {
    const { queue } = create()
    const { signal } = new AbortController()
    const work = queue.get(signal)
    queue.add('a')
    await work
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('PriorityQueue with delays', () => {
  it('hands an item out when its time has come and not before', () => {
    const { environment, queue, take } = create()
    queue.addAfter('a', 50)
    environment.advance(49)
    expect([queue.length, take()]).toEqual([0, undefined])
    environment.advance(1)
    expect([queue.length, take()]).toEqual([1, 'a'])
  })

  it('adds at once for a delay of 0 or less', () => {
    const { environment, queue, takeAll } = create()
    queue.addAfter('a', 0)
    queue.addAfter('b', -1)
    expect(takeAll()).toEqual(['a', 'b'])
    expect(environment.pendingTimers).toBe(0)
  })

  it('keeps the earliest of several times', () => {
    const { environment, queue, take } = create()
    queue.addAfter('a', 50)
    queue.addAfter('a', 30)
    queue.addAfter('a', 70)
    environment.advance(29)
    expect(take()).toBeUndefined()
    environment.advance(1)
    expect(take()).toBe('a')
    queue.done('a')
    environment.advance(1000)
    expect(take()).toBeUndefined()
  })

  it('makes a delayed item due at once when it is added without a delay', () => {
    const { environment, queue, take } = create()
    queue.addAfter('a', 50)
    queue.add('a')
    expect(take()).toBe('a')
    queue.done('a')
    environment.advance(100)
    expect(take()).toBeUndefined()
  })

  it('orders by due time, and by the order of adding at the same time', () => {
    const { environment, queue, takeAll } = create()
    queue.addAfter('late', 30)
    queue.addAfter('one', 20)
    queue.addAfter('two', 20)
    queue.addAfter('early', 10)
    environment.advance(100)
    expect(takeAll()).toEqual(['early', 'one', 'two', 'late'])
  })

  it('holds a delayed item back while its key is in a worker’s hands', () => {
    const { environment, queue, take } = create()
    queue.add('a')
    take()
    queue.addAfter('a', 10)
    environment.advance(10)
    expect(take()).toBeUndefined()
    queue.done('a')
    expect(take()).toBe('a')
  })

  it('keeps the delay when the key is done before it', () => {
    const { environment, queue, take } = create()
    queue.add('a')
    take()
    queue.addAfter('a', 10)
    queue.done('a')
    expect(take()).toBeUndefined()
    environment.advance(10)
    expect(take()).toBe('a')
  })

  it('wakes a waiting worker', async () => {
    const { environment, queue } = create()
    const work = queue.get()
    queue.addAfter('a', 10)
    environment.advance(10)
    expect((await work)?.item).toBe('a')
  })

  it('has one timer armed however many items wait, also for longer than a timer can run', () => {
    const { environment, queue, take } = create()
    const yearMs = 365 * 24 * 3_600_000
    for (let delay = 1000; delay > 0; delay--) queue.addAfter(`${delay}`, delay)
    expect(environment.pendingTimers).toBe(1)
    environment.advance(1000)
    expect(queue.length).toBe(1000)
    queue.addAfter('next year', yearMs)
    environment.advance(yearMs - 1)
    expect(queue.length).toBe(1000)
    environment.advance(1)
    expect(queue.length).toBe(1001)
    expect([environment.pendingTimers, take()]).toEqual([0, '1'])
  })

  it('sees a due item without waiting for a late timer', () => {
    const { queue, take } = create()
    let now = 0
    const frozen = Object.assign(FakeEnvironment.create(), { monotonicMs: () => now })
    const other = new PriorityQueue<string>(frozen, { keyOf: (item) => item })
    other.addAfter('a', 10)
    now = 10
    expect(other.tryGet()?.item).toBe('a')
    expect([queue.length, take()]).toEqual([0, undefined])
  })

  it('refuses a delay that is not a number', () => {
    const { queue } = create({ rateLimiter: { when: () => Number.NaN, forget() {}, numRequeues: () => 0 } })
    expect(() => queue.addAfter('a', Number.NaN)).toThrow(RangeError)
    expect(() => queue.addRateLimited('a')).toThrow(RangeError)
  })
})

describe('PriorityQueue with a rate limiter', () => {
  it('delays a failing item longer each time until it is forgotten', () => {
    const { environment, queue, take } = create()
    for (const delay of [5, 10, 20]) {
      queue.addRateLimited('a')
      environment.advance(delay - 1)
      expect(take()).toBeUndefined()
      environment.advance(1)
      expect(take()).toBe('a')
      queue.done('a')
    }
    expect(queue.numRequeues('a')).toBe(3)
    queue.forget('a')
    expect(queue.numRequeues('a')).toBe(0)
    queue.addRateLimited('a')
    environment.advance(5)
    expect(take()).toBe('a')
  })

  it('takes the earlier time when both a delay and the rate limiter are asked', () => {
    const { environment, queue, takeAll } = create()
    queue.addWithOptions({ afterMs: 2, rateLimited: true }, 'a')
    queue.addWithOptions({ afterMs: 1000, rateLimited: true }, 'b')
    environment.advance(2)
    expect(takeAll()).toEqual(['a'])
    environment.advance(3)
    expect(takeAll()).toEqual(['b'])
    expect(queue.numRequeues('a')).toBe(1)
  })

  it('gives the limiter key and item', () => {
    const environment = FakeEnvironment.create()
    const bucket = new BucketRateLimiter(environment, { qps: 1, burst: 1 })
    const seen: unknown[] = []
    const queue = new PriorityQueue<{ id: number }>(environment, {
      keyOf: ({ id }) => `${id}`,
      rateLimiter: {
        when: (key, item) => {
          seen.push([key, item])
          return bucket.when()
        },
        forget: (key) => seen.push(key),
        numRequeues: () => 7,
      },
    })
    queue.addRateLimited({ id: 1 })
    queue.addRateLimited({ id: 2 })
    queue.forget({ id: 1 })
    expect(seen).toEqual([['1', { id: 1 }], ['2', { id: 2 }], '1'])
    expect([queue.numRequeues({ id: 1 }), queue.length, queue.snapshot().waiting]).toEqual([7, 1, 1])
  })
})

describe('PriorityQueue with priorities', () => {
  it('hands out higher priorities first and tells the priority', () => {
    const { queue } = create()
    queue.addWithOptions({ priority: -100 }, 'low', 'low too')
    queue.add('normal')
    queue.addWithOptions({ priority: 5 }, 'high')
    expect(Array.from({ length: 4 }, () => queue.tryGet())).toEqual([
      { item: 'high', priority: 5 },
      { item: 'normal', priority: 0 },
      { item: 'low', priority: -100 },
      { item: 'low too', priority: -100 },
    ])
  })

  it('keeps the higher priority of two adds and puts a raised item behind its new level', () => {
    const { queue, takeAll } = create()
    queue.addWithOptions({ priority: -100 }, 'a')
    queue.add('b')
    queue.add('a')
    queue.addWithOptions({ priority: -100 }, 'b')
    queue.addWithOptions({ priority: 1 }, 'c')
    expect(takeAll()).toEqual(['c', 'b', 'a'])
  })

  it('merges priority and time of a delayed item', () => {
    const { environment, queue } = create()
    queue.addWithOptions({ afterMs: 10, priority: 3 }, 'a')
    queue.addWithOptions({ afterMs: 20, priority: 7 }, 'a')
    queue.addWithOptions({ afterMs: 5, priority: 1 }, 'a')
    environment.advance(5)
    expect(queue.tryGet()).toEqual({ item: 'a', priority: 7 })
  })

  it('starts afresh with the priority of an add that comes while the key is in a worker’s hands', () => {
    const { queue } = create()
    queue.addWithOptions({ priority: 10 }, 'a')
    queue.tryGet()
    queue.addWithOptions({ priority: -1 }, 'a')
    queue.addWithOptions({ priority: 2 }, 'a')
    queue.done('a')
    expect(queue.tryGet()).toEqual({ item: 'a', priority: 2 })
  })

  it('serves waiting workers with the highest priority of what one turn adds', async () => {
    const { queue } = create()
    const work = queue.get()
    queue.addWithOptions({ priority: -100 }, 'low')
    queue.addWithOptions({ priority: 1 }, 'high')
    expect(await work).toEqual({ item: 'high', priority: 1 })
  })

  it('refuses a priority that is not a number', () => {
    expect(() => create().queue.addWithOptions({ priority: Number.NaN }, 'a')).toThrow(RangeError)
  })
})

describe('PriorityQueue at shutdown', () => {
  it('hands out what is due, drops what is delayed or added later, and ends every worker', async () => {
    const { environment, queue, takeAll } = create()
    queue.add('a')
    queue.addAfter('delayed', 10)
    queue.shutDown()
    expect(queue.isShuttingDown).toBe(true)
    queue.add('b')
    queue.addAfter('c', 1)
    queue.addRateLimited('d')
    environment.advance(100)
    expect((await queue.get())?.item).toBe('a')
    expect(await queue.get()).toBeUndefined()
    expect([takeAll(), environment.pendingTimers, queue.numRequeues('d')]).toEqual([[], 0, 0])
  })

  it('wakes waiting workers', async () => {
    const { queue } = create()
    const workers = [queue.get(), queue.get()]
    queue.add('a')
    queue.shutDown()
    expect((await Promise.all(workers)).map((work) => work?.item)).toEqual(['a', undefined])
  })

  it('hands out again after done what was added again before', () => {
    const { queue, take } = create()
    queue.add('a')
    take()
    queue.add('a')
    queue.shutDown()
    queue.done('a')
    expect(take()).toBe('a')
  })

  it('drains: waits until everything due was handled', async () => {
    const { queue, take } = create()
    queue.add('a')
    queue.add('b')
    take()
    queue.add('a')
    let isDrained = false
    const drained = queue.shutDownWithDrain().then(() => {
      isDrained = true
    })
    for (const item of ['a', 'b', 'a']) {
      await turn()
      expect(isDrained).toBe(false)
      queue.done(item)
      take()
    }
    await drained
  })

  it('drains at once when there is nothing', async () => {
    await create().queue.shutDownWithDrain()
  })

  it('stops draining on shutDown and on abort', async () => {
    const { queue, take } = create()
    queue.add('a')
    take()
    const drained = queue.shutDownWithDrain()
    queue.shutDown()
    await drained
    const controller = new AbortController()
    const other = queue.shutDownWithDrain(controller.signal)
    controller.abort(new Error('enough'))
    await expect(other).rejects.toThrow('enough')
  })
})

describe('PriorityQueue.snapshot', () => {
  it('shows depth, counters and durations', () => {
    const { environment, queue, take } = create()
    queue.addWithOptions({ priority: -100 }, 'a', 'b')
    queue.add('c')
    queue.add('c')
    queue.addAfter('d', 60_000)
    environment.advance(2000)
    take()
    environment.advance(500)
    take()
    environment.advance(1000)
    const snapshot = queue.snapshot()
    expect(snapshot).toMatchObject({
      depth: 1,
      depthByPriority: [{ priority: -100, depth: 1 }],
      waiting: 1,
      processing: 2,
      adds: 3,
      retries: 1,
      unfinishedWorkSeconds: 2.5,
      longestRunningProcessorSeconds: 1.5,
    })
    expect(snapshot.queueDuration).toMatchObject({ sum: 4.5, count: 2 })
    expect(snapshot.queueDuration.buckets.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2])
    queue.done('c')
    queue.done('a')
    expect(queue.snapshot()).toMatchObject({ processing: 0, unfinishedWorkSeconds: 0, workDuration: { sum: 2.5, count: 2 } })
  })

  it('has the buckets of client-go', () => {
    const bounds = create()
      .queue.snapshot()
      .workDuration.buckets.map(({ upperBound }) => upperBound)
    expect(bounds).toHaveLength(13)
    expect([bounds[0], bounds[8], bounds[11], bounds[12]]).toEqual([1e-8, 1, 1000, Number.POSITIVE_INFINITY])
  })
})
