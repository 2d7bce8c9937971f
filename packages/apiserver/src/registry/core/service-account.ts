import { validateDns1123Subdomain } from 'steersman/api'
import { ServiceAccount } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

/** Service accounts. */
export const serviceAccountKind = defineKind(ServiceAccount, {
  validateName: validateDns1123Subdomain,
  deletion: { returnsObject: true },
})
