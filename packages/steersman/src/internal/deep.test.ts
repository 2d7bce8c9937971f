import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepCopy, deepEqual, deepFreeze } from './index.js'

const json = () =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, 0, 1, 1.5, -1, '', 'a', 2n ** 60n),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value

/** One text per JSON value: members sorted by name. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}

function isDeeplyFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))
}

describe('deepCopy', () => {
  it('gives an equal value that shares no object and is not frozen', () => {
    fc.assert(
      fc.property(json(), (value) => {
        const originals = new Set<unknown>()
        const visit = (part: unknown, act: (part: object) => void) => {
          if (typeof part !== 'object' || part === null) return
          act(part)
          for (const member of Object.values(part)) visit(member, act)
        }
        visit(deepFreeze(value), (part) => originals.add(part))
        const copy = deepCopy(value)
        expect(canonical(copy)).toBe(canonical(value))
        visit(copy, (part) => {
          expect(originals.has(part)).toBe(false)
          expect(Object.isFrozen(part) && Object.keys(part).length > 0).toBe(false)
        })
      }),
    )
  })

  it('keeps a member named __proto__ as data', () => {
    const copy = deepCopy(JSON.parse('{"__proto__": {"isAdmin": true}}') as Record<string, unknown>)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(copy.isAdmin).toBeUndefined()
  })
})

describe('deepEqual', () => {
  it('agrees with the canonical text', () => {
    fc.assert(
      fc.property(json(), json(), (left, right) => {
        expect(deepEqual(left, deepCopy(left))).toBe(true)
        expect(deepEqual(left, right)).toBe(canonical(left) === canonical(right))
      }),
      { numRuns: 500 },
    )
  })

  it('compares members by name, elements by position and scalars by type and value', () => {
    const rows: [unknown, unknown, boolean][] = [
      [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
      [{ a: 1, b: undefined }, { a: 1 }, true],
      [{ a: undefined }, { b: 1 }, false],
      [{ a: null }, {}, false],
      [[1, 2], [2, 1], false],
      [[], {}, false],
      [{ length: 0 }, [], false],
      [1, 1n, false],
      [2n ** 60n, 2n ** 60n, true],
      ['1', 1, false],
      [JSON.parse('{"__proto__":{}}'), { a: 1 }, false],
      [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
    ]
    for (const [index, [left, right, expected]] of rows.entries()) {
      expect([index, deepEqual(left, right), deepEqual(right, left)]).toEqual([index, expected, expected])
    }
  })
})

describe('deepFreeze', () => {
  it('freezes every object inside and returns the same one', () => {
    fc.assert(
      fc.property(json(), (value) => {
        expect(deepFreeze(value)).toBe(value)
        expect(isDeeplyFrozen(value)).toBe(true)
      }),
    )
  })

  it('does not enter what is frozen already', () => {
    let reads = 0
    const frozen = Object.freeze({
      get part() {
        reads++
        return {}
      },
    })
    deepFreeze(frozen)
    deepFreeze({ frozen })
    expect(reads).toBe(0)
  })
})
