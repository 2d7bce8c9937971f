import { validateDns1123Subdomain } from 'steersman/api'
import { EndpointSlice } from 'steersman/api/types/discovery/v1'
import { defineKind } from '../strategy.js'

export const endpointSliceKind = defineKind(EndpointSlice, {
  validateName: validateDns1123Subdomain,
})
