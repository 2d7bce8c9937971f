import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { Lease } from 'steersman/api/types/coordination/v1'
import { defineKind } from '../strategy.js'

/** Leases: may be created by PUT; who updates one must say which version was seen. */
export const leaseKind = defineKind(Lease, {
  validateName: validateDns1123Subdomain,
  allowBareFinalizers: true,
  default(lease) {
    lease.spec ??= {}
    // Elections that the server coordinates are off unless asked for.
    delete lease.spec.strategy
    delete lease.spec.preferredHolder
  },
  validate({ spec = {} }) {
    const path = fieldPath('spec')
    const errors: FieldError[] = []
    const { leaseDurationSeconds, leaseTransitions } = spec
    if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
      errors.push(fieldError.invalid(path.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'))
    }
    if (leaseTransitions !== undefined && leaseTransitions < 0) {
      errors.push(fieldError.invalid(path.child('leaseTransitions'), leaseTransitions, 'must be greater than or equal to 0'))
    }
    return errors
  },
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
})
