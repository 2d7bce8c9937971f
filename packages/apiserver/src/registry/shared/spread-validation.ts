import type { FieldError, FieldPath, LabelSelector } from 'steersman/api'
import { fieldError, validateQualifiedName } from 'steersman/api'
import type { TopologySpreadConstraint } from 'steersman/api/types/core/v1'
import { validateChoice } from './choice.js'
import { validateLabelSelector } from './label-selector.js'

const spreadActions = ['DoNotSchedule', 'ScheduleAnyway']
const nodePolicies = ['Honor', 'Ignore']

/** What is wrong with how pods should be spread. */
export function validateSpread(constraints: readonly TopologySpreadConstraint[], path: FieldPath): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const at = path.index(index)
    const { topologyKey = '', whenUnsatisfiable = '', labelSelector, matchLabelKeys = [] } = constraint
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable)
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`
    return [
      ...positiveErrors(constraint.maxSkew ?? 0, at.child('maxSkew')),
      ...(topologyKey === '' ? [fieldError.required(at.child('topologyKey'), 'can not be empty')] : []),
      ...validateChoice(whenUnsatisfiable, spreadActions, at.child('whenUnsatisfiable')),
      ...(isRepeated ? [fieldError.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pair)] : []),
      ...validateMinDomains(constraint, at.child('minDomains')),
      ...validateChoice(constraint.nodeAffinityPolicy, nodePolicies, at.child('nodeAffinityPolicy')),
      ...validateChoice(constraint.nodeTaintsPolicy, nodePolicies, at.child('nodeTaintsPolicy')),
      ...validateLabelKeys(matchLabelKeys, [], labelSelector, at),
      ...(labelSelector === undefined ? [] : validateLabelSelector(labelSelector, at.child('labelSelector'))),
    ]
  })
}

function positiveErrors(value: number, path: FieldPath): FieldError[] {
  return value > 0 ? [] : [fieldError.invalid(path, value, 'must be greater than zero')]
}

function validateMinDomains({ minDomains, whenUnsatisfiable = '' }: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  if (minDomains === undefined) return []
  const errors = positiveErrors(minDomains, path)
  if (whenUnsatisfiable === 'DoNotSchedule') return errors
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
  return [...errors, fieldError.invalid(path, minDomains, detail)]
}

/** What is wrong with keys of labels whose values are taken from the pod itself. */
export function validateLabelKeys(
  match: readonly string[],
  mismatch: readonly string[],
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  const errors = Object.entries({ matchLabelKeys: match, mismatchLabelKeys: mismatch }).flatMap(([field, keys]) => {
    const at = path.child(field)
    if (keys.length === 0) return []
    if (selector === undefined) return [fieldError.forbidden(at, 'must not be specified when labelSelector is not set')]
    return keys.flatMap((key, index) => validateQualifiedName(key).map((detail) => fieldError.invalid(at.index(index), key, detail)))
  })
  const inSelector = new Set(Object.keys(selector?.matchLabels ?? {}))
  for (const { key } of selector?.matchExpressions ?? []) {
    const index = match.lastIndexOf(key)
    // The path of the real server leaves the name of the field out.
    if (index !== -1 && inSelector.has(key)) {
      errors.push(fieldError.invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector'))
    }
    inSelector.add(key)
  }
  for (const [index, key] of match.entries()) {
    if (!mismatch.includes(key)) continue
    const at = path.child('matchLabelKeys').index(index)
    errors.push(fieldError.invalid(at, key, 'exists in both matchLabelKeys and mismatchLabelKeys'))
  }
  return errors
}
