import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDuplicateKeys, JsonSyntaxError, parseJson, scanJson, stringifyJson } from './index.js'
import { readJson } from './reader.js'

function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message
    throw error
  }
  return 'accepted'
}

describe('parseJson', () => {
  // Expected values: `json parse error: …` of kube-apiserver 1.37.2 for these bodies.
  test.each([
    ['{"metadata":{"name":"x"}', 'unexpected end of JSON input'],
    ['garbage', "invalid character 'g' looking for beginning of value"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"metadata":{"name":"x"}} x', "invalid character 'x' after top-level value"],
    ['{"a":"\\x"}', 'invalid escape sequence `\\x` in string'],
    ['{"a":"\\u12g"}', 'invalid escape sequence `\\u12g"` in string'],
    ['{"a":-}', "invalid character '}' in numeric literal"],
    ['{"a":1.}', "invalid character '}' in numeric literal"],
    ['{"a":1e}', "invalid character '}' in numeric literal"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a":é}', "invalid character 'é' looking for beginning of value"],
    ['{"a":nul', 'unexpected end of JSON input'],
    ['\ufeff{}', "invalid character '\\ufeff' looking for beginning of value"],
    ['{"a":"x\ny"}', "invalid character '\\n' in string"],
    ['{"a":"x', 'unexpected end of JSON input'],
    ['{"a":"\\', 'unexpected end of JSON input'],
    ['{"a":"\\u12', 'unexpected end of JSON input'],
    ['{"a":truex}', "invalid character 'x' after object key:value pair"],
    ['{1:2}', "invalid character '1' looking for beginning of object key string"],
    ['{"a":+1}', "invalid character '+' looking for beginning of value"],
    ['{"a":.5}', "invalid character '.' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":"b" "c"}', "invalid character '\"' after object key:value pair"],
    ['', 'unexpected end of JSON input'],
    [' ', 'unexpected end of JSON input'],
    ['{"a":1]', "invalid character ']' after object key:value pair"],
    ['{"a":1-}', "invalid character '-' after object key:value pair"],
    ['{"a":1.5.5}', "invalid character '.' after object key:value pair"],
    ['😀', "invalid character '😀' looking for beginning of value"],
    ['/*x*/{}', "invalid character '/' looking for beginning of value"],
    ['}', "invalid character '}' looking for beginning of value"],
    ['{', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['[,', "invalid character ',' looking for beginning of value"],
    ['nulL', "invalid character 'L' in literal null (expecting 'l')"],
    ['fAlse', "invalid character 'A' in literal false (expecting 'a')"],
  ])('parseJson refuses %j with the words of the server', (text, message) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError)
    expect(refusal(() => parseJson(text))).toBe(message)
    expect(refusal(() => parseJson(Buffer.from(text)))).toBe(message)
  })

  // Expected values: what Go's decoder makes of the numbers (int64, else float64).
  test.each<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 2 ** 63],
    ['100000000000000000000', 1e20],
    ['0.12345678901234567890', Number('0.12345678901234567890')],
    ['1234567890123456789.5', Number('1234567890123456789.5')],
    ['1234567890123456789e3', Number('1234567890123456789e3')],
    ['[1,9007199254740993]', [1, 9007199254740993n]],
    ['{"a":9007199254740993,"b":[ 9007199254740995]}', { a: 9007199254740993n, b: [9007199254740995n] }],
    ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
    ['{"a":"x: 9007199254740993"}', { a: 'x: 9007199254740993' }],
  ])('parseJson reads %s without loss', (text, value) => {
    expect(parseJson(text)).toStrictEqual(value)
  })

  test('parseJson finds a long number at every position', () => {
    for (let padding = 0; padding < 40; padding++) {
      const text = `{"${'k'.repeat(padding)}":9007199254740993}`
      expect(Object.values(parseJson(text) as object)).toEqual([9007199254740993n])
    }
  })

  test('parseJson reads megabytes of digits in a text once', () => {
    const digits = '1'.repeat(3 * 1024 * 1024)
    expect(parseJson(`{"a":"${digits}"}`)).toEqual({ a: digits })
  })

  test('parseJson keeps a member named __proto__ a member', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":9007199254740993}}']) {
      const value = parseJson(text) as object
      expect(Object.keys(value)).toEqual(['__proto__'])
      expect((value as { a?: unknown }).a).toBeUndefined()
    }
  })

  test('parseJson reads bytes as UTF-8', () => {
    expect(parseJson(new TextEncoder().encode('{"é":"😀"}'))).toEqual({ é: '😀' })
    expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toBe('\ufffd')
  })

  test('parseJson refuses nesting beyond the limit, whatever the brackets', () => {
    const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(() => parseJson(nest(10_000))).not.toThrow()
    expect(() => parseJson(nest(10_001))).toThrow('exceeded max depth')
    expect(() => parseJson(`${'{"a":['.repeat(5001)}${']}'.repeat(5001)}`)).toThrow('exceeded max depth')
    expect(() => parseJson(nest(200_000))).toThrow('exceeded max depth')
    expect(() => parseJson('[[[1]]]', 2)).toThrow('exceeded max depth')
    expect(parseJson(JSON.stringify(['[['.repeat(20_000), '\\"[{'.repeat(20_000)]))).toHaveLength(2)
    expect(() => parseJson(nest(10_001), Number.POSITIVE_INFINITY)).not.toThrow()
  })

  test('the slow reader reads what JSON.parse reads, for any value and any spacing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t', ' \n'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        expect(stringifyJson(readJson(text).value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test('parseJson refuses what JSON.parse refuses, for any text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '1',
      '-',
      '.',
      'e',
      '+',
      '0',
      ' ',
      '\\',
      'u',
      'true',
      'null',
      '\n',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        (text) => {
          const read = (reader: () => unknown): unknown => {
            try {
              return { value: reader() }
            } catch {
              return 'refused'
            }
          }
          expect(read(() => readJson(text).value)).toEqual(read(() => JSON.parse(text)))
        },
      ),
      { numRuns: 5000 },
    )
  })
})

describe('findDuplicateKeys', () => {
  // Expected values: `duplicate field` errors of kube-apiserver 1.37.2 for these bodies.
  test.each([
    [
      '{"metadata":{"name":"x","name":"y","labels":{"a/b.c":"1","a/b.c":"2"}},"data":{"k.j":"1","k.j":"2"},"data":{}}',
      ['metadata.name', 'metadata.labels.a/b.c', 'data.k.j', 'data'],
    ],
    [
      '{"metadata":{"ownerReferences":[{"name":"a","name":"b"}]},"data":{"a":"1","a":"2","a":"3"}}',
      ['metadata.ownerReferences[0].name', 'data.a'],
    ],
    ['{"a":{"x":1},"b":[{"x":1},{"x":2}]}', []],
    ['{"\\u0061":1,"a":2}', ['a']],
  ])('findDuplicateKeys of %s', (text, keys) => {
    expect(findDuplicateKeys(text)).toEqual(keys)
    expect(findDuplicateKeys(text, parseJson(text))).toEqual(keys)
  })

  test('findDuplicateKeys finds none in any text without, colons in strings or not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(findDuplicateKeys(text, parseJson(text))).toEqual([])
      }),
    )
  })

  test('findDuplicateKeys reports a hundred of many, and a deep text costs no more', () => {
    const many = Array.from({ length: 300 }, (_, index) => `"k${index}":1,"k${index}":2`).join(',')
    expect(findDuplicateKeys(`{${many}}`)).toHaveLength(100)
    const deep = `${'[0,'.repeat(9000)}[${'1.0,'.repeat(200_000)}1.0]${']'.repeat(9000)}`
    expect(scanJson(deep).wholeFloats).toHaveLength(100)
  })
})

test('scanJson tells whole numbers that were written as floating point', () => {
  expect(scanJson('{"a":1.0,"b":[1,1e3,2.5],"c":{"d":-0.0},"e":1}').wholeFloats).toEqual(['a', 'b[1]', 'c.d'])
})

describe('stringifyJson', () => {
  // What kube-apiserver 1.37.2 returned for numbers in a field that it does not know.
  test('numbers go through parseJson and stringifyJson as through the server', () => {
    const sent = '[1.0,1e3,1e25,12345678901234567890,9007199254740993]'
    expect(stringifyJson(parseJson(sent))).toBe('[1,1000,1e+25,12345678901234567000,9007199254740993]')
  })

  test.each<[unknown, string]>([
    [{ a: 9007199254740993n, b: [1n, 'x'], c: undefined }, '{"a":9007199254740993,"b":[1,"x"]}'],
    [[undefined, 1n], '[null,1]'],
    [{ empty: {}, none: [], n: 1n }, '{"empty":{},"none":[],"n":1}'],
    [{ a: [1, { b: null }] }, '{"a":[1,{"b":null}]}'],
    [-5n, '-5'],
    [undefined, 'null'],
  ])('stringifyJson of case %#', (value, text) => {
    expect(stringifyJson(value)).toBe(text)
  })

  test('stringifyJson indents values with bigint as it indents those without', () => {
    const shape = (n: unknown) => ({ a: [n, { b: {} }], c: [], d: { e: 'x' } })
    expect(stringifyJson(shape(1n), 2)).toBe(JSON.stringify(shape(1), undefined, 2))
    expect(stringifyJson(shape(1), 2)).toBe(JSON.stringify(shape(1), undefined, 2))
  })

  test('stringifyJson refuses a value that contains itself', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(() => stringifyJson(circular)).toThrow(TypeError)
    circular.n = 1n
    expect(() => stringifyJson(circular)).toThrow()
  })

  test('what stringifyJson writes, parseJson reads, for any 64-bit integers', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (values) => {
        expect((parseJson(stringifyJson(values)) as (number | bigint)[]).map(BigInt)).toEqual(values)
      }),
    )
  })
})
