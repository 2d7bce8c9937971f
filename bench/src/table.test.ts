import { expect, test } from 'vitest'
import type { Measurement } from './measurement.js'
import { table } from './table.js'

const measurements: readonly Measurement[] = [
  { what: 'start', unit: 'ms', better: 'less', ours: [98, 100, 102], reference: [2500], goal: { below: 200, timesBetter: 20 } },
  { what: 'creates', unit: '/s', better: 'more', ours: [3000], reference: [1000], goal: { timesBetter: 4 } },
  { what: 'list', unit: 'ms', better: 'less', ours: [30], reference: 'not built', goal: { timesBetter: 5 } },
  { what: 'client', unit: 'µs', better: 'less', ours: [8.123], reference: [60] },
  { what: 'lmdb', unit: '/s', better: 'more', ours: 'not built yet', reference: 'not built', goal: { timesBetter: 2 } },
]

test('table says what, ours, reference, ratio, goal and whether it is met', () => {
  expect(table(measurements).split('\n')).toEqual([
    'what    | ours          | reference | ratio | goal             | met?',
    '--------|---------------|-----------|-------|------------------|-------------',
    'start   | 100 ms ±1%    | 2500 ms   | 25.0x | < 200 ms, >= 20x | met',
    'creates | 3000 /s       | 1000 /s   | 3.00x | >= 4x            | MISSED',
    'list    | 30.0 ms       | not built |       | >= 5x            | no reference',
    'client  | 8.12 µs       | 60.0 µs   | 7.39x |                  |',
    'lmdb    | not built yet | not built |       | >= 2x            |',
  ])
})
