import { describe, expect, test } from 'vitest'
import { formatAddress, formatRange, hasLeadingZeros, isMappedText, parseAddress, parseRange } from './address.js'

/** What Go's net/netip and net print for these. */
const canonical: readonly (readonly [text: string, printed: string])[] = [
  ['10.0.0.1', '10.0.0.1'],
  ['010.0.0.01', '10.0.0.1'],
  ['2001:DB8::7', '2001:db8::7'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['::', '::'],
  ['::1', '::1'],
  ['fe80::', 'fe80::'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
]

describe('addresses', () => {
  test.each(canonical)('formats %s as %s', (text, printed) => {
    expect(formatAddress(parseAddress(text) ?? [])).toBe(printed)
  })

  test.each(['', 'x', '1.2.3', '1.2.3.256', '1::2::3', ':1'])('does not read %s', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/32', '10.1.2.3/32'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['10.1.255.3/20', '10.1.240.0/20'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
  ])('masks %s to %s', (text, printed) => {
    const range = parseRange(text)
    expect(range && formatRange(range)).toBe(printed)
  })

  test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '/8'])('does not read the range %s', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  test('finds leading zeros and mapped addresses', () => {
    expect(['010.0.0.1', '10.0.0.01', '10.00.0.1', '10.0.0.0/08', '::ffff:01.2.3.4'].filter((text) => !hasLeadingZeros(text))).toEqual([])
    expect(['10.0.0.1', '0.0.0.0/0', '10.0.0.0/8', '2001:db8::0001'].filter(hasLeadingZeros)).toEqual([])
    expect([isMappedText('::ffff:1.2.3.4'), isMappedText('::1'), isMappedText('1.2.3.4')]).toEqual([true, false, false])
  })
})
