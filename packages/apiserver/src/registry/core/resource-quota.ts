import { validateDns1123Subdomain } from 'steersman/api'
import { ResourceQuota } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

export const resourceQuotaKind = defineKind(ResourceQuota, {
  validateName: validateDns1123Subdomain,
  status: {},
})
