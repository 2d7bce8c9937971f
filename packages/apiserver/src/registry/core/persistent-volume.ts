import { validateDns1123Subdomain } from 'steersman/api'
import { PersistentVolume } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

export const persistentVolumeKind = defineKind(PersistentVolume, {
  validateName: validateDns1123Subdomain,
  status: {},
})
