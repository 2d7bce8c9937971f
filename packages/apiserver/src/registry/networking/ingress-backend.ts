import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validatePathSegmentName, validatePortName, validatePortNumber } from 'steersman/api'
import type { TypedLocalObjectReference } from 'steersman/api/types/core/v1'
import type { IngressBackend, IngressServiceBackend } from 'steersman/api/types/networking/v1'
import { labelErrors, subdomainErrors } from '../shared/name-errors.js'

/** What is wrong with where an ingress sends requests to. */
export function validateBackend({ service, resource }: IngressBackend, path: FieldPath): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [fieldError.invalid(path, '', 'cannot set both resource and service backends')]
  }
  if (resource !== undefined) return validateResource(resource, path.child('resource'))
  if (service !== undefined) return validateService(service, path)
  return [fieldError.invalid(path, '', 'resource or service backend is required')]
}

function validateService(
  { name, port: { name: portName, number: portNumber } = {} }: IngressServiceBackend,
  path: FieldPath,
): FieldError[] {
  const at = path.child('service', 'name')
  const errors = name ? labelErrors(name, at) : [fieldError.required(at)]
  const portPath = path.child('service', 'port')
  if (portName && portNumber) errors.push(fieldError.invalid(path, '', 'cannot set both port name & port number'))
  else if (portName) {
    errors.push(...validatePortName(portName).map((detail) => fieldError.invalid(portPath.child('name'), portName, detail)))
  } else if (portNumber) {
    errors.push(...validatePortNumber(portNumber).map((detail) => fieldError.invalid(portPath.child('number'), portNumber, detail)))
  } else errors.push(fieldError.required(path, 'port name or number is required'))
  return errors
}

function validateResource({ apiGroup, kind, name }: TypedLocalObjectReference, path: FieldPath): FieldError[] {
  return [
    ...(apiGroup === undefined || apiGroup === null ? [] : subdomainErrors(apiGroup, path.child('apiGroup'))),
    ...(kind ? segmentErrors(kind, path.child('kind')) : [fieldError.required(path.child('kind'))]),
    ...(name ? segmentErrors(name, path.child('name')) : [fieldError.required(path.child('name'))]),
  ]
}

/** What is wrong with a name that only has to fit into a path. */
export function segmentErrors(name: string, path: FieldPath): FieldError[] {
  return validatePathSegmentName(name).map((detail) => fieldError.invalid(path, name, detail))
}
