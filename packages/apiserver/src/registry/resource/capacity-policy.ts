import type { FieldError, FieldPath, Quantity } from 'steersman/api'
import { fieldError, formatQuantity, parseQuantity } from 'steersman/api'
import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from 'steersman/api/types/resource/v1'
import { amountOf } from '../shared/quantity.js'

const unit = 1_000_000_000n
const milli = 1_000_000n
const maxInt64 = 2n ** 63n - 1n
const maxOptions = 10

/** What is wrong with how much of a capacity may be asked for. `capacity`: all there is. */
export function validateRequestPolicy(capacity: string, policy: CapacityRequestPolicy, path: FieldPath): FieldError[] {
  const { default: standard, validValues = [], validRange } = policy
  if (validValues.length > 0 && validRange !== undefined) {
    const detail = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
    return [fieldError.forbidden(path, detail)]
  }
  const field = validValues.length > 0 ? 'validValues' : 'validRange'
  if (validValues.length === 0 && validRange === undefined) return []
  if (standard === undefined || standard === null) return [fieldError.required(path.child('default'), `required when ${field} is defined`)]
  const max = amount(capacity)
  return validRange === undefined
    ? validateValues(amount(standard), max, validValues.map(amount), path.child(field))
    : validateRange(amount(standard), max, validRange, path.child(field))
}

/** An amount, and how it is written. */
interface Amount {
  readonly nano: bigint
  readonly text: string
}

function amount(text: string): Amount {
  return { nano: amountOf(text) ?? 0n, text }
}

function sum(a: Amount, b: Amount): string {
  const { format } = parseQuantity(a.text)
  return formatQuantity({ nano: a.nano + b.nano, format } satisfies Quantity)
}

function validateValues(standard: Amount, max: Amount, values: readonly Amount[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  values.forEach((value, index) => {
    const before = values[index - 1]
    if (before === undefined || before.nano <= value.nano) return
    errors.push(fieldError.invalid(path.index(index), value.text, 'values must be sorted in ascending order'))
  })
  if (values.length > maxOptions) errors.push(fieldError.tooMany(path, values.length, maxOptions))
  else {
    values.forEach((value, index) => {
      if (value.nano <= max.nano) return
      errors.push(fieldError.invalid(path.index(index), value.text, `option is larger than capacity value: ${max.text}`))
    })
    values.forEach((value, index) => {
      const isRepeated = values.slice(0, index).some((other) => other.nano === value.nano)
      if (isRepeated) errors.push(fieldError.duplicate(path.index(index), decimal(value.nano)))
    })
  }
  if (values.length <= maxOptions && values.some((value) => value.nano === standard.nano)) return errors
  return [...errors, fieldError.invalid(path, standard.text, 'default value is not valid according to the requestPolicy')]
}

/** An amount in digits. */
function decimal(nano: bigint): string {
  const rest = nano % unit
  return rest === 0n ? String(nano / unit) : `${nano / unit}.${String(rest).padStart(9, '0').replace(/0+$/, '')}`
}

function validateRange(standard: Amount, capacity: Amount, range: CapacityRequestPolicyRange, path: FieldPath): FieldError[] {
  if (range.min === undefined || range.min === null) return [fieldError.required(path.child('min'), 'required when validRange is defined')]
  const min = amount(range.min)
  const max = range.max === undefined ? undefined : amount(range.max)
  const step = range.step === undefined ? undefined : amount(range.step)
  const errors: FieldError[] = []
  const refuse = (field: string, value: Amount, detail: string) => errors.push(fieldError.invalid(path.child(field), value.text, detail))
  if (min.nano > capacity.nano) refuse('min', min, `min is larger than capacity value: ${capacity.text}`)
  if (standard.nano < min.nano) refuse('default', standard, `default is less than min: ${min.text}`)
  if (max !== undefined) {
    if (min.nano > max.nano) refuse('max', min, `min is larger than max: ${max.text}`)
    if (max.nano > capacity.nano) refuse('max', max, `max is larger than capacity value: ${capacity.text}`)
    if (standard.nano > max.nano) refuse('default', standard, `default is more than max: ${max.text}`)
  }
  const bounds = { default: standard, min, max, step }
  const isFractional = Object.values(bounds).some((bound) => bound !== undefined && bound.nano % unit !== 0n)
  if (isFractional) {
    const count = errors.length
    for (const [field, bound] of Object.entries(bounds)) {
      if (bound !== undefined && bound.nano % milli !== 0n) refuse(field, bound, 'value cannot be represented as a milli value')
    }
    if (errors.length > count) return errors
  }
  if (step === undefined) return errors
  if (step.nano <= 0n) {
    refuse('step', step, 'must be greater than zero')
    return errors
  }
  if (min.nano + step.nano > capacity.nano) {
    refuse('step', step, `one step ${sum(min, step)} is larger than capacity value: ${capacity.text}`)
  }
  const unsafe = isFractional ? [] : Object.entries(bounds).flatMap(([field, bound]) => int64Errors(bound, path.child(field)))
  if (unsafe.length > 0) return [...errors, ...unsafe]
  for (const value of max === undefined ? [standard] : [standard, max]) {
    if ((value.nano - min.nano) % step.nano === 0n) continue
    refuse('step', value, `value is not a multiple of a given step (${step.text}) from (${min.text})`)
  }
  return errors
}

function int64Errors(bound: Amount | undefined, path: FieldPath): FieldError[] {
  if (bound === undefined) return []
  if (bound.nano < 0n) return [fieldError.invalid(path, bound.text, 'must be greater than or equal to 0')]
  return bound.nano > maxInt64 * unit ? [fieldError.invalid(path, bound.text, `must not be larger than ${maxInt64}`)] : []
}
