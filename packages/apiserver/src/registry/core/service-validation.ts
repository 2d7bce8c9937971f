import type { FieldError, FieldPath, ObjectMeta } from 'steersman/api'
import { fieldError, fieldPath, validateQualifiedName } from 'steersman/api'
import type { LoadBalancerIngress, Service, ServicePort, ServiceSpec } from 'steersman/api/types/core/v1'
import { isIP } from '../../schema/index.js'
import { validateLabels } from '../metadata.js'
import { addressErrors, endpointAddressErrors, rangeErrors } from '../shared/address-validation.js'
import { validateChoice, validateRequiredChoice } from '../shared/choice.js'
import { labelErrors, subdomainErrors } from '../shared/name-errors.js'
import { protocols, validatePortNumberOrName } from '../shared/port-errors.js'
import { validateClusterAddresses } from './service-families.js'

const specPath = fieldPath('spec')
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const trafficPolicies = ['Cluster', 'Local']
const trafficDistributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
const maxAffinitySeconds = 86_400
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'"

/** Whether something outside the cluster can reach the service. */
export function isExternal(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' || spec.type === 'NodePort' || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0)
}

/** Whether a load balancer asks the service for its health on a port of its own. */
function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

/** Whether a service has no address of its own. */
export function isHeadless({ type, clusterIP }: ServiceSpec): boolean {
  return type === 'ClusterIP' && clusterIP === 'None'
}

/** What is wrong with a service whose addresses and ports are allocated. */
export function validateService({ metadata, spec = {} }: Service): FieldError[] {
  const errors: FieldError[] = []
  if ((spec.ports ?? []).length === 0 && spec.clusterIP !== 'None' && spec.type !== 'ExternalName') {
    errors.push(fieldError.required(specPath.child('ports')))
  }
  errors.push(...validateByType(spec), ...validatePorts(spec.ports ?? [], specPath.child('ports')))
  errors.push(...validateLabels(spec.selector, specPath.child('selector')), ...validateAffinity(spec))
  errors.push(...validateClusterAddresses(spec), ...validateExternalAddresses(spec.externalIPs ?? []))
  errors.push(...validateRequiredChoice(spec.type, types, specPath.child('type')))
  errors.push(...validateNodePorts(spec), ...validateDuplicatePorts(spec.ports ?? []))
  return [...errors, ...validateBalancing(spec, metadata), ...validateTraffic(spec)]
}

/** What is wrong with a service as a successor of another one, beside what is wrong with it by itself. */
export function validateServiceKept(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const errors = validateAddressKept(spec, old)
  const areBalanced = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer'
  if (areBalanced && spec.loadBalancerClass !== old.loadBalancerClass) {
    errors.push(fieldError.invalid(specPath.child('loadBalancerClass'), spec.loadBalancerClass ?? null, 'may not change once set'))
  }
  const areChecked = needsHealthCheck(spec) && needsHealthCheck(old)
  if (areChecked && spec.healthCheckNodePort !== old.healthCheckNodePort) {
    errors.push(fieldError.forbidden(specPath.child('healthCheckNodePort'), 'field is immutable'))
  }
  return errors
}

function validateAddressKept(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (old.type === 'ExternalName' || spec.type === 'ExternalName' || !old.clusterIP || spec.clusterIP === old.clusterIP) return []
  return [fieldError.invalid(specPath.child('clusterIPs').index(0), spec.clusterIPs ?? [spec.clusterIP ?? ''], 'may not change once set')]
}

/** What is wrong with what a load balancer made of a service. */
export function validateLoadBalancerStatus({ type }: ServiceSpec, ingress: readonly LoadBalancerIngress[]): FieldError[] {
  const path = fieldPath('status', 'loadBalancer', 'ingress')
  if (type !== 'LoadBalancer' && ingress.length > 0) {
    return [fieldError.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  return ingress.flatMap(({ ip, ipMode, hostname }, index) => {
    const at = path.index(index)
    const errors = ip ? addressErrors(ip, at.child('ip')) : []
    if (ip && ipMode === undefined) errors.push(fieldError.required(at.child('ipMode'), 'must be specified when `ip` is set'))
    if (!ip && ipMode !== undefined) errors.push(fieldError.forbidden(at.child('ipMode'), 'may not be specified when `ip` is not set'))
    if (ip) errors.push(...validateChoice(ipMode, ['Proxy', 'VIP'], at.child('ipMode')))
    if (!hostname) return errors
    errors.push(...subdomainErrors(hostname, at.child('hostname')))
    if (isIP(hostname)) errors.push(fieldError.invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'))
    return errors
  })
}

function validateByType(spec: ServiceSpec): FieldError[] {
  const { type, clusterIP, clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = '' } = spec
  if (type === 'LoadBalancer' || type === 'NodePort') {
    if (clusterIP !== 'None') return []
    return [fieldError.invalid(specPath.child('clusterIPs').index(0), clusterIP, `may not be set to 'None' for ${type} services`)]
  }
  if (type !== 'ExternalName') return []
  const refuse = (field: string) => fieldError.forbidden(specPath.child(field), 'may not be set for ExternalName services')
  const errors: FieldError[] = []
  if (clusterIPs.length > 0 || clusterIP) errors.push(refuse('clusterIPs'))
  if (ipFamilies.length > 0) errors.push(refuse('ipFamilies'))
  if (ipFamilyPolicy !== undefined) errors.push(refuse('ipFamilyPolicy'))
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName
  const path = specPath.child('externalName')
  return [...errors, ...(name === '' ? [fieldError.required(path)] : subdomainErrors(name, path))]
}

function validatePorts(ports: readonly ServicePort[], path: FieldPath): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, index) => {
    const at = path.index(index)
    const errors: FieldError[] = []
    if (!port.name) {
      if (ports.length > 1) errors.push(fieldError.required(at.child('name')))
    } else {
      errors.push(...labelErrors(port.name, at.child('name')))
      if (names.has(port.name)) errors.push(fieldError.duplicate(at.child('name'), port.name))
      names.add(port.name)
    }
    errors.push(...validatePortNumberOrName(port.port ?? 0, at.child('port')))
    errors.push(...validateRequiredChoice(port.protocol, protocols, at.child('protocol')))
    errors.push(...validatePortNumberOrName(port.targetPort, at.child('targetPort')))
    for (const detail of port.appProtocol === undefined ? [] : validateQualifiedName(port.appProtocol)) {
      errors.push(fieldError.invalid(at.child('appProtocol'), port.appProtocol, detail))
    }
    return errors
  })
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const errors = validateRequiredChoice(sessionAffinity, ['ClientIP', 'None'], specPath.child('sessionAffinity'))
  const path = specPath.child('sessionAffinityConfig')
  if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined) {
    errors.push(fieldError.forbidden(path, 'must not be set when session affinity is None'))
  }
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds
  if (sessionAffinity !== 'ClientIP' || seconds === undefined || (seconds > 0 && seconds <= maxAffinitySeconds)) return errors
  const detail = `must be greater than 0 and less than ${maxAffinitySeconds}`
  return [...errors, fieldError.invalid(path.child('clientIP', 'timeoutSeconds'), seconds, detail)]
}

function validateExternalAddresses(addresses: readonly string[]): FieldError[] {
  return addresses.flatMap((address, index) => {
    const path = specPath.child('externalIPs').index(index)
    const errors = addressErrors(address, path)
    return errors.length > 0 ? errors : endpointAddressErrors(address, path)
  })
}

function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const seen = new Set<string>()
  const portPath = (index: number) => specPath.child('ports').index(index).child('nodePort')
  const misplaced = ports.flatMap(({ nodePort }, index) =>
    nodePort && type === 'ClusterIP' ? [fieldError.forbidden(portPath(index), "may not be used when `type` is 'ClusterIP'")] : [],
  )
  const duplicates = ports.flatMap(({ nodePort, protocol }, index) => {
    const key = `${protocol}/${nodePort}`
    if (!nodePort || !seen.has(key)) {
      seen.add(key)
      return []
    }
    return [fieldError.duplicate(portPath(index), nodePort)]
  })
  return [...misplaced, ...duplicates]
}

function validateDuplicatePorts(ports: readonly ServicePort[]): FieldError[] {
  const seen = new Set<string>()
  return ports.flatMap(({ protocol, port = 0 }, index) => {
    const key = `${protocol}/${port}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    // The message shows the whole of Go's struct, in its order.
    const text = `{"Name":"","Protocol":"${protocol}","AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`
    const error = fieldError.duplicate(specPath.child('ports').index(index), undefined)
    return [{ ...error, detail: text }]
  })
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'

/** What is wrong with what a load balancer is told. */
function validateBalancing(spec: ServiceSpec, { annotations }: ObjectMeta): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [], loadBalancerClass: name } = spec
  const isBalanced = spec.type === 'LoadBalancer'
  const errors: FieldError[] = []
  const forOthers = (path: FieldPath) => (isBalanced ? [] : [fieldError.forbidden(path, onlyForLoadBalancers)])
  const annotated = annotations?.[rangesAnnotation]?.trim()
  if (ranges.length > 0) {
    const path = specPath.child('LoadBalancerSourceRanges')
    errors.push(...forOthers(path), ...ranges.flatMap((range, index) => rangeErrors(range.trim(), path.index(index))))
  } else if (annotated !== undefined) {
    const path = fieldPath('metadata', 'annotations').key(rangesAnnotation)
    errors.push(...forOthers(path))
    if (annotated !== '') errors.push(...annotated.split(',').flatMap((range) => rangeErrors(range.trim(), path)))
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined) errors.push(...forOthers(specPath.child('allocateLoadBalancerNodePorts')))
  if (name === undefined) return errors
  const path = specPath.child('loadBalancerClass')
  errors.push(...forOthers(path))
  return isBalanced ? [...errors, ...validateQualifiedName(name).map((detail) => fieldError.invalid(path, name, detail))] : errors
}

function validateTraffic(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: policy, healthCheckNodePort: port } = spec
  const policyPath = specPath.child('externalTrafficPolicy')
  const errors: FieldError[] = []
  if (isExternal(spec)) errors.push(...validateRequiredChoice(policy, trafficPolicies, policyPath))
  else if (policy) errors.push(fieldError.invalid(policyPath, policy, 'may only be set for externally-accessible services'))
  if (port && !needsHealthCheck(spec)) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    errors.push(fieldError.invalid(specPath.child('healthCheckNodePort'), port, detail))
  }
  errors.push(...validateChoice(spec.internalTrafficPolicy, trafficPolicies, specPath.child('internalTrafficPolicy')))
  return [...errors, ...validateChoice(spec.trafficDistribution, trafficDistributions, specPath.child('trafficDistribution'))]
}
