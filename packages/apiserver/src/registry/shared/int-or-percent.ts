import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import { validateNonNegative } from './number-errors.js'

const percentDetail =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

/** What is wrong with a value that is a number of things or a share of them. */
export function validateIntOrPercent(value: number | string | undefined, path: FieldPath): FieldError[] {
  if (typeof value === 'number') return validateNonNegative(value, path)
  return value === undefined || isPercent(value) ? [] : [fieldError.invalid(path, value, percentDetail)]
}

/** An error when a share is more than all. */
export function validateShareOfAll(value: number | string | undefined, path: FieldPath): FieldError[] {
  const isTooMuch = typeof value === 'string' && isPercent(value) && amountOfIntOrPercent(value) > 100
  return isTooMuch ? [fieldError.invalid(path, value, 'must not be greater than 100%')] : []
}

/** The number in front of the sign of percent, or the number itself; 0 for what is neither. */
export function amountOfIntOrPercent(value: number | string | undefined): number {
  if (typeof value === 'number') return value
  return value !== undefined && (isPercent(value) || /^[+-]?[0-9]+$/.test(value)) ? Number.parseInt(value, 10) : 0
}

function isPercent(value: string): boolean {
  return /^[0-9]+%$/.test(value)
}
