import { describe, expect, test } from 'vitest'
import { compareCodePoints, goJson, goNumber, goQuote, utf8Length } from './go-format.js'

// Expected values: a Go 1.27 program printing the same values with %q, %v and json.Marshal.
describe('goQuote', () => {
  test.each([
    ['plain', '"plain"'],
    ['a\u0000b', '"a\\x00b"'],
    ['é日本', '"é日本"'],
    ['\u200b', '"\\u200b"'],
    ['\u00a0', '"\\u00a0"'],
    ['😀', '"😀"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['a\'b"c\\', '"a\'b\\"c\\\\"'],
    ['\u007f\n\t', '"\\x7f\\n\\t"'],
  ])('goQuote writes %j as %s', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted)
  })
})

describe('goNumber', () => {
  test.each([
    [1000000, '1000000'],
    [1234567.5, '1.2345675e+06'],
    [123456789.25, '1.2345678925e+08'],
    [1e21, '1e+21'],
    [1e-5, '1e-05'],
    [0.0001, '0.0001'],
    [1.5, '1.5'],
    [-2.5e30, '-2.5e+30'],
    [9223372036854775807n, '9223372036854775807'],
  ])('goNumber writes %s', (value, text) => {
    expect(goNumber(value)).toBe(text)
  })
})

test('goJson sorts keys and escapes what HTML would read', () => {
  expect(goJson({ b: '<&>\u2028', a: [1, null, true, 2n], c: undefined })).toBe('{"a":[1,null,true,2],"b":"\\u003c\\u0026\\u003e\\u2028"}')
})

test('compareCodePoints orders a surrogate pair after the last basic character', () => {
  expect(['😀', '\uffee', 'a', 'aa', 'Z'].sort(compareCodePoints)).toEqual(['Z', 'a', 'aa', '\uffee', '😀'])
})

test('utf8Length counts bytes', () => {
  for (const text of ['', 'abc', 'é', '日本', '😀x', '\ud800']) expect(utf8Length(text)).toBe(Buffer.byteLength(text))
})
