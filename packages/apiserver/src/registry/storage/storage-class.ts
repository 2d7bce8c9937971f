import { validateDns1123Subdomain } from 'steersman/api'
import { StorageClass } from 'steersman/api/types/storage/v1'
import { defineKind } from '../strategy.js'

export const storageClassKind = defineKind(StorageClass, {
  validateName: validateDns1123Subdomain,
})
