import { validateDns1123Subdomain } from 'steersman/api'
import { NetworkPolicy } from 'steersman/api/types/networking/v1'
import { defineKind } from '../strategy.js'

export const networkPolicyKind = defineKind(NetworkPolicy, {
  validateName: validateDns1123Subdomain,
})
