import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { CSIStorageCapacity } from 'steersman/api/types/storage/v1'
import { immutableMessage, validateImmutable } from '../metadata.js'
import { goForm } from '../shared/go-form.js'
import { validateLabelSelector } from '../shared/label-selector.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { deprecatedNodeLabel } from '../shared/node-labels.js'
import { amountOf, canonicalQuantity } from '../shared/quantity.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const [topologyPath, classPath, capacityPath] = [fieldPath('nodeTopology'), fieldPath('storageClassName'), fieldPath('capacity')]

/** How much storage a driver can give somewhere. */
export const csiStorageCapacityKind = defineKind(CSIStorageCapacity, {
  validateName: validateDns1123Subdomain,
  allowUnconditionalUpdate: false,
  default(capacity) {
    for (const field of ['capacity', 'maximumVolumeSize'] as const) {
      const quantity = capacity[field]
      if (quantity !== undefined) capacity[field] = canonicalQuantity(quantity)
    }
  },
  validate: validateCapacity,
  validateUpdate: (capacity, old) => [
    ...validateCapacity(capacity),
    ...validateTopologyKept(capacity, old),
    ...validateImmutable(capacity.storageClassName ?? '', old.storageClassName, classPath),
  ],
  warn({ nodeTopology }, warn) {
    for (const [index, { key }] of (nodeTopology?.matchExpressions ?? []).entries()) {
      const text = deprecatedNodeLabel(key)
      if (text !== undefined) warn(`nodeTopology.matchExpressions[${index}].key: ${key} is ${text}`)
    }
    for (const key of Object.keys(nodeTopology?.matchLabels ?? {})) {
      const text = deprecatedNodeLabel(key)
      if (text !== undefined) warn(`nodeTopology.matchLabels.${key}: ${text}`)
    }
  },
})

/** A topology that says nothing is another one than none. */
function validateTopologyKept({ nodeTopology }: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  const isOther = (nodeTopology === undefined) !== (old.nodeTopology === undefined)
  if (!isOther && isSameValue(nodeTopology, old.nodeTopology)) return []
  const error = fieldError.invalid(topologyPath, nodeTopology ?? null, immutableMessage)
  return [nodeTopology === undefined ? error : withStructValue(error, goForm('LabelSelector', nodeTopology))]
}

function validateCapacity({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): FieldError[] {
  const errors = nodeTopology === undefined ? [] : validateLabelSelector(nodeTopology, topologyPath)
  errors.push(...subdomainErrors(storageClassName ?? '', classPath))
  if (capacity !== undefined && (amountOf(capacity) ?? 0n) < 0n) {
    errors.push(fieldError.invalid(capacityPath, capacity, 'must be greater than or equal to 0'))
  }
  return errors
}
