import { expect, test } from 'vitest'
import { warningHeaderValues } from './respond.js'

test('warningHeaderValues quotes each text once and drops control characters', () => {
  expect(warningHeaderValues(['unknown field "a"', 'unknown field "a"', 'back\\slash', 'li\nne'])).toEqual([
    '299 - "unknown field \\"a\\""',
    '299 - "back\\\\slash"',
    '299 - "line"',
  ])
})

test('warningHeaderValues keeps all warnings of an answer below 4096 characters', () => {
  const values = warningHeaderValues(Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(1000)}`))
  expect(values).toHaveLength(16)
  expect(values.join('').length).toBeLessThan(5000)
})
