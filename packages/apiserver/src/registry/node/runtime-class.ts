import { validateDns1123Subdomain } from 'steersman/api'
import { RuntimeClass } from 'steersman/api/types/node/v1'
import { defineKind } from '../strategy.js'

export const runtimeClassKind = defineKind(RuntimeClass, {
  validateName: validateDns1123Subdomain,
})
