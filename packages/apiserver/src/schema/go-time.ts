/** A time on the wire, normalised, or what the real server says about it. */
export type TimeResult = { readonly text: string } | { readonly error: string }

/** One element of a time layout: how the layout writes it, and what it matches. */
interface LayoutElement {
  readonly layout: string
  readonly pattern: RegExp
  readonly range?: readonly [name: string, min: number, max: number]
}

const elements: readonly LayoutElement[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d{2}/, range: ['month', 1, 12] },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d{2}/, range: ['day', 1, 31] },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d{2}/, range: ['hour', 0, 23] },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d{2}/, range: ['minute', 0, 59] },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d{2}/, range: ['second', 0, 59] },
]
const zone = /^(?:Z|[+-](?:[01]\d|2[0-4]):[0-5]\d)/
const shortTime = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})Z$/

/**
 * Reads a `Time` (RFC 3339, kept in seconds) or, with six digits, a `MicroTime`, and writes it in UTC as the real server does.
 * Errors are worded as Go's parser words them.
 */
export function readTime(text: string, digits: 0 | 6): TimeResult {
  const layoutText = digits === 0 ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00'
  const failure = (rest: string, layout: string): TimeResult => ({
    error: `parsing time ${quoted(text)} as ${quoted(layoutText)}: cannot parse ${quoted(rest)} as ${quoted(layout)}`,
  })
  let rest = text
  for (const { layout, pattern, range } of elements) {
    const match = pattern.exec(rest)
    if (match === null) return failure(rest, layout)
    if (range !== undefined) {
      const value = Number(match[0])
      if (value < range[1] || value > range[2]) return { error: `parsing time ${quoted(text)}: ${range[0]} out of range` }
    }
    rest = rest.slice(match[0].length)
  }
  const fraction = /^[.,]\d+/.exec(rest)?.[0] ?? ''
  if (digits === 6 && fraction.length !== 7) return failure(rest, '.000000')
  rest = rest.slice(fraction.length)
  const offset = zone.exec(rest)
  if (offset === null) return failure(rest, 'Z07:00')
  if (rest.length > offset[0].length) return { error: `parsing time ${quoted(text)}: extra text: ${quoted(rest.slice(offset[0].length))}` }
  return normalise(text, offset[0], fraction, digits)
}

function normalise(text: string, offset: string, fraction: string, digits: 0 | 6): TimeResult {
  const seconds = text.slice(0, 19)
  const day = Number(text.slice(8, 10))
  const local = new Date(`${seconds}Z`)
  if (local.getUTCDate() !== day) return { error: `parsing time ${quoted(text)}: day out of range` }
  if (digits === 0 && shortTime.test(text)) return { text }
  const sign = offset[0] === '-' ? 1 : -1
  const minutes = offset === 'Z' ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  const utc = new Date(local.getTime() + sign * minutes * 60_000).toISOString().slice(0, 19)
  return { text: digits === 0 ? `${utc}Z` : `${utc}.${fraction.slice(1)}Z` }
}

/** As Go's package `time` quotes: bytes that are no ASCII by their number. */
function quoted(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('')
  return `"${escaped.replaceAll('"', '\\"').replace(/\\(?!x[0-9a-f]{2}|")/g, '\\\\')}"`
}
