import { validateDns1123Subdomain } from 'steersman/api'
import { PersistentVolumeClaim } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

export const persistentVolumeClaimKind = defineKind(PersistentVolumeClaim, {
  validateName: validateDns1123Subdomain,
  status: {},
})
