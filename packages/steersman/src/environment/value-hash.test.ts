import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepFreeze } from './index.js'
import { RollingHash, ValueHasher } from './value-hash.js'

function hashOf(value: unknown, hasher = new ValueHasher()): string {
  const hash = new RollingHash()
  hasher.add(hash, value)
  return hash.digest()
}

describe('ValueHasher', () => {
  test('ValueHasher ignores the order of properties and whether a value is frozen', () => {
    const one = { a: 1, b: { c: [1, 2], d: null } }
    const other = { b: { d: null, c: [1, 2] }, a: 1 }
    expect(hashOf(one)).toBe(hashOf(other))
    expect(hashOf(deepFreeze({ ...one }))).toBe(hashOf(one))
  })

  test('ValueHasher remembers frozen objects without changing their hash, at whatever depth they are met first', () => {
    const object = deepFreeze({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { x: 1 } })
    const hasher = new ValueHasher()
    expect(hashOf([{ type: 'ADDED', object }], hasher)).toBe(hashOf([{ type: 'ADDED', object }]))
    expect(hashOf(object, hasher)).toBe(hashOf(object))
    expect(hashOf({ deeper: { and: { deeper: object } } }, hasher)).toBe(hashOf({ deeper: { and: { deeper: object } } }))
  })

  test('ValueHasher tells values apart that JSON tells apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const canonical = (value: unknown): string =>
          JSON.stringify(value, (_key, inner) =>
            inner !== null && typeof inner === 'object' && !Array.isArray(inner)
              ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
              : inner,
          )
        expect(hashOf(one) === hashOf(other)).toBe(canonical(one) === canonical(other))
      }),
    )
    const similar = [[], {}, [[]], [{}], null, false, 0, '', '0', 'null', ['a', 'b'], ['ab'], { a: 'b' }, { ab: '' }, [null], [0]]
    expect(new Set(similar.map((value) => hashOf(value))).size).toBe(similar.length)
  })

  test('ValueHasher takes a bigint for the number it is on the wire', () => {
    expect(hashOf(5n)).toBe(hashOf(5))
    expect(hashOf(2n ** 60n)).not.toBe(hashOf(2n ** 60n + 1n))
  })
})

describe('RollingHash', () => {
  test('RollingHash depends on every byte, on the length and on the order', () => {
    const digests = [[1, 2], [2, 1], [1, 2, 0], [0, 1, 2], [1], []].map((bytes) => {
      const hash = new RollingHash()
      hash.bytes(Uint8Array.from(bytes))
      return hash.digest()
    })
    expect(new Set(digests).size).toBe(digests.length)
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{16}$/)
  })
})
