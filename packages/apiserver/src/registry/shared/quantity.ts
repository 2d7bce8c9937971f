const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?$/

const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }

/** The message of a quantity that cannot be read. */
export const quantityFormatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

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
