import { describe, expect, it } from 'vitest'
import { BatchQueue, type BatchQueueOptions, BatchQueueOverflowError } from './index.js'

const reason = new Error('stop')

function create(options: Partial<BatchQueueOptions> = {}) {
  let ends = 0
  const queue = new BatchQueue<number>({ maxPending: 3, onEnd: () => ends++, ...options })
  return { queue, batches: queue[Symbol.asyncIterator](), ends: () => ends }
}

describe('BatchQueue', () => {
  it('hands out everything pending as one batch, in order', async () => {
    const { queue, batches } = create()
    queue.push(1)
    queue.push(2)
    expect(queue.size).toBe(2)
    expect(await batches.next()).toEqual({ done: false, value: [1, 2] })
    expect(queue.size).toBe(0)
  })

  it('gives a waiting consumer what one turn pushes together', async () => {
    const { queue, batches } = create()
    const next = batches.next()
    queue.push(1)
    queue.push(2)
    expect(await next).toEqual({ done: false, value: [1, 2] })
  })

  it('ends after what is pending when closed', async () => {
    const { queue, batches, ends } = create()
    queue.push(1)
    queue.close()
    queue.close()
    expect(queue.push(2)).toBe(false)
    expect(ends()).toBe(1)
    expect(await batches.next()).toEqual({ done: false, value: [1] })
    expect(await batches.next()).toEqual({ done: true, value: undefined })
  })

  it('ends a waiting consumer when closed', async () => {
    const { queue, batches } = create()
    const next = batches.next()
    queue.close()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('drops everything and throws once when more than maxPending wait', async () => {
    const { queue, batches, ends } = create()
    expect([1, 2, 3, 4, 5].map((item) => queue.push(item))).toEqual([true, true, true, false, false])
    expect(queue.size).toBe(0)
    expect(ends()).toBe(1)
    await expect(batches.next()).rejects.toThrow(new BatchQueueOverflowError(3))
    expect(await batches.next()).toEqual({ done: true, value: undefined })
  })

  it('throws the overflow error that its maker wants', async () => {
    const { queue, batches } = create({ maxPending: 1, overflowError: () => reason })
    queue.push(1)
    queue.push(2)
    await expect(batches.next()).rejects.toBe(reason)
  })

  it('throws the reason of an abort, unchanged, to a waiting and to a later consumer', async () => {
    const controller = new AbortController()
    const waiting = create({ signal: controller.signal })
    const later = create({ signal: controller.signal })
    const next = waiting.batches.next()
    later.queue.push(1)
    controller.abort(reason)
    await expect(next).rejects.toBe(reason)
    await expect(later.batches.next()).rejects.toBe(reason)
    expect(waiting.ends() + later.ends()).toBe(2)
    await expect(create({ signal: controller.signal }).batches.next()).rejects.toBe(reason)
  })

  it('ends when the consumer leaves', async () => {
    const { queue, ends } = create()
    const other = new BatchQueue<number>({ maxPending: 3 })
    other.push(1)
    for await (const batch of other) {
      expect(batch).toEqual([1])
      break
    }
    expect(other.push(2)).toBe(false)
    expect(other.size).toBe(0)
    expect([queue.ended, ends()]).toEqual([false, 0])
  })

  it('refuses a second consumer, a second read at once and a bound below 1', async () => {
    const { queue, batches } = create()
    expect(() => queue[Symbol.asyncIterator]()).toThrow(TypeError)
    const next = batches.next()
    await expect(batches.next()).rejects.toThrow(TypeError)
    queue.push(1)
    expect((await next).value).toEqual([1])
    expect(() => new BatchQueue({ maxPending: 0 })).toThrow(RangeError)
  })
})
