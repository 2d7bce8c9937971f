import { describe, expect, it } from 'vitest'
import { DefinitionCompleter } from './complete.js'

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'test.v1.Outer': {
    name: 'string;pb=1',
    note: 'string;omit;pb=2',
    count: 'int32;pb=3?',
    created: 'Time;null;pb=4',
    inner: 'test.v1.Inner;pb=5',
    other: 'test.v1.Inner;pb=6?',
    quiet: 'test.v1.Inner;omitzero;pb=7',
    items: '[]test.v1.Inner;pb=8',
    byName: '{}test.v1.Inner;pb=9',
    required: '[]string!;null;pb=10',
    share: 'IntOrString;pb=11',
    amount: 'Quantity;pb=12',
  },
  'test.v1.Inner': { ready: 'boolean;pb=1' },
}

describe('DefinitionCompleter', () => {
  const completer = new DefinitionCompleter((name) => tables[name])

  it('writes out what Go writes for fields that hold nothing', () => {
    const draft = {}
    completer.complete('test.v1.Outer', draft)
    expect(draft).toEqual({ name: '', created: null, inner: { ready: false }, required: null, share: 0, amount: '0' })
  })

  it('keeps what is there and completes it inside lists, maps and pointers', () => {
    const draft = {
      name: 'a',
      count: 0,
      created: '2020-01-01T00:00:00Z',
      other: {},
      quiet: {},
      items: [{}, { ready: true }],
      byName: { x: {} },
    }
    completer.complete('test.v1.Outer', draft)
    expect(draft).toMatchObject({
      name: 'a',
      count: 0,
      created: '2020-01-01T00:00:00Z',
      other: { ready: false },
      quiet: { ready: false },
      items: [{ ready: false }, { ready: true }],
      byName: { x: { ready: false } },
    })
  })

  it('changes nothing of a definition that is not known', () => {
    const draft = { a: 1 }
    completer.complete('test.v1.Unknown', draft)
    expect(draft).toEqual({ a: 1 })
  })
})
