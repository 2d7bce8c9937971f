import { describe, expect, test } from 'vitest'
import { isSameValue } from './same-value.js'

describe('isSameValue', () => {
  test.each([
    [undefined, null],
    [undefined, {}],
    [undefined, []],
    [undefined, ''],
    [{ a: null }, {}],
    [{ a: { b: {} } }, undefined],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2, c: null }] }],
  ])('holds for %j and %j', (value, other) => {
    expect([isSameValue(value, other), isSameValue(other, value)]).toEqual([true, true])
  })

  test.each([
    [undefined, 0],
    [undefined, false],
    ['', 0],
    [{ a: '' }, {}],
    [{ a: 1 }, { a: 2 }],
    [[1], [1, 2]],
    [[undefined], []],
    [[], {}],
    [{ a: 'x' }, 'x'],
  ])('does not hold for %j and %j', (value, other) => {
    expect([isSameValue(value, other), isSameValue(other, value)]).toEqual([false, false])
  })
})
