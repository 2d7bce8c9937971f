import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyMergePatch, createMergePatch } from './merge-patch.js'
import { jsonPatch, mergeFrom, mergePatch } from './patch.js'

describe('applyMergePatch', () => {
  // The test cases of RFC 7386 appendix A.
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('applyMergePatch(%j, %j) is %j', (target, patch, expected) => {
    expect(applyMergePatch<unknown>(target, patch)).toEqual(expected)
  })

  // What kube-apiserver 1.37.2 made of a custom resource that keeps unknown fields.
  test.each([
    [{ list: [{ a: 1 }] }, { list: [{ b: null, c: 1 }] }, { list: [{ c: 1 }] }],
    [{ object: { a: 1 } }, { object: [{ b: null, c: 1 }] }, { object: [{ b: null, c: 1 }] }],
    [{}, { made: [{ b: null, c: [null, { d: null }] }] }, { made: [{ c: [null, {}] }] }],
  ])('applyMergePatch(%j, %j) is %j, as the server has it beyond the RFC', (target, patch, expected) => {
    expect(applyMergePatch<unknown>(target, patch)).toEqual(expected)
  })

  test('applyMergePatch touches neither input', () => {
    const target = Object.freeze({ a: Object.freeze({ b: 1, c: 2 }), same: Object.freeze({ x: 1 }) })
    const patch = Object.freeze({ a: Object.freeze({ c: null }) })
    const result = applyMergePatch<{ readonly same: object }>(target, patch)
    expect(result).toEqual({ a: { b: 1 }, same: { x: 1 } })
    expect(result.same).toBe(target.same)
  })

  test('applyMergePatch keeps a member named __proto__ a member', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('createMergePatch', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
    [{ a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
    [{ n: 9007199254740993n }, { n: 9007199254740993n }, {}],
    [{ n: 9007199254740993n }, { n: 9007199254740994n }, { n: 9007199254740994n }],
    [{ a: 1 }, { a: undefined }, { a: null }],
  ])('createMergePatch(%o, %o) is %o', (from, to, patch) => {
    expect(createMergePatch(from, to)).toEqual(patch)
  })

  test('createMergePatch makes a patch that turns one into the other, for any two objects without nulls', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.boolean(), fc.array(tie('tree')), tie('object')),
      object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('tree')),
    }))
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), tree)
    fc.assert(
      fc.property(object, object, (from, to) => {
        expect(applyMergePatch(from, createMergePatch(from, to))).toEqual(to)
      }),
    )
  })
})

describe('patch helpers', () => {
  const original = { kind: 'Widget', metadata: { name: 'w', resourceVersion: '7', labels: { a: '1' } }, spec: { size: 1 } }

  test('mergeFrom sends only what changed', () => {
    const modified = { ...original, metadata: { ...original.metadata, labels: { a: '2' } } }
    expect(mergeFrom(original, modified)).toEqual({
      type: 'application/merge-patch+json',
      body: { metadata: { labels: { a: '2' } } },
    })
    expect(mergeFrom(original, original).body).toEqual({})
  })

  test('mergeFrom ignores a resource version that the modified copy lost', () => {
    expect(mergeFrom(original, { metadata: { name: 'w', labels: { a: '1' } }, kind: 'Widget', spec: { size: 2 } } as never).body).toEqual({
      spec: { size: 2 },
    })
  })

  test('mergeFrom with an optimistic lock carries the resource version that was read', () => {
    const modified = { ...original, spec: { size: 2 } }
    expect(mergeFrom(original, modified, { optimisticLock: true }).body).toEqual({ metadata: { resourceVersion: '7' }, spec: { size: 2 } })
  })

  test('mergeFrom refuses an optimistic lock on an object that was never read', () => {
    const fresh = { metadata: { name: 'w' } }
    expect(() => mergeFrom(fresh, fresh, { optimisticLock: true })).toThrow(TypeError)
  })

  test('mergePatch and jsonPatch name the media type', () => {
    expect(mergePatch({ a: 1 })).toEqual({ type: 'application/merge-patch+json', body: { a: 1 } })
    expect(jsonPatch([{ op: 'remove', path: '/a' }])).toEqual({ type: 'application/json-patch+json', body: [{ op: 'remove', path: '/a' }] })
  })
})
