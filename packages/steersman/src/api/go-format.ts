/**
 * How Go prints values. Messages of the real API server are made with these, so ours must be too.
 */

const namedEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}
const needsEscape = /["\\]|[^\x20-\x7e]/
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u

/** A string in double quotes as Go's verb `%q` writes it. */
export function goQuote(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`
  let quoted = '"'
  for (const char of text) quoted += escapeChar(char)
  return `${quoted}"`
}

function escapeChar(char: string): string {
  const named = namedEscapes[char]
  if (named !== undefined) return named
  const code = char.codePointAt(0) ?? 0
  if (code >= 0x20 && code < 0x7f) return char
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd'
  if (printable.test(char)) return char
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** A number as Go's verb `%v` writes it: whole numbers in digits (they are int64 on the wire), others as float64. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString()
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '0' : value.toString()
  return goFloat(value)
}

/** A float64 as Go's verb `%v` writes it, whole ones too: shortest digits, `e` notation below 1e-4 and from 1e6 on (`1e+06`). */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return '0'
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return value.toString()
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/**
 * A JSON value as Go's `json.Marshal` writes untyped data: keys sorted by their bytes, `<`, `>` and `&` escaped.
 *
 * The value must be acyclic plain JSON; bigint is allowed.
 */
export function goJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return goJsonString(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  const fields: string[] = []
  const record = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(record).sort(compareCodePoints)) {
    if (record[key] !== undefined) fields.push(`${goJsonString(key)}:${goJson(record[key])}`)
  }
  return `{${fields.join(',')}}`
}

function goJsonString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Orders strings as Go does, by their UTF-8 bytes, which is the order of code points. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    // A surrogate stands for a code point above every other UTF-16 unit.
    const leftSurrogate = left >= 0xd800 && left <= 0xdfff
    const rightSurrogate = right >= 0xd800 && right <= 0xdfff
    if (leftSurrogate !== rightSurrogate) return leftSurrogate ? 1 : -1
    return left - right
  }
  return a.length - b.length
}

/** How many bytes a string takes in UTF-8: lengths in Kubernetes' name rules are bytes. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code >= 0xd800 && code <= 0xdbff && index + 1 < text.length) {
      bytes += 4
      index++
    } else bytes += 3
  }
  return bytes
}
