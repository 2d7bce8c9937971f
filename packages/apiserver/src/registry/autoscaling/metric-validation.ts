import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validatePathSegmentName } from 'steersman/api'
import type { MetricIdentifier, MetricSpec, MetricTarget } from 'steersman/api/types/autoscaling/v2'
import { labelErrors } from '../shared/name-errors.js'
import { amountOf } from '../shared/quantity.js'
import { containerResourceNameErrors } from '../shared/resource-name.js'
import type { ApiVersionRule } from './reference-validation.js'
import { validateReference } from './reference-validation.js'

const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
/** In the order in which the sources of a metric are looked at. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
type Source = (typeof sources)[number]
const targetTypes = ['Utilization', 'Value', 'AverageValue']

/** What is wrong with what an autoscaler looks at. */
export function validateMetric(metric: MetricSpec, objectRule: ApiVersionRule, path: FieldPath): FieldError[] {
  const { type = '' } = metric
  const errors: FieldError[] = []
  const typePath = path.child('type')
  const isKnown = types.includes(type)
  if (type === '') errors.push(fieldError.required(typePath, 'must specify a metric source type'))
  if (!isKnown) errors.push(fieldError.notSupported(typePath, type, types))
  const present = sources.filter((source) => metric[source] !== undefined)
  const [first] = present
  if (first !== undefined) errors.push(...validateSource(metric, first, objectRule, path.child(first)))
  const expected = sources.find((source) => source === type.charAt(0).toLowerCase() + type.slice(1))
  if (!isKnown) errors.push(fieldError.notSupported(typePath, type, types))
  else if (expected !== undefined && metric[expected] === undefined) {
    errors.push(fieldError.required(path.child(expected), 'must populate information for the given metric source'))
  }
  if (present.length === 1) return errors
  const others = present.filter((source) => source !== expected)
  return [...errors, ...others.map((source) => fieldError.forbidden(path.child(source), 'must populate the given metric source only'))]
}

function validateSource(metric: MetricSpec, source: Source, objectRule: ApiVersionRule, path: FieldPath): FieldError[] {
  switch (source) {
    case 'object': {
      const { describedObject, metric: identifier, target } = metric.object ?? {}
      const errors = [
        ...validateReference(describedObject, objectRule, path.child('describedObject')),
        ...validateIdentifier(identifier, path.child('metric')),
      ]
      return [...errors, ...validateValue(target, 'must set either a target value or averageValue', path.child('target'))]
    }
    case 'external': {
      const { metric: identifier, target } = metric.external ?? {}
      const at = path.child('target')
      const errors = [
        ...validateIdentifier(identifier, path.child('metric')),
        ...validateValue(target, 'must set either a target value for metric or a per-pod target', at),
      ]
      if (target?.value !== undefined && target.averageValue !== undefined) {
        errors.push(fieldError.forbidden(at.child('value'), 'may not set both a target value for metric and a per-pod target'))
      }
      return errors
    }
    case 'pods': {
      const { metric: identifier, target } = metric.pods ?? {}
      const at = path.child('target')
      const errors = [...validateIdentifier(identifier, path.child('metric')), ...validateTarget(target, at)]
      if (target?.averageValue === undefined) {
        errors.push(fieldError.required(at.child('averageValue'), 'must specify a positive target averageValue'))
      }
      return errors
    }
    default:
      return validateResource(metric, source, path)
  }
}

function validateResource(metric: MetricSpec, source: 'resource' | 'containerResource', path: FieldPath): FieldError[] {
  const { name = '', target } = metric[source] ?? {}
  const errors: FieldError[] = []
  if (name === '') errors.push(fieldError.required(path.child('name'), 'must specify a resource name'))
  else if (source === 'containerResource') errors.push(...containerResourceNameErrors(name, path.child('name')))
  if (source === 'containerResource') {
    const container = metric.containerResource?.container ?? ''
    const at = path.child('container')
    if (container === '') errors.push(fieldError.required(at, 'must specify a container'))
    else errors.push(...labelErrors(container, at))
  }
  const at = path.child('target')
  errors.push(...validateTarget(target, at))
  const hasValue = target?.averageValue !== undefined
  const hasUtilization = target?.averageUtilization !== undefined
  if (!hasValue && !hasUtilization) {
    errors.push(fieldError.required(at.child('averageUtilization'), 'must set either a target raw value or a target utilization'))
  }
  if (hasValue && hasUtilization) {
    errors.push(fieldError.forbidden(at.child('averageValue'), 'may not set both a target raw value and a target utilization'))
  }
  return errors
}

function validateValue(target: MetricTarget | undefined, detail: string, path: FieldPath): FieldError[] {
  const errors = validateTarget(target, path)
  if (target?.value === undefined && target?.averageValue === undefined) {
    errors.push(fieldError.required(path.child('averageValue'), detail))
  }
  return errors
}

function validateTarget({ type = '', value, averageValue, averageUtilization }: Partial<MetricTarget> = {}, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const at = path.child('type')
  if (type === '') errors.push(fieldError.required(at, 'must specify a metric target type'))
  if (!targetTypes.includes(type)) errors.push(fieldError.invalid(at, type, 'must be either Utilization, Value, or AverageValue'))
  for (const [field, quantity] of Object.entries({ value, averageValue })) {
    if (quantity === undefined || (amountOf(quantity) ?? 0n) > 0n) continue
    errors.push(fieldError.invalid(path.child(field), quantity, 'must be positive'))
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(fieldError.invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0'))
  }
  return errors
}

function validateIdentifier({ name = '' }: Partial<MetricIdentifier> = {}, path: FieldPath): FieldError[] {
  const at = path.child('name')
  if (name === '') return [fieldError.required(at, 'must specify a metric name')]
  return validatePathSegmentName(name).map((detail) => fieldError.invalid(at, name, detail))
}
