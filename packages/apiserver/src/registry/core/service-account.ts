import { type Draft, validateDns1123Subdomain } from 'steersman/api'
import { ServiceAccount } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

/** Of a reference to a secret only the name is kept. */
function cleanSecrets(account: Draft<ServiceAccount>): void {
  if (account.secrets !== undefined) account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}))
}

/** Service accounts. */
export const serviceAccountKind = defineKind(ServiceAccount, {
  validateName: validateDns1123Subdomain,
  prepareForCreate: cleanSecrets,
  prepareForUpdate: cleanSecrets,
  deletion: { returnsObject: true },
})
