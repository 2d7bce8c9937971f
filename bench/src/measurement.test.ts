import { describe, expect, test } from 'vitest'
import { isMet, type Measurement, ratio } from './measurement.js'

const start: Measurement = { what: 'start', unit: 'ms', better: 'less', ours: [100, 90, 300], reference: [2000, 2000], goal: {} }
const load: Measurement = { what: 'load', unit: '/s', better: 'more', ours: [6000], reference: [1000], goal: {} }

describe('ratio', () => {
  test('is how many times less time we take', () => expect(ratio(start)).toBe(20))
  test('is how many times more we do', () => expect(ratio(load)).toBe(6))
  test('is unknown when one of the two was not measured', () => {
    expect([ratio({ ...start, reference: 'not built' }), ratio({ ...start, ours: 'not built yet' })]).toEqual([undefined, undefined])
  })
})

describe('isMet', () => {
  test.each([
    [{ below: 200 }, true],
    [{ below: 100 }, false],
    [{ timesBetter: 20 }, true],
    [{ timesBetter: 20.1 }, false],
    [{ below: 200, timesBetter: 21 }, false],
    [{ below: 99, timesBetter: 20 }, false],
  ])('%j', (goal, expected) => expect(isMet({ ...start, goal })).toBe(expected))

  test('needs at least as much as named', () => {
    expect([6000, 6001].map((atLeast) => isMet({ ...load, goal: { atLeast } }))).toEqual([true, false])
  })

  test('cannot judge a ratio without a reference, but what is missed without it', () => {
    const alone = { ...start, reference: 'not built' }
    expect(isMet({ ...alone, goal: { below: 200, timesBetter: 20 } })).toBeUndefined()
    expect(isMet({ ...alone, goal: { below: 50, timesBetter: 20 } })).toBe(false)
    expect(isMet({ ...alone, goal: { below: 200 } })).toBe(true)
  })

  test('has no opinion without a goal or a value', () => {
    const { goal: _, ...withoutGoal } = start
    expect([isMet(withoutGoal), isMet({ ...start, ours: 'not built yet', goal: { below: 1 } })]).toEqual([undefined, undefined])
  })
})
