import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label } from 'steersman/api'
import type {
  Container,
  PodExtendedResourceClaimStatus,
  PodResourceClaimStatus,
  PodSpec,
  PodStatus,
  ResourceStatus,
} from 'steersman/api/types/core/v1'
import { subdomainErrors } from '../shared/name-errors.js'
import { amountOf } from '../shared/quantity.js'

const path = fieldPath('status')

/** What is wrong with the claims that a status says were made for a pod. */
export function validateClaimStatuses(status: PodStatus, spec: PodSpec): FieldError[] {
  return [
    ...validateClaims(status.resourceClaimStatuses ?? [], spec, path.child('resourceClaimStatuses')),
    ...validateExtendedClaim(status.extendedResourceClaimStatus, spec, path.child('extendedResourceClaimStatus')),
  ]
}

/** What is wrong with what a status says of the health of resources that containers got. */
export function validateAllocated(status: PodStatus, spec: PodSpec): FieldError[] {
  const containers = { containerStatuses: spec.containers, initContainerStatuses: spec.initContainers ?? [] }
  const errors = (['containerStatuses', 'initContainerStatuses'] as const).flatMap((field) =>
    (status[field] ?? []).flatMap(({ name, allocatedResourcesStatus = [] }, index) => {
      const container = containers[field].find((other) => other.name === name)
      const at = path.child(field).index(index).child('allocatedResourcesStatus')
      return allocatedResourcesStatus.flatMap((resource, place) => [
        ...(container === undefined ? [] : validateAllocatedName(resource.name, container, status, at.index(place).child('name'))),
        ...validateHealth(resource, at.index(place).child('resources')),
      ])
    }),
  )
  const ephemeral = status.ephemeralContainerStatuses ?? []
  return [
    ...errors,
    ...ephemeral.flatMap(({ allocatedResourcesStatus = [] }, index) => {
      if (allocatedResourcesStatus.length === 0) return []
      const at = path.child('ephemeralContainerStatuses').index(index).child('allocatedResourcesStatus')
      return [fieldError.forbidden(at, 'must not be specified in container status')]
    }),
  ]
}

function validateClaims(claims: readonly PodResourceClaimStatus[], { resourceClaims = [] }: PodSpec, at: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return claims.flatMap(({ name, resourceClaimName }, index) => {
    const namePath = at.index(index).child('name')
    const errors = resourceClaims.some((claim) => claim.name === name)
      ? []
      : [fieldError.invalid(namePath, name, 'must match the name of an entry in `spec.resourceClaims`')]
    if (seen.has(name)) errors.push(fieldError.duplicate(namePath, name))
    seen.add(name)
    return resourceClaimName === undefined
      ? errors
      : [...errors, ...subdomainErrors(resourceClaimName, at.index(index).child('resourceClaimName'))]
  })
}

const places = (field: string): string => `spec.initContainers.${field} or spec.containers.${field}`

function validateExtendedClaim(claim: PodExtendedResourceClaimStatus | undefined, spec: PodSpec, at: FieldPath): FieldError[] {
  if (claim === undefined) return []
  const { requestMappings: mappings = [], resourceClaimName: claimName } = claim
  const mappingsPath = at.child('requestMappings')
  const errors = mappings.length === 0 ? [fieldError.required(mappingsPath, 'at least one request mapping is required')] : []
  const seen = new Set<string>()
  for (const [index, { containerName, resourceName, requestName }] of mappings.entries()) {
    const mappingPath = mappingsPath.index(index)
    const container = [...spec.containers, ...(spec.initContainers ?? [])].find(({ name }) => name === containerName)
    if (container === undefined) {
      const detail = `must match the name of an entry in ${places('name')}`
      errors.push(fieldError.invalid(mappingPath.child('containerName'), containerName, detail))
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      const detail = `must match the extended resource name of an entry in ${places('resources.requests')}`
      errors.push(fieldError.invalid(mappingPath.child('resourceName'), resourceName, detail))
    }
    errors.push(...validateDns1123Label(requestName).map((detail) => fieldError.invalid(at.child('requestName'), requestName, detail)))
    const key = JSON.stringify([containerName, resourceName, requestName])
    if (seen.has(key)) {
      for (const [field, value] of Object.entries({ containerName, resourceName, requestName })) {
        errors.push(fieldError.duplicate(mappingPath.child(field), value))
      }
    }
    seen.add(key)
  }
  const namePath = at.child('resourceClaimName')
  return [...errors, ...(claimName ? subdomainErrors(claimName, namePath) : [fieldError.required(namePath)])]
}

const claimPrefix = 'claim:'

function validateAllocatedName(name: string, container: Container, status: PodStatus, at: FieldPath): FieldError[] {
  const { claims = [], requests = {} } = container.resources ?? {}
  if (!name.startsWith(claimPrefix)) {
    return requests[name] === undefined ? [fieldError.invalid(at, name, "must match one of the container's resource requests")] : []
  }
  const claimed = name.slice(claimPrefix.length)
  if (claims.some((claim) => claimed === (claim.request ? `${claim.name}/${claim.request}` : claim.name))) return []
  const extended = status.extendedResourceClaimStatus
  const isExtended = extended?.requestMappings.some(
    ({ containerName, requestName, resourceName }) =>
      containerName === container.name &&
      claimed === `${extended.resourceClaimName}/${requestName}` &&
      (amountOf(requests[resourceName] ?? '0') ?? 0n) !== 0n,
  )
  if (isExtended) return []
  const detail =
    "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
  return [fieldError.invalid(at, name, detail)]
}

const healths = ['Healthy', 'Unhealthy', 'Unknown']
const longestMessage = 1024

function validateHealth({ resources = [] }: ResourceStatus, at: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return resources.flatMap(({ resourceID, health = '', message }, index) => {
    const resourcePath = at.index(index)
    const errors = healths.includes(health) ? [] : [fieldError.notSupported(resourcePath.child('health'), health, healths)]
    if (message === '') errors.push(fieldError.required(resourcePath.child('message'), 'must be non-empty if specified'))
    else if ((message ?? '').length > longestMessage) errors.push(fieldError.tooLong(resourcePath.child('message'), longestMessage))
    if (seen.has(resourceID)) errors.push(fieldError.duplicate(resourcePath.child('resourceID'), resourceID))
    seen.add(resourceID)
    return errors
  })
}
