import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Heap, type HeapHandle } from './index.js'

describe('Heap', () => {
  it('hands out the smallest first and equal values in the order of insertion', () => {
    const heap = new Heap<[number, string]>(([left], [right]) => left - right)
    for (const value of [
      [2, 'a'],
      [1, 'b'],
      [2, 'c'],
      [1, 'd'],
    ] as [number, string][])
      heap.push(value)
    expect([heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()].map((value) => value?.[1])).toEqual(['b', 'd', 'a', 'c', undefined])
  })

  it('says whether a handle was still inside', () => {
    const heap = new Heap<number>((left, right) => left - right)
    const handle = heap.push(1)
    expect(heap.remove(handle)).toBe(true)
    expect(heap.remove(handle)).toBe(false)
    expect(heap.update(handle)).toBe(false)
    const second = heap.push(2)
    heap.clear()
    expect(heap.remove(second)).toBe(false)
    expect(heap.peek()).toBeUndefined()
  })

  it('agrees with a sorted list under any pushes, pops, removals and updates', () => {
    const step = fc.record({ kind: fc.constantFrom('push', 'pop', 'remove', 'update'), rank: fc.nat(20), pick: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = new Heap<{ rank: number; id: number }>((left, right) => left.rank - right.rank)
        const model: HeapHandle<{ rank: number; id: number }>[] = []
        const sort = () => model.sort((left, right) => left.value.rank - right.value.rank || left.value.id - right.value.id)
        for (const [id, { kind, rank, pick }] of steps.entries()) {
          const handle = model[pick % (model.length || 1)]
          if (kind === 'push') model.push(heap.push({ rank, id }))
          else if (kind === 'pop') expect(heap.pop()).toBe(model.shift()?.value)
          else if (handle !== undefined && kind === 'remove') {
            expect(heap.remove(handle)).toBe(true)
            model.splice(model.indexOf(handle), 1)
          } else if (handle !== undefined) {
            handle.value.rank = rank
            expect(heap.update(handle)).toBe(true)
          }
          sort()
          expect(heap.size).toBe(model.length)
          expect(heap.peek()).toBe(model[0]?.value)
        }
        expect(Array.from({ length: model.length }, () => heap.pop())).toEqual(model.map(({ value }) => value))
      }),
    )
  })
})
