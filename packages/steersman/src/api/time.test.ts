import { expect, test } from 'vitest'
import { formatMicroTime, formatTime, parseTime } from './time.js'

test('formatTime writes seconds in UTC and cuts fractions off', () => {
  expect(formatTime(0)).toBe('1970-01-01T00:00:00Z')
  expect(formatTime(Date.UTC(2026, 10, 30, 3, 31, 30, 999))).toBe('2026-11-30T03:31:30Z')
  expect(formatTime(-1)).toBe('1969-12-31T23:59:59Z')
})

test('formatMicroTime writes six digits', () => {
  expect(formatMicroTime(Date.UTC(2026, 10, 30, 3, 31, 30, 5))).toBe('2026-11-30T03:31:30.005000Z')
  expect(formatMicroTime(Date.UTC(2026, 10, 30, 3, 31, 30, 5) + 0.25)).toBe('2026-11-30T03:31:30.005250Z')
  expect(formatMicroTime(-1)).toBe('1969-12-31T23:59:59.999000Z')
})

test('formatTime refuses years that RFC 3339 has no room for', () => {
  expect(() => formatTime(8.64e15)).toThrow(RangeError)
  expect(() => formatTime(Number.NaN)).toThrow(RangeError)
})

test('parseTime reads both forms and any offset', () => {
  expect(parseTime('2026-11-30T03:31:30Z')).toBe(Date.UTC(2026, 10, 30, 3, 31, 30))
  expect(parseTime('2026-11-30T05:31:30+02:00')).toBe(Date.UTC(2026, 10, 30, 3, 31, 30))
  expect(parseTime('2026-11-30T03:31:30.005250Z')).toBeCloseTo(Date.UTC(2026, 10, 30, 3, 31, 30, 5) + 0.25, 3)
})

test('parseTime is undefined for what is no time', () => {
  for (const text of [undefined, null, '', 'yesterday', '2026-11-30', '2026-13-30T03:31:30Z']) expect(parseTime(text)).toBeUndefined()
})
