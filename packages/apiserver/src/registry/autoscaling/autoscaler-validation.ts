import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
} from 'steersman/api/types/autoscaling/v2'
import { validateNonNegative } from '../shared/number-errors.js'
import { amountOf } from '../shared/quantity.js'
import { validateMetric } from './metric-validation.js'
import type { ApiVersionRule } from './reference-validation.js'
import { apiVersionProblem, validateReference } from './reference-validation.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const selectPolicies = ['Disabled', 'Max', 'Min']
const policyTypes = ['Percent', 'Pods']
const longestPeriodSeconds = 1800
const longestWindowSeconds = 3600

/** What is wrong with a new autoscaler. */
export function validateNewAutoscaler({ spec }: HorizontalPodAutoscaler): FieldError[] {
  // The only scalable kind of the core group has no group to name.
  return validateSpec(spec, spec?.scaleTargetRef?.kind === 'ReplicationController' ? 'well-formed' : 'with a group', 'well-formed')
}

/** What is wrong with an autoscaler as a successor of `old`: what was wrong with references before may stay. */
export function validateAutoscalerUpdate({ spec }: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler): FieldError[] {
  const target = spec?.scaleTargetRef
  const before = old.spec?.scaleTargetRef
  const isSame = (target?.apiVersion ?? '') === (before?.apiVersion ?? '') && target?.kind === before?.kind
  const hadWrong = (old.spec?.metrics ?? []).some(
    ({ type, object }) => type === 'Object' && apiVersionProblem(object?.describedObject?.apiVersion, 'well-formed') !== undefined,
  )
  const rule = isSame ? 'any' : target?.kind === 'ReplicationController' ? 'well-formed' : 'with a group'
  return validateSpec(spec, rule, hadWrong ? 'any' : 'well-formed')
}

/** What is wrong with the status of an autoscaler. */
export function validateAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldError[] {
  const conditions = (status?.conditions ?? []).flatMap(({ observedGeneration }, index) =>
    validateNonNegative(observedGeneration, statusPath.child('conditions').index(index).child('observedGeneration')),
  )
  return [
    ...conditions,
    ...validateNonNegative(status?.currentReplicas, statusPath.child('currentReplicas')),
    ...validateNonNegative(status?.desiredReplicas, statusPath.child('desiredReplicas')),
  ]
}

function validateSpec(spec: HorizontalPodAutoscalerSpec, targetRule: ApiVersionRule, objectRule: ApiVersionRule): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec
  const minPath = specPath.child('minReplicas')
  const maxPath = specPath.child('maxReplicas')
  const errors: FieldError[] = []
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(fieldError.invalid(maxPath, maxReplicas, 'must be greater than or equal to `minReplicas`'))
  }
  errors.push(...validateReference(scaleTargetRef, targetRule, specPath.child('scaleTargetRef')))
  const metricsPath = specPath.child('metrics')
  errors.push(...metrics.flatMap((metric, index) => validateMetric(metric, objectRule, metricsPath.index(index))))
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas'
    errors.push(fieldError.forbidden(metricsPath, detail))
  }
  errors.push(...validateRules(behavior?.scaleUp, specPath.child('behavior', 'scaleUp')))
  errors.push(...validateRules(behavior?.scaleDown, specPath.child('behavior', 'scaleDown')))
  errors.push(...validateNonNegative(minReplicas, minPath))
  if (maxReplicas === 0) errors.push(fieldError.required(maxPath))
  else if (maxReplicas < 0) errors.push(fieldError.invalid(maxPath, maxReplicas, 'must be greater than or equal to 1'))
  return errors
}

function validateRules(rules: HPAScalingRules | undefined, path: FieldPath): FieldError[] {
  if (rules === undefined) return []
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules
  const windowPath = path.child('stabilizationWindowSeconds')
  const errors: FieldError[] = []
  if (window !== undefined && window < 0) errors.push(fieldError.invalid(windowPath, window, 'must be greater than or equal to zero'))
  if (window !== undefined && window > longestWindowSeconds) {
    errors.push(fieldError.invalid(windowPath, window, `must be less than or equal to ${longestWindowSeconds}`))
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(fieldError.notSupported(path.child('selectPolicy'), selectPolicy, selectPolicies))
  }
  const policiesPath = path.child('policies')
  if (policies.length === 0) errors.push(fieldError.required(policiesPath, 'must specify at least one Policy'))
  errors.push(...policies.flatMap((policy, index) => validatePolicy(policy, policiesPath.index(index))))
  if (tolerance !== undefined && (amountOf(tolerance) ?? 0n) < 0n) {
    errors.push(fieldError.invalid(path.child('tolerance'), tolerance, 'must be greater than or equal to 0'))
  }
  return errors
}

function validatePolicy({ type, value = 0, periodSeconds = 0 }: HPAScalingPolicy, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const periodPath = path.child('periodSeconds')
  if (!policyTypes.includes(type)) errors.push(fieldError.notSupported(path.child('type'), type ?? '', policyTypes))
  if (value <= 0) errors.push(fieldError.invalid(path.child('value'), value, 'must be greater than zero'))
  if (periodSeconds <= 0) errors.push(fieldError.invalid(periodPath, periodSeconds, 'must be greater than zero'))
  if (periodSeconds > longestPeriodSeconds) {
    errors.push(fieldError.invalid(periodPath, periodSeconds, `must be less than or equal to ${longestPeriodSeconds}`))
  }
  return errors
}
