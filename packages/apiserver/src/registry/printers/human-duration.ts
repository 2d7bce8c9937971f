/** A duration as `kubectl` shows it, in at most two units: `5s`, `3m20s`, `2d4h`, `1y100d`; `<invalid>` when it lies in the future. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(minutes / 60)
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (days < 8) return twoUnits(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.trunc(days / 365)
  return years < 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`
}

/** How long ago a time was; `<unknown>` when there is none. Times are RFC 3339. */
export function ageOf(time: unknown, nowMs: number): string {
  const then = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(then) ? '<unknown>' : humanDuration(nowMs - then)
}
