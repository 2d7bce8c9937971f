import { expect, test } from 'vitest'
import { ageOf, humanDuration } from './human-duration.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

// Values printed by k8s.io/apimachinery's HumanDuration.
test.each([
  [-2 * second, '<invalid>'],
  [-1 * second, '0s'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 59 * second, '9m59s'],
  [10 * minute + 5 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 5 * minute, '3h5m'],
  [47 * hour + 59 * minute, '47h'],
  [48 * hour, '2d'],
  [2 * day + 3 * hour, '2d3h'],
  [8 * day + 3 * hour, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [3 * 365 * day + 2 * day, '3y2d'],
  [9 * 365 * day + 2 * day, '9y'],
])('humanDuration writes %d ms as %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text)
})

test('ageOf says that it does not know', () => {
  expect(ageOf(undefined, 0)).toBe('<unknown>')
  expect(ageOf('1970-01-01T00:00:00Z', 90_000)).toBe('90s')
})
