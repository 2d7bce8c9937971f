import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepFreeze, toPlainJson } from './index.js'

describe('toPlainJson', () => {
  test('toPlainJson returns what JSON would carry, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toPlainJson(value)).toStrictEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('toPlainJson shares nothing with its argument, frozen or not', () => {
    const value = Object.freeze({ metadata: Object.freeze({ labels: {} }), list: Object.freeze([{}]) })
    const copy = toPlainJson(value) as typeof value
    expect(copy).toEqual(value)
    expect(copy.metadata).not.toBe(value.metadata)
    expect(copy.metadata.labels).not.toBe(value.metadata.labels)
    expect(copy.list[0]).not.toBe(value.list[0])
    expect(Object.isFrozen(copy) || Object.isFrozen(copy.list)).toBe(false)
  })

  test('toPlainJson drops undefined properties and keeps null, bigint and an own __proto__', () => {
    const value = { a: undefined, b: null, c: 2n ** 60n, ['__proto__']: { polluted: true } }
    const copy = toPlainJson(value) as Record<string, unknown>
    expect(Object.keys(copy)).toEqual(['b', 'c', '__proto__'])
    expect(copy.c).toBe(2n ** 60n)
    expect(copy.polluted).toBeUndefined()
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  test('toPlainJson takes an object without prototype', () => {
    expect(toPlainJson(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ a: 1 })
  })

  test('toPlainJson allows the same object in two places', () => {
    const shared = { x: 1 }
    expect(toPlainJson({ a: shared, b: [shared, shared] })).toStrictEqual({ a: { x: 1 }, b: [{ x: 1 }, { x: 1 }] })
  })

  class Widget {}
  const cycle: Record<string, unknown> = {}
  cycle.spec = { list: [cycle] }
  let deep: unknown = 1
  for (let index = 0; index < 1_001; index++) deep = [deep]
  test.each([
    ['a Date', { spec: { at: new Date(0) } }, '$.spec.at is an instance of Date'],
    ['a class instance', { list: [1, new Widget()] }, '$.list[1] is an instance of Widget'],
    ['a Map', new Map(), '$ is an instance of Map'],
    ['bytes', { data: new Uint8Array(1) }, '$.data is an instance of Uint8Array'],
    ['a function', { 'a.b/c': () => 1 }, '$["a.b/c"] is a function'],
    ['a symbol', [Symbol('x')], '$[0] is a symbol'],
    ['NaN', { x: Number.NaN }, '$.x is NaN'],
    ['infinity', { x: -Infinity }, '$.x is -Infinity'],
    ['an undefined element', { x: [1, undefined] }, '$.x[1] is undefined'],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    ['a hole', [1, , 2], '$[1] is undefined'],
    ['undefined', undefined, '$ is undefined'],
    ['a cycle', cycle, '$.spec.list[0] refers back to an object that contains it'],
    ['deep nesting', deep, 'it nests deeper than 1000 levels'],
  ])('toPlainJson refuses %s and says where', (_what, value, message) => {
    expect(() => toPlainJson(value)).toThrow(new TypeError(`Value is not plain JSON: ${message}`))
  })
})

describe('deepFreeze', () => {
  test('deepFreeze freezes all levels in place', () => {
    const value = { a: [{ b: {} }], c: null, d: 'x' }
    expect(deepFreeze(value)).toBe(value)
    expect(Object.isFrozen(value)).toBe(true)
    expect(Object.isFrozen(value.a)).toBe(true)
    expect(Object.isFrozen(value.a[0]!.b)).toBe(true)
  })
})
