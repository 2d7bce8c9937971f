import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { ResourceClaim } from 'steersman/api/types/resource/v1'
import { canonicalizeAmounts } from '../shared/quantity.js'
import { defineKind } from '../strategy.js'
import { checkClaimSpec, defaultClaimSpec, isSameClaimSpec } from './claim-spec.js'
import { prepareClaimStatus, validateClaimStatus } from './claim-status.js'
import { defaultTolerations } from './device-taint.js'
import { Findings } from './findings.js'

const path = fieldPath('spec')

/** Claims of devices. Nothing allocates them. */
export const resourceClaimKind = defineKind(ResourceClaim, {
  validateName: validateDns1123Subdomain,
  default(claim) {
    claim.spec ??= {}
    defaultClaimSpec(claim.spec)
    for (const result of claim.status?.allocation?.devices?.results ?? []) {
      defaultTolerations(result.tolerations)
      canonicalizeAmounts(result.consumedCapacity)
    }
  },
  validate({ spec = {} }) {
    const findings = new Findings()
    checkClaimSpec(spec, path, findings)
    return findings.all
  },
  validateUpdate: ({ spec }, old) => (isSameClaimSpec(spec, old.spec) ? [] : [fieldError.invalid(path, null, 'field is immutable')]),
  status: {
    initial: () => ({}),
    ignoresMetadata: true,
    prepareForUpdate: (claim, old) => prepareClaimStatus(claim.status, old.status),
    validateUpdate: validateClaimStatus,
  },
  deletion: { returnsObject: true },
})
