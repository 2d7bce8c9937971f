const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?$/

const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }

/** The message of a quantity that cannot be read. */
export const quantityFormatMessage = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** The amount of a quantity such as `500m` or `1Gi` in units of a billionth, rounded up; `undefined` when it cannot be read. */
export function parseQuantity(text: string | number): bigint | undefined {
  const match = pattern.exec(String(text))
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent, suffix] = match
  if (whole === '' && fraction === '') return undefined
  const digits = BigInt(whole + fraction || '0')
  const power = exponent !== undefined ? Number(exponent.slice(1)) : suffix === undefined ? 0 : (decimal[suffix] ?? 0)
  const shift = suffix === undefined ? undefined : binary[suffix]
  let nanos = shift === undefined ? digits : digits << shift
  const scale = power - fraction.length + 9
  if (Math.abs(scale) > 100) return undefined
  if (scale >= 0) nanos *= 10n ** BigInt(scale)
  else {
    const divisor = 10n ** BigInt(-scale)
    nanos = (nanos + divisor - 1n) / divisor
  }
  return sign === '-' ? -nanos : nanos
}

const decimalSuffixes: Readonly<Record<number, string>> = {
  [-9]: 'n',
  [-6]: 'u',
  [-3]: 'm',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
  12: 'T',
  15: 'P',
  18: 'E',
}
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/**
 * A quantity of a resource as the server writes it: the shortest form with a whole number, in the family of suffixes that it came with,
 * rounded up to a thousandth. What cannot be read is returned as it is, for validation to refuse.
 */
export function canonicalQuantity(text: string | number): string {
  const exact = parseQuantity(text)
  if (exact === undefined) return String(text)
  const milli = 1_000_000n
  const nanos = exact >= 0n ? ((exact + milli - 1n) / milli) * milli : exact
  const unit = 1_000_000_000n
  const absolute = nanos < 0n ? -nanos : nanos
  if (/[KMGTPE]i$/.test(String(text)) && absolute >= 1024n * unit) {
    let whole = (absolute + unit - 1n) / unit
    let power = 0
    for (; power < 6 && whole % 1024n === 0n; power++) whole /= 1024n
    return `${nanos < 0n ? '-' : ''}${whole}${binarySuffixes[power]}`
  }
  if (nanos === 0n) return '0'
  let mantissa = nanos
  let exponent = -9
  for (; exponent < 18 && mantissa % 1000n === 0n; exponent += 3) mantissa /= 1000n
  if (/\d[eE][+-]?\d+$/.test(String(text))) return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`
  return `${mantissa}${decimalSuffixes[exponent]}`
}

/** Brings the amounts of a list of resources to their canonical form. */
export function canonicalizeResources(resources: Record<string, string> | undefined): void {
  if (resources === undefined) return
  for (const [name, quantity] of Object.entries(resources)) resources[name] = canonicalQuantity(quantity)
}
