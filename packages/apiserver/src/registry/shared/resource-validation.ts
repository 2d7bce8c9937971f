import type { FieldError, FieldPath } from 'steersman/api'
import { compareCodePoints, fieldError } from 'steersman/api'
import type { PodSpec, ResourceClaim, ResourceRequirements } from 'steersman/api/types/core/v1'
import { labelErrors } from './name-errors.js'
import { amountOf, quantityFormatMessage } from './quantity.js'
import { containerResourceNameErrors, isOvercommitAllowed, resourceAmountErrors, resourceNameErrors } from './resource-name.js'
import { amountOfContainers, containerSum, isHugePages, isPodResource } from './resource-sums.js'

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
  return validateRequirements(resources ?? {}, containerResourceNameErrors, claimNames, path)
}

function validateRequirements(
  { limits = {}, requests = {}, claims = [] }: ResourceRequirements,
  validateName: typeof containerResourceNameErrors,
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
  if (amountOf(quantity) === undefined) return [fieldError.invalid(path, quantity, quantityFormatMessage)]
  return resourceAmountErrors(name, quantity, path)
}

function validateRequest(name: string, quantity: string, limit: string | undefined, path: FieldPath): FieldError[] {
  if (limit === undefined) {
    return isOvercommitAllowed(name)
      ? []
      : [fieldError.required(path.child('limits'), 'Limit must be set for non overcommitable resources')]
  }
  const asked = amountOf(quantity) ?? 0n
  const most = amountOf(limit) ?? 0n
  const at = path.child('requests')
  if (asked !== most && !isOvercommitAllowed(name)) return [fieldError.invalid(at, quantity, `must be equal to ${name} limit of ${limit}`)]
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
