import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import { DeviceClass } from 'steersman/api/types/resource/v1'
import { deepEqual } from 'steersman/internal'
import { defineKind } from '../strategy.js'
import { checkList } from './claim-spec.js'
import { checkConfiguration } from './device-configuration.js'
import { checkSelectors } from './device-selector.js'
import { Findings } from './findings.js'
import { extendedResourceErrors } from './names.js'

const path = fieldPath('spec')

/** Classes of devices. */
export const deviceClassKind = defineKind(DeviceClass, {
  // The name is checked as it is declared: last.
  validateName: () => [],
  validate: validateClass,
  validateUpdate: validateClass,
  changesGeneration: (deviceClass, old) => !deepEqual(deviceClass.spec, old.spec),
  deletion: { returnsObject: true },
})

function validateClass({ metadata: { name }, spec = {} }: DeviceClass): readonly FieldError[] {
  const findings = new Findings()
  findings.declare(...(name ? validateDns1123Subdomain(name) : []).map((detail) => fieldError.invalid('metadata.name', name, detail)))
  checkSelectors(spec.selectors, path.child('selectors'), findings)
  checkList(spec.config ?? [], path.child('config'), findings, (config, at: FieldPath) => checkConfiguration(config, at, findings))
  const at = path.child('extendedResourceName')
  findings.declare(...extendedResourceErrors(spec.extendedResourceName, at, validateQualifiedName))
  return findings.all
}
