import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { ReplicationControllerSpec } from 'steersman/api/types/core/v1'
import { ReplicationController } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { unsupportedField } from '../shared/fields.js'
import { selectorText } from '../shared/label-selector.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { defaultPodTemplate, takeTemplateLabels } from '../shared/pod-template.js'
import { validatePodTemplate, validateRestartingTemplate } from '../shared/pod-validation.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { validateAtMost, validateCounters } from '../shared/status-counters.js'
import { defineKind } from '../strategy.js'
import type { ScaleFields } from '../subresources/scale.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

/** ReplicationControllers: what their template says of labels, they say of themselves and of what they select. */
export const replicationControllerKind = defineKind(ReplicationController, {
  // What is wrong with the name is told after all else.
  validateName: () => [],
  default(controller) {
    controller.spec ??= {}
    const { spec } = controller
    const labels = spec.template?.metadata?.labels
    if (labels !== undefined && Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels }
    takeTemplateLabels(controller)
    spec.replicas ??= 1
    if (spec.template !== undefined) defaultPodTemplate(spec.template)
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.template),
  validate: ({ metadata: { name }, spec }) => validateSpec(spec, name ? subdomainErrors(name, fieldPath('metadata', 'name')) : []),
  validateUpdate: ({ spec }) => validateSpec(spec, []),
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (metadata.generation !== old?.metadata.generation) warnOfPod(spec?.template ?? {}, specPath.child('template'), warn)
  },
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  unknownField: unsupportedField,
  status: {
    initial: () => ({ replicas: 0 }),
    prepareForUpdate: takeTemplateLabels,
    validateUpdate({ status: counters = { replicas: 0 } }) {
      const bounded = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
      return [
        ...validateCounters(counters, ['replicas', ...bounded, 'observedGeneration'], statusPath),
        ...validateAtMost(counters, bounded, { field: 'replicas', name: 'status.replicas' }, statusPath),
        ...validateAtMost(counters, ['availableReplicas'], { field: 'readyReplicas', name: 'readyReplicas' }, statusPath),
      ]
    },
  },
  deletion: { orphansByDefault: true },
})

/** Where a ReplicationController keeps what its Scale shows. */
export const replicationControllerScale: ScaleFields = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: (object) => selectorText({ matchLabels: (object.spec as ReplicationControllerSpec | undefined)?.selector ?? {} }),
}

/** `nameErrors`: what is wrong with the name of a new one. */
function validateSpec(
  { minReadySeconds, selector = {}, replicas, template }: ReplicationControllerSpec = {},
  nameErrors: readonly FieldError[],
): FieldError[] {
  const templatePath = specPath.child('template')
  const errors: FieldError[] = []
  const hasSelector = Object.keys(selector).length > 0
  if (!hasSelector) errors.push(fieldError.required(specPath.child('selector')))
  if (template === undefined) errors.push(fieldError.required(templatePath))
  else {
    const labels = template.metadata?.labels
    if (hasSelector && Object.entries(selector).some(([key, value]) => labels?.[key] !== value)) {
      const path = templatePath.child('metadata', 'labels')
      errors.push(fieldError.invalid(path, labels ?? null, '`selector` does not match template `labels`'))
    }
    errors.push(...validatePodTemplate(template, templatePath))
    errors.push(...validateRestartingTemplate(template, templatePath, 'ReplicationController'))
  }
  return [
    ...errors,
    ...nameErrors,
    ...validateNonNegative(replicas, specPath.child('replicas')),
    ...validateNonNegative(minReadySeconds, specPath.child('minReadySeconds')),
  ]
}
