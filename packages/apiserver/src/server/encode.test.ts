import { describe, expect, test } from 'vitest'
import { encodeValue, watchFrame } from './encode.js'

function stored(name: string, more: object = {}): object {
  return Object.freeze({ apiVersion: 'v1', kind: 'ConfigMap', metadata: Object.freeze({ name, resourceVersion: '1' }), ...more })
}

describe('encodeValue', () => {
  test('writes the members of an object, kind and apiVersion first', () => {
    const text = encodeValue(stored('a', { data: { x: '1' } })).toString()
    expect(text).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"},"data":{"x":"1"}}')
  })

  test('leaves apiVersion and kind of list items out where the wire has none', () => {
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '2' }, items: [stored('a'), stored('b')] }
    const withTypes = JSON.parse(encodeValue(list).toString())
    expect(withTypes).toEqual(list)
    const without = JSON.parse(encodeValue(list, true).toString())
    expect(without.items).toEqual([{ metadata: { name: 'a', resourceVersion: '1' } }, { metadata: { name: 'b', resourceVersion: '1' } }])
  })

  test('writes an empty list as an empty array', () => {
    expect(encodeValue({ kind: 'PodList', metadata: {}, items: [] }, true).toString()).toBe('{"kind":"PodList","metadata":{},"items":[]}')
  })

  test('keeps integers beyond 2^53', () => {
    expect(encodeValue(stored('a', { big: 9007199254740993n })).toString()).toContain('"big":9007199254740993')
  })

  test('writes values that are no objects of the API as they are', () => {
    expect(encodeValue({ paths: ['/api'] }).toString()).toBe('{"paths":["/api"]}')
    expect(encodeValue({ kind: 'Table', rows: [{ cells: [1] }] }).toString()).toBe('{"kind":"Table","rows":[{"cells":[1]}]}')
  })
})

describe('watchFrame', () => {
  test('makes the bytes of an event once for all watchers', () => {
    const event = Object.freeze({ type: 'ADDED', object: stored('a') })
    const frame = watchFrame(event)
    expect(watchFrame(event)).toBe(frame)
    expect(frame.toString()).toBe(
      '{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"}}}\n',
    )
  })

  test('does not keep the bytes of an event that may change', () => {
    const event = { type: 'ADDED', object: stored('a') }
    expect(watchFrame(event)).not.toBe(watchFrame(event))
  })

  test('writes a Status of an ERROR event', () => {
    const frame = watchFrame({ type: 'ERROR', object: { kind: 'Status', code: 410 } })
    expect(frame.toString()).toBe('{"type":"ERROR","object":{"kind":"Status","code":410}}\n')
  })
})
