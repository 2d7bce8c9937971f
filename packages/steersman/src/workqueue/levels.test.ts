import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LevelNode, Levels } from './levels.js'

interface Node extends LevelNode {
  readonly id: number
}

describe('Levels', () => {
  it('agrees with a sorted list under any pushes, takes and removals', () => {
    const step = fc.record({
      kind: fc.constantFrom('push', 'push', 'shift', 'remove'),
      priority: fc.integer({ min: -2, max: 2 }),
      pick: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const levels = new Levels<Node>()
        const model: Node[] = []
        for (const [id, { kind, priority, pick }] of steps.entries()) {
          const picked = model[pick % (model.length || 1)]
          if (kind === 'push') {
            const node: Node = { id, priority, previous: undefined, next: undefined }
            levels.push(node)
            model.push(node)
            model.sort((left, right) => right.priority - left.priority || left.id - right.id)
          } else if (kind === 'shift') {
            expect(levels.shift()).toBe(model.shift())
          } else if (picked !== undefined) {
            levels.remove(picked)
            model.splice(model.indexOf(picked), 1)
          }
          expect(levels.size).toBe(model.length)
          const depths = new Map<number, number>()
          for (const node of model) depths.set(node.priority, (depths.get(node.priority) ?? 0) + 1)
          expect(levels.counts()).toEqual(Array.from(depths, ([level, depth]) => ({ priority: level, depth })))
        }
      }),
    )
  })
})
