import type { FieldError, FieldPath } from 'steersman/api'
import { compareCodePoints, fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from 'steersman/api/types/core/v1'
import { ResourceQuota } from 'steersman/api/types/core/v1'
import { immutableMessage } from '../metadata.js'
import { amountOf, canonicalizeResources } from '../shared/quantity.js'
import { isQuotaResource, quotaResourceNameErrors, resourceAmountErrors } from '../shared/resource-name.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
type Amounts = Readonly<Record<string, string>>

/** Resource quotas. */
export const resourceQuotaKind = defineKind(ResourceQuota, {
  validateName: validateDns1123Subdomain,
  default({ spec, status }) {
    canonicalizeResources(spec?.hard)
    canonicalizeResources(status?.hard)
    canonicalizeResources(status?.used)
  },
  validate: ({ spec }) => validateSpec(spec ?? {}),
  validateUpdate: ({ spec = {} }, { spec: old = {} }) => [...validateSpec(spec), ...validateScopesKept(spec.scopes, old.scopes ?? [])],
  warn({ spec }, warn, old) {
    if (old === undefined) warnOfRequests(spec?.hard ?? {}, warn)
  },
  status: {
    initial: () => ({}),
    validateUpdate: ({ status }) => [
      ...validateAmounts(status?.hard ?? {}, statusPath.child('hard')),
      ...validateAmounts(status?.used ?? {}, statusPath.child('used')),
    ],
  },
  deletion: { returnsObject: true },
})

function validateAmounts(amounts: Amounts, path: FieldPath): FieldError[] {
  return Object.entries(amounts).flatMap(([name, quantity]) => [
    ...quotaResourceNameErrors(name, path.key(name)),
    ...resourceAmountErrors(name, quantity, path.key(name)),
  ])
}

function validateSpec(spec: ResourceQuotaSpec): FieldError[] {
  const { hard = {} } = spec
  return [...validateAmounts(hard, specPath.child('hard')), ...validateScopes(spec), ...validateSelector(spec)]
}

const podResources = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']
const scopeResources: Readonly<Record<string, readonly string[]>> = {
  Terminating: podResources,
  NotTerminating: podResources,
  NotBestEffort: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}
/** Scopes that select by being there, and not by a value. */
const plainScopes = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity']
const conflicts = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

/** The resources of a quota that a scope says nothing of. */
function outOfScope(scope: string, hard: Amounts): readonly string[] {
  const known = Object.hasOwn(scopeResources, scope) ? scopeResources[scope] : undefined
  if (known === undefined) return []
  return Object.keys(hard)
    .sort(compareCodePoints)
    .filter((name) => isQuotaResource(name) && !known.includes(name))
}

function conflictErrors(used: readonly string[], shown: readonly string[] | undefined, path: FieldPath): FieldError[] {
  return conflicts
    .filter((pair) => pair.every((scope) => used.includes(scope)))
    .map(() => fieldError.invalid(path, shown ?? null, 'conflicting scopes'))
}

function validateScopes({ scopes = [], hard = {} }: ResourceQuotaSpec): FieldError[] {
  if (scopes.length === 0) return []
  const path = specPath.child('scopes')
  const errors = scopes.flatMap((scope) => [
    ...(Object.hasOwn(scopeResources, scope) ? [] : [fieldError.invalid(path, scopes, 'unsupported scope')]),
    ...outOfScope(scope, hard).map(() => fieldError.invalid(path, scopes, 'unsupported scope applied to resource')),
  ])
  return [...errors, ...conflictErrors(scopes, scopes, path)]
}

function validateSelector({ scopeSelector, scopes, hard = {} }: ResourceQuotaSpec): FieldError[] {
  const requirements = scopeSelector?.matchExpressions ?? []
  const path = specPath.child('scopeSelector', 'matchExpressions')
  const errors = requirements.flatMap((requirement) => {
    const { scopeName = '' } = requirement
    const isKnown = Object.hasOwn(scopeResources, scopeName)
    const unknown = isKnown ? [] : [fieldError.invalid(path.child('scopeName'), scopeName, 'unsupported scope')]
    const others = outOfScope(scopeName, hard).map(() => {
      const error = fieldError.invalid(path, undefined, 'unsupported scope applied to resource')
      return withStructValue(error, { MatchExpressions: requirements.map(inGo) })
    })
    return [...unknown, ...others, ...validateRequirement(requirement, path)]
  })
  const used = requirements.map(({ scopeName }) => scopeName)
  return [...errors, ...conflictErrors(used, scopes, path)]
}

function inGo({ scopeName, operator, values }: ScopedResourceSelectorRequirement): object {
  return { ScopeName: scopeName ?? '', Operator: operator ?? '', Values: values ?? null }
}

function validateRequirement(requirement: ScopedResourceSelectorRequirement, path: FieldPath): FieldError[] {
  const { scopeName, operator = '', values = [] } = requirement
  const errors: FieldError[] = []
  if (plainScopes.includes(scopeName) && operator !== 'Exists') {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
    errors.push(fieldError.invalid(path.child('operator'), operator, detail))
  }
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    if (values.length === 0) errors.push(fieldError.required(path.child('values'), detail))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
    if (values.length > 0) errors.push(fieldError.invalid(path.child('values'), values, detail))
  } else errors.push(fieldError.invalid(path.child('operator'), operator, 'not a valid selector operator'))
  return errors
}

function validateScopesKept(given: readonly string[] | undefined, old: readonly string[]): FieldError[] {
  const scopes = given ?? []
  const isSame = scopes.every((scope) => old.includes(scope)) && old.every((scope) => scopes.includes(scope))
  return isSame ? [] : [fieldError.invalid(specPath.child('scopes'), given ?? null, immutableMessage)]
}

/** A quota that lets less be used than be requested is hardly meant. */
function warnOfRequests(hard: Amounts, warn: (text: string) => void): void {
  for (const name of ['cpu', 'memory', 'storage', 'ephemeral-storage']) {
    const isShort = hard[`requests.${name}`] === undefined && (name === 'cpu' || name === 'memory')
    const requested = isShort ? name : `requests.${name}`
    const [request, limit] = [hard[requested], hard[`limits.${name}`]]
    if (request === undefined || limit === undefined || (amountOf(request) ?? 0n) <= (amountOf(limit) ?? 0n)) continue
    warn(`ResourceQuota ${requested} (${request}) should be less than limits.${name} (${limit})`)
  }
}
