import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import { isIP, isIPv4 } from '../../schema/index.js'

/** What is wrong with an IP address. */
export function addressErrors(text: string, path: FieldPath): FieldError[] {
  return isIP(text) ? [] : [fieldError.invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

/** What is wrong with a range of addresses such as `10.9.8.0/24`. */
export function rangeErrors(text: string, path: FieldPath): FieldError[] {
  const [address = '', bits = '', ...rest] = text.split('/')
  const most = isIPv4(address) ? 32 : 128
  if (rest.length === 0 && isIP(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= most) return []
  return [fieldError.invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
}
