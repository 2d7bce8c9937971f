import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { VolumeAttributesClass } from 'steersman/api/types/storage/v1'
import { isSameValue } from '../shared/same-value.js'
import { defineKind } from '../strategy.js'
import { provisionerErrors, validateParameters } from './parameters.js'

const driverPath = fieldPath('driverName')
const parametersPath = fieldPath('parameters')

/** Volume attributes classes. */
export const volumeAttributesClassKind = defineKind(VolumeAttributesClass, {
  validateName: validateDns1123Subdomain,
  validate: validateClass,
  validateUpdate: (attributesClass, old) => [...validateKept(attributesClass, old), ...validateClass(attributesClass)],
  deletion: { returnsObject: true },
})

function validateClass({ driverName, parameters }: VolumeAttributesClass): FieldError[] {
  const errors = driverName ? provisionerErrors(driverName, driverPath) : [fieldError.required(driverPath)]
  errors.push(...validateParameters(parameters, parametersPath))
  if (Object.keys(parameters ?? {}).length > 0) return errors
  return [...errors, fieldError.required(parametersPath, 'must contain at least one key/value pair')]
}

function validateKept(attributesClass: VolumeAttributesClass, old: VolumeAttributesClass): FieldError[] {
  const errors: FieldError[] = []
  if (attributesClass.driverName !== old.driverName) errors.push(fieldError.forbidden(driverPath, 'updates to driverName are forbidden.'))
  if (!isSameValue(attributesClass.parameters, old.parameters)) {
    errors.push(fieldError.forbidden(parametersPath, 'updates to parameters are forbidden.'))
  }
  return errors
}
