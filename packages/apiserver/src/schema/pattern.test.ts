import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { compilePattern, PatternError, toNativeSource } from './pattern.js'

describe('compilePattern', () => {
  test.each([
    ['[a', 'error parsing regexp: missing closing ]: `[a`'],
    ['*a', 'error parsing regexp: missing argument to repetition operator: `*`'],
    ['^a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
    ['^(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ])('refuses %s with the text of Go', (pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(new PatternError(message))
  })

  test('is linear where the native engine is not', () => {
    const matches = compilePattern('^(a+)+$')
    expect(matches(`${'a'.repeat(5000)}b`)).toBe(false)
  })

  test('matches anywhere unless anchored, and a dot matches all but a line feed', () => {
    expect(compilePattern('b')('abc')).toBe(true)
    expect(compilePattern('^.$')('\r')).toBe(true)
    expect(compilePattern('^.$')('\n')).toBe(false)
    expect(compilePattern('^a$')('a\n')).toBe(false)
    expect(compilePattern('^.{1}$')('😀')).toBe(true)
  })
})

describe('toNativeSource', () => {
  test.each(['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '^\\d{3}-\\d{2}$', '^(GET|PUT)$', '^v[1-9][0-9]*$', '^[^/]+$'])(
    'runs %s natively',
    (pattern) => {
      expect(toNativeSource(pattern)).toBeDefined()
    },
  )

  test.each([
    'a*',
    '^(a+)+$',
    '^a*b*$',
    '^\\s$',
    '^(?i)a$',
    '^[[:alpha:]]$',
    '^a|b$',
    '^a{2000}$',
    '^(a|b|c|d|e|f|g|h)$',
    '^\\bx$',
    '^a{3,1}$',
  ])('leaves %s to RE2', (pattern) => {
    expect(toNativeSource(pattern)).toBeUndefined()
  })

  test('means the same as RE2', () => {
    const piece = fc.constantFrom(
      'a',
      '[a-c]',
      '[^a]',
      '[-a.]',
      '[a\\-b]',
      '\\d',
      '\\w',
      '.',
      '\\.',
      '(?:a|b)',
      '(ab)',
      '-',
      'b?',
      'c*',
      'a+',
      'b{1,2}',
      '$',
      '/',
      '😀',
      '[\\w.]',
    )
    const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `^${pieces.join('')}`)
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '-', '.', '1', '\n', '\r', '/', '😀', '_', '\u2028'), { maxLength: 5 })
      .map((chars) => chars.join(''))
    fc.assert(
      fc.property(pattern, text, (source, input) => {
        const native = toNativeSource(source)
        if (native !== undefined) expect(new RegExp(native, 'u').test(input)).toBe(RE2JS.compile(source).matcher(input).find())
      }),
      { numRuns: 2000 },
    )
  })
})
