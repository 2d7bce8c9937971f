const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const wholeDuration = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/
const part = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g

/** Nanoseconds as Go writes a duration: `1h30m0.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(nanos: bigint): string {
  if (nanos < 0n) return `-${formatGoDuration(-nanos)}`
  if (nanos === 0n) return '0s'
  for (const unit of ['ns', 'µs', 'ms'] as const) {
    const size = unitNanos[unit] ?? 1n
    if (nanos < size * 1000n) return `${decimal(nanos, size)}${unit}`
  }
  const minutes = nanos / 60_000_000_000n
  const seconds = `${decimal(nanos % 60_000_000_000n, 1_000_000_000n)}s`
  if (minutes === 0n) return seconds
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`
}

/** Nanoseconds of a duration as Go reads it; `undefined` for a text that is none. */
export function parseGoDuration(text: string): bigint | undefined {
  if (/^[+-]?0$/.test(text)) return 0n
  if (!wholeDuration.test(text)) return undefined
  let nanos = 0n
  for (const [, whole = '', fraction = '', unit = 'ns'] of text.matchAll(part)) {
    const size = unitNanos[unit] ?? 1n
    nanos += BigInt(whole || '0') * size + (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length)
  }
  return text.startsWith('-') ? -nanos : nanos
}

function decimal(nanos: bigint, size: bigint): string {
  const digits = (nanos % size).toString().padStart(size.toString().length - 1, '0')
  const fraction = digits.replace(/0+$/, '')
  return size === 1n || fraction === '' ? `${nanos / size}` : `${nanos / size}.${fraction}`
}
