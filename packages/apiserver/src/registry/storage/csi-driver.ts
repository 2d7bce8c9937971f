import { validateDns1123Subdomain } from 'steersman/api'
import { CSIDriver } from 'steersman/api/types/storage/v1'
import { defineKind } from '../strategy.js'

export const csiDriverKind = defineKind(CSIDriver, {
  validateName: validateDns1123Subdomain,
})
