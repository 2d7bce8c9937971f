import { isIP, isIPv4, isIPv6 } from './ip.js'
import type { StructuralSchema } from './structural-schema.js'

/** Checks of the string formats that the real server enforces, by name without dashes. Other formats are ignored. */
const stringFormats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: isMac,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: isRgbColor,
  byte: isBase64,
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) => text.length <= 253 && text.split('.').every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part)),
}

const integerFormats: readonly string[] = ['int32', 'int64']
const numberFormats: readonly string[] = ['float', 'double']

/** The format of a schema node that is enforced for its type, or the empty string. */
export function enforcedFormat(schema: StructuralSchema): string {
  const format = schema.format ?? ''
  if (format === '') return ''
  switch (schema['x-kubernetes-int-or-string'] === true ? '' : (schema.type ?? '')) {
    case '':
    case 'string':
      return Object.hasOwn(stringFormats, normalize(format)) ? format : ''
    case 'integer':
      return integerFormats.includes(format) ? format : ''
    case 'number':
      return numberFormats.includes(format) ? format : ''
    default:
      return ''
  }
}

/** The check of a string format, or undefined when the format says nothing about strings. */
export function stringFormatCheck(format: string): ((text: string) => boolean) | undefined {
  const name = normalize(format)
  return Object.hasOwn(stringFormats, name) ? stringFormats[name] : undefined
}

function normalize(format: string): string {
  return format.replaceAll('-', '')
}

// Absolute path or absolute URI, as Go's url.ParseRequestURI accepts them.
function isRequestUri(text: string): boolean {
  if (text === '' || hasControlCharacter(text)) return false
  const [beforeQuery = ''] = text.split('?', 1)
  if (/%(?![0-9a-fA-F]{2})/.test(beforeQuery)) return false
  if (text.startsWith('/')) return !/^\/\/[^/]*[ <>"]/.test(text)
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)
  if (scheme === null) return text === '*'
  const rest = text.slice(scheme[0].length)
  if (!rest.startsWith('//')) return true
  const authority = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return !/[ "<>\\^`{|}]/.test(host) && /^(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/.test(host)
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]+"
const quotedString = '"(?:[^"\\\\\\r\\n]|\\\\.)*"'
const addressSpec = `(?:${atom}(?:\\.${atom})*|${quotedString})@(?:${atom}(?:\\.${atom})*|\\[[^\\]]*\\])`
const bareAddress = new RegExp(`^\\s*${addressSpec}\\s*$`)
const namedAddress = new RegExp(`^\\s*(?:(?:${atom}|${quotedString}|\\.)\\s*)*<\\s*${addressSpec}\\s*>\\s*$`)

// RFC 5322 mailbox as Go's mail.ParseAddress accepts it, with or without a display name.
function isEmail(text: string): boolean {
  if (text.length > 1024) return false
  return bareAddress.test(text) || (text.includes('<') && namedAddress.test(text))
}

const hostnameLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u
const singleHostname = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u
const topLevel = /^[a-zA-Z\p{L}]{2,63}$/u

function isHostname(text: string): boolean {
  const labels = text.split('.')
  if (Buffer.byteLength(text) > 255 || labels.some((label) => Buffer.byteLength(label) > 63)) return false
  const last = labels.pop() ?? ''
  if (labels.length === 0) return singleHostname.test(last)
  return topLevel.test(last) && labels.every((label) => hostnameLabel.test(label))
}

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return false
  const address = text.slice(0, slash)
  const prefix = text.slice(slash + 1)
  return /^\d{1,3}$/.test(prefix) && isIP(address) && Number(prefix) <= (address.includes(':') ? 128 : 32)
}

function isMac(text: string): boolean {
  if (/^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text)) return [14, 19, 49].includes(text.length)
  const separator = text[2]
  if (separator !== ':' && separator !== '-') return false
  const parts = text.split(separator)
  return [6, 8, 20].includes(parts.length) && parts.every((part) => /^[0-9a-fA-F]{2}$/.test(part))
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < 10; index++) sum += (index === 9 ? 10 : index + 1) * (digits[index] === 'X' ? 10 : Number(digits[index]))
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^[0-9]{13}$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index])
  return Number(digits[12]) === (10 - (sum % 10)) % 10
}

const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  if (!creditCard.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 1 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

const rgbPart = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])'
const rgbColor = new RegExp(`^rgb\\(\\s*${rgbPart}\\s*,\\s*${rgbPart}\\s*,\\s*${rgbPart}\\s*\\)$`)

function isRgbColor(text: string): boolean {
  return rgbColor.test(text)
}

function isBase64(text: string): boolean {
  // The empty string is refused too: the real server's expression wants a last group.
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) && !text.startsWith('=')
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year)
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t')
  if (time === undefined || !isDate(date ?? '')) return false
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time)
  return match !== null && (match[1] ?? '') <= '23' && (match[2] ?? '') <= '59' && (match[3] ?? '') <= '59'
}

const durationUnits: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
]

function isDuration(text: string): boolean {
  if (/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true
  for (const match of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = (match[2] ?? '').toLowerCase()
    if (durationUnits.some((names) => names.some((name) => unit.startsWith(name)))) return true
  }
  return false
}
