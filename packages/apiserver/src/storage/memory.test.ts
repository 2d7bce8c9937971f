import { expect, it } from 'vitest'
import { MemoryStorage } from './memory.js'
import { describeStorage } from './storage.conformance.js'

describeStorage('MemoryStorage', { open: async () => new MemoryStorage() })

const object = { metadata: {} }

it('MemoryStorage forgets the oldest events beyond maxEvents', async () => {
  const storage = new MemoryStorage({ maxEvents: 3 })
  for (let index = 0; index < 10; index++) await storage.create(`/g/r/${index}`, object)
  await expect(storage.list('/g/r/', { revision: 7 })).rejects.toMatchObject({ code: 'compacted' })
  expect((await storage.list('/g/r/', { revision: 8 })).items).toHaveLength(7)
})

it('MemoryStorage forgets events beyond maxEventAgeMs at the next write', async () => {
  let now = 0
  const storage = new MemoryStorage({ maxEventAgeMs: 1000, monotonicMs: () => now })
  await storage.create('/g/r/a', object)
  now = 5000
  expect((await storage.list('/g/r/', { revision: 1 })).items).toHaveLength(0)
  await storage.create('/g/r/b', object)
  await expect(storage.list('/g/r/', { revision: 1 })).rejects.toMatchObject({ code: 'compacted' })
})

it('MemoryStorage keeps keys in order whatever the order of insertion, across chunks', async () => {
  const storage = new MemoryStorage()
  const names = Array.from({ length: 5000 }, (_, index) => String((index * 7919) % 5000).padStart(5, '0'))
  for (const name of names) await storage.create(`/g/r/${name}`, object)
  for (const name of names.slice(0, 2500)) {
    const current = await storage.get(`/g/r/${name}`)
    await storage.delete(`/g/r/${name}`, current!, Number(current!.metadata.resourceVersion))
  }
  const expected = names.slice(2500).sort()
  const list = await storage.list('/g/r/', { limit: 1000 })
  expect(list.keys).toEqual(expected.slice(0, 1000).map((name) => `/g/r/${name}`))
  expect(list.remaining).toBe(1500)
})

it('MemoryStorage gives writes committed in one turn to a waiting watcher as one batch', async () => {
  const storage = new MemoryStorage()
  const iterator = (await storage.watch('/g/r/', 1, { signal: new AbortController().signal }))[Symbol.asyncIterator]()
  const next = iterator.next()
  await Promise.all([storage.create('/g/r/a', object), storage.create('/g/r/b', object)])
  expect((await next).value.events).toHaveLength(2)
  await storage.close()
})
