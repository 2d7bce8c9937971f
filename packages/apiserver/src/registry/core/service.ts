import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label, validateQualifiedName } from 'steersman/api'
import type { ServicePort, ServiceSpec } from 'steersman/api/types/core/v1'
import { Service } from 'steersman/api/types/core/v1'
import { validateLabels } from '../metadata.js'
import { addressErrors, rangeErrors } from '../shared/address-validation.js'
import { labelErrors, subdomainErrors, validatePortNumberOrName } from '../shared/container-validation.js'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'
import { isIpv4 } from './ipv4.js'

const specPath = fieldPath('spec')
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const protocols = ['SCTP', 'TCP', 'UDP']
const trafficPolicies = ['Cluster', 'Local']

/** Services. Their addresses and node ports come from `ServiceAllocator`. */
export const serviceKind = defineKind(Service, {
  validateName: validateDns1123Label,
  default(service) {
    service.spec ??= {}
    const { spec } = service
    spec.sessionAffinity ||= 'None'
    if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
    if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
      spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } }
    }
    spec.type ||= 'ClusterIP'
    for (const port of spec.ports ?? []) {
      port.protocol ||= 'TCP'
      port.targetPort ||= port.port
    }
    if (isExternal(spec)) spec.externalTrafficPolicy ||= 'Cluster'
    if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ||= 'Cluster'
    if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
    service.status ??= { loadBalancer: {} }
    service.status.loadBalancer ??= {}
    for (const ingress of service.status.loadBalancer.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP'
  },
  prepareForCreate: (service) => dropByType(service.spec ?? {}, undefined),
  prepareForUpdate: (service, old) => dropByType(service.spec ?? {}, old.spec),
  validate: ({ spec }) => validateSpec(spec ?? {}),
  validateUpdate: ({ spec = {} }, { spec: old = {} }) => [...validateAddressKept(spec, old), ...validateSpec(spec)],
  warn: warnOfIgnored,
  allowCreateOnUpdate: true,
  selectableFields: { 'spec.clusterIP': ({ spec }) => spec?.clusterIP, 'spec.type': ({ spec }) => spec?.type },
  unknownField: unsupportedField,
  status: {
    initial: () => ({ loadBalancer: {} }),
    validateUpdate: ({ spec, status }) => validateIngress(spec ?? {}, status?.loadBalancer?.ingress ?? []),
  },
  deletion: { returnsObject: true },
})

/** Fields that say nothing for a service of this type. */
function warnOfIgnored({ spec = {} }: Service, warn: (text: string) => void): void {
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === 'None'
  const addresses = (spec.externalIPs ?? []).length > 0
  if (isHeadless) {
    if (spec.loadBalancerIP) warn('spec.loadBalancerIP is ignored for headless services')
    if (addresses) warn('spec.externalIPs is ignored for headless services')
    if (spec.sessionAffinity !== 'None') warn('spec.SessionAffinity is ignored for headless services')
  } else if (addresses && spec.type !== 'ExternalName') {
    warn('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  }
  if (spec.type === 'ExternalName' && addresses) warn('spec.externalIPs is ignored when spec.type is "ExternalName"')
  if (spec.type !== 'ExternalName' && spec.externalName) warn('spec.externalName is ignored when spec.type is not "ExternalName"')
}

function validateIngress({ type }: ServiceSpec, ingress: readonly { readonly ip?: string; readonly hostname?: string }[]): FieldError[] {
  const path = fieldPath('status', 'loadBalancer', 'ingress')
  if (type !== 'LoadBalancer' && ingress.length > 0) {
    return [fieldError.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  return ingress.flatMap(({ ip, hostname }, index) => [
    ...(ip ? addressErrors(ip, path.index(index).child('ip')) : []),
    ...(hostname ? subdomainErrors(hostname, path.index(index).child('hostname')) : []),
  ])
}

type SpecDraft = { -readonly [Field in keyof ServiceSpec]: ServiceSpec[Field] }

function isExternal(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' || spec.type === 'NodePort' || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0)
}

/** Whether services of this type have node ports. */
export function hasNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer'
}

/** Drops what the old type of the service had and the new one has not, unless the writer changed it. */
function dropByType(spec: object, old: ServiceSpec | undefined): void {
  const draft = spec as SpecDraft
  if (draft.type === 'ExternalName') {
    if (old !== undefined && old.type !== 'ExternalName') {
      if (draft.clusterIP === old.clusterIP) delete draft.clusterIP
      delete draft.clusterIPs
      delete draft.ipFamilies
      delete draft.ipFamilyPolicy
      delete draft.internalTrafficPolicy
    }
  }
  if (old === undefined) return
  if (hasNodePorts(old) && !hasNodePorts(draft) && draft.ports !== undefined) {
    const before = new Set(old.ports?.map(({ nodePort }) => nodePort))
    draft.ports = draft.ports.map((port) => {
      const { nodePort, ...rest } = port
      return before.has(nodePort) ? rest : port
    })
  }
  if (isExternal(old) && !isExternal(draft) && draft.externalTrafficPolicy === old.externalTrafficPolicy) delete draft.externalTrafficPolicy
  if (old.type === 'LoadBalancer' && draft.type !== 'LoadBalancer') delete draft.allocateLoadBalancerNodePorts
  if (draft.externalTrafficPolicy !== 'Local' || draft.type !== 'LoadBalancer') {
    if (draft.healthCheckNodePort === old.healthCheckNodePort) delete draft.healthCheckNodePort
  }
}

function validateSpec(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = []
  const headless = spec.clusterIP === 'None'
  if ((spec.ports ?? []).length === 0 && !headless && spec.type !== 'ExternalName')
    errors.push(fieldError.required(specPath.child('ports')))
  if (spec.type === 'ExternalName') errors.push(...validateExternalName(spec))
  if (hasNodePorts(spec) && headless) {
    const detail = `may not be set to 'None' for ${spec.type} services`
    errors.push(fieldError.invalid(specPath.child('clusterIPs').index(0), spec.clusterIP, detail))
  }
  errors.push(...validatePorts(spec, specPath.child('ports')), ...validateLabels(spec.selector, specPath.child('selector')))
  if (spec.sessionAffinity !== 'None' && spec.sessionAffinity !== 'ClientIP') {
    errors.push(fieldError.notSupported(specPath.child('sessionAffinity'), spec.sessionAffinity, ['ClientIP', 'None']))
  }
  errors.push(...validateAddresses(spec))
  if (!types.includes(spec.type ?? '')) errors.push(fieldError.notSupported(specPath.child('type'), spec.type, types))
  errors.push(...validateNodePorts(spec), ...validateDuplicatePorts(spec.ports ?? []))
  ;(spec.loadBalancerSourceRanges ?? []).forEach((range, index) => {
    errors.push(...rangeErrors(range.trim(), specPath.child('LoadBalancerSourceRanges').index(index)))
  })
  const { externalTrafficPolicy: policy } = spec
  if (policy && !trafficPolicies.includes(policy)) {
    errors.push(fieldError.notSupported(specPath.child('externalTrafficPolicy'), policy, trafficPolicies))
  }
  return errors
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const path = specPath.child('externalName')
  const { externalName = '' } = spec
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName
  const errors = externalName === '' ? [fieldError.required(path)] : subdomainErrors(name, path)
  if (spec.clusterIP) errors.push(fieldError.forbidden(specPath.child('clusterIPs'), 'may not be set for ExternalName services'))
  return errors
}

function validatePorts(spec: ServiceSpec, path: FieldPath): FieldError[] {
  const names = new Set<string>()
  const ports = spec.ports ?? []
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
    if (!protocols.includes(port.protocol ?? '')) errors.push(fieldError.notSupported(at.child('protocol'), port.protocol, protocols))
    errors.push(...validatePortNumberOrName(port.targetPort, at.child('targetPort')))
    if (port.appProtocol !== undefined) {
      for (const detail of validateQualifiedName(port.appProtocol))
        errors.push(fieldError.invalid(at.child('appProtocol'), port.appProtocol, detail))
    }
    return errors
  })
}

function validateAddresses(spec: ServiceSpec): FieldError[] {
  const address = spec.clusterIPs?.[0] ?? spec.clusterIP
  if (spec.type === 'ExternalName' || !address || address === 'None' || isIpv4(address) || address.includes(':')) return []
  const path = specPath.child('clusterIPs').index(0)
  return [fieldError.invalid(path, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

function validateNodePorts(spec: ServiceSpec): FieldError[] {
  if (hasNodePorts(spec)) return []
  const detail = `may not be used when \`type\` is '${spec.type}'`
  return (spec.ports ?? []).flatMap(({ nodePort }, index) =>
    nodePort && types.includes(spec.type ?? '')
      ? [fieldError.forbidden(specPath.child('ports').index(index).child('nodePort'), detail)]
      : [],
  )
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

function validateAddressKept(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (old.type === 'ExternalName' || spec.type === 'ExternalName' || !old.clusterIP || spec.clusterIP === old.clusterIP) return []
  return [fieldError.invalid(specPath.child('clusterIPs').index(0), spec.clusterIPs ?? [spec.clusterIP ?? ''], 'may not change once set')]
}

/** What this server, which knows one family of addresses, cannot give to a service that had something else. It is found before anything else. */
export function validateFamilies(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  // Who has neither an address nor a selector may say what it likes.
  if (spec.type === 'ExternalName' || (spec.clusterIP === 'None' && spec.selector === undefined)) return []
  const { ipFamilyPolicy: policy, ipFamilies: [family, ...others] = [] } = spec
  if (policy === 'RequireDualStack' && (policy !== old.ipFamilyPolicy || spec.clusterIP === 'None')) {
    const path = specPath.child('ipFamilies')
    return [
      fieldError.invalid(specPath.child('ipFamilyPolicy'), policy, 'this cluster is not configured for dual-stack services'),
      ...others.map((other, index) => fieldError.invalid(path.index(index + 1), other, 'not configured on this cluster')),
    ]
  }
  if (spec.clusterIP === 'None') return []
  if (family !== 'IPv6' || !spec.clusterIP || spec.clusterIP.includes(':')) return []
  return [
    fieldError.invalid(specPath.child('clusterIPs').index(0), spec.clusterIP, 'expected an IPv6 value as indicated by `ipFamilies[0]`'),
  ]
}
