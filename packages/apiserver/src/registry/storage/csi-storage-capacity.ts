import { validateDns1123Subdomain } from 'steersman/api'
import { CSIStorageCapacity } from 'steersman/api/types/storage/v1'
import { defineKind } from '../strategy.js'

export const csiStorageCapacityKind = defineKind(CSIStorageCapacity, {
  validateName: validateDns1123Subdomain,
})
