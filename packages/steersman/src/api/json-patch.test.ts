import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyJsonPatch, JsonPatchError, maxJsonPatchOperations } from './json-patch.js'
import type { JsonPatchOperation } from './patch.js'

type Operations = readonly JsonPatchOperation[]

describe('applyJsonPatch', () => {
  // The examples of RFC 6902 appendix A.
  test.each([
    ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    ['A.2', { foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
    ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    ['A.5', { baz: 'qux', foo: 'bar' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo', foo: 'bar' }],
    [
      'A.6',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    ['A.10', { foo: 'bar' }, [{ op: 'add', path: '/child', value: { grandchild: {} } }], { foo: 'bar', child: { grandchild: {} } }],
    ['A.11', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }], { foo: 'bar', baz: 'qux' }],
    ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    ['A.16', { foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }], { foo: ['bar', ['abc', 'def']] }],
  ])('applyJsonPatch does RFC 6902 example %s', (_, document, operations, expected) => {
    expect(applyJsonPatch<unknown>(document, operations as Operations)).toEqual(expected)
  })

  const document = { data: { a: '1' }, list: ['x'] }
  // What kube-apiserver 1.37.2 answered with 422 when asked to patch a ConfigMap so.
  test.each([
    { op: 'remove', path: '/foo/zz' },
    { op: 'remove', path: '/data/zz' },
    { op: 'add', path: '/foo/zz', value: '1' },
    { op: 'test', path: '/data/a', value: '2' },
    { op: 'test', path: '/data/q', value: '2' },
    { op: 'test', path: '/foo/q', value: '2' },
    { op: 'test', path: '/data/a' },
    { op: 'test', path: '', value: {} },
    { op: 'move', path: '/data/q', from: '/data/nope' },
    { op: 'move', path: '/data/q', from: '/foo/nope' },
    { op: 'move', path: '/data/x', from: '/list/4' },
    { op: 'copy', path: '/data/q', from: '/foo/nope' },
    { op: 'copy', path: '/data/q' },
    { op: 'bogus', path: '/data/q' },
    { op: 'add', value: 'x' },
    { path: '/data', value: 'x' },
    { op: 'remove', path: '/list/3' },
    { op: 'add', path: '/list/3', value: 'c' },
    { op: 'add', path: '/list/x', value: 'c' },
    { op: 'replace', path: '/list/3', value: 'c' },
    { op: 'replace', path: '/list/-', value: 'c' },
    { op: 'test', path: '/list/3', value: 'c' },
    { op: 'remove', path: '' },
    { op: 'add', path: '', value: {} },
    { op: 'add', path: '/data/a/b', value: 'x' },
    { op: 'test', path: '/data/a/b', value: 'x' },
    { op: 'remove', path: '/data/a/b' },
    { op: 'add', path: '/constructor/x', value: 1 },
  ])('applyJsonPatch refuses %j', (operation) => {
    expect(() => applyJsonPatch(document, [operation as JsonPatchOperation])).toThrow(JsonPatchError)
  })

  // What it accepted beyond the RFC.
  test.each([
    [
      { op: 'replace', path: '/data/zz', value: '1' },
      { data: { a: '1', zz: '1' }, list: ['x'] },
    ],
    [
      { op: 'copy', path: '/data/q', from: '/data/nope' },
      { data: { a: '1', q: null }, list: ['x'] },
    ],
    [
      { op: 'add', path: 'ignored/q', value: 'x' },
      { data: { a: '1' }, list: ['x'], q: 'x' },
    ],
    [
      { op: 'add', path: '/data/q' },
      { data: { a: '1', q: null }, list: ['x'] },
    ],
    [
      { op: 'remove', path: '/list/-1' },
      { data: { a: '1' }, list: [] },
    ],
    [
      { op: 'add', path: '/list/01', value: 'y' },
      { data: { a: '1' }, list: ['x', 'y'] },
    ],
    [{ op: 'replace', path: '', value: {} }, {}],
    [{ op: 'test', path: '/data/nope', value: null }, document],
    [{ op: 'test', path: '/data/nope' }, document],
  ])('applyJsonPatch accepts %j as the server does', (operation, expected) => {
    expect(applyJsonPatch<unknown>(document, [operation as JsonPatchOperation])).toEqual(expected)
  })

  test('applyJsonPatch leaves a frozen input alone and shares nothing with the patch', () => {
    const input = Object.freeze({ list: Object.freeze([Object.freeze({ n: 1 })]) })
    const value = { deep: { x: 1 } }
    const output = applyJsonPatch<Record<string, unknown>>(input, [
      { op: 'add', path: '/v', value },
      { op: 'copy', path: '/w', from: '/v' },
      { op: 'replace', path: '/w/deep/x', value: 2 },
      { op: 'remove', path: '/list/0' },
    ])
    expect(output).toEqual({ list: [], v: { deep: { x: 1 } }, w: { deep: { x: 2 } } })
    expect(value).toEqual({ deep: { x: 1 } })
    expect(input).toEqual({ list: [{ n: 1 }] })
  })

  test('applyJsonPatch applies all operations or none', () => {
    const input = { a: 1 }
    expect(() =>
      applyJsonPatch(input, [
        { op: 'replace', path: '/a', value: 2 },
        { op: 'test', path: '/a', value: 1 },
      ]),
    ).toThrow('testing value /a failed: test failed')
    expect(input).toEqual({ a: 1 })
  })

  test('applyJsonPatch adds a member named __proto__ as a member', () => {
    const output = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }])
    expect(JSON.stringify(output)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('applyJsonPatch refuses more than 10,000 operations, worded as the server does', () => {
    const operations: Operations = Array(maxJsonPatchOperations + 1).fill({ op: 'test', path: '/a', value: 1 })
    expect(() => applyJsonPatch({ a: 1 }, operations)).toThrow('The allowed maximum operations in a JSON patch is 10000, got 10001')
    expect(applyJsonPatch({ a: 1 }, operations.slice(1))).toEqual({ a: 1 })
  })

  test('applyJsonPatch refuses copies that double until memory is full', () => {
    const operations: Operations = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', path: `/a/k${index}`, from: '/a' }))
    expect(() => applyJsonPatch({ a: { text: 'x'.repeat(1000) } }, operations)).toThrow(JsonPatchError)
  })

  test('add then remove is the identity on any document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (input, key, value) => {
        fc.pre(!Object.hasOwn(input, key))
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
        const output = applyJsonPatch(input, [
          { op: 'add', path, value },
          { op: 'test', path, value },
          { op: 'remove', path },
        ])
        expect(output).toEqual(input)
      }),
    )
  })
})
