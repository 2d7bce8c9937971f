const maxInt64 = 2n ** 63n - 1n
const minInt64 = -(2n ** 63n)

/** Whether a JSON number is an integer to the real server, which decodes what fits into int64 as int64 and all else as float64. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : value <= maxInt64 && value >= minInt64
}

const epsilon = 1e-9
const maxJsonInteger = 2 ** 53 - 1

/** Whether a float64 counts as a JSON integer: within 2^53, and equal to a whole number within a relative error of 1e-9. */
export function isIntegralFloat(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > maxJsonInteger) return false
  const whole = Math.trunc(value)
  if (whole === value) return true
  if (whole === 0) return false
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < epsilon
}
