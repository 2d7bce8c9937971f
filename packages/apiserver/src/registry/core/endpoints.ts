import { validateDns1123Subdomain } from 'steersman/api'
import { Endpoints } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

export const endpointsKind = defineKind(Endpoints, {
  validateName: validateDns1123Subdomain,
})
