import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, parseQuantity, quantityValue, validateQualifiedName } from 'steersman/api'
import { amountOf } from './quantity.js'

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])
/** Resources that are counted. */
const countedResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
])
const quotaResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...countedResources,
  ...['cpu', 'memory', 'storage', 'ephemeral-storage'].map((name) => `requests.${name}`),
  ...containerResourcesAs('limits.'),
])

function containerResourcesAs(prefix: string): readonly string[] {
  return [...containerResources].map((name) => prefix + name)
}

/** Whether a quota counts this resource without more. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')
}

/** Whether the limit of a resource may be higher than its request. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-')
}

/** Whether a resource is one of Kubernetes itself. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** What is wrong with the name of a resource: it must be one that everybody knows or have a domain. */
export function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const details = validateQualifiedName(name)
  if (details.length > 0) return details.map((detail) => fieldError.invalid(path, name, detail))
  if (name.includes('/') || name === 'storage' || isQuotaResource(name)) return []
  return [fieldError.invalid(path, name, 'must be a standard resource type or fully qualified')]
}

/** What is wrong with the name of a resource of containers. */
export function containerResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path)
  if (!name.includes('/')) {
    if (containerResources.has(name) || name.startsWith('hugepages-')) return errors
    return [...errors, fieldError.invalid(path, name, 'must be a standard resource for containers')]
  }
  if (isNative(name) || isExtended(name)) return errors
  return [...errors, fieldError.invalid(path, name, "doesn't follow extended resource name standard")]
}

/** What is wrong with the name of a resource of a quota. */
export function quotaResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path)
  if (name.includes('/') || isQuotaResource(name)) return errors
  return [...errors, fieldError.invalid(path, name, 'must be a standard resource for quota')]
}

/** What is wrong with how much there is of a resource. */
export function resourceAmountErrors(name: string, quantity: string, path: FieldPath): FieldError[] {
  const amount = amountOf(quantity) ?? 0n
  const errors = amount < 0n ? [fieldError.invalid(path, quantity, 'must be greater than or equal to 0')] : []
  const isWhole = amount % 1_000_000_000n === 0n
  if (isWhole || (!countedResources.has(name) && !isExtended(name))) return errors
  return [...errors, fieldError.invalid(path, quantity, 'must be an integer')]
}

/** What is wrong with a quantity in whole units, as Go holds them: in 64 bits, so that what is too much counts as negative. */
export function basicAmountErrors(quantity: string, path: FieldPath): FieldError[] {
  const units = BigInt.asIntN(64, quantityValue(parseQuantity(quantity)))
  return units < 0n ? [fieldError.invalid(path, units, 'must be a valid resource quantity')] : []
}

/** Whether a resource is that of somebody else: devices, licences. */
function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0
}
