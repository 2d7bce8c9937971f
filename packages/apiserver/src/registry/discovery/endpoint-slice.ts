import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type { Endpoint, EndpointHints, EndpointPort } from 'steersman/api/types/discovery/v1'
import { EndpointSlice } from 'steersman/api/types/discovery/v1'
import { deepEqual } from 'steersman/internal'
import { parseAddress } from '../shared/address.js'
import { addressErrors, canonicalAddressErrors, endpointAddressErrors, warnOfAddress } from '../shared/address-validation.js'
import { validateDeclaredImmutable } from '../shared/declared.js'
import { labelErrors, subdomainErrors } from '../shared/name-errors.js'
import { protocols } from '../shared/port-errors.js'
import { defineKind } from '../strategy.js'

const [portsPath, endpointsPath, typePath] = [fieldPath('ports'), fieldPath('endpoints'), fieldPath('addressType')]
const addressTypes = ['FQDN', 'IPv4', 'IPv6']
const [maxAddresses, maxPorts, maxEndpoints, maxHints] = [100, 20_000, 1000, 8]
const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']

/** Endpoint slices. */
export const endpointSliceKind = defineKind(EndpointSlice, {
  validateName: validateDns1123Subdomain,
  default({ ports }) {
    for (const port of ports ?? []) {
      port.name ??= ''
      port.protocol ??= 'TCP'
    }
  },
  prepareForCreate: dropTopology,
  prepareForUpdate: dropTopology,
  validate: (slice) => [...validatePorts(slice.ports ?? []), ...validateEndpoints(slice), ...validateDeclared(slice)],
  validateUpdate: (slice, old) => [
    ...validatePorts(slice.ports ?? []),
    ...(deepEqual(writtenOut(slice), writtenOut(old)) ? [] : validateEndpoints(slice)),
    ...validateDeclared(slice),
    ...validateDeclaredImmutable(slice.addressType, old.addressType, typePath),
  ],
  changesGeneration({ metadata, ...slice }, { metadata: oldMetadata, ...old }) {
    return !deepEqual(slice, old) || !deepEqual(metadata.labels ?? {}, oldMetadata.labels ?? {})
  },
  warn({ metadata, addressType, endpoints }, warn, old) {
    if (old === undefined && addressType === 'FQDN') warn('spec.addressType: FQDN endpoints are deprecated')
    if (controllers.includes(metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return
    for (const [index, { addresses }] of (endpoints ?? []).entries()) {
      const path = endpointsPath.index(index).child('addresses')
      for (const [position, address] of (addresses ?? []).entries()) warnOfAddress(address, path.index(position), warn)
    }
  },
})

/** Endpoints with what storage writes out for each. */
function writtenOut({ endpoints }: EndpointSlice): readonly unknown[] {
  return (endpoints ?? []).map((endpoint) => ({ ...endpoint, addresses: endpoint.addresses ?? [], conditions: endpoint.conditions ?? {} }))
}

/** The topology was a field of an older version. */
function dropTopology({ endpoints }: Draft<EndpointSlice>): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology
}

/** What is declared is found after all else. */
function validateDeclared({ addressType, endpoints }: EndpointSlice): FieldError[] {
  const errors: FieldError[] = []
  if (!addressType) errors.push(fieldError.required(typePath))
  else if (!addressTypes.includes(addressType)) errors.push(fieldError.notSupported(typePath, addressType, addressTypes))
  for (const [index, { addresses }] of (endpoints ?? []).entries()) {
    const path = endpointsPath.index(index).child('addresses')
    const count = (addresses ?? []).length
    if (count === 0) errors.push(fieldError.required(path))
    if (count > maxAddresses) errors.push(fieldError.tooMany(path, count, maxAddresses))
  }
  return errors
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maxPorts) return [fieldError.tooMany(portsPath, ports.length, maxPorts)]
  const names = new Set<string>()
  return ports.flatMap(({ name = '', protocol = '', appProtocol }, index) => {
    const path = portsPath.index(index)
    const errors = name === '' ? [] : labelErrors(name, path.child('name'))
    if (names.has(name)) errors.push(fieldError.duplicate(path.child('name'), name))
    names.add(name)
    if (!protocols.includes(protocol)) errors.push(fieldError.notSupported(path.child('protocol'), protocol, protocols))
    for (const detail of appProtocol === undefined ? [] : validateQualifiedName(appProtocol)) {
      errors.push(fieldError.invalid(path.child('appProtocol'), appProtocol, detail))
    }
    return errors
  })
}

function validateEndpoints({ endpoints, addressType }: EndpointSlice): FieldError[] {
  const all = endpoints ?? []
  if (all.length > maxEndpoints) return [fieldError.tooMany(endpointsPath, all.length, maxEndpoints)]
  return all.flatMap(({ addresses, nodeName, hostname, hints }: Endpoint, index) => {
    const path = endpointsPath.index(index)
    const errors = (addresses ?? []).flatMap((address, position) =>
      validateAddress(address, addressType, path.child('addresses'), position),
    )
    if (nodeName !== undefined) errors.push(...subdomainErrors(nodeName, path.child('nodeName')))
    if (hostname !== undefined) errors.push(...labelErrors(hostname, path.child('hostname')))
    return hints === undefined ? errors : [...errors, ...validateHints(hints, path.child('hints'))]
  })
}

function validateAddress(address: string, type: string, path: FieldPath, position: number): FieldError[] {
  const at = path.index(position)
  if (type === 'FQDN') return nameErrors(address, at)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const errors = type === 'IPv4' ? addressErrors(address, at) : canonicalAddressErrors(address, at)
  if (errors.length > 0) return errors
  const isOfType = (parseAddress(address)?.length === 4) === (type === 'IPv4')
  return [...(isOfType ? [] : [fieldError.invalid(path, address, `must be an ${type} address`)]), ...endpointAddressErrors(address, at)]
}

/** What is wrong with a fully qualified domain name. */
function nameErrors(text: string, path: FieldPath): FieldError[] {
  if (text === '') return [fieldError.required(path)]
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  const details = validateDns1123Subdomain(name)
  if (details.length > 0) return [fieldError.invalid(path, name, details.join(','))]
  const labels = name.split('.')
  if (labels.length < 2) return [fieldError.invalid(path, name, 'should be a domain with at least two segments separated by dots')]
  return labels.flatMap((label) => labelErrors(label, path)).slice(0, 1)
}

function validateHints({ forZones, forNodes }: EndpointHints, path: FieldPath): FieldError[] {
  const [zones, nodes] = [forZones ?? [], forNodes ?? []]
  if (zones.length > maxHints) return [fieldError.tooMany(path.child('forZones'), zones.length, maxHints)]
  const errors = validateHintNames(zones, path.child('forZones'), (name, at) =>
    validateLabelValue(name).map((detail) => fieldError.invalid(at, name, detail)),
  )
  if (nodes.length > maxHints) return [...errors, fieldError.tooMany(path.child('forNodes'), nodes.length, maxHints)]
  return [...errors, ...validateHintNames(nodes, path.child('forNodes'), subdomainErrors)]
}

function validateHintNames(
  hints: readonly { readonly name: string }[],
  path: FieldPath,
  validate: (name: string, path: FieldPath) => FieldError[],
): FieldError[] {
  const names = new Set<string>()
  return hints.flatMap(({ name = '' }, index) => {
    const at = path.index(index).child('name')
    const repeated = names.has(name) ? [fieldError.duplicate(at, name)] : []
    names.add(name)
    return [...repeated, ...validate(name, at)]
  })
}
