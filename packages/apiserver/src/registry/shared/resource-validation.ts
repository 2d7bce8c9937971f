import type { FieldError, FieldPath } from 'steersman/api'
import { compareCodePoints, fieldError, validateQualifiedName } from 'steersman/api'
import type { PodSpec, ResourceClaim, ResourceRequirements } from 'steersman/api/types/core/v1'
import { labelErrors } from './name-errors.js'
import { amountOf, quantityFormatMessage } from './quantity.js'
import { amountOfContainers, containerSum, isHugePages, isPodResource } from './resource-sums.js'

const containerResources = ['cpu', 'memory', 'ephemeral-storage']
const standardResources = [
  ...containerResources,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]
const countedResources = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const nanoOfOne = 1_000_000_000n

const isNative = (name: string) => !name.includes('/') || name.includes('kubernetes.io/')
const isExtended = (name: string) =>
  !isNative(name) && !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0
/** Whether a container may be promised more of it than there is. */
const mayOvercommit = (name: string) => isNative(name) && !isHugePages(name)

function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(name).map((detail) => fieldError.invalid(path, name, detail))
  if (errors.length > 0 || name.includes('/')) return errors
  const isStandard = standardResources.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-')
  return isStandard ? [] : [fieldError.invalid(path, name, 'must be a standard resource type or fully qualified')]
}

/** What is wrong with the name of a resource of containers. */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path)
  if (!name.includes('/')) {
    const isKnown = containerResources.includes(name) || isHugePages(name)
    return isKnown ? errors : [...errors, fieldError.invalid(path, name, 'must be a standard resource for containers')]
  }
  if (isNative(name) || isExtended(name)) return errors
  return [...errors, fieldError.invalid(path, name, "doesn't follow extended resource name standard")]
}

function validatePodResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path)
  if (errors.length > 0 || isPodResource(name)) return errors
  return [fieldError.notSupported(path, name, ['cpu', 'hugepages-', 'memory'])]
}

/** What is wrong with what a container asks for and may use. `claimNames`: the claims of its pod. */
export function validateContainerResources(
  resources: ResourceRequirements | undefined,
  claimNames: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  return validateRequirements(resources ?? {}, validateContainerResourceName, claimNames, path)
}

function validateRequirements(
  { limits = {}, requests = {}, claims = [] }: ResourceRequirements,
  validateName: typeof validateContainerResourceName,
  claimNames: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = []
  for (const [name, quantity] of sortedEntries(limits)) {
    const at = path.child('limits').key(name)
    errors.push(...validateName(name, at), ...validateQuantity(name, quantity, at), ...validateHugePages(name, quantity, at))
  }
  for (const [name, quantity] of sortedEntries(requests)) {
    const at = path.child('requests').key(name)
    errors.push(...validateName(name, at), ...validateQuantity(name, quantity, at))
    errors.push(...validateRequest(name, quantity, limits[name], path), ...validateHugePages(name, quantity, at))
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(fieldError.forbidden(path, 'HugePages require cpu or memory'))
  }
  return [...errors, ...validateClaimNames(claims, claimNames, path.child('claims'))]
}

/** In the order of names: Go goes through maps in no order at all. */
function sortedEntries(map: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(map).sort(([a], [b]) => compareCodePoints(a, b))
}

function validateQuantity(name: string, quantity: string, path: FieldPath): FieldError[] {
  const amount = amountOf(quantity)
  if (amount === undefined) return [fieldError.invalid(path, quantity, quantityFormatMessage)]
  const errors = amount < 0n ? [fieldError.invalid(path, quantity, 'must be greater than or equal to 0')] : []
  const isWhole = amount % nanoOfOne === 0n || !(countedResources.includes(name) || isExtended(name))
  return isWhole ? errors : [...errors, fieldError.invalid(path, quantity, 'must be an integer')]
}

function validateRequest(name: string, quantity: string, limit: string | undefined, path: FieldPath): FieldError[] {
  if (limit === undefined) {
    return mayOvercommit(name) ? [] : [fieldError.required(path.child('limits'), 'Limit must be set for non overcommitable resources')]
  }
  const asked = amountOf(quantity) ?? 0n
  const most = amountOf(limit) ?? 0n
  const at = path.child('requests')
  if (asked !== most && !mayOvercommit(name)) return [fieldError.invalid(at, quantity, `must be equal to ${name} limit of ${limit}`)]
  return asked > most ? [fieldError.invalid(at, quantity, `must be less than or equal to ${name} limit of ${limit}`)] : []
}

function validateHugePages(name: string, quantity: string, path: FieldPath): FieldError[] {
  if (!isHugePages(name)) return []
  const page = amountOf(name.slice('hugepages-'.length)) ?? 0n
  const isMultiple = page > 0n && (amountOf(quantity) ?? 0n) % page === 0n
  return isMultiple ? [] : [fieldError.invalid(path, quantity, `${quantity} is not positive integer multiple of ${name}`)]
}

function validateClaimNames(claims: readonly ResourceClaim[], known: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return claims.flatMap(({ name = '', request = '' }, index) => {
    const at = path.index(index)
    if (name === '') return [fieldError.required(at)]
    const errors: FieldError[] = []
    if (seen.has(name)) errors.push(fieldError.duplicate(at, name))
    else {
      if (request !== '') errors.push(...labelErrors(request, at.child('request')))
      const key = request === '' ? name : `${name}/${request}`
      if (seen.has(key)) errors.push(fieldError.duplicate(at, key))
      else if (request === '' && [...seen].some((other) => other.startsWith(`${name}/`))) errors.push(fieldError.duplicate(at, name))
      seen.add(key)
    }
    if (known.has(name)) return errors
    const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort(compareCodePoints).join(', ')}`
    return [...errors, { ...fieldError.notFound(at, name), detail: `must be one of the names in pod.spec.resourceClaims${names}` }]
  })
}

/** What is wrong with what a pod asks for as a whole. */
export function validatePodResources(spec: PodSpec, claimNames: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const { resources } = spec
  if (resources === undefined) return []
  if (spec.os?.name === 'windows') return [fieldError.forbidden(path, 'may not be set for a windows pod')]
  const errors: FieldError[] = []
  if (resources.claims !== undefined)
    errors.push(fieldError.forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level'))
  errors.push(...validateRequirements(resources, validatePodResourceName, claimNames, path))
  return [...errors, ...validateSums(spec, resources, path)]
}

/** The pod must ask for as much as its containers together, and no container may use more than the pod. */
function validateSums(spec: PodSpec, { requests = {}, limits = {} }: ResourceRequirements, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  for (const [name, quantity] of sortedEntries(requests)) {
    const sum = amountOfContainers(spec, 'requests', name)
    if (sum === 0n || sum <= (amountOf(quantity) ?? 0n)) continue
    const detail = `must be greater than or equal to aggregate container requests of ${containerSum(spec, 'requests', name)}`
    errors.push(fieldError.invalid(path.child('requests').key(name), quantity, detail))
  }
  for (const [name, quantity] of sortedEntries(limits)) {
    if (!isHugePages(name)) continue
    const sum = amountOfContainers(spec, 'limits', name)
    if (sum <= (amountOf(quantity) ?? 0n)) continue
    const detail = `must be greater than or equal to aggregate container limits of ${containerSum(spec, 'limits', name)}`
    errors.push(fieldError.invalid(path.child('limits').key(name), quantity, detail))
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, quantity] of sortedEntries(container.resources?.limits ?? {})) {
      const most = limits[name]
      if (most === undefined || (amountOf(quantity) ?? 0n) <= (amountOf(most) ?? 0n)) continue
      const at = path.child('containers').index(index).key(name).child('limits')
      errors.push(fieldError.invalid(at, quantity, `must be less than or equal to pod limits of ${most}`))
    }
  }
  return errors
}
