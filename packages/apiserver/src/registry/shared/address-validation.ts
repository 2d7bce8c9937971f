import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, goQuote } from 'steersman/api'
import type { Address } from './address.js'
import { formatAddress, formatRange, hasLeadingZeros, isMappedText, networkOf, parseAddress, parseRange } from './address.js'

/** What is wrong with an IP address. It need not be in its canonical form. */
export function addressErrors(text: string, path: FieldPath): FieldError[] {
  if (parseAddress(text) === undefined) {
    return [fieldError.invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
  }
  if (hasLeadingZeros(text)) return [fieldError.invalid(path, text, 'must not have leading 0s')]
  return isMappedText(text) ? [fieldError.invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : []
}

/** What is wrong with an IP address that must be in its canonical form. */
export function canonicalAddressErrors(text: string, path: FieldPath): FieldError[] {
  const errors = addressErrors(text, path)
  if (errors.length > 0) return errors
  return canonicalErrors(text, formatAddress(parseAddress(text) ?? []), path)
}

/** What is wrong with a range of addresses such as `10.9.8.0/24`. It need not be in its canonical form. */
export function rangeErrors(text: string, path: FieldPath): FieldError[] {
  const range = parseRange(text)
  if (range === undefined) {
    return [fieldError.invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
  }
  if (hasLeadingZeros(text)) return [fieldError.invalid(path, text, 'must not have leading 0s in IP or prefix length')]
  if (isMappedText(text)) return [fieldError.invalid(path, text, 'must not have an IPv4-mapped IPv6 address')]
  if (formatAddress(networkOf(range)) !== formatAddress(range.address)) {
    return [fieldError.invalid(path, text, 'must not have bits set beyond the prefix length')]
  }
  return []
}

/** What is wrong with a range of addresses that must be in its canonical form. */
export function canonicalRangeErrors(text: string, path: FieldPath): FieldError[] {
  const errors = rangeErrors(text, path)
  const range = parseRange(text)
  return errors.length > 0 || range === undefined ? errors : canonicalErrors(text, formatRange(range), path)
}

function canonicalErrors(text: string, canonical: string, path: FieldPath): FieldError[] {
  return text === canonical ? [] : [fieldError.invalid(path, text, `must be in canonical form (${goQuote(canonical)})`)]
}

/** What is wrong with an address as that of an endpoint: nothing else may be reached there. */
export function endpointAddressErrors(text: string, path: FieldPath): FieldError[] {
  const address = parseAddress(text)
  if (address === undefined) return [fieldError.invalid(path, text, 'must be a valid IP address')]
  const refuse = (detail: string) => [fieldError.invalid(path, text, detail)]
  if (isUnspecified(address)) return refuse(`may not be unspecified (${text})`)
  if (isLoopback(address)) return refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)')
  if (isLinkLocal(address)) return refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  if (isLinkLocalMulticast(address)) return refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
  return []
}

function isUnspecified(address: Address): boolean {
  return address.every((byte) => byte === 0)
}

function isLoopback(address: Address): boolean {
  return address.length === 4 ? address[0] === 127 : formatAddress(address) === '::1'
}

function isLinkLocal([first = 0, second = 0, ...rest]: Address): boolean {
  return rest.length === 2 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80
}

function isLinkLocalMulticast([first = 0, second = 0, third = 0, ...rest]: Address): boolean {
  return rest.length === 1 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 2
}

/** Says that an address is right but not in its canonical form. */
export function warnOfAddress(text: string, path: FieldPath, warn: (text: string) => void): void {
  const address = parseAddress(text)
  if (address !== undefined && (hasLeadingZeros(text) || isMappedText(text))) {
    warn(`${path}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(formatAddress(address))}`)
  }
  if (address?.length === 16 && formatAddress(address) !== text) {
    warn(`${path}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(formatAddress(address))})`)
  }
}

/** Says that a range is right but not in its canonical form. */
export function warnOfRange(text: string, path: FieldPath, warn: (text: string) => void): void {
  const range = parseRange(text)
  if (range?.size === 128 && formatRange(range) !== text) {
    warn(`${path}: IPv6 CIDR value ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(formatRange(range))})`)
  }
}
