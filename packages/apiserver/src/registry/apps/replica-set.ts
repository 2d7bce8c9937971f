import type { FieldError } from 'steersman/api'
import { fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { ReplicaSetSpec } from 'steersman/api/types/apps/v1'
import { ReplicaSet } from 'steersman/api/types/apps/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { selectorText } from '../shared/label-selector.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { defaultPodSpec } from '../shared/pod-defaults.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { validateAtMost, validateCounters } from '../shared/status-counters.js'
import { defineKind } from '../strategy.js'
import type { ScaleFields } from '../subresources/scale.js'
import { validateSelectedTemplate, validateSelectorKept } from './selected-template.js'

const specPath = fieldPath('spec')

/** ReplicaSets. */
export const replicaSetKind = defineKind(ReplicaSet, {
  validateName: validateDns1123Subdomain,
  default(replicaSet) {
    replicaSet.spec ??= {} as NonNullable<typeof replicaSet.spec>
    const { spec } = replicaSet
    spec.replicas ??= 1
    spec.template ??= {}
    spec.template.metadata ??= {}
    spec.template.spec ??= { containers: [] }
    defaultPodSpec(spec.template.spec)
    replicaSet.status ??= { replicas: 0 }
    replicaSet.status.replicas ??= 0
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.template),
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: (replicaSet, old) => [
    ...validateSpec(replicaSet.spec),
    ...validateSelectorKept(replicaSet.spec?.selector, old.spec?.selector, specPath.child('selector')),
  ],
  changesGeneration: (replicaSet, old) => !deepEqual(replicaSet.spec, old.spec),
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (metadata.generation !== old?.metadata.generation) warnOfPod(spec?.template ?? {}, specPath.child('template'), warn)
  },
  status: {
    initial: () => ({ replicas: 0 }),
    validateUpdate({ status = { replicas: 0 } }) {
      const path = fieldPath('status')
      const bounded = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
      return [
        ...validateCounters(status, ['replicas', ...bounded, 'observedGeneration', 'terminatingReplicas'], path),
        ...validateAtMost(status, bounded, { field: 'replicas', name: 'status.replicas' }, path),
        ...validateAtMost(status, ['availableReplicas'], { field: 'readyReplicas', name: 'readyReplicas' }, path),
      ]
    },
  },
})

/** Where a ReplicaSet keeps what its Scale shows. */
export const replicaSetScale: ScaleFields = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: (object) => selectorText((object.spec as ReplicaSetSpec | undefined)?.selector),
}

function validateSpec(spec: ReplicaSetSpec | undefined): FieldError[] {
  return [
    ...validateNonNegative(spec?.replicas, specPath.child('replicas')),
    ...validateNonNegative(spec?.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateSelectedTemplate(spec ?? {}, specPath),
  ]
}
