import type { Draft, FieldError } from 'steersman/api'
import { badRequest, fieldError, fieldPath, goQuote, StatusError, validateDns1123Subdomain } from 'steersman/api'
import type { DaemonSetSpec } from 'steersman/api/types/apps/v1'
import { DaemonSet } from 'steersman/api/types/apps/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { amountOfIntOrPercent, validateIntOrPercent, validateShareOfAll } from '../shared/int-or-percent.js'
import { isEmptySelector, selects, validateLabelSelector } from '../shared/label-selector.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { defaultPodTemplate } from '../shared/pod-template.js'
import { validatePodTemplate, validateRestartingTemplate } from '../shared/pod-validation.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { isSameValue } from '../shared/same-value.js'
import { validateCollisionCount, validateCounters } from '../shared/status-counters.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import { selectorError, validateSelectorKept } from './selected-template.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

/** DaemonSets: the generation of their template, once a field, is an annotation that the server writes. */
export const daemonSetKind = defineKind(DaemonSet, {
  validateName: validateDns1123Subdomain,
  default(daemonSet) {
    refuseUnreadableGeneration(daemonSet.metadata.annotations?.[generationAnnotation])
    daemonSet.spec ??= {} as NonNullable<typeof daemonSet.spec>
    const { spec } = daemonSet
    spec.updateStrategy ??= {}
    spec.updateStrategy.type ||= 'RollingUpdate'
    if (spec.updateStrategy.type === 'RollingUpdate') {
      spec.updateStrategy.rollingUpdate ??= {}
      spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1
      spec.updateStrategy.rollingUpdate.maxSurge ??= 0
    } else if (spec.updateStrategy.rollingUpdate !== undefined) {
      spec.updateStrategy.rollingUpdate.maxUnavailable ??= 0
      spec.updateStrategy.rollingUpdate.maxSurge ??= 0
    }
    spec.revisionHistoryLimit ??= 10
    spec.template ??= {}
    defaultPodTemplate(spec.template)
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.template),
  prepareForCreate(daemonSet) {
    setTemplateGeneration(daemonSet, Math.max(1, templateGeneration(daemonSet)))
  },
  prepareForUpdate(daemonSet, old) {
    const isNew = !isSameValue(daemonSet.spec?.template, old.spec?.template)
    setTemplateGeneration(daemonSet, templateGeneration(old) + (isNew ? 1 : 0))
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) => [
    ...validateSelectorKept(spec?.selector, old.spec?.selector, specPath.child('selector')),
    ...validateSpec(spec),
  ],
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  warn(daemonSet, warn, old) {
    if (old !== undefined && templateGeneration(daemonSet) === templateGeneration(old)) return
    warnOfPod(daemonSet.spec?.template ?? {}, specPath.child('template'), warn)
  },
  status: {
    prepareForUpdate: (daemonSet, old) => setTemplateGeneration(daemonSet, templateGeneration(old)),
    validateUpdate: ({ status }, old) => [
      ...validateCounters(
        status ?? {},
        [
          'currentNumberScheduled',
          'numberMisscheduled',
          'desiredNumberScheduled',
          'numberReady',
          'observedGeneration',
          'updatedNumberScheduled',
          'numberAvailable',
          'numberUnavailable',
          'collisionCount',
        ],
        statusPath,
      ),
      ...validateCollisionCount(status?.collisionCount, old.status?.collisionCount, statusPath),
    ],
  },
})

const generationAnnotation = 'deprecated.daemonset.template.generation'

/** The annotation is read where the body is. */
function refuseUnreadableGeneration(text: string | undefined): void {
  if (text === undefined || /^[+-]?[0-9]+$/.test(text)) return
  const problem = `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`
  throw new StatusError(badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${problem}`))
}

function templateGeneration({ metadata }: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }): number {
  return Number.parseInt(metadata.annotations?.[generationAnnotation] ?? '0', 10)
}

function setTemplateGeneration({ metadata }: Draft<DaemonSet>, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [generationAnnotation]: String(generation) }
}

function validateSpec(spec: DaemonSetSpec): FieldError[] {
  const { selector, template = {} } = spec
  const selectorPath = specPath.child('selector')
  const templatePath = specPath.child('template')
  const errors = selector === undefined ? [] : validateLabelSelector(selector, selectorPath)
  const labels = template.metadata?.labels
  // A selector that is wrong selects nothing that could be compared; without one nothing is selected.
  if (errors.length === 0 && !selects(selector, labels)) {
    const path = templatePath.child('metadata', 'labels')
    errors.push(fieldError.invalid(path, labels ?? null, '`selector` does not match template `labels`'))
  }
  if (selector !== undefined && isEmptySelector(selector)) {
    errors.push(selectorError(selectorPath, selector, 'empty selector is invalid for daemonset'))
  }
  return [
    ...errors,
    ...validatePodTemplate(template, templatePath),
    ...validateRestartingTemplate(template, templatePath, 'DaemonSet'),
    ...validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateUpdateStrategy(spec),
    ...validateNonNegative(spec.revisionHistoryLimit, specPath.child('revisionHistoryLimit')),
  ]
}

function validateUpdateStrategy({ updateStrategy }: DaemonSetSpec): FieldError[] {
  const path = specPath.child('updateStrategy')
  const { type = '', rollingUpdate } = updateStrategy ?? {}
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {}
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') {
    const shown = rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge }
    return [withStructValue(fieldError.notSupported(path, undefined, ['RollingUpdate', 'OnDelete']), { Type: type, RollingUpdate: shown })]
  }
  const unavailablePath = path.child('rollingUpdate', 'maxUnavailable')
  const surgePath = path.child('rollingUpdate', 'maxSurge')
  const errors = [
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, surgePath),
    ...validateShareOfAll(maxUnavailable, unavailablePath),
    ...validateShareOfAll(maxSurge, surgePath),
  ]
  const hasUnavailable = amountOfIntOrPercent(maxUnavailable) !== 0
  const hasSurge = amountOfIntOrPercent(maxSurge) !== 0
  if (hasUnavailable && hasSurge) errors.push(fieldError.invalid(surgePath, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  if (!hasUnavailable && !hasSurge) errors.push(fieldError.required(unavailablePath, 'cannot be 0 when maxSurge is 0'))
  return errors
}
