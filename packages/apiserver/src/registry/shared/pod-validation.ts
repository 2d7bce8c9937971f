import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type { PodResourceClaim, PodSpec, PodTemplateSpec, Toleration } from 'steersman/api/types/core/v1'
import { validateAnnotations, validateLabels } from '../metadata.js'
import { addressErrors } from './address-validation.js'
import { validateRequiredChoice } from './choice.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './container-validation.js'
import { labelErrors, subdomainErrors } from './name-errors.js'
import { validatePodAnnotations, validateProfileAnnotations } from './pod-annotations.js'
import { validateContainerResources, validatePodResources } from './resource-validation.js'
import { validateAffinity, validateGates } from './scheduling-validation.js'
import { validatePodSecurityContext } from './security-context-validation.js'
import { validateSpread } from './spread-validation.js'
import { withStructValue } from './struct-value.js'
import { validateVolumes } from './volume-validation.js'
import { locatedContainers, validateHostProcess, validateOperatingSystem } from './windows-validation.js'

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const preemptionPolicies = ['PreemptLowerPriority', 'Never']
const maxInt32 = 2_147_483_647

/** What is wrong with a pod spec whose defaults are filled in. `podName`: that of the pod, if the spec is not that of a template. */
export function validatePodSpec(spec: PodSpec, path: FieldPath, podName?: string): FieldError[] {
  const { index: volumes, errors: volumeErrors } = validateVolumes(spec.volumes ?? [], podName, path.child('volumes'))
  const claimNames = new Set((spec.resourceClaims ?? []).flatMap(({ name }) => name || []))
  const scope = { spec, volumes, claimNames }
  return [
    ...volumeErrors,
    ...validateResourceClaims(spec.resourceClaims ?? [], path.child('resourceClaims')),
    ...validateContainers(scope, path.child('containers')),
    ...validateInitContainers(scope, path.child('initContainers')),
    ...validateEphemeralContainers(scope, path.child('ephemeralContainers')),
    ...validatePodResources(spec, claimNames, path.child('resources')),
    ...(spec.hostNetwork === true ? validateHostPortsOfNode(spec, podName !== undefined, path) : []),
    ...validateRequiredChoice(spec.restartPolicy, restartPolicies, path.child('restartPolicy')),
    ...validateRequiredChoice(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy')),
    ...validateLabels(spec.nodeSelector, path.child('nodeSelector')),
    ...validatePodSecurityContext(spec, path.child('securityContext')),
    ...validateProcessNamespace(spec, path.child('shareProcessNamespace')),
    ...validateAffinity(spec.affinity, path.child('affinity')),
    ...validateDnsConfig(spec, path.child('dnsConfig')),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) =>
      validateQualifiedName(conditionType).map((detail) =>
        fieldError.invalid(path.child('readinessGates').index(index).child('conditionType'), conditionType, detail),
      ),
    ),
    ...validateGates(spec.schedulingGates ?? [], path.child('schedulingGates')),
    ...validateSpread(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints')),
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostname(spec, path.child('hostnameOverride')),
    ...validateNames(spec, path),
    ...validateTolerations(spec.tolerations ?? [], path.child('tolerations')),
    ...validateHostAliases(spec, path.child('hostAliases')),
    ...(spec.priorityClassName ? subdomainErrors(spec.priorityClassName, path.child('priorityClassName')) : []),
    ...(spec.runtimeClassName === undefined ? [] : subdomainErrors(spec.runtimeClassName, path.child('runtimeClassName'))),
    ...(spec.preemptionPolicy === undefined
      ? []
      : validateRequiredChoice(spec.preemptionPolicy, preemptionPolicies, path.child('preemptionPolicy'))),
    ...validateContainerResources({ limits: spec.overhead ?? {} }, new Set(), path.child('overhead')),
    ...validateOperatingSystem(spec, path),
    ...validateFileVariables(spec, path),
  ]
}

function validateNames(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (spec.serviceAccountName) errors.push(...subdomainErrors(spec.serviceAccountName, path.child('serviceAccountName')))
  if (spec.nodeName) errors.push(...subdomainErrors(spec.nodeName, path.child('nodeName')))
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    errors.push(fieldError.invalid(path.child('activeDeadlineSeconds'), deadline, `must be between 1 and ${maxInt32}, inclusive`))
  }
  if (spec.hostname) errors.push(...labelErrors(spec.hostname, path.child('hostname')))
  if (spec.subdomain) errors.push(...labelErrors(spec.subdomain, path.child('subdomain')))
  return errors
}

function validateHostAliases({ hostAliases = [] }: PodSpec, path: FieldPath): FieldError[] {
  return hostAliases.flatMap(({ ip = '', hostnames = [] }, index) => {
    const at = path.index(index)
    const names = hostnames.flatMap((name, position) => subdomainErrors(name, at.child('hostnames').index(position)))
    return [...addressErrors(ip, at.child('ip')), ...names]
  })
}

function validateProcessNamespace({ shareProcessNamespace, hostPID }: PodSpec, path: FieldPath): FieldError[] {
  if (shareProcessNamespace !== true || hostPID !== true) return []
  return [fieldError.invalid(path, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
}

function validateResourceClaims(claims: readonly PodResourceClaim[], path: FieldPath): FieldError[] {
  const names = new Set<string>()
  return claims.flatMap((claim, index) => {
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim
    const at = path.index(index)
    const errors: FieldError[] = []
    if (name === '') errors.push(fieldError.required(at.child('name')))
    else if (names.has(name)) errors.push(fieldError.duplicate(at.child('name'), name))
    else errors.push(...labelErrors(name, at.child('name')))
    names.add(name)
    const shown = { Name: name, ResourceClaimName: resourceClaimName ?? null, ResourceClaimTemplateName: resourceClaimTemplateName ?? null }
    const refuse = (detail: string) => errors.push(withStructValue(fieldError.invalid(at, undefined, detail), shown))
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      refuse('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified')
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      refuse('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')
    }
    for (const [field, value] of Object.entries({ resourceClaimName, resourceClaimTemplateName })) {
      if (value !== undefined) errors.push(...subdomainErrors(value, at.child(field)))
    }
    return errors
  })
}

function validateHostUsers(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return []
  const detail = 'when `hostUsers` is false'
  const errors: FieldError[] = []
  if (spec.hostNetwork === true) errors.push(fieldError.forbidden(path.child('hostNetwork'), detail))
  if (spec.hostPID === true) errors.push(fieldError.forbidden(path.child('HostPID'), detail))
  if (spec.hostIPC === true) errors.push(fieldError.forbidden(path.child('HostIPC'), detail))
  for (const { container, path: at } of locatedContainers(spec, path)) {
    if ((container.volumeDevices ?? []).length > 0) errors.push(fieldError.forbidden(at.child('volumeDevices'), detail))
  }
  return errors
}

const longestHostname = 64

function validateHostname({ hostnameOverride: name, setHostnameAsFQDN, hostNetwork }: PodSpec, path: FieldPath): FieldError[] {
  if (name === undefined) return []
  const errors: FieldError[] = []
  if (setHostnameAsFQDN === true) errors.push(fieldError.forbidden(path, 'may not be specified when setHostnameAsFQDN is true'))
  if (hostNetwork === true) errors.push(fieldError.forbidden(path, 'may not be specified when hostNetwork is true'))
  if (name.length > longestHostname) errors.push(fieldError.tooLong(path, longestHostname))
  return [...errors, ...subdomainErrors(name, path)]
}

/** A file that variables are read from lies in a volume that is empty at first. */
function validateFileVariables(spec: PodSpec, path: FieldPath): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]))
  return locatedContainers(spec, path).flatMap(({ container, path: at }) =>
    (container.env ?? []).flatMap(({ valueFrom }, index) => {
      const volumeName = valueFrom?.fileKeyRef?.volumeName ?? ''
      const nameAt = at.child('env').index(index).child('valueFrom', 'fileKeyRef', 'volumeName')
      if (valueFrom?.fileKeyRef === undefined) return []
      const volume = volumes.get(volumeName)
      if (volume === undefined) return [fieldError.notFound(nameAt, volumeName)]
      return volume.emptyDir === undefined ? [fieldError.invalid(nameAt, volumeName, 'referenced volume must be of type emptyDir')] : []
    }),
  )
}

/** On the network of its node a container has the ports that it says and no others. A pod has to say so, a template may leave it out. */
function validateHostPortsOfNode(spec: PodSpec, isPod: boolean, path: FieldPath): FieldError[] {
  const detail = 'must match `containerPort` when `hostNetwork` is true'
  return (spec.containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, position) => {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return []
      const at = path.child('containers').index(index).child('ports').index(position).child('hostPort')
      return [fieldError.invalid(at, hostPort, detail)]
    }),
  )
}

function validateDnsConfig({ dnsConfig, dnsPolicy }: PodSpec, path: FieldPath): FieldError[] {
  const { nameservers = [] } = dnsConfig ?? {}
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [fieldError.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    if (nameservers.length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
      return [fieldError.required(path.child('nameservers'), detail)]
    }
  }
  const { searches = [], options = [] } = dnsConfig ?? {}
  const errors: FieldError[] = []
  const tooMany = (field: 'nameservers' | 'searches', detail: string) =>
    errors.push(fieldError.invalid(path.child(field), dnsConfig?.[field], `must not have more than ${detail}`))
  if (nameservers.length > mostNameservers) tooMany('nameservers', `${mostNameservers} nameservers`)
  errors.push(...nameservers.flatMap((address, index) => addressErrors(address, path.child('nameservers').index(index))))
  if (searches.length > mostSearches) tooMany('searches', `${mostSearches} search paths`)
  if (searches.join(' ').length > longestSearches) {
    tooMany('searches', `${longestSearches} characters (including spaces) in the search list`)
  }
  for (const [index, search] of searches.entries()) {
    if (search !== '.') errors.push(...searchErrors(search.replace(/\.$/, ''), path.child('searches').index(index)))
  }
  for (const [index, { name }] of options.entries()) {
    if (!name) errors.push(fieldError.required(path.child('options').index(index), 'must not be empty'))
  }
  return errors
}

const mostNameservers = 3
const mostSearches = 32
const longestSearches = 2048
const searchPattern = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*'

/** What is wrong with a domain to search in, which may have underscores. */
function searchErrors(domain: string, path: FieldPath): FieldError[] {
  const errors = domain.length > 253 ? [fieldError.invalid(path, domain, 'must be no more than 253 bytes')] : []
  if (new RegExp(`^${searchPattern}$`).test(domain)) return errors
  const detail = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchPattern}')`
  return [...errors, fieldError.invalid(path, domain, detail)]
}

/** What is wrong with the template of a controller that keeps its pods running. */
export function validatePodTemplate(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const errors = [
    ...validateLabels(template.metadata?.labels, path.child('labels')),
    ...validateAnnotations(template.metadata?.annotations, path.child('annotations')),
    ...validatePodAnnotations(template.metadata?.annotations, template.spec, path.child('annotations')),
    ...validatePodSpec(template.spec ?? { containers: [] }, path.child('spec')),
    ...validateProfileAnnotations(template.metadata?.annotations, template.spec, path.child('spec')),
  ]
  if ((template.spec?.ephemeralContainers ?? []).length > 0) {
    errors.push(fieldError.forbidden(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'))
  }
  return errors
}

/** What only holds for templates of controllers that keep their pods running. */
export function validateRestartingTemplate(template: PodTemplateSpec, path: FieldPath, controller: string): FieldError[] {
  const errors: FieldError[] = []
  const policy = template.spec?.restartPolicy
  if (policy !== 'Always') errors.push(fieldError.notSupported(path.child('spec', 'restartPolicy'), policy, ['Always']))
  if (template.spec?.activeDeadlineSeconds !== undefined) {
    errors.push(
      fieldError.forbidden(path.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${controller} is not Supported`),
    )
  }
  return errors
}

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** What is wrong with the taints that pods bear. */
export function validateTolerations(tolerations: readonly Toleration[], path: FieldPath): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = path.index(index)
    const { key = '', operator = '', value = '', effect = '' } = toleration
    const errors = key === '' ? [] : validateQualifiedName(key).map((detail) => fieldError.invalid(at.child('key'), key, detail))
    if (key === '' && operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      errors.push(fieldError.invalid(at.child('operator'), operator, detail))
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.push(fieldError.invalid(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"))
    }
    if (operator === 'Equal' || operator === '') {
      const details = validateLabelValue(value)
      if (details.length > 0) errors.push(fieldError.invalid(at.child('operator'), value, details.join(';')))
    } else if (operator === 'Exists') {
      if (value !== '') errors.push(fieldError.invalid(at.child('operator'), value, "value must be empty when `operator` is 'Exists'"))
    } else {
      // Comparisons are behind a feature that is off, and still told of.
      const known = ['Equal', 'Exists', ...(operator === 'Lt' || operator === 'Gt' ? ['Lt', 'Gt'] : [])]
      errors.push(fieldError.notSupported(at.child('operator'), operator, known))
    }
    if (effect !== '' && !taintEffects.includes(effect)) {
      errors.push(fieldError.notSupported(at.child('effect'), effect, taintEffects))
    }
    return errors
  })
}
