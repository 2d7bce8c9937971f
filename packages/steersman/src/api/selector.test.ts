import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFieldSelector, selectorFromFields } from './field-selector.js'
import { SelectorError } from './label-requirement.js'
import { compileLabelSelector, everything, nothing, parseLabelSelector, selectorFromLabels } from './label-selector.js'

const labelValueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

describe('parseLabelSelector', () => {
  // Expected values: answers of kube-apiserver 1.37.2 to list requests with these selectors.
  test.each([
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a>b', `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`],
    ['a b=c', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
    ['a=?', `unable to parse requirement: values[0][a]: Invalid value: "?": ${labelValueRule}`],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a=!b', "unable to parse requirement: found '!', expected: identifier"],
    ['a notin (b=)', "unable to parse requirement: found '=', expected: ',' or ')'"],
    [
      'x/y/z=1',
      `unable to parse requirement: <nil>: Invalid value: "x/y/z": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    ['a in (?,!)', "unable to parse requirement: found '!', expected: ',', or identifier"],
    ['A!=(', "unable to parse requirement: found '(', expected: identifier"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['>1', "found '>', expected: !, identifier, or 'end of string'"],
  ])('parseLabelSelector refuses %j with the words of the server', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new SelectorError(message))
  })

  // Expected values: labels.Parse(text).String() of k8s.io/apimachinery v0.37.2 and its documentation.
  test.each([
    ['x=a,y=b,z=c', 'x=a,y=b,z=c'],
    ['z==c, b != d,a', 'a,b!=d,z==c'],
    ['x in (b,a,b)', 'x in (a,b)'],
    ['x notin ()', 'x notin ()'],
    ['x in (foo,,baz),y,z notin ()', 'x in (,baz,foo),y,z notin ()'],
    ['x=', 'x='],
    ['x=,y', 'x=,y'],
    ['!x', '!x'],
    ['n>7,m<3', 'm<3,n>7'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['  x = a ', 'x=a'],
    ['x in (,)', 'x in ()'],
    ['', ''],
  ])('parseLabelSelector reads %j as %j', (text, canonical) => {
    expect(String(parseLabelSelector(text))).toBe(canonical)
    expect(String(parseLabelSelector(canonical))).toBe(canonical)
  })

  test.each([
    ['x=a', { x: 'a' }, true],
    ['x=a', { x: 'b' }, false],
    ['x=a', {}, false],
    ['x!=a', {}, true],
    ['x!=a', { x: 'a' }, false],
    ['x in (a,b)', { x: 'b' }, true],
    ['x in (a,b)', {}, false],
    ['x notin (a,b)', {}, true],
    ['x notin (a,b)', { x: 'a' }, false],
    ['x', { x: '' }, true],
    ['x', {}, false],
    ['!x', {}, true],
    ['!x', { x: '' }, false],
    ['x>5', { x: '6' }, true],
    ['x>5', { x: '5' }, false],
    ['x>5', { x: 'many' }, false],
    ['x<5', { x: '-9223372036854775808' }, true],
    ['x<5', { x: '-9223372036854775809' }, false],
    ['x<5', {}, false],
    ['constructor', {}, false],
    ['x=a,y', { x: 'a' }, false],
    ['x=a,y', { x: 'a', y: '1' }, true],
  ])('the selector %j matches %j: %s', (text, labels, matches) => {
    expect(parseLabelSelector(text).matches(labels as Record<string, string>)).toBe(matches)
  })

  test('parseLabelSelector of its own text selects the same, for any selector', () => {
    const word = fc.stringMatching(/^[a-z]{1,3}$/)
    const term = fc.oneof(
      fc.tuple(word, fc.constantFrom('=', '==', '!='), word).map((parts) => parts.join('')),
      fc
        .tuple(word, fc.constantFrom('in', 'notin'), fc.array(word, { minLength: 1, maxLength: 3 }))
        .map(([k, op, v]) => `${k} ${op} (${v})`),
      word,
      word.map((key) => `!${key}`),
    )
    const labels = fc.dictionary(word, word, { maxKeys: 3 })
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), labels, (terms, present) => {
        const selector = parseLabelSelector(terms.join(','))
        const again = parseLabelSelector(String(selector))
        expect(again.requirements).toEqual(selector.requirements)
        expect(again.matches(present)).toBe(selector.matches(present))
      }),
    )
  })

  test('exactValue tells the one value that a key must have', () => {
    const selector = parseLabelSelector('a=1,b in (2),c in (3,4),d!=5')
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => selector.exactValue(key))).toEqual(['1', '2', undefined, undefined, undefined])
  })
})

describe('compileLabelSelector', () => {
  test('compileLabelSelector: an absent selector selects nothing, an empty one everything', () => {
    expect(compileLabelSelector(undefined)).toBe(nothing)
    expect(compileLabelSelector(undefined).matches({ a: 'b' })).toBe(false)
    expect(compileLabelSelector({})).toBe(everything)
    expect(everything.matches(undefined)).toBe(true)
  })

  test('compileLabelSelector takes labels and expressions together', () => {
    const selector = compileLabelSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'new', operator: 'Exists' },
        { key: 'zone', operator: 'NotIn', values: ['x'] },
      ],
    })
    expect(String(selector)).toBe('app=web,new,!old,tier in (a,b),zone notin (x)')
  })

  test.each([
    [{ matchExpressions: [{ key: 'a', operator: 'Foo' }] }, '"Foo" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
  ])('compileLabelSelector refuses %j', (selector, message) => {
    expect(() => compileLabelSelector(selector)).toThrow(new SelectorError(message))
  })

  test('selectorFromLabels matches objects that have them all', () => {
    expect(selectorFromLabels({ b: '2', a: '1' }).matches({ a: '1', b: '2', c: '3' })).toBe(true)
    expect(String(selectorFromLabels({ b: '2', a: '1' }))).toBe('a=1,b=2')
  })
})

describe('parseFieldSelector', () => {
  // Expected values: answers of kube-apiserver 1.37.2.
  test.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['metadata.name=a\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
    ['metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
    ['metadata.name=a,,b', "invalid selector: 'metadata.name=a,,b'; can't understand 'b'"],
  ])('parseFieldSelector refuses %j with the words of the server', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new SelectorError(message))
  })

  test('parseFieldSelector reads escaped values and sorts', () => {
    const selector = parseFieldSelector('spec.b!=x\\,y\\=z\\\\,a==1')
    expect(selector.requirements).toEqual([
      { field: 'a', operator: '=', value: '1' },
      { field: 'spec.b', operator: '!=', value: 'x,y=z\\' },
    ])
    expect(String(selector)).toBe('a=1,spec.b!=x\\,y\\=z\\\\')
    expect(selector.exactValue('a')).toBe('1')
    expect(selector.exactValue('spec.b')).toBeUndefined()
  })

  test('an absent field matches the empty value', () => {
    const fields: Record<string, string> = { 'status.phase': 'Running' }
    const matches = (text: string) => parseFieldSelector(text).matches((field) => fields[field])
    expect(matches('status.phase=Running')).toBe(true)
    expect(matches('status.phase!=Running')).toBe(false)
    expect(matches('spec.nodeName=')).toBe(true)
    expect(matches('spec.nodeName!=')).toBe(false)
    expect(matches('')).toBe(true)
  })

  test('a field selector survives its own text, whatever the value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(parseFieldSelector(String(selectorFromFields({ f: value }))).exactValue('f')).toBe(value)
      }),
    )
  })
})
