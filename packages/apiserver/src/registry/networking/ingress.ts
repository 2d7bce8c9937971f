import { validateDns1123Subdomain } from 'steersman/api'
import { Ingress } from 'steersman/api/types/networking/v1'
import { defineKind } from '../strategy.js'

export const ingressKind = defineKind(Ingress, {
  validateName: validateDns1123Subdomain,
  status: {},
})
