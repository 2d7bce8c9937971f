import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, parseQuantity, quantityMilliValue, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import type { LimitRangeItem } from 'steersman/api/types/core/v1'
import { LimitRange } from 'steersman/api/types/core/v1'
import { amountOf, canonicalizeResources } from '../shared/quantity.js'
import { containerResourceNameErrors, isOvercommitAllowed, resourceNameErrors } from '../shared/resource-name.js'
import { defineKind } from '../strategy.js'

const limitsPath = fieldPath('spec', 'limits')
const amountFields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const
const types = ['Pod', 'Container', 'PersistentVolumeClaim']

/** Limit ranges. */
export const limitRangeKind = defineKind(LimitRange, {
  validateName: validateDns1123Subdomain,
  allowCreateOnUpdate: true,
  default({ spec }) {
    // The real server stores an empty list as none.
    if (spec?.limits?.length === 0) delete (spec as { limits?: unknown }).limits
    for (const limit of spec?.limits ?? []) {
      for (const field of amountFields) canonicalizeResources(limit[field])
      if (limit.type === 'Container') completeDefaults(limit)
    }
  },
  prepareForCreate({ metadata }, { uuid }) {
    metadata.name ||= uuid()
  },
  validate: ({ spec }) => validateLimits(spec?.limits ?? []),
})

/** The default of a limit is its maximum; that of a request is the limit, or the minimum. */
function completeDefaults(limit: Draft<LimitRangeItem>): void {
  const defaults = { ...limit.max, ...limit.default }
  const requests = { ...limit.min, ...defaults, ...limit.defaultRequest }
  if (Object.keys(defaults).length > 0) limit.default = defaults
  if (Object.keys(requests).length > 0) limit.defaultRequest = requests
}

function validateLimits(limits: readonly LimitRangeItem[]): FieldError[] {
  const seen = new Set<string>()
  return limits.flatMap((limit, index) => {
    const path = limitsPath.index(index)
    const { type = '' } = limit
    const errors = typeErrors(type, path.child('type'))
    if (seen.has(type)) errors.push(fieldError.duplicate(path.child('type'), type))
    seen.add(type)
    return [...errors, ...validateNames(limit, path), ...validateAmounts(limit, path)]
  })
}

function typeErrors(type: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(type).map((detail) => fieldError.invalid(path, type, detail))
  if (errors.length > 0 || type.includes('/') || types.includes(type)) return errors
  return [fieldError.invalid(path, type, 'must be a standard limit type or fully qualified')]
}

function validateNames(limit: LimitRangeItem, path: FieldPath): FieldError[] {
  const nameErrors = limit.type === 'Pod' || limit.type === 'Container' ? containerResourceNameErrors : resourceNameErrors
  const isDefault = (field: string) => field === 'default' || field === 'defaultRequest'
  return amountFields.flatMap((field) => {
    const errors: FieldError[] = []
    const names = Object.keys(limit[field] ?? {})
    if (limit.type === 'Pod' && isDefault(field)) {
      if (names.length > 0) errors.push(fieldError.forbidden(path.child(field), "may not be specified when `type` is 'Pod'"))
    } else errors.push(...names.flatMap((name) => nameErrors(name, path.child(field).key(name))))
    if (field !== 'defaultRequest' || limit.type !== 'PersistentVolumeClaim') return errors
    if (limit.min?.storage !== undefined || limit.max?.storage !== undefined) return errors
    const detail = 'either minimum or maximum storage value is required, but neither was provided'
    return [...errors, fieldError.required(path.child('limits'), detail)]
  })
}

type Amount = { readonly text: string; readonly nano: bigint } | undefined

/** What is wrong with the amounts of each resource among each other. */
function validateAmounts(limit: LimitRangeItem, path: FieldPath): FieldError[] {
  const hasDefaults = limit.type !== 'Pod'
  const names = new Set(amountFields.flatMap((field) => Object.keys(limit[field] ?? {})))
  return [...names].flatMap((name) => {
    const amount = (field: (typeof amountFields)[number]): Amount => {
      const text = limit[field]?.[name]
      return text === undefined ? undefined : { text, nano: amountOf(text) ?? 0n }
    }
    const [min, max, ratio] = [amount('min'), amount('max'), amount('maxLimitRequestRatio')]
    const [value, request] = hasDefaults ? [amount('default'), amount('defaultRequest')] : []
    const errors: FieldError[] = []
    const compare = (smaller: Amount, larger: Amount, field: string, shown: Amount, words: readonly [smaller: string, larger: string]) => {
      if (smaller === undefined || larger === undefined || smaller.nano <= larger.nano) return
      const detail = `${words[0]} ${smaller.text} is greater than ${words[1]} ${larger.text}`
      errors.push(fieldError.invalid(path.child(field).key(name), shown?.text, detail))
    }
    compare(min, max, 'min', min, ['min value', 'max value'])
    compare(min, request, 'defaultRequest', request, ['min value', 'default request value'])
    compare(request, max, 'defaultRequest', request, ['default request value', 'max value'])
    compare(request, value, 'defaultRequest', request, ['default request value', 'default limit value'])
    compare(min, value, 'default', min, ['min value', 'default value'])
    compare(value, max, 'default', max, ['default value', 'max value'])
    errors.push(...validateRatio(ratio, min, max, path.child('maxLimitRequestRatio').key(name)))
    if (!isOvercommitAllowed(name) && value !== undefined && request !== undefined && value.nano !== request.nano) {
      const detail = `default value ${value.text} must equal to defaultRequest value ${request.text} in ${name}`
      errors.push(fieldError.invalid(path.child('defaultRequest').key(name), request.text, detail))
    }
    return errors
  })
}

function validateRatio(ratio: Amount, min: Amount, max: Amount, path: FieldPath): FieldError[] {
  if (ratio === undefined) return []
  const errors = ratio.nano < 1_000_000_000n ? [fieldError.invalid(path, ratio.text, `ratio ${ratio.text} is less than 1`)] : []
  if (min === undefined || max === undefined) return errors
  const milli = ({ text }: NonNullable<Amount>) => Number(quantityMilliValue(parseQuantity(text)))
  const most = milli(max) / milli(min)
  if (milli(ratio) / 1000 <= most) return errors
  const detail = `ratio ${ratio.text} is greater than max/min = ${most.toFixed(6)}`
  return [...errors, fieldError.invalid(path, ratio.text, detail)]
}
