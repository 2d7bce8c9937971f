import { fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { PodTemplate } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { defaultPodTemplate } from '../shared/pod-template.js'
import { validatePodTemplate } from '../shared/pod-validation.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { defineKind } from '../strategy.js'

/** PodTemplates. */
export const podTemplateKind = defineKind(PodTemplate, {
  validateName: validateDns1123Subdomain,
  default(object) {
    object.template ??= {}
    defaultPodTemplate(object.template)
  },
  dropDisabledFields: ({ template }) => dropDisabledPodFields(template),
  validate: ({ template = {} }) => validatePodTemplate(template, fieldPath('template')),
  changesGeneration: ({ template }, old) => !deepEqual(template, old.template),
  warn({ metadata, template }, warn, old) {
    if (metadata.generation !== old?.metadata.generation) warnOfPod(template ?? {}, fieldPath('template'), warn)
  },
  deletion: { returnsObject: true },
})
