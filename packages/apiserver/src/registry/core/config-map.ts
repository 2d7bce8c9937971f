import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateConfigMapKey, validateDns1123Subdomain } from 'steersman/api'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { dataBytes, maxDataBytes, validateImmutableData } from '../shared/data.js'
import { defineKind } from '../strategy.js'

/** ConfigMaps. */
export const configMapKind = defineKind(ConfigMap, {
  validateName: validateDns1123Subdomain,
  validate: validateConfigMap,
  validateUpdate: (configMap, old) => [...validateImmutableData(configMap, old, ['data', 'binaryData']), ...validateConfigMap(configMap)],
})

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = []
  for (const key of Object.keys(data)) {
    const path = fieldPath('data').key(key)
    for (const detail of validateConfigMapKey(key)) errors.push(fieldError.invalid(path, key, detail))
    if (Object.hasOwn(binaryData, key)) errors.push(fieldError.invalid(path, key, 'duplicate of key present in binaryData'))
  }
  for (const key of Object.keys(binaryData)) {
    for (const detail of validateConfigMapKey(key)) errors.push(fieldError.invalid(fieldPath('binaryData').key(key), key, detail))
  }
  if (dataBytes(data, false) + dataBytes(binaryData, true) > maxDataBytes) errors.push(fieldError.tooLong('[]', maxDataBytes))
  return errors
}
