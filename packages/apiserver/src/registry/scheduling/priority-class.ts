import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { PriorityClass } from 'steersman/api/types/scheduling/v1'
import { validateImmutable } from '../metadata.js'
import { validateRequiredChoice } from '../shared/choice.js'
import { defineKind } from '../strategy.js'

const systemPrefix = 'system-'
/** The classes of the system and their values. */
const systemClasses: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 }
const maxUserValue = 1_000_000_000
const [valuePath, policyPath] = [fieldPath('value'), fieldPath('preemptionPolicy')]

/** Priority classes. */
export const priorityClassKind = defineKind(PriorityClass, {
  validateName: validateDns1123Subdomain,
  default(priorityClass) {
    priorityClass.preemptionPolicy ??= 'PreemptLowerPriority'
  },
  validate: validateClass,
  validateUpdate: ({ value = 0, preemptionPolicy }, old) => [
    ...(value === (old.value ?? 0) ? [] : [fieldError.forbidden(valuePath, 'may not be changed in an update.')]),
    ...validateImmutable(preemptionPolicy, old.preemptionPolicy, policyPath),
  ],
  changesGeneration: () => false,
  deletion: {
    refuse: (name) => (Object.hasOwn(systemClasses, name) ? 'this is a system priority class and cannot be deleted' : undefined),
  },
})

function validateClass({ metadata, value = 0, globalDefault, preemptionPolicy }: PriorityClass): FieldError[] {
  const errors = validateReserved(metadata.name ?? '', value, globalDefault === true)
  return [...errors, ...validateRequiredChoice(preemptionPolicy, ['PreemptLowerPriority', 'Never'], policyPath)]
}

/** Names and values that only the system may use. */
function validateReserved(name: string, value: number, isDefault: boolean): FieldError[] {
  if (!name.startsWith(systemPrefix)) {
    if (value <= maxUserValue) return []
    return [fieldError.forbidden(valuePath, `maximum allowed value of a user defined priority is ${maxUserValue}`)]
  }
  const expected = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined
  if (expected === value && !isDefault) return []
  const reason =
    expected === undefined
      ? `${name} is not a known system priority class`
      : expected === value
        ? `globalDefault of ${name} PriorityClass must be false`
        : `value of ${name} PriorityClass must be ${expected}`
  const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${reason}`
  return [fieldError.forbidden(fieldPath('metadata', 'name'), detail)]
}
