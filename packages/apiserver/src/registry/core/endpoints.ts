import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validatePortNumber, validateQualifiedName } from 'steersman/api'
import type { EndpointAddress, EndpointPort, EndpointSubset } from 'steersman/api/types/core/v1'
import { Endpoints } from 'steersman/api/types/core/v1'
import { addressErrors, endpointAddressErrors, warnOfAddress } from '../shared/address-validation.js'
import { labelErrors, subdomainErrors } from '../shared/name-errors.js'
import { protocols } from '../shared/port-errors.js'
import { isSameValue } from '../shared/same-value.js'
import { defineKind } from '../strategy.js'

const subsetsPath = fieldPath('subsets')
const addressFields = ['addresses', 'notReadyAddresses'] as const

/** Endpoints, which endpoint slices have replaced. */
export const endpointsKind = defineKind(Endpoints, {
  validateName: validateDns1123Subdomain,
  allowCreateOnUpdate: true,
  default({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP'
  },
  validate: ({ subsets }) => validateSubsets(subsets ?? []),
  validateUpdate: ({ subsets }, old) => (isSameValue(subsets ?? [], old.subsets ?? []) ? [] : validateSubsets(subsets ?? [])),
  warn({ metadata, subsets }, warn) {
    if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return
    for (const [index, subset] of (subsets ?? []).entries()) {
      for (const field of addressFields) {
        const path = subsetsPath.index(index).child(field)
        for (const [position, { ip }] of (subset[field] ?? []).entries()) warnOfAddress(ip, path.index(position).child('ip'), warn)
      }
    }
  },
})

function validateSubsets(subsets: readonly EndpointSubset[]): FieldError[] {
  return subsets.flatMap((subset, index) => {
    const path = subsetsPath.index(index)
    const ports = subset.ports ?? []
    const addresses = addressFields.flatMap((field) =>
      (subset[field] ?? []).map((address, position) => ({ address, at: path.child(field).index(position) })),
    )
    return [
      ...(addresses.length > 0 ? [] : [fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`')]),
      ...addresses.flatMap(({ address, at }) => validateAddress(address, at)),
      ...ports.flatMap((port, position) => validatePort(port, ports.length > 1, path.child('ports').index(position))),
    ]
  })
}

function validateAddress({ ip = '', hostname, nodeName }: EndpointAddress, path: FieldPath): FieldError[] {
  return [
    ...addressErrors(ip, path.child('ip')),
    ...(hostname ? labelErrors(hostname, path.child('hostname')) : []),
    ...(nodeName === undefined ? [] : subdomainErrors(nodeName, path.child('nodeName'))),
    ...endpointAddressErrors(ip, path.child('ip')),
  ]
}

function validatePort({ name, port = 0, protocol = '', appProtocol }: EndpointPort, needsName: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (name) errors.push(...labelErrors(name, path.child('name')))
  else if (needsName) errors.push(fieldError.required(path.child('name')))
  errors.push(...validatePortNumber(port).map((detail) => fieldError.invalid(path.child('port'), port, detail)))
  if (!protocols.includes(protocol)) errors.push(fieldError.notSupported(path.child('protocol'), protocol, protocols))
  for (const detail of appProtocol === undefined ? [] : validateQualifiedName(appProtocol)) {
    errors.push(fieldError.invalid(path.child('appProtocol'), appProtocol, detail))
  }
  return errors
}
