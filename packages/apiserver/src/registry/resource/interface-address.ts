import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, goQuote } from 'steersman/api'
import { isIP, isIPv4 } from '../../schema/index.js'

/** What is wrong with the address of an interface: an address with the length of its network, in canonical form. */
export function interfaceAddressErrors(text: string, path: FieldPath): FieldError[] {
  const [address = '', bits = '', ...rest] = text.split('/')
  const most = isIPv4(address) ? 32 : 128
  if (rest.length > 0 || !isIP(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
    return [fieldError.invalid(path, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')]
  }
  const canonical = `${canonicalAddress(address)}/${Number(bits)}`
  return text === canonical ? [] : [fieldError.invalid(path, text, `must be in canonical form (${goQuote(canonical)})`)]
}

function canonicalAddress(address: string): string {
  if (isIPv4(address)) return address.split('.').map(Number).join('.')
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
