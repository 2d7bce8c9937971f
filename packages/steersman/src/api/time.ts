/**
 * Times on the wire. They stay strings in objects; these functions make and read them from milliseconds since the epoch.
 */

/**
 * A `Time`: RFC 3339 in UTC with seconds, `2026-11-30T03:31:30Z`. Fractions are cut off.
 *
 * @param epochMs milliseconds since 1970, of years 0 to 9999
 * @throws RangeError outside of that.
 */
export function formatTime(epochMs: number): string {
  return `${isoSeconds(epochMs)}Z`
}

/**
 * A `MicroTime`: RFC 3339 in UTC with six digits, `2026-11-30T03:31:30.123000Z`. Leases and events have these.
 *
 * @param epochMs milliseconds since 1970; a fraction gives the microseconds
 * @throws RangeError for a year that has not four digits.
 */
export function formatMicroTime(epochMs: number): string {
  const micros = Math.floor((epochMs - Math.floor(epochMs)) * 1000)
  const millis = ((Math.floor(epochMs) % 1000) + 1000) % 1000
  return `${isoSeconds(epochMs)}.${String(millis * 1000 + micros).padStart(6, '0')}Z`
}

function isoSeconds(epochMs: number): string {
  const text = new Date(Math.floor(epochMs)).toISOString()
  if (text.length !== 24) throw new RangeError(`Cannot format a time: the year of ${epochMs} ms has not four digits`)
  return text.slice(0, 19)
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:[.,](\d{1,9}))?(?:[Zz]|[+-]\d\d:\d\d)$/

/**
 * Milliseconds since the epoch of a `Time` or `MicroTime`, microseconds as a fraction; `undefined` for what is neither.
 */
export function parseTime(text: string | null | undefined): number | undefined {
  const match = rfc3339.exec(text ?? '')
  if (match === null || text === null || text === undefined) return undefined
  const fraction = match[1] ?? ''
  const whole = Date.parse(fraction === '' ? text : text.replace(/[.,]\d+/, ''))
  if (Number.isNaN(whole)) return undefined
  return fraction === '' ? whole : whole + Number(fraction.padEnd(9, '0')) / 1e6
}
