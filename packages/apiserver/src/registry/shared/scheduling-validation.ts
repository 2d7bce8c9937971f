import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Label, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSchedulingGate,
} from 'steersman/api/types/core/v1'
import { validateLabelSelector } from './label-selector.js'
import { subdomainErrors } from './name-errors.js'
import { validateLabelKeys } from './spread-validation.js'

/** What is wrong with where a pod would like to run. */
export function validateAffinity(affinity: Affinity | undefined, path: FieldPath): FieldError[] {
  if (affinity === undefined) return []
  return [
    ...validateNodeAffinity(affinity.nodeAffinity, path.child('nodeAffinity')),
    ...validatePodAffinity(affinity.podAffinity, path.child('podAffinity')),
    ...validatePodAffinity(affinity.podAntiAffinity, path.child('podAntiAffinity')),
  ]
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

function validateNodeAffinity(affinity: NodeAffinity | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const selector = affinity?.[required]
  if (selector !== undefined) errors.push(...validateNodeSelector(selector, path.child(required)))
  for (const [index, { weight, preference }] of (affinity?.[preferred] ?? []).entries()) {
    const at = path.child(preferred).index(index)
    errors.push(...weightErrors(weight, at), ...validateTerm(preference ?? {}, at.child('preference')))
  }
  return errors
}

/** What is wrong with a selector of nodes. */
export function validateNodeSelector({ nodeSelectorTerms: terms = [] }: NodeSelector, path: FieldPath): FieldError[] {
  const at = path.child('nodeSelectorTerms')
  if (terms.length === 0) return [fieldError.required(at, 'must have at least one node selector term')]
  return terms.flatMap((term, index) => validateTerm(term, at.index(index)))
}

function weightErrors(weight: number, path: FieldPath): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [fieldError.invalid(path.child('weight'), weight ?? 0, 'must be in the range 1-100')]
}

function validateTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, path: FieldPath): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, index) => validateExpression(requirement, path.child('matchExpressions').index(index))),
    ...matchFields.flatMap((requirement, index) => validateField(requirement, path.child('matchFields').index(index))),
  ]
}

function validateExpression({ key, operator, values = [] }: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const at = path.child('values')
  const errors: FieldError[] = []
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) errors.push(fieldError.required(at, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) errors.push(fieldError.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) errors.push(fieldError.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
  } else errors.push(fieldError.invalid(path.child('operator'), operator ?? '', 'not a valid selector operator'))
  errors.push(...labelNameErrors(key, path.child('key')))
  for (const [index, value] of values.entries()) {
    errors.push(...validateLabelValue(value).map((detail) => fieldError.invalid(at.index(index), value, detail)))
  }
  return errors
}

function validateField({ key, operator, values = [] }: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(fieldError.invalid(path.child('operator'), operator ?? '', 'not a valid selector operator'))
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    errors.push(fieldError.required(path.child('values'), detail))
  }
  if (key !== 'metadata.name') return [...errors, fieldError.invalid(path.child('key'), key ?? '', 'not a valid field selector key')]
  return [...errors, ...values.flatMap((value, index) => subdomainErrors(value, path.child('values').index(index)))]
}

function validatePodAffinity(affinity: PodAffinity | undefined, path: FieldPath): FieldError[] {
  return [
    ...(affinity?.[required] ?? []).flatMap((term, index) => validatePodTerm(term, path.child(required).index(index))),
    ...(affinity?.[preferred] ?? []).flatMap(({ weight, podAffinityTerm }, index) => {
      const at = path.child(preferred).index(index)
      return [...weightErrors(weight, at), ...validatePodTerm(podAffinityTerm, at.child('podAffinityTerm'))]
    }),
  ]
}

function validatePodTerm(term: PodAffinityTerm, path: FieldPath): FieldError[] {
  const at = path.child('topologyKey')
  const { topologyKey: key = '' } = term
  return [
    ...validateLabelSelector(term.labelSelector ?? {}, path.child('labelSelector')),
    ...validateLabelSelector(term.namespaceSelector ?? {}, path.child('namespaceSelector')),
    ...(term.namespaces ?? []).flatMap((name) =>
      validateDns1123Label(name).map((detail) => fieldError.invalid(path.child('namespace'), name, detail)),
    ),
    ...validateLabelKeys(term.matchLabelKeys ?? [], term.mismatchLabelKeys ?? [], term.labelSelector, path),
    ...(key === '' ? [fieldError.required(at, 'can not be empty')] : []),
    ...labelNameErrors(key, at),
  ]
}

function labelNameErrors(name: string | undefined, path: FieldPath): FieldError[] {
  return validateQualifiedName(name ?? '').map((detail) => fieldError.invalid(path, name ?? '', detail))
}

/** What is wrong with what holds a pod back. */
export function validateGates(gates: readonly PodSchedulingGate[], path: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return gates.flatMap(({ name = '' }, index) => {
    const errors = labelNameErrors(name, path.index(index))
    if (seen.has(name)) errors.push(fieldError.duplicate(path.index(index), name))
    seen.add(name)
    return errors
  })
}
