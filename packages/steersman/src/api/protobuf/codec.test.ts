import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtobufCodec, ProtobufError, type ProtobufTable } from './index.js'

const tables: Readonly<Record<string, ProtobufTable>> = {
  'test.v1.Widget': {
    kind: 'string;omit',
    apiVersion: 'string;omit',
    size: 'int32;omit;pb=1',
    label: 'string;pb=2',
    count: 'int64;pb=3?',
    ratio: 'double;pb=4?',
    enabled: 'boolean;omit;pb=5',
    tags: '[]string;list=set;pb=6',
    numbers: '[]int64;null;pb=7',
    labels: '{}string;pb=8',
    data: '{}bytes;pb=9',
    child: 'test.v1.Widget;pb=10?',
    children: '[]test.v1.Widget;pb=11',
    part: 'test.v1.Part;pb=12',
    secret: 'bytes;pb=13',
    time: 'Time;null;pb=14',
    microTime: 'MicroTime;pb=15?',
    wait: 'Duration;pb=16?',
    amount: 'Quantity;pb=17?',
    port: 'IntOrString;pb=18?',
    raw: 'object;pb=19?',
    any: 'any;pb=20?',
    image: 'string;pb=21.1?',
    volumeName: 'string;omit;pb=21.2',
    path: 'string;omit;pb=22?.1',
    verbs: '[]string!;null;pb=23w',
    extra: '{}[]string;pb=24w',
  },
  'test.v1.Part': { name: 'string;pb=1', weight: 'int32;omit;pb=2' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta': { resourceVersion: 'string;omit;pb=2', remainingItemCount: 'int64;pb=4?' },
}
const codec = new ProtobufCodec((name) => (Object.hasOwn(tables, name) ? tables[name] : undefined))
const widget = 'test.v1.Widget'
const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

/** What a Go struct without any value set shows and is on the wire. */
const nothing = { label: '', numbers: null, part: { name: '' }, time: null, verbs: null }

function refusal(hexText: string): { code: string; message: string; position: number } {
  try {
    codec.decode(widget, bytes(hexText))
  } catch (error) {
    if (error instanceof ProtobufError) return { code: error.code, message: error.message, position: error.position }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('ProtobufCodec.decode', () => {
  it('shows what Go shows of a struct in which nothing is set', () => {
    expect(codec.decode(widget, bytes(''))).toEqual(nothing)
  })

  it('reads the examples of the protobuf specification', () => {
    // https://protobuf.dev/programming-guides/encoding/: the number 150 in field 1 and the text "testing" in field 2.
    expect(codec.decode(widget, bytes('089601 120774657374696e67'))).toEqual({ ...nothing, size: 150, label: 'testing' })
  })

  it('leaves out zero values that JSON leaves out, and shows the others and those of pointers', () => {
    expect(codec.decode(widget, bytes('0800 1200 1800 2800'))).toEqual({ ...nothing, count: 0 })
  })

  it('reads numbers of 64 bits without loss', () => {
    expect(codec.decode(widget, bytes('18ffffffffffffffff7f')).count).toBe(9223372036854775807n)
    expect(codec.decode(widget, bytes('1880808080808080808001')).count).toBe(-9223372036854775808n)
    expect(codec.decode(widget, bytes('18ffffffffffffffffff01')).count).toBe(-1)
    expect(codec.decode(widget, bytes('18ffffffffffffff0f')).count).toBe(2 ** 53 - 1 - (2 ** 53 - 1 - Number.MAX_SAFE_INTEGER))
    expect(codec.decode(widget, bytes('08ffffffffffffffffff01')).size).toBe(-1)
  })

  it('reads numbers of a list packed and not', () => {
    expect(codec.decode(widget, bytes('3801 3a03029601 3803')).numbers).toEqual([1, 2, 150, 3])
  })

  it('reads maps, with keys and values left out, and with any key', () => {
    expect(codec.decode(widget, bytes('4206 0a0161120162 4203 0a0163 4203 120164')).labels).toEqual({ a: 'b', c: '', '': 'd' })
    const labels = codec.decode(widget, bytes('420e 0a095f5f70726f746f5f5f120162')).labels as object
    expect(Object.keys(labels)).toEqual(['__proto__'])
    expect(codec.decode(widget, bytes('4a03 0a0161')).data).toEqual({ a: '' })
  })

  it('shows the fields of an inlined message among those of the outer one', () => {
    expect(codec.decode(widget, bytes('aa0106 0a0161120162 b20103 0a0163'))).toEqual({ ...nothing, image: 'a', volumeName: 'b', path: 'c' })
  })

  it('reads lists that are messages of their own', () => {
    expect(codec.decode(widget, bytes('ba0106 0a0161 0a0162 c20108 0a016b 1203 0a0176'))).toEqual({
      ...nothing,
      verbs: ['a', 'b'],
      extra: { k: ['v'] },
    })
    expect(codec.decode(widget, bytes('ba0100')).verbs).toEqual([])
  })

  it('merges a message that comes in several parts', () => {
    expect(codec.decode(widget, bytes('6203 0a0161 6202 1005')).part).toEqual({ name: 'a', weight: 5 })
  })

  it('leaves out fields that it does not know, groups among them', () => {
    expect(codec.decode(widget, bytes('f80601 f90601020304050607 08 fa06026162 fb06 0801 1b1c fc06 fd0601020304 0805'))).toEqual({
      ...nothing,
      size: 5,
    })
    // The greatest number that a field can have.
    expect(codec.decode(widget, bytes('f8ffffff0f01 0805'))).toEqual({ ...nothing, size: 5 })
  })

  it('replaces each byte that is not UTF-8, as Go does', () => {
    const label = (hexText: string): unknown => codec.decode(widget, bytes(hexText)).label
    expect(label('1204 61e28262')).toBe('a\ufffd\ufffdb')
    expect(label('1203 eda080')).toBe('\ufffd\ufffd\ufffd')
    expect(label('1202 c080')).toBe('\ufffd\ufffd')
    expect(label('1204 f0908080')).toBe('\u{10000}')
    expect(label('1204 f4908080')).toBe('\ufffd\ufffd\ufffd\ufffd')
    expect(label('1203 efbfbd')).toBe('\ufffd')
  })

  it('reads lists of any kind that has a table', () => {
    expect(codec.decode('test.v1.PartList', bytes('0a0412023132 12030a0161 1200'), { kind: 'PartList', apiVersion: 'test/v1' })).toEqual({
      kind: 'PartList',
      apiVersion: 'test/v1',
      metadata: { resourceVersion: '12' },
      items: [{ name: 'a' }, { name: '' }],
    })
    expect(codec.knows('test.v1.PartList')).toBe(true)
    expect(codec.knows('test.v1.OtherList')).toBe(false)
    expect(() => codec.decode('test.v1.Other', bytes(''))).toThrow(TypeError)
  })

  it('refuses what is no message, with the words of Go', () => {
    expect(refusal('08')).toEqual({ code: 'PROTOBUF_TRUNCATED', message: 'unexpected EOF', position: 1 })
    expect(refusal('120561')).toMatchObject({ code: 'PROTOBUF_TRUNCATED', message: 'unexpected EOF' })
    expect(refusal('0896')).toMatchObject({ code: 'PROTOBUF_TRUNCATED', message: 'unexpected EOF' })
    expect(refusal('21000000')).toMatchObject({ code: 'PROTOBUF_TRUNCATED', message: 'unexpected EOF' })
    expect(refusal('08ffffffffffffffffffff01')).toMatchObject({ code: 'PROTOBUF_OVERFLOW', message: 'proto: integer overflow' })
    expect(refusal('12ffffffffffffffffff01')).toMatchObject({
      code: 'PROTOBUF_OVERFLOW',
      message: 'proto: negative length found during unmarshaling',
    })
    expect(refusal('12ffffffff0f')).toMatchObject({ code: 'PROTOBUF_TRUNCATED' })
    expect(refusal('12ffffffffffff0f')).toMatchObject({ code: 'PROTOBUF_TRUNCATED' })
    expect(refusal('0a0161')).toMatchObject({ code: 'PROTOBUF_WIRE_TYPE', message: 'proto: wrong wireType = 2 for field Size' })
    expect(refusal('0001')).toMatchObject({ code: 'PROTOBUF_WIRE_TYPE', message: 'proto: Widget: illegal tag 0 (wire type 0)' })
    expect(refusal('0c')).toMatchObject({ code: 'PROTOBUF_WIRE_TYPE', message: 'proto: Widget: wiretype end group for non-group' })
    expect(refusal('fe06')).toMatchObject({ code: 'PROTOBUF_WIRE_TYPE', message: 'proto: illegal wireType 6' })
    expect(refusal('fb06')).toMatchObject({ code: 'PROTOBUF_TRUNCATED' })
  })

  it('refuses values that JSON cannot show', () => {
    expect(refusal('21000000000000f07f')).toMatchObject({ code: 'PROTOBUF_INVALID_VALUE' })
    expect(refusal('9a0103 0a017b')).toMatchObject({ code: 'PROTOBUF_INVALID_VALUE' })
    expect(refusal('8a0105 0a036f6e65')).toMatchObject({ code: 'PROTOBUF_INVALID_VALUE' })
    expect(refusal('920102 0802')).toMatchObject({ code: 'PROTOBUF_INVALID_VALUE', message: 'impossible IntOrString.Type' })
    expect(refusal('720a 08ffffffffffffff7f')).toMatchObject({ code: 'PROTOBUF_TRUNCATED' })
    expect(refusal('7209 08ffffffffffffff7f')).toMatchObject({ code: 'PROTOBUF_INVALID_VALUE' })
  })

  it('refuses messages nested deeper than a hundred levels', () => {
    const nested = (levels: number): Uint8Array => {
      let message: Uint8Array = new Uint8Array()
      for (let level = 1; level < levels; level++) {
        const length = message.length < 128 ? [message.length] : [(message.length & 0x7f) | 0x80, message.length >> 7]
        message = Uint8Array.of(0x52, ...length, ...message)
      }
      return message
    }
    expect(codec.decode(widget, nested(100))).toMatchObject({ child: {} })
    expect(refusal(hex(nested(101)))).toMatchObject({ code: 'PROTOBUF_TOO_DEEP' })
  })
})

describe('ProtobufCodec.encode', () => {
  it('writes values that are no pointers always and the others when there are some, in the order of numbers', () => {
    // Size, label, enabled, part with its name and weight, no time, and the inlined message with its texts.
    const values = '0800 1200 2800 6204 0a001000 7200 aa0102 1200'
    expect(hex(codec.encode(widget, {}))).toBe(values.replaceAll(' ', ''))
    expect(hex(codec.encode(widget, { count: 0, tags: [], labels: {}, verbs: [] }))).toBe(
      '0800 1200 1800 2800 6204 0a001000 7200 aa0102 1200 ba0100'.replaceAll(' ', ''),
    )
  })

  it('sorts the keys of maps by their bytes', () => {
    const labels = { z: '1', ä: '2', a: '3' }
    expect(hex(codec.encode(widget, { labels }))).toContain('42060a016112013342060a017a12013142070a02c3a4120132')
  })

  it('leaves out members that the definition does not have', () => {
    expect(codec.encode(widget, { unknown: 1, kind: 'Widget' })).toEqual(codec.encode(widget, {}))
  })

  it('refuses values that the definition cannot hold', () => {
    const wrong = [
      { label: 1 },
      { size: 'one' },
      { size: 1.5 },
      { enabled: 'yes' },
      { ratio: '1' },
      { tags: 'a' },
      { labels: [] },
      { part: 'a' },
      { time: 'noon' },
      { wait: 'long' },
      { amount: 'much' },
      { amount: true },
      { verbs: {} },
    ]
    for (const object of wrong) expect(() => codec.encode(widget, object), JSON.stringify(object)).toThrow(ProtobufError)
    let deep: object = {}
    for (let level = 0; level < 10_000; level++) deep = { child: deep }
    expect(() => codec.encode(widget, deep)).toThrow(expect.objectContaining({ code: 'PROTOBUF_TOO_DEEP' }))
    expect(codec.encode('test.v1.Part', { name: 'a' })).toEqual(Buffer.from('0a01611000', 'hex').subarray())
  })
})

describe('ProtobufCodec', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  const seconds = fc.integer({ min: -62_135_596_799, max: 253_402_300_799 })
  const time = seconds.map((value) => `${new Date(value * 1000).toISOString().slice(0, 19)}Z`)
  const microTime = fc.tuple(seconds, fc.integer({ min: 0, max: 999_999 })).map(([value, micros]) => {
    return `${new Date(value * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`
  })
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  })
  const plain = fc.record({ label: text, numbers: fc.array(int64, { minLength: 1 }), part: fc.record({ name: text }), time }, {})
  const optional = fc.record(
    {
      size: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      count: int64,
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }),
      enabled: fc.constant(true),
      tags: fc.array(text, { minLength: 1 }),
      labels: fc.dictionary(text, text, { minKeys: 1 }),
      data: fc.dictionary(
        text,
        fc.uint8Array().map((data) => Buffer.from(data).toString('base64')),
        { minKeys: 1 },
      ),
      secret: fc.uint8Array({ minLength: 1 }).map((data) => Buffer.from(data).toString('base64')),
      microTime,
      port: fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), text),
      raw: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())),
      image: text,
      path: text.filter((value) => value !== ''),
      extra: fc.dictionary(text, fc.array(text), { minKeys: 1 }),
    },
    { requiredKeys: [] },
  )
  const object = fc.tuple(plain, optional, fc.array(text)).map(([values, others, verbs]) => ({ ...values, ...others, verbs }))

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(object, fc.array(object, { minLength: 1, maxLength: 3 }), (value, children) => {
        const whole = { ...value, child: value, children }
        expect(codec.decode(widget, codec.encode(widget, whole))).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })

  it('ends with an object or a ProtobufError whatever the bytes are', () => {
    const attempt = (data: Uint8Array): void => {
      try {
        codec.encode(widget, codec.decode(widget, data))
      } catch (error) {
        if (!(error instanceof ProtobufError)) throw error
      }
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), attempt), { numRuns: 2000 })
    const mutated = fc.tuple(object, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), fc.nat())
    fc.assert(
      fc.property(mutated, ([value, changes, cut]) => {
        const data = codec.encode(widget, { ...value, children: [value] })
        for (const [index, byte] of changes) data[index % data.length] = byte
        attempt(data.subarray(0, data.length - (cut % 3)))
      }),
      { numRuns: 1000 },
    )
  })
})
