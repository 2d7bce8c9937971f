import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { ServiceSpec } from 'steersman/api/types/core/v1'
import { parseAddress } from '../shared/address.js'
import { addressErrors } from '../shared/address-validation.js'
import { validateChoice } from '../shared/choice.js'
import { isSameValue } from '../shared/same-value.js'

const families = ['IPv4', 'IPv6']
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']
const [addressesPath, familiesPath, policyPath] = [
  fieldPath('spec', 'clusterIPs'),
  fieldPath('spec', 'ipFamilies'),
  fieldPath('spec', 'ipFamilyPolicy'),
]
/** The only family that this server has addresses of. */
const ownFamily = 'IPv4'

/** The spec of a service while it is completed. */
export type ServiceDraft = { -readonly [Field in keyof ServiceSpec]: ServiceSpec[Field] }

/** What is wrong with the addresses of a service and their families among each other. */
export function validateClusterAddresses(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return []
  const { clusterIP, clusterIPs: addresses = [], ipFamilies = [], ipFamilyPolicy } = spec
  const errors: FieldError[] = []
  if (!clusterIP && addresses.length > 0) {
    errors.push(fieldError.invalid(addressesPath, addresses, 'must be empty when `clusterIP` is not specified'))
  }
  if (clusterIP && addresses.length === 0) errors.push(fieldError.required(addressesPath))
  else if (clusterIP && addresses[0] !== clusterIP) {
    errors.push(fieldError.invalid(addressesPath, addresses, 'first value must match `clusterIP`'))
  }
  for (const [index, family] of ipFamilies.entries()) {
    errors.push(...validateChoice(family, families, familiesPath.index(index)))
    if (ipFamilies.indexOf(family) < index) errors.push(fieldError.duplicate(familiesPath.index(index), family))
  }
  errors.push(...validateChoice(ipFamilyPolicy, policies, policyPath))
  const malformed = malformedErrors(addresses)
  errors.push(...malformed)
  if (addresses.length > 2) errors.push(fieldError.invalid(addressesPath, addresses, 'may only hold up to 2 values'))
  if (malformed.length > 0) return errors
  if (addresses.length > 1 && new Set(addresses.map(familyOf)).size < 2) {
    errors.push(fieldError.invalid(addressesPath, addresses, 'may specify no more than one IP for each IP family'))
  }
  return clusterIP === 'None' ? errors : [...errors, ...familyMismatches(addresses, ipFamilies)]
}

function malformedErrors(addresses: readonly string[]): FieldError[] {
  return addresses.flatMap((address, index) => {
    if (index > 0 || address !== 'None') return addressErrors(address, addressesPath.index(index))
    return addresses.length > 1 ? [fieldError.invalid(addressesPath, addresses, "'None' must be the first and only value")] : []
  })
}

function familyOf(address: string): string {
  return parseAddress(address)?.length === 4 ? 'IPv4' : 'IPv6'
}

function familyMismatches(addresses: readonly string[], ipFamilies: readonly string[]): FieldError[] {
  return addresses.flatMap((address, index) => {
    const family = ipFamilies[index]
    if (family === undefined || !families.includes(family) || family === familyOf(address)) return []
    return [fieldError.invalid(addressesPath.index(index), address, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)]
  })
}

/**
 * Fills in the families of a service and how many it wants, and says what of that cannot be had here.
 *
 * `old`: the service as it was, on an update.
 */
export function resolveFamilies(spec: ServiceDraft, old: ServiceSpec | undefined): FieldError[] {
  if (spec.type === 'ExternalName' || keepsPreference(spec, old)) return []
  const hasSelector = Object.keys(spec.selector ?? {}).length > 0
  const isLoose = spec.clusterIP === 'None' && !hasSelector
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isLoose ? 'RequireDualStack' : 'SingleStack')
  const related = validateClusterAddresses(spec)
  if (related.length > 0) return related
  if (old !== undefined && spec.ipFamilyPolicy === 'SingleStack') releaseSecond(spec, old)
  const errors = [...(old === undefined ? [] : validateReleased(spec, old)), ...validateSingle(spec), ...inferFamilies(spec)]
  if (errors.length > 0) return errors
  if (isLoose) {
    // Who has neither an address nor a selector may say what it likes.
    const [first = ownFamily, ...others] = spec.ipFamilies ?? []
    const wantsBoth = others.length === 0 && spec.ipFamilyPolicy !== 'SingleStack'
    spec.ipFamilies = wantsBoth ? [first, first === 'IPv4' ? 'IPv6' : 'IPv4'] : [first, ...others]
    return []
  }
  const unavailable = validateAvailable(spec)
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = [ownFamily]
  return unavailable
}

/** A service that would like both families keeps what it got until it says something else. */
function keepsPreference(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (old === undefined || old.type === 'ExternalName') return false
  const isPreferred = old.ipFamilyPolicy === 'PreferDualStack' && (spec.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack'
  return (
    isPreferred &&
    spec.clusterIP === old.clusterIP &&
    isSameValue(spec.clusterIPs, old.clusterIPs) &&
    isSameValue(spec.ipFamilies, old.ipFamilies)
  )
}

function releaseSecond(spec: ServiceDraft, old: ServiceSpec): void {
  if (isSameValue(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1) ?? []
  if (isSameValue(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1) ?? []
}

function validateReleased(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy === 'SingleStack') return []
  const isReduced = (now: readonly string[] = [], before: readonly string[] = []) =>
    now.length === 1 && before.length === 2 && now[0] === before[0]
  const refuse = (what: string) =>
    fieldError.invalid(policyPath, spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`)
  return [
    ...(isReduced(spec.clusterIPs, old.clusterIPs) ? [refuse('cluster IP')] : []),
    ...(isReduced(spec.ipFamilies, old.ipFamilies) ? [refuse('IP family')] : []),
  ]
}

function validateSingle(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return []
  const refuse = (what: string) => {
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
    return fieldError.invalid(policyPath, spec.ipFamilyPolicy, detail)
  }
  return [
    ...(spec.clusterIPs?.length === 2 ? [refuse('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [refuse('IP families')] : []),
  ]
}

/** Addresses tell their family. */
function inferFamilies(spec: ServiceDraft): FieldError[] {
  const known = [...(spec.ipFamilies ?? [])]
  const errors: FieldError[] = []
  if (spec.clusterIP === 'None') return errors
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (index < known.length) continue
    const family = familyOf(address)
    if (family === ownFamily) known.push(family)
    else errors.push(fieldError.invalid(addressesPath.index(index), spec.clusterIPs, `${family} is not configured on this cluster`))
  }
  if (known.length > 0) spec.ipFamilies = known
  return errors
}

function validateAvailable({ ipFamilyPolicy, ipFamilies = [] }: ServiceSpec): FieldError[] {
  const path = (index: number): FieldPath => familiesPath.index(index)
  return [
    ...(ipFamilyPolicy === 'RequireDualStack'
      ? [fieldError.invalid(policyPath, ipFamilyPolicy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      family === ownFamily ? [] : [fieldError.invalid(path(index), family, 'not configured on this cluster')],
    ),
  ]
}
