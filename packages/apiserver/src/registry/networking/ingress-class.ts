import { validateDns1123Subdomain } from 'steersman/api'
import { IngressClass } from 'steersman/api/types/networking/v1'
import { defineKind } from '../strategy.js'

export const ingressClassKind = defineKind(IngressClass, {
  validateName: validateDns1123Subdomain,
})
