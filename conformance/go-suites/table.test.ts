import { describe, expect, test } from 'vitest'
import type { SuiteRun } from './results.js'
import { agrees, outcomesText } from './table.js'

function run(states: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>>, seconds = 2): SuiteRun {
  return { specs: Object.entries(states).map(([name, state]) => ({ name, state })), seconds }
}

const good = run({ one: 'passed', two: 'passed' })
const recorded = { specs: 2, passed: 2, failed: 0, skipped: 0 }

describe('outcomesText', () => {
  test('puts the sides beside each other', () => {
    const outcomes = [
      { name: 'client', recorded, real: [good], ours: [run({ one: 'passed', two: 'passed' }, 0.5)] },
      { name: 'controller/controllerutil', recorded, real: [], ours: [good] },
      { name: 'cache', recorded, real: [good], ours: [] },
      { name: 'new', real: [good], ours: [] },
    ]
    expect(outcomesText(outcomes).split('\n')).toEqual([
      'suite                     | real: passed/failed of specs | ours: passed/failed of specs | agree',
      'client                    | 2/0 of 2, 2.0 s              | 2/0 of 2, 0.5 s              | yes',
      'controller/controllerutil | 2/0 of 2 (recorded)          | 2/0 of 2, 2.0 s              | yes',
      'cache                     | 2/0 of 2, 2.0 s              | –                            | yes',
      'new                       | 2/0 of 2, 2.0 s              | –                            | –',
    ])
  })

  test('names what fails on one side only', () => {
    const [real, ours] = [run({ one: 'failed', two: 'passed' }), run({ one: 'passed', two: 'failed' })]
    const outcome = { name: 'client', recorded: { specs: 2, passed: 1, failed: 1, skipped: 0 }, real: [real], ours: [ours] }
    expect(outcomesText([outcome])).toMatch(/\| NO\nclient: ours fails: two$/)
  })

  test('says every result of several runs and their median time', () => {
    const runs = [good, run({ one: 'passed', two: 'failed' }, 9), run({ one: 'passed', two: 'passed' }, 4)]
    expect(outcomesText([{ name: 'client', recorded, real: runs, ours: [] }])).toMatch(/2\/0 of 2; 1\/1 of 2, 4\.0 s \(median of 3\)/)
  })

  test('says why a run is not whole', () => {
    const text = outcomesText([{ name: 'client', recorded, real: [], ours: [{ specs: [], seconds: 60, broken: 'did not end in time' }] }])
    expect(text).toMatch(/client: ours did not end in time\nclient: ours has 0\/0 of 0, expected 2\/0 of 2$/)
  })
})

describe('agrees', () => {
  test('holds when both have the same failures', () => {
    const half = run({ one: 'failed', two: 'passed' })
    expect(agrees({ name: 'client', real: [half], ours: [half] })).toBe(true)
  })

  test('does not hold when a spec is missing, skipped or fails', () => {
    const others = [run({ one: 'passed' }), run({ one: 'passed', two: 'skipped' }), run({ one: 'passed', two: 'failed' })]
    for (const other of others) {
      expect(agrees({ name: 'client', recorded, real: [], ours: [other] })).toBe(false)
      expect(agrees({ name: 'client', recorded, real: [other], ours: [] })).toBe(false)
    }
  })

  test('does not hold when one of several runs differs', () => {
    expect(agrees({ name: 'client', recorded, real: [good], ours: [good, run({ one: 'passed', two: 'failed' })] })).toBe(false)
  })

  test('does not hold when there is nothing to compare with', () => {
    expect(agrees({ name: 'client', real: [], ours: [good] })).toBe(false)
  })
})
