import { validateDns1123Subdomain } from 'steersman/api'
import { ServiceCIDR } from 'steersman/api/types/networking/v1'
import { defineKind } from '../strategy.js'

export const serviceCidrKind = defineKind(ServiceCIDR, {
  validateName: validateDns1123Subdomain,
  status: {},
})
