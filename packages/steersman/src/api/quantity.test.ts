import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  subtractQuantities,
} from './quantity.js'

// Expected values: a Go program with k8s.io/apimachinery v0.37.2 pkg/api/resource: String() as parsed, String() after an
// addition of zero, Value() and MilliValue().
describe('parseQuantity', () => {
  test.each([
    ['0', '0', '0', 0n, 0n],
    ['1', '1', '1', 1n, 1000n],
    ['0.5', '500m', '500m', 1n, 500n],
    ['500m', '500m', '500m', 1n, 500n],
    ['1.5', '1500m', '1500m', 2n, 1500n],
    ['1500m', '1500m', '1500m', 2n, 1500n],
    ['1Gi', '1Gi', '1Gi', 1073741824n, 1073741824000n],
    ['0.5Mi', '512Ki', '512Ki', 524288n, 524288000n],
    ['1.5Gi', '1536Mi', '1536Mi', 1610612736n, 1610612736000n],
    ['1024', '1024', '1024', 1024n, 1024000n],
    ['1024Ki', '1Mi', '1Mi', 1048576n, 1048576000n],
    ['1025Ki', '1025Ki', '1025Ki', 1049600n, 1049600000n],
    ['1000k', '1M', '1M', 1000000n, 1000000000n],
    ['1e3', '1e3', '1e3', 1000n, 1000000n],
    ['12e6', '12e6', '12e6', 12000000n, 12000000000n],
    ['1E3', '1E3', '1e3', 1000n, 1000000n],
    ['1e-3', '1e-3', '1e-3', 1n, 1n],
    ['0.1e3', '100', '100', 100n, 100000n],
    ['1e0', '1e0', '1', 1n, 1000n],
    ['123456789123456789123456789', '123456789123456789123456789', '123456789123456789123456789', undefined, undefined],
    ['9223372036854775807', '9223372036854775807', '9223372036854775807', undefined, undefined],
    ['9223372036854775808Ki', '9223372036854775807', '9223372036854775807', undefined, undefined],
    ['8Ei', '9223372036854775807', '9223372036854775807', undefined, undefined],
    ['16Ei', '9223372036854775807', '9223372036854775807', undefined, undefined],
    ['0.3Ki', '307200m', '307200m', 308n, 307200n],
    ['512Ki', '512Ki', '512Ki', 524288n, 524288000n],
    ['1Ki', '1Ki', '1Ki', 1024n, 1024000n],
    ['1023Ki', '1023Ki', '1023Ki', 1047552n, 1047552000n],
    ['0.0000000001', '1n', '1n', 1n, 1n],
    ['-0.0000000001', '-1n', '-1n', undefined, undefined],
    ['1n', '1n', '1n', 1n, 1n],
    ['1000n', '1u', '1u', 1n, 1n],
    ['1u', '1u', '1u', 1n, 1n],
    ['100000n', '100u', '100u', 1n, 1n],
    ['.5', '500m', '500m', 1n, 500n],
    ['5.', '5.', '5', 5n, 5000n],
    ['+5', '+5', '5', 5n, 5000n],
    ['-5', '-5', '-5', -5n, -5000n],
    ['-0', '0', '0', 0n, 0n],
    ['-1.5Gi', '-1536Mi', '-1536Mi', -1610612736n, -1610612736000n],
    ['0Mi', '0', '0', 0n, 0n],
    ['00012', '00012', '12', 12n, 12000n],
    ['1.000', '1', '1', 1n, 1000n],
    ['1.0Gi', '1Gi', '1Gi', 1073741824n, 1073741824000n],
    ['1.00000000001Gi', '1073741824010737419n', '1073741824010737419n', 1073741825n, 1073741824011n],
    ['1100Mi', '1100Mi', '1100Mi', 1153433600n, 1153433600000n],
    ['1e10', '10e9', '10e9', 10000000000n, 10000000000000n],
    ['10e9', '10e9', '10e9', 10000000000n, 10000000000000n],
    ['1e21', '1e21', '1e21', undefined, undefined],
    ['1E', '1E', '1E', undefined, undefined],
    ['Ki', '0', '0', 0n, 0n],
    ['m', '0', '0', 0n, 0n],
    ['1G', '1G', '1G', 1000000000n, 1000000000000n],
    ['1000G', '1T', '1T', 1000000000000n, 1000000000000000n],
    ['0.1Ki', '102400m', '102400m', 103n, 102400n],
    ['1.1Ki', '1126400m', '1126400m', 1127n, 1126400n],
    ['1.1', '1100m', '1100m', 2n, 1100n],
    ['1.0m', '1m', '1m', 1n, 1n],
    ['1025', '1025', '1025', 1025n, 1025000n],
    ['2048', '2048', '2048', 2048n, 2048000n],
    ['-2048Ki', '-2Mi', '-2Mi', -2097152n, -2097152000n],
    ['-0.5Ki', '-512', '-512', -512n, -512000n],
    ['1Mi', '1Mi', '1Mi', 1048576n, 1048576000n],
    ['1000Mi', '1000Mi', '1000Mi', 1048576000n, 1048576000000n],
    ['1000000n', '1m', '1m', 1n, 1n],
    ['0.000001', '1u', '1u', 1n, 1n],
    ['0.0010', '1m', '1m', 1n, 1n],
    ['1e9', '1e9', '1e9', 1000000000n, 1000000000000n],
    ['1e18', '1e18', '1e18', undefined, undefined],
    ['1000e15', '1e18', '1e18', undefined, undefined],
    ['3Pi', '3Pi', '3Pi', 3377699720527872n, 3377699720527872000n],
    ['1000u', '1m', '1m', 1n, 1n],
    ['1e-9', '1e-9', '1e-9', 1n, 1n],
    ['1e-10', '1e-9', '1e-9', 1n, 1n],
    ['0e5', '0', '0', 0n, 0n],
    ['0E5', '0', '0', 0n, 0n],
  ])('parseQuantity(%j) is stored as %j and computed as %j', (text, stored, canonical, value, milliValue) => {
    const quantity = parseQuantity(text)
    expect(canonicalQuantity(text)).toBe(stored)
    expect(formatQuantity(quantity)).toBe(canonical)
    if (value !== undefined) expect(quantityValue(quantity)).toBe(value)
    if (milliValue !== undefined) expect(quantityMilliValue(quantity)).toBe(milliValue)
  })

  test.each([
    ['1e', "unable to parse quantity's suffix"],
    ['1K', "unable to parse quantity's suffix"],
    ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1.2.3', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1mm', "unable to parse quantity's suffix"],
    ['abc', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1e6Ki', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1e3.5', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1ki', "unable to parse quantity's suffix"],
  ])('parseQuantity refuses %j', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(new QuantityError(message))
  })

  test('parseQuantity refuses numbers without end', () => {
    expect(() => parseQuantity('9'.repeat(100_000))).toThrow(QuantityError)
    expect(() => parseQuantity('1e1000000000')).toThrow(QuantityError)
  })

  test('parseQuantity takes numbers of JSON', () => {
    expect(canonicalQuantity(0.5)).toBe('500m')
    expect(canonicalQuantity(2)).toBe('2')
    expect(canonicalQuantity(9007199254740993n)).toBe('9007199254740993')
  })

  test('formatQuantity then parseQuantity is the same amount, for any amount and format', () => {
    const format = fc.constantFrom('BinarySI' as const, 'DecimalSI' as const, 'DecimalExponent' as const)
    const nano = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })
    fc.assert(
      fc.property(nano, format, (amount, written) => {
        expect(parseQuantity(formatQuantity({ nano: amount, format: written })).nano).toBe(amount)
      }),
    )
  })
})

describe('arithmetic', () => {
  const add = (a: string, b: string) => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)))

  test('addQuantities keeps the format of the first, of the second when the first is zero', () => {
    expect(add('1Gi', '512Mi')).toBe('1536Mi')
    expect(add('250m', '1')).toBe('1250m')
    expect(add('0', '1Gi')).toBe('1Gi')
    expect(add('1', '1Ki')).toBe('1025')
    expect(formatQuantity(subtractQuantities(parseQuantity('1'), parseQuantity('250m')))).toBe('750m')
  })

  test('compareQuantities compares amounts, however they are written', () => {
    const compare = (a: string, b: string) => compareQuantities(parseQuantity(a), parseQuantity(b))
    expect(compare('1', '1000m')).toBe(0)
    expect(compare('1Gi', '1G')).toBe(1)
    expect(compare('-1', '0')).toBe(-1)
    expect(formatQuantity(quantityOf(3))).toBe('3')
  })
})
