import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateQualifiedName } from 'steersman/api'
import type { JobSpec, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from 'steersman/api/types/batch/v1'

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']
const mostRules = 20
const mostValues = 255
const mostPatterns = 20

/** What is wrong with what a job does about pods that fail. */
export function validateFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const at = path.child('rules')
  const rules = spec.podFailurePolicy?.rules ?? []
  const { containers = [], initContainers = [] } = spec.template?.spec ?? { containers: [] }
  const names = new Set([...containers, ...initContainers].map(({ name }) => name))
  const errors = rules.length > mostRules ? [fieldError.tooMany(at, rules.length, mostRules)] : []
  return [...errors, ...rules.flatMap((rule, index) => validateRule(rule, spec, names, at.index(index)))]
}

/** A list of values as Go shows it. */
function quoted(values: readonly string[]): string {
  return `valid values: [${values.map((value) => `"${value}"`).join(' ')}]`
}

function validateValue(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  if (!value) return [fieldError.required(path, quoted(supported))]
  return supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)]
}

function validateRule(rule: PodFailurePolicyRule, spec: JobSpec, names: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule
  const errors = validateValue(action, actions, path.child('action'))
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.push(fieldError.invalid(path.child('action'), action, 'requires the backoffLimitPerIndex to be set'))
  }
  if (onExitCodes !== undefined) errors.push(...validateExitCodes(onExitCodes, names, path.child('onExitCodes')))
  const patternsPath = path.child('onPodConditions')
  if (onPodConditions.length > mostPatterns) errors.push(fieldError.tooMany(patternsPath, onPodConditions.length, mostPatterns))
  onPodConditions.forEach(({ type, status }, index) => {
    const at = patternsPath.index(index)
    errors.push(...validateQualifiedName(type ?? '').map((detail) => fieldError.invalid(at.child('type'), type ?? '', detail)))
    errors.push(...validateValue(status, statuses, at.child('status')))
  })
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    errors.push(fieldError.invalid(path, undefined, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    errors.push(fieldError.invalid(path, undefined, 'specifying one of OnExitCodes and OnPodConditions is required'))
  }
  return errors
}

function validateExitCodes(
  { operator, containerName, values = [] }: PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const errors = validateValue(operator, operators, path.child('operator'))
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template'
    errors.push(fieldError.invalid(path.child('containerName'), containerName, detail))
  }
  const at = path.child('values')
  if (values.length === 0) errors.push(fieldError.invalid(at, values, 'at least one value is required'))
  if (values.length > mostValues) errors.push(fieldError.tooMany(at, values.length, mostValues))
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0) errors.push(fieldError.invalid(at.index(index), value, 'must not be 0 for the In operator'))
    if (values.indexOf(value) < index) errors.push(fieldError.duplicate(at.index(index), value))
  })
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value)
  if (!isOrdered) errors.push(fieldError.invalid(at, values, 'must be ordered'))
  return errors
}
