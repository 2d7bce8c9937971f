import { validateDns1123Label } from 'steersman/api'
import type { ServiceSpec } from 'steersman/api/types/core/v1'
import { Service } from 'steersman/api/types/core/v1'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'
import { isExternal, validateLoadBalancerStatus, validateService, validateServiceKept } from './service-validation.js'

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
  prepareForUpdate(service, old) {
    dropByType(service.spec ?? {}, old.spec)
    // Taking a load balancer down takes a while, but nobody has to see that.
    if (service.spec?.type !== 'LoadBalancer') service.status = { ...service.status, loadBalancer: {} }
  },
  validate: validateService,
  validateUpdate: (service, old) => [...validateServiceKept(service.spec ?? {}, old.spec ?? {}), ...validateService(service)],
  warn: warnOfIgnored,
  allowCreateOnUpdate: true,
  selectableFields: { 'spec.clusterIP': ({ spec }) => spec?.clusterIP, 'spec.type': ({ spec }) => spec?.type },
  unknownField: unsupportedField,
  status: {
    initial: () => ({ loadBalancer: {} }),
    validateUpdate: ({ spec, status }) => validateLoadBalancerStatus(spec ?? {}, status?.loadBalancer?.ingress ?? []),
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
  if (spec.trafficDistribution === 'PreferClose') {
    warn('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  }
}

type SpecDraft = { -readonly [Field in keyof ServiceSpec]: ServiceSpec[Field] }

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
  if (old.type === 'LoadBalancer' && draft.type !== 'LoadBalancer' && draft.loadBalancerClass === old.loadBalancerClass) {
    delete draft.loadBalancerClass
  }
  if (isExternal(old) && !isExternal(draft) && draft.externalTrafficPolicy === old.externalTrafficPolicy) delete draft.externalTrafficPolicy
  if (old.type === 'LoadBalancer' && draft.type !== 'LoadBalancer') delete draft.allocateLoadBalancerNodePorts
  if (draft.externalTrafficPolicy !== 'Local' || draft.type !== 'LoadBalancer') {
    if (draft.healthCheckNodePort === old.healthCheckNodePort) delete draft.healthCheckNodePort
  }
}
