import { validateDns1123Subdomain } from 'steersman/api'
import { LimitRange } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

export const limitRangeKind = defineKind(LimitRange, {
  validateName: validateDns1123Subdomain,
})
