import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateQualifiedName } from 'steersman/api'
import type { ObjectFieldSelector, ResourceFieldSelector } from 'steersman/api/types/core/v1'
import { amountOf, canonicalQuantity } from './quantity.js'

/** Fields of a pod that a variable can show. */
export const variableFields: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

/** Fields of a pod that a file can show. */
export const fileFields: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

/** All fields that have a name, even those that nothing can show. */
const knownFields: ReadonlySet<string> = new Set([
  ...variableFields,
  ...fileFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

/** What is wrong with a reference to a field of the pod. */
export function validateFieldSelector(selector: ObjectFieldSelector, supported: readonly string[], path: FieldPath): FieldError[] {
  const { apiVersion, fieldPath: field = '' } = selector
  const at = path.child('fieldPath')
  if (field === '') return [fieldError.required(at)]
  const refuse = (problem: string) => [fieldError.invalid(at, field, `error converting fieldPath: ${problem}`)]
  if (apiVersion !== undefined && apiVersion !== 'v1') return refuse(`unsupported pod version: ${apiVersion}`)
  const [, map, key = ''] = /^(.*)\['(.*)'\]$/.exec(field) ?? []
  if (map !== undefined) {
    if (map !== 'metadata.annotations' && map !== 'metadata.labels') return refuse(`field label does not support subscript: ${field}`)
    const name = map === 'metadata.annotations' ? key.toLowerCase() : key
    return validateQualifiedName(name).map((detail) => fieldError.invalid(path, name, detail))
  }
  const real = field === 'spec.host' ? 'spec.nodeName' : field
  if (!knownFields.has(real)) return refuse(`field label not supported: ${field}`)
  return supported.includes(real) ? [] : [fieldError.notSupported(at, real, supported)]
}

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]
const hugePages = /^(?:requests|limits)\.hugepages-/
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

/** What is wrong with a reference to what a container asks for. `needsContainer`: there is no container whose own it could be. */
export function validateResourceSelector(selector: ResourceFieldSelector, needsContainer: boolean, path: FieldPath): FieldError[] {
  const { containerName, resource = '', divisor } = selector
  const at = path.child('resource')
  const errors: FieldError[] = []
  if (needsContainer && !containerName) errors.push(fieldError.required(path.child('containerName')))
  else if (resource === '') errors.push(fieldError.required(at))
  else if (!resources.includes(resource) && !hugePages.test(resource)) errors.push(fieldError.notSupported(at, resource, resources))
  return [...errors, ...validateDivisor(resource, divisor, path.child('divisor'))]
}

function validateDivisor(resource: string, divisor: string | undefined, path: FieldPath): FieldError[] {
  if (divisor === undefined || amountOf(divisor) === 0n) return []
  const text = canonicalQuantity(divisor)
  if (resource.endsWith('.cpu')) {
    if (text === '1' || text === '1m') return []
    return [fieldError.invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")]
  }
  if (byteDivisors.includes(text)) return []
  const name = nameOfBytes(resource)
  if (name === undefined) return []
  return [fieldError.invalid(path, resource, `only divisor's values ${byteDivisors.join(', ')} are supported with the ${name} resource`)]
}

function nameOfBytes(resource: string): string | undefined {
  if (hugePages.test(resource)) return 'hugepages'
  if (resource.endsWith('.memory')) return 'memory'
  return resource.endsWith('.ephemeral-storage') ? 'local ephemeral storage' : undefined
}
