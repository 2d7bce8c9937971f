import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { ServiceCIDR } from 'steersman/api/types/networking/v1'
import { immutableMessage } from '../metadata.js'
import { parseRange } from '../shared/address.js'
import { canonicalRangeErrors } from '../shared/address-validation.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const path = fieldPath('spec', 'cidrs')

/** Ranges of addresses for services. */
export const serviceCidrKind = defineKind(ServiceCIDR, {
  validateName: validateDns1123Subdomain,
  validate: ({ spec }) => validateRanges(spec?.cidrs ?? []),
  validateUpdate: ({ spec }, { spec: old }) => validateKept(spec?.cidrs, old?.cidrs ?? []),
  status: { ignoresMetadata: true },
})

function validateRanges(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [fieldError.required(path, 'at least one CIDR required')]
  if (ranges.length > 2) return [withStructValue(fieldError.invalid(path, undefined, 'may only hold up to 2 values'), { CIDRs: ranges })]
  const errors = ranges.flatMap((range, index) => canonicalRangeErrors(range, path.index(index)))
  const [first, second] = ranges.map(parseRange)
  if (first !== undefined && first.address.length === second?.address.length) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
    errors.push(fieldError.invalid(path, ranges, detail))
  }
  return errors
}

/** Ranges do not change, but one of the other family may join. */
function validateKept(given: readonly string[] | undefined, old: readonly string[]): FieldError[] {
  const ranges = given ?? []
  const joins = old.length === 1 && ranges.length === 2
  if (!joins && ranges.length !== old.length) return [fieldError.invalid(path, given ?? null, immutableMessage)]
  const errors = old.flatMap((range, index) =>
    range === ranges[index] ? [] : [fieldError.invalid(path.index(index), ranges[index], immutableMessage)],
  )
  return joins ? [...errors, ...validateRanges(ranges)] : errors
}
