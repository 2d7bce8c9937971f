import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Completion, TimerHeap } from './timer-heap.js'

test('TimerHeap gives what was not removed in order of due time, then of creation', () => {
  const entries = fc.array(fc.record({ dueMs: fc.nat(20), remove: fc.boolean() }), { maxLength: 200 })
  fc.assert(
    fc.property(entries, fc.boolean(), (specs, bulk) => {
      const heap = new TimerHeap()
      const all = specs.map(({ dueMs, remove }, sequence) => ({ completion: new Completion(dueMs, sequence, undefined, () => {}), remove }))
      for (const { completion } of all) heap.push(completion)
      const removed = new Set(all.filter(({ remove }) => remove).map(({ completion }) => completion))
      if (bulk) heap.retain((completion) => !removed.has(completion))
      else for (const completion of removed) heap.remove(completion)
      const seen: Completion[] = []
      for (let first = heap.first; first !== undefined; first = heap.first) {
        heap.remove(first)
        heap.remove(first)
        seen.push(first)
      }
      const expected = all.map(({ completion }) => completion).filter((completion) => !removed.has(completion))
      expect(seen).toEqual(expected.sort((a, b) => a.dueMs - b.dueMs || a.sequence - b.sequence))
    }),
  )
})
