import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label } from 'steersman/api'
import type { StatefulSetSpec } from 'steersman/api/types/apps/v1'
import { StatefulSet } from 'steersman/api/types/apps/v1'
import type { PodTemplateSpec, Volume } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { validateAnnotations, validateImmutable, validateLabels } from '../metadata.js'
import { defaultClaimSpec, validateClaimSpec } from '../shared/claim-spec.js'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { goForm } from '../shared/go-form.js'
import { amountOfIntOrPercent, validateIntOrPercent, validateShareOfAll } from '../shared/int-or-percent.js'
import { isEmptySelector, selectorText, selects, validateLabelSelector } from '../shared/label-selector.js'
import { labelErrors } from '../shared/name-errors.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { validatePodAnnotations } from '../shared/pod-annotations.js'
import { defaultPodTemplate } from '../shared/pod-template.js'
import { validatePodTemplate, validateRestartingTemplate } from '../shared/pod-validation.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { validateAtMost, validateCollisionCount, validateCounters } from '../shared/status-counters.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import type { ScaleFields } from '../subresources/scale.js'
import { selectorError, validateSelectorKept } from './selected-template.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

/** StatefulSets. */
export const statefulSetKind = defineKind(StatefulSet, {
  validateName: validateDns1123Label,
  default(statefulSet) {
    statefulSet.spec ??= {} as NonNullable<typeof statefulSet.spec>
    const { spec } = statefulSet
    spec.podManagementPolicy ||= 'OrderedReady'
    spec.updateStrategy ??= {}
    const { updateStrategy } = spec
    if (!updateStrategy.type) {
      updateStrategy.type = 'RollingUpdate'
      updateStrategy.rollingUpdate ??= {}
    }
    if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate !== undefined) {
      updateStrategy.rollingUpdate.partition ??= 0
      updateStrategy.rollingUpdate.maxUnavailable ??= 1
    }
    spec.persistentVolumeClaimRetentionPolicy ??= {}
    spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain'
    spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain'
    spec.replicas ??= 1
    spec.revisionHistoryLimit ??= 10
    spec.template ??= {}
    defaultPodTemplate(spec.template)
    for (const claim of spec.volumeClaimTemplates ?? []) {
      claim.kind = 'PersistentVolumeClaim'
      claim.apiVersion = 'v1'
      claim.status ??= {}
      claim.status.phase ||= 'Pending'
      claim.spec ??= {}
      defaultClaimSpec(claim.spec)
    }
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.template),
  validate: ({ spec }) => validateSpec(spec, { isNew: true, validatesTemplate: true }),
  validateUpdate: ({ spec }, old) => [
    // A template that was never right may stay as it is.
    ...validateSpec(spec, {
      isNew: false,
      validatesTemplate: validateSpec(old.spec, { isNew: false, validatesTemplate: true }).length === 0,
    }),
    ...validateSelectorKept(spec?.selector, old.spec?.selector, specPath.child('selector')),
    ...validateClaimsKept(spec, old.spec),
    ...(['serviceName', 'podManagementPolicy'] as const).flatMap((field) =>
      validateImmutable(spec?.[field] ?? '', old.spec?.[field] ?? '', specPath.child(field)),
    ),
  ],
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  warn({ metadata, spec }, warn, old) {
    if (metadata.generation !== old?.metadata.generation) warnOfPod(spec?.template ?? {}, specPath.child('template'), warn)
    if ((spec?.revisionHistoryLimit ?? 0) < 0) {
      warn('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended')
    }
  },
  status: {
    initial: () => ({ replicas: 0, availableReplicas: 0 }),
    validateUpdate({ status }, old) {
      const counters = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const
      return [
        ...validateCounters(status ?? {}, [...counters, 'observedGeneration', 'collisionCount'], statusPath),
        ...validateAtMost(status ?? {}, counters.slice(1), { field: 'replicas', name: 'status.replicas' }, statusPath),
        ...validateAtMost(status ?? {}, ['availableReplicas'], { field: 'readyReplicas', name: 'status.readyReplicas' }, statusPath),
        ...validateCollisionCount(status?.collisionCount, old.status?.collisionCount, statusPath),
      ]
    },
  },
})

/** Where a StatefulSet keeps what its Scale shows. */
export const statefulSetScale: ScaleFields = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: (object) => selectorText((object.spec as StatefulSetSpec | undefined)?.selector),
}

function validateClaimsKept({ volumeClaimTemplates: claims }: StatefulSetSpec, old: StatefulSetSpec): FieldError[] {
  const errors = validateImmutable(claims, old.volumeClaimTemplates, specPath.child('volumeClaimTemplates'))
  if (claims === undefined) return errors
  // What was read knows its kind only on the wire.
  const shown = claims.map(({ kind: _kind, apiVersion: _apiVersion, ...claim }) => goForm('PersistentVolumeClaim', claim))
  return errors.map((error) => withStructValue(error, shown))
}

interface Scope {
  /** Some of what cannot change is looked at only once. */
  readonly isNew: boolean
  readonly validatesTemplate: boolean
}

function validateSpec(spec: StatefulSetSpec, { isNew, validatesTemplate }: Scope): FieldError[] {
  const { podManagementPolicy, persistentVolumeClaimRetentionPolicy: retention, ordinals, serviceName } = spec
  const errors: FieldError[] = []
  if (podManagementPolicy !== 'OrderedReady' && podManagementPolicy !== 'Parallel') {
    errors.push(fieldError.invalid(specPath.child('podManagementPolicy'), podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"))
  }
  errors.push(...validateUpdateStrategy(spec))
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = retention?.[field]
    if (value === 'Retain' || value === 'Delete') continue
    errors.push(fieldError.notSupported(specPath.child('persistentVolumeClaimRetentionPolicy', field), value, ['Retain', 'Delete']))
  }
  if (isNew) {
    ;(spec.volumeClaimTemplates ?? []).forEach((claim, index) => {
      errors.push(...validateClaimSpec(claim.spec ?? {}, specPath.child('volumeClaimTemplates').index(index).child('spec')))
    })
  }
  errors.push(...validateNonNegative(spec.replicas, specPath.child('replicas')))
  errors.push(...validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds')))
  errors.push(...validateNonNegative(ordinals?.start, specPath.child('ordinals.start')))
  if (isNew && serviceName) errors.push(...labelErrors(serviceName, specPath.child('serviceName')))
  return [...errors, ...validateSelected(spec, validatesTemplate)]
}

function validateUpdateStrategy({ updateStrategy }: StatefulSetSpec): FieldError[] {
  const path = specPath.child('updateStrategy')
  const { type = '', rollingUpdate } = updateStrategy ?? {}
  const at = path.child('rollingUpdate')
  const { partition = 0, maxUnavailable } = rollingUpdate ?? {}
  const shown = rollingUpdate === undefined ? null : { Partition: partition, MaxUnavailable: maxUnavailable ?? null }
  switch (type) {
    case 'OnDelete':
      if (shown === null) return []
      return [withStructValue(fieldError.invalid(at, undefined, "only allowed for updateStrategy 'RollingUpdate'"), shown)]
    case 'RollingUpdate': {
      const errors = validateNonNegative(partition, at.child('partition'))
      if (maxUnavailable === undefined) return errors
      const shareAt = at.child('maxUnavailable')
      errors.push(...validateIntOrPercent(maxUnavailable, shareAt))
      if (amountOfIntOrPercent(maxUnavailable) === 0) errors.push(fieldError.invalid(shareAt, maxUnavailable, 'cannot be 0'))
      return [...errors, ...validateShareOfAll(maxUnavailable, shareAt)]
    }
    default: {
      const error = fieldError.invalid(path, undefined, "must be 'RollingUpdate' or 'OnDelete'")
      return [withStructValue(error, { Type: type, RollingUpdate: shown })]
    }
  }
}

function validateSelected(spec: StatefulSetSpec, validatesTemplate: boolean): FieldError[] {
  const { selector, template = {} } = spec
  const path = specPath.child('selector')
  const errors: FieldError[] = []
  if (selector === undefined) errors.push(fieldError.required(path))
  else {
    errors.push(...validateLabelSelector(selector, path))
    if (isEmptySelector(selector)) errors.push(selectorError(path, selector, 'empty selector is invalid for statefulset'))
  }
  if (selector !== undefined && errors.some(({ field }) => field.startsWith(`${path}.`))) errors.push(selectorError(path, selector, ''))
  else errors.push(...validateTemplate(spec, validatesTemplate))
  return [...errors, ...validateRestartingTemplate(template, specPath.child('template'), 'StatefulSet')]
}

function validateTemplate(spec: StatefulSetSpec, validatesTemplate: boolean): FieldError[] {
  const { selector, template = {} } = spec
  const path = specPath.child('template')
  const { labels, annotations } = template.metadata ?? {}
  const errors: FieldError[] = []
  if ((selector === undefined || !isEmptySelector(selector)) && !selects(selector, labels)) {
    errors.push(fieldError.invalid(path.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`'))
  }
  if (validatesTemplate) errors.push(...validatePodTemplate(asPodsGetIt(spec, template), path))
  return [
    ...errors,
    ...validateLabels(labels, path.child('labels')),
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validatePodAnnotations(annotations, template.spec, path.child('annotations')),
  ]
}

/** The template with what the controller will set: the name of a pod is its own, and there is a volume for each claim. */
function asPodsGetIt({ volumeClaimTemplates = [] }: StatefulSetSpec, template: PodTemplateSpec): PodTemplateSpec {
  const { subdomain: _, hostname: __, ...spec } = template.spec ?? { containers: [] }
  if (volumeClaimTemplates.length === 0) return { ...template, spec }
  const names = [...new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ''))]
  const claimed: Volume[] = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  return { ...template, spec: { ...spec, volumes: [...claimed, ...(spec.volumes ?? []).filter(({ name }) => !names.includes(name))] } }
}
