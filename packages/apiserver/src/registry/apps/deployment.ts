import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { DeploymentSpec } from 'steersman/api/types/apps/v1'
import { Deployment } from 'steersman/api/types/apps/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { selectorText } from '../shared/label-selector.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { defaultPodSpec } from '../shared/pod-defaults.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { validateAtMost, validateCollisionCount, validateCounters } from '../shared/status-counters.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import type { ScaleFields } from '../subresources/scale.js'
import { validateSelectedTemplate, validateSelectorKept } from './selected-template.js'

const specPath = fieldPath('spec')

/** Deployments. */
export const deploymentKind = defineKind(Deployment, {
  validateName: validateDns1123Subdomain,
  default(deployment) {
    deployment.spec ??= {} as typeof deployment.spec
    const { spec } = deployment
    spec.replicas ??= 1
    spec.template ??= {}
    spec.template.metadata ??= {}
    spec.template.spec ??= { containers: [] }
    defaultPodSpec(spec.template.spec)
    spec.strategy ??= {}
    const { strategy } = spec
    strategy.type ||= 'RollingUpdate'
    if (strategy.type === 'RollingUpdate') {
      strategy.rollingUpdate ??= {}
      strategy.rollingUpdate.maxUnavailable ??= '25%'
      strategy.rollingUpdate.maxSurge ??= '25%'
    }
    spec.revisionHistoryLimit ??= 10
    spec.progressDeadlineSeconds ??= 600
    deployment.status ??= {}
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.template),
  validate: (deployment) => validateSpec(deployment.spec),
  validateUpdate: (deployment, old) => [
    ...validateSpec(deployment.spec),
    ...validateSelectorKept(deployment.spec?.selector, old.spec?.selector, specPath.child('selector')),
  ],
  changesGeneration: (deployment, old) =>
    !deepEqual(deployment.spec, old.spec) || !deepEqual(deployment.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (metadata.generation !== old?.metadata.generation) warnOfPod(spec?.template ?? {}, specPath.child('template'), warn)
  },
  status: {
    initial: () => ({}),
    prepareForUpdate(deployment, old) {
      if (old.metadata.labels === undefined) delete deployment.metadata.labels
      else deployment.metadata.labels = { ...old.metadata.labels }
    },
    validateUpdate({ status = {} }, old) {
      const path = fieldPath('status')
      const bounded = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const
      const others = ['unavailableReplicas', 'terminatingReplicas', 'collisionCount'] as const
      return [
        ...validateCounters(status, ['observedGeneration', 'replicas', ...bounded, ...others], path),
        ...validateAtMost(status, bounded, { field: 'replicas', name: 'status.replicas' }, path),
        ...validateAtMost(status, ['availableReplicas'], { field: 'readyReplicas', name: 'readyReplicas' }, path),
        ...validateCollisionCount(status.collisionCount, old.status?.collisionCount, path),
      ]
    },
  },
})

/** Where a Deployment keeps what its Scale shows. */
export const deploymentScale: ScaleFields = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: (object) => selectorText((object.spec as DeploymentSpec | undefined)?.selector),
}

function validateSpec(spec: DeploymentSpec): FieldError[] {
  return [
    ...validateNonNegative(spec.replicas, specPath.child('replicas')),
    ...validateSelectedTemplate(spec, specPath),
    ...validateStrategy(spec, specPath.child('strategy')),
    ...validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateNonNegative(spec.revisionHistoryLimit, specPath.child('revisionHistoryLimit')),
    ...validateProgressDeadline(spec),
  ]
}

function validateProgressDeadline({ progressDeadlineSeconds, minReadySeconds = 0 }: DeploymentSpec): FieldError[] {
  const path = specPath.child('progressDeadlineSeconds')
  const errors = validateNonNegative(progressDeadlineSeconds, path)
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    errors.push(fieldError.invalid(path, progressDeadlineSeconds, 'must be greater than minReadySeconds'))
  }
  return errors
}

function validateStrategy({ strategy }: DeploymentSpec, path: FieldPath): FieldError[] {
  const rolling = strategy?.rollingUpdate
  const rollingPath = path.child('rollingUpdate')
  switch (strategy?.type) {
    case 'Recreate':
      return rolling === undefined ? [] : [fieldError.forbidden(rollingPath, "may not be specified when strategy `type` is 'Recreate'")]
    case 'RollingUpdate': {
      const { maxUnavailable, maxSurge } = rolling ?? {}
      const errors = [
        ...validateShare(maxUnavailable, rollingPath.child('maxUnavailable')),
        ...validateShare(maxSurge, rollingPath.child('maxSurge')),
      ]
      if (Number.parseInt(String(maxUnavailable ?? 0), 10) === 0 && Number.parseInt(String(maxSurge ?? 0), 10) === 0) {
        errors.push(fieldError.invalid(rollingPath.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0'))
      }
      const percent = typeof maxUnavailable === 'string' ? Number.parseInt(maxUnavailable, 10) : 0
      if (percent > 100)
        errors.push(fieldError.invalid(rollingPath.child('maxUnavailable'), maxUnavailable, 'must not be greater than 100%'))
      return errors
    }
    default:
      // The message shows the whole of Go's struct.
      return [unsupportedStrategy(path, strategy ?? {})]
  }
}

function unsupportedStrategy(path: FieldPath, { type = '', rollingUpdate }: NonNullable<DeploymentSpec['strategy']>): FieldError {
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {}
  const shown = rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge }
  return withStructValue(fieldError.notSupported(path, undefined, ['Recreate', 'RollingUpdate']), { Type: type, RollingUpdate: shown })
}

function validateShare(value: number | string | undefined, path: FieldPath): FieldError[] {
  if (typeof value === 'number') return validateNonNegative(value, path)
  if (value === undefined || /^[0-9]+%$/.test(value)) return []
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
  return [fieldError.invalid(path, value, detail)]
}
