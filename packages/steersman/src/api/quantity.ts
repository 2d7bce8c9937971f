/**
 * Quantities: `500m`, `1Gi`, `12e6`. Exact: amounts are whole numbers of nano units in bigint.
 */

/** How a quantity is written: `1Gi`, `1G` or `1e9`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent'

/** An amount and how it is written. Immutable plain data. */
export interface Quantity {
  /** In units of 10^-9. */
  readonly nano: bigint
  readonly format: QuantityFormat
}

/** A text is not a quantity. The message is kube-apiserver's. */
export class QuantityError extends Error {
  readonly code = 'QUANTITY_INVALID'

  constructor(message: string) {
    super(message)
    this.name = 'QuantityError'
  }
}

const maxDigits = 512
const maxTextLength = 1200
const nanosPerUnit = 10n ** 9n
const maxBinaryNano = (2n ** 63n - 1n) * nanosPerUnit
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const
const decimalSuffixes: Readonly<Record<string, number | undefined>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const suffixOfExponent = new Map(Object.entries(decimalSuffixes).map(([suffix, exponent]) => [exponent, suffix]))

const quantityPattern = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const wrongSuffix = "unable to parse quantity's suffix"
const wrongNumber = 'unable to parse numeric part of quantity'

/**
 * Reads a quantity; a number as JSON may carry it is taken for its text. What is finer than 10^-9 is rounded up (away from
 * zero); binary ones are capped at 2^63-1, as in kube-apiserver.
 *
 * @throws QuantityError
 */
export function parseQuantity(text: string | number | bigint): Quantity {
  const source = String(text).trim()
  const match = source.length > maxTextLength ? null : quantityPattern.exec(source)
  if (source === '' || match === null) throw new QuantityError(wrongFormat)
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  // Upstream reads no digits at all as zero, with whatever suffix.
  const digits = `${whole}${fraction}` || '0'
  if (digits.length > maxDigits) throw new QuantityError(wrongNumber)
  const { base, exponent, format } = interpretSuffix(suffix)
  const scaled = base === 2 ? BigInt(digits) << BigInt(exponent) : BigInt(digits)
  const magnitude = toNano(scaled, (base === 10 ? exponent : 0) - fraction.length)
  const nano = format === 'BinarySI' && magnitude > maxBinaryNano ? maxBinaryNano : magnitude
  return { nano: sign === '-' ? -nano : nano, format: format === 'BinarySI' && nano < nanosPerUnit && nano > 0n ? 'DecimalSI' : format }
}

interface Suffix {
  readonly base: 2 | 10
  readonly exponent: number
  readonly format: QuantityFormat
}

function interpretSuffix(suffix: string): Suffix {
  const decimal = Object.hasOwn(decimalSuffixes, suffix) ? decimalSuffixes[suffix] : undefined
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' }
  const binary = binarySuffixes.indexOf(suffix as (typeof binarySuffixes)[number])
  if (binary > 0) return { base: 2, exponent: binary * 10, format: 'BinarySI' }
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)
  if (exponent === null || Math.abs(Number(exponent[1])) > maxDigits) throw new QuantityError(wrongSuffix)
  return { base: 10, exponent: Number(exponent[1]), format: 'DecimalExponent' }
}

/** `value * 10^exponent` in nano units, rounded up. */
function toNano(value: bigint, exponent: number): bigint {
  const shift = exponent + 9
  return shift >= 0 ? value * 10n ** BigInt(shift) : divideRoundingUp(value, 10n ** BigInt(-shift))
}

function divideRoundingUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}

/**
 * The canonical text: no fraction, the largest suffix that keeps the number whole. Equal texts mean equal amounts within a
 * format.
 */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0'
  const sign = nano < 0n ? '-' : ''
  const magnitude = nano < 0n ? -nano : nano
  if (format === 'BinarySI' && magnitude >= 1024n * nanosPerUnit && magnitude % nanosPerUnit === 0n) {
    return sign + formatBinary(magnitude / nanosPerUnit)
  }
  return sign + formatDecimal(magnitude, format === 'DecimalExponent')
}

function formatBinary(units: bigint): string {
  let mantissa = units
  let power = 0
  while (power < binarySuffixes.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n
    power++
  }
  return `${mantissa}${binarySuffixes[power]}`
}

function formatDecimal(nano: bigint, asExponent: boolean): string {
  let mantissa = nano
  let exponent = -9
  while ((asExponent || exponent < 18) && mantissa % 1000n === 0n) {
    mantissa /= 1000n
    exponent += 3
  }
  if (!asExponent) return `${mantissa}${suffixOfExponent.get(exponent)}`
  return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`
}

/**
 * The text as the server stores and returns it: `0.5` becomes `500m`. Some texts that are not quite canonical are kept as
 * they are, as upstream keeps them: `+5`, `1E3`, `00012`.
 *
 * @throws QuantityError
 */
export function canonicalQuantity(text: string | number | bigint): string {
  const source = String(text).trim()
  const quantity = parseQuantity(source)
  return isKeptAsWritten(source, quantity) ? source : formatQuantity(quantity)
}

/** Upstream's shortcut for short numbers, which looks at the end of the digits only. */
function isKeptAsWritten(source: string, { format }: Quantity): boolean {
  const [, , whole = '', fraction, suffix = ''] = quantityPattern.exec(source) ?? []
  const number = whole.replace(/^0+/, '') || '0'
  const { exponent } = interpretSuffix(suffix)
  if (format === 'BinarySI') {
    const precision = 15 - number.length - Math.trunc((exponent * 3) / 10) - 1
    return !fraction && precision >= 0 && BigInt(number) % 8n !== 0n
  }
  const digits = number + (fraction ?? '')
  const scale = exponent - (fraction ?? '').length
  return digits.length <= 18 && scale >= -9 && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
}

/** A quantity of whole units. */
export function quantityOf(units: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nano: BigInt(units) * nanosPerUnit, format }
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`, however they are written. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0
}

/** The sum, written as `a` is; as `b` when `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format }
}

/** The difference, written as `a` is; as `b` when `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { nano: -b.nano, format: b.format })
}

/** The amount in whole units, rounded up (away from zero), as `Value()` of Go. */
export function quantityValue({ nano }: Quantity): bigint {
  return nano < 0n ? -divideRoundingUp(-nano, nanosPerUnit) : divideRoundingUp(nano, nanosPerUnit)
}

/** The amount in thousandths, rounded up (away from zero), as `MilliValue()` of Go: CPUs are compared so. */
export function quantityMilliValue({ nano }: Quantity): bigint {
  return nano < 0n ? -divideRoundingUp(-nano, 1_000_000n) : divideRoundingUp(nano, 1_000_000n)
}
