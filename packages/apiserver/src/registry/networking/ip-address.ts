import { validateDns1123Subdomain } from 'steersman/api'
import { IPAddress } from 'steersman/api/types/networking/v1'
import { defineKind } from '../strategy.js'

export const ipAddressKind = defineKind(IPAddress, {
  validateName: validateDns1123Subdomain,
})
