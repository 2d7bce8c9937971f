import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type { EnvVar, PodSpec, PodTemplateSpec, ResourceRequirements, Toleration, Volume } from 'steersman/api/types/core/v1'
import { validateAnnotations, validateLabels } from '../metadata.js'
import { addressErrors } from './address-validation.js'
import { labelErrors, subdomainErrors, validateContainers, validateInitContainers } from './container-validation.js'
import { validatePodAnnotations } from './pod-annotations.js'
import { amountOf } from './quantity.js'
import { validateAffinity, validateGates, validateSpread } from './scheduling-validation.js'

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const maxInt32 = 2_147_483_647

/** What is wrong with a pod spec whose defaults are filled in. */
export function validatePodSpec(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const { volumeNames, errors: volumeErrors } = validateVolumes(spec.volumes ?? [], path.child('volumes'))
  errors.push(...volumeErrors)
  const containers = spec.containers ?? []
  errors.push(...validateContainers(containers, { volumeNames }, path.child('containers')))
  errors.push(...validateInitContainers(spec.initContainers ?? [], containers, { volumeNames }, path.child('initContainers')))
  if (spec.hostNetwork === true) errors.push(...validateHostPortsOfNode(spec, path))
  errors.push(...oneOf(spec.restartPolicy, restartPolicies, path.child('restartPolicy')))
  errors.push(...oneOf(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy')))
  errors.push(...validateLabels(spec.nodeSelector, path.child('nodeSelector')))
  errors.push(...validateAffinity(spec.affinity, path.child('affinity')))
  errors.push(...validateDnsConfig(spec, path.child('dnsConfig')))
  errors.push(...validateGates(spec.schedulingGates ?? [], path.child('schedulingGates')))
  errors.push(...validateSpread(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints')))
  if (spec.serviceAccountName) errors.push(...subdomainErrors(spec.serviceAccountName, path.child('serviceAccountName')))
  if (spec.nodeName) errors.push(...subdomainErrors(spec.nodeName, path.child('nodeName')))
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    errors.push(fieldError.invalid(path.child('activeDeadlineSeconds'), deadline, `must be between 1 and ${maxInt32}, inclusive`))
  }
  if (spec.hostname) errors.push(...labelErrors(spec.hostname, path.child('hostname')))
  if (spec.subdomain) errors.push(...labelErrors(spec.subdomain, path.child('subdomain')))
  errors.push(...validateTolerations(spec.tolerations ?? [], path.child('tolerations')))
  ;(spec.hostAliases ?? []).forEach(({ ip = '', hostnames = [] }, index) => {
    const at = path.child('hostAliases').index(index)
    errors.push(...addressErrors(ip, at.child('ip')))
    errors.push(...hostnames.flatMap((name, position) => subdomainErrors(name, at.child('hostnames').index(position))))
  })
  if (spec.priorityClassName) errors.push(...subdomainErrors(spec.priorityClassName, path.child('priorityClassName')))
  return errors
}

/** On the network of its node a container has the ports that it says and no others. */
function validateHostPortsOfNode(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  for (const field of ['containers', 'initContainers'] as const) {
    for (const [index, { ports = [] }] of (spec[field] ?? []).entries()) {
      for (const [position, { hostPort, containerPort }] of ports.entries()) {
        if (!hostPort || hostPort === containerPort) continue
        const at = path.child(field).index(index).child('ports').index(position).child('hostPort')
        errors.push(fieldError.invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true'))
      }
    }
  }
  return errors
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
  return nameservers.flatMap((address, index) => addressErrors(address, path.child('nameservers').index(index)))
}

/** What is wrong with the template of a controller that keeps its pods running. */
export function validatePodTemplate(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const errors = [
    ...validateLabels(template.metadata?.labels, path.child('labels')),
    ...validateAnnotations(template.metadata?.annotations, path.child('annotations')),
    ...validatePodAnnotations(template.metadata?.annotations, template.spec, path.child('annotations')),
    ...validatePodSpec(template.spec ?? { containers: [] }, path.child('spec')),
  ]
  if ((template.spec?.ephemeralContainers ?? []).length > 0) {
    errors.push(fieldError.forbidden(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'))
  }
  return errors
}

/** Says what is right in a pod, or in the template of one, but hardly meant. `path`: where the spec is. */
export function warnOfPodSpec(spec: PodSpec | undefined, path: string, warn: (text: string) => void): void {
  for (const [index, { name }] of (spec?.imagePullSecrets ?? []).entries()) {
    if (!name) warn(`${path}.imagePullSecrets[${index}].name: invalid empty name ""`)
  }
  for (const field of ['initContainers', 'containers'] as const) {
    for (const [index, { env = [], resources }] of (spec?.[field] ?? []).entries()) {
      const at = `${path}.${field}[${index}]`
      warnOfFractions(resources, at, warn)
      warnOfHiddenVariables(env, at, warn)
    }
  }
  if ((spec?.terminationGracePeriodSeconds ?? 0) < 0) {
    warn(`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`)
  }
}

/** There is no part of a byte. */
function warnOfFractions(resources: ResourceRequirements | undefined, path: string, warn: (text: string) => void): void {
  for (const name of ['memory', 'ephemeral-storage']) {
    for (const field of ['limits', 'requests'] as const) {
      const quantity = resources?.[field]?.[name]
      if (quantity === undefined || (amountOf(quantity) ?? 0n) % 1_000_000_000n === 0n) continue
      warn(`${path}.resources.${field}[${name}]: fractional byte value "${quantity}" is invalid, must be an integer`)
    }
  }
}

/** A variable may build on an earlier one of its name; else it hides it. */
function warnOfHiddenVariables(variables: readonly EnvVar[], path: string, warn: (text: string) => void): void {
  const seen = new Set<string>()
  for (const [index, { name, value = '' }] of variables.entries()) {
    const reference = `$(${name})`
    if (seen.has(name) && (value === reference || !value.includes(reference))) {
      warn(`${path}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`)
    }
    seen.add(name)
  }
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

function oneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  if (!value) return [fieldError.required(path)]
  return supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)]
}

/** The order in which the real server looks at the sources of a volume: all but the first are one too many. */
const volumeSources: readonly string[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
]

function validateVolumes(
  volumes: readonly Volume[],
  path: FieldPath,
): { readonly volumeNames: Set<string>; readonly errors: FieldError[] } {
  const volumeNames = new Set<string>()
  const errors: FieldError[] = []
  volumes.forEach((volume, index) => {
    const at = path.index(index)
    const found: FieldError[] = []
    const sources = Object.keys(volume).filter((key) => key !== 'name')
    sources.sort((a, b) => volumeSources.indexOf(a) - volumeSources.indexOf(b))
    if (sources.length === 0) found.push(fieldError.required(at, 'must specify a volume type'))
    for (const extra of sources.slice(1)) found.push(fieldError.forbidden(at.child(extra), 'may not specify more than 1 volume type'))
    found.push(...validateVolumeSource(volume, at))
    if (!volume.name) found.push(fieldError.required(at.child('name')))
    else found.push(...labelErrors(volume.name, at.child('name')))
    if (volumeNames.has(volume.name)) found.push(fieldError.duplicate(at.child('name'), volume.name))
    if (found.length === 0) volumeNames.add(volume.name)
    errors.push(...found)
  })
  return { volumeNames, errors }
}

function validateVolumeSource(volume: Volume, path: FieldPath): FieldError[] {
  return [...validateReference(volume, path), ...validateModes(volume, path)]
}

const mostMode = 0o777

function validateModes(volume: Volume, path: FieldPath): FieldError[] {
  const detail = 'must be a number between 0 and 0777 (octal), both inclusive'
  return (['secret', 'configMap', 'downwardAPI', 'projected'] as const).flatMap((source) => {
    const mode = volume[source]?.defaultMode
    if (mode === undefined || (mode >= 0 && mode <= mostMode)) return []
    return [fieldError.invalid(path.child(source, 'defaultMode'), mode, detail)]
  })
}

function validateReference(volume: Volume, path: FieldPath): FieldError[] {
  if (volume.secret !== undefined && !volume.secret.secretName) return [fieldError.required(path.child('secret', 'secretName'))]
  if (volume.configMap !== undefined && !volume.configMap.name) return [fieldError.required(path.child('configMap', 'name'))]
  if (volume.hostPath !== undefined && !volume.hostPath.path) return [fieldError.required(path.child('hostPath', 'path'))]
  const claim = volume.persistentVolumeClaim
  if (claim !== undefined && !claim.claimName) return [fieldError.required(path.child('persistentVolumeClaim', 'claimName'))]
  return []
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
    } else errors.push(fieldError.notSupported(at.child('operator'), operator, ['Equal', 'Exists']))
    if (effect !== '' && !taintEffects.includes(effect)) {
      errors.push(fieldError.notSupported(at.child('effect'), effect, taintEffects))
    }
    return errors
  })
}
