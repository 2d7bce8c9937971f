import type { FieldError, ObjectMeta } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { ResourceClaimTemplate } from 'steersman/api/types/resource/v1'
import { immutableMessage, metadataFields, validateAnnotations, validateLabels } from '../metadata.js'
import { goForm } from '../shared/go-form.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import { checkClaimSpec, defaultClaimSpec, isSameClaimSpec } from './claim-spec.js'
import { Findings } from './findings.js'

const path = fieldPath('spec')

/** Templates of claims that pods have of their own. */
export const resourceClaimTemplateKind = defineKind(ResourceClaimTemplate, {
  validateName: validateDns1123Subdomain,
  default(template) {
    template.spec ??= {}
    template.spec.metadata ??= {}
    template.spec.spec ??= {}
    defaultClaimSpec(template.spec.spec)
  },
  validate: validateTemplate,
  validateUpdate: (template, old) => [...validateTemplate(template), ...validateUnchanged(template, old)],
  deletion: { returnsObject: true },
})

function validateTemplate({ spec = {} }: ResourceClaimTemplate): readonly FieldError[] {
  const findings = new Findings()
  const { metadata = {}, spec: claim = {} } = spec
  const at = path.child('metadata')
  findings.check(
    ...validateAnnotations(metadata.annotations, at.child('annotations')),
    ...validateLabels(metadata.labels, at.child('labels')),
  )
  findings.check(...unsupportedMetadata(metadata))
  checkClaimSpec(claim, path.child('spec'), findings)
  return findings.all
}

/** A template says labels and annotations only. */
function unsupportedMetadata(metadata: Partial<ObjectMeta>): FieldError[] {
  const given = metadata as Readonly<Record<string, unknown>>
  const path = fieldPath('spec', 'metadata')
  return metadataFields
    .filter((field) => given[field] && field !== 'labels' && field !== 'annotations')
    .map((field) => fieldError.forbidden(path.child(field === 'uid' ? 'uID' : field), 'cannot be set'))
}

function validateUnchanged({ spec = {} }: ResourceClaimTemplate, old: ResourceClaimTemplate): FieldError[] {
  if (isSameValue(spec.metadata, old.spec?.metadata) && isSameClaimSpec(spec.spec, old.spec?.spec)) return []
  const error = fieldError.invalid(path, undefined, immutableMessage)
  return [withStructValue(error, goForm('ResourceClaimTemplateSpec', spec))]
}
