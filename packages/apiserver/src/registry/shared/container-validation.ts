import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validatePortName } from 'steersman/api'
import type { Container, ContainerPort, ContainerResizePolicy, EphemeralContainer, PodSpec } from 'steersman/api/types/core/v1'
import { validateRequiredChoice } from './choice.js'
import { validateEnvironment, validateEnvironmentSources } from './environment-validation.js'
import { validateHandlers } from './handler-validation.js'
import { validateMounts } from './mount-validation.js'
import { labelErrors } from './name-errors.js'
import { portErrors, protocols } from './port-errors.js'
import { validateContainerResources } from './resource-validation.js'
import { validateRestartRules } from './restart-rules.js'
import { validateSecurityContext } from './security-context-validation.js'
import type { VolumeIndex } from './volume-validation.js'

/** What containers of one pod are checked against. */
export interface ContainerScope {
  readonly spec: PodSpec
  readonly volumes: VolumeIndex
  readonly claimNames: ReadonlySet<string>
}

/** The values in kube-apiserver's order. */
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const resizableResources = ['cpu', 'memory']
const resizePolicies = ['NotRequired', 'RestartContainer']

/** What is wrong with the regular containers of a pod. */
export function validateContainers(scope: ContainerScope, path: FieldPath): FieldError[] {
  const { containers = [] } = scope.spec
  if (containers.length === 0) return [fieldError.required(path)]
  const names = new Set<string>()
  const errors = containers.flatMap((container, index) => {
    const at = path.index(index)
    return [
      ...validateContainer(container, scope, at),
      ...duplicateName(container, names, at, true),
      ...validateHandlers(container, scope.spec.terminationGracePeriodSeconds, at),
      ...validateRestartRules(container, at),
    ]
  })
  return [...errors, ...validateHostPorts(containers, path)]
}

/** What is wrong with the init containers of a pod. */
export function validateInitContainers(scope: ContainerScope, path: FieldPath): FieldError[] {
  const names = new Set((scope.spec.containers ?? []).map(({ name }) => name))
  return (scope.spec.initContainers ?? []).flatMap((container, index) => {
    const at = path.index(index)
    const isSidecar = container.restartPolicy === 'Always'
    return [
      ...validateContainer(container, scope, at),
      ...validateRestartRules(container, at),
      ...duplicateName(container, names, at),
      ...validateHostPorts([container], path),
      ...(isSidecar ? validateHandlers(container, scope.spec.terminationGracePeriodSeconds, at) : forbidHandlers(container, at)),
      ...(isSidecar ? [] : forbidRestarts(container.resizePolicy ?? [], at.child('resizePolicy'))),
    ]
  })
}

const notForEphemeral = [
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
] as const

/** What is wrong with the containers that were added to a pod that runs. */
export function validateEphemeralContainers(scope: ContainerScope, path: FieldPath): FieldError[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = scope.spec
  const others = new Set([...containers, ...initContainers].map(({ name }) => name))
  const names = new Set(others)
  return ephemeralContainers.flatMap((container, index) => {
    const at = path.index(index)
    const errors = [...validateContainer(container as Container, scope, at), ...imageErrors(container, at)]
    errors.push(...duplicateName(container, names, at, true))
    const target = container.targetContainerName
    if (target && !others.has(target)) errors.push(fieldError.notFound(at.child('targetContainerName'), target))
    for (const field of notForEphemeral) {
      if (isNotSet(container[field], field)) continue
      errors.push(fieldError.forbidden(at.child(field), 'cannot be set for an Ephemeral Container'))
    }
    for (const [position, mount] of (container.volumeMounts ?? []).entries()) {
      const fields = (['subPath', 'subPathExpr'] as const).filter((field) => mount[field])
      const mountAt = at.child('volumeMounts').index(position)
      errors.push(...fields.map((field) => fieldError.forbidden(mountAt.child(field), 'cannot be set for an Ephemeral Container')))
    }
    return errors
  })
}

/** Whether a field is what it is without being mentioned: only what a container uses is there then, and empty. */
function isNotSet(value: object | string | undefined, field: keyof EphemeralContainer): boolean {
  return !value || (field === 'resources' && Object.keys(value).length === 0)
}

/** What is wrong with the image of a container, in pods only: templates of old have spaces around it. */
export function imageErrors({ image = '' }: Pick<EphemeralContainer, 'image'>, path: FieldPath): FieldError[] {
  if (image === image.trim()) return []
  return [fieldError.invalid(path.child('image'), image, 'must not have leading or trailing whitespace')]
}

/** `counts`: whether to have no name is to have the same. */
function duplicateName({ name = '' }: Pick<Container, 'name'>, names: Set<string>, path: FieldPath, counts = false): FieldError[] {
  if (names.has(name)) return [fieldError.duplicate(path.child('name'), name)]
  if (name !== '' || counts) names.add(name)
  return []
}

function forbidHandlers(container: Container, path: FieldPath): FieldError[] {
  const detail = 'may not be set for init containers without restartPolicy=Always'
  const fields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const
  return fields.filter((field) => container[field] !== undefined).map((field) => fieldError.forbidden(path.child(field), detail))
}

function forbidRestarts(policies: readonly ContainerResizePolicy[], path: FieldPath): FieldError[] {
  const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers"
  return policies.flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer' ? [fieldError.invalid(path.index(index).child('restartPolicy'), restartPolicy, detail)] : [],
  )
}

function validateContainer(container: Container, scope: ContainerScope, path: FieldPath): FieldError[] {
  const { spec, volumes, claimNames } = scope
  const errors: FieldError[] = []
  if (!container.name) errors.push(fieldError.required(path.child('name')))
  else errors.push(...labelErrors(container.name, path.child('name')))
  if (!container.image) errors.push(fieldError.required(path.child('image')))
  const policies = ['File', 'FallbackToLogsOnError']
  return [
    ...errors,
    ...validateRequiredChoice(container.terminationMessagePolicy, policies, path.child('terminationMessagePolicy')),
    ...validatePorts(container.ports ?? [], path.child('ports')),
    ...validateEnvironment(container.env ?? [], path.child('env')),
    ...validateEnvironmentSources(container.envFrom ?? [], path.child('envFrom')),
    ...validateMounts(container, volumes, path),
    ...validateRequiredChoice(container.imagePullPolicy, pullPolicies, path.child('imagePullPolicy')),
    ...validateContainerResources(container.resources, claimNames, path.child('resources')),
    ...validateResizePolicies(container.resizePolicy ?? [], spec.restartPolicy, path.child('resizePolicy')),
    ...validateSecurityContext(container.securityContext, spec.hostUsers !== false, path.child('securityContext')),
  ]
}

function validatePorts(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  ports.forEach((port, index) => {
    const at = path.index(index)
    if (port.name) {
      const details = validatePortName(port.name)
      for (const detail of details) errors.push(fieldError.invalid(at.child('name'), port.name, detail))
      if (details.length === 0 && names.has(port.name)) errors.push(fieldError.duplicate(at.child('name'), port.name))
      if (details.length === 0) names.add(port.name)
    }
    if (!port.containerPort) errors.push(fieldError.required(at.child('containerPort')))
    else errors.push(...portErrors(port.containerPort, at.child('containerPort')))
    if (port.hostPort) errors.push(...portErrors(port.hostPort, at.child('hostPort')))
    errors.push(...validateRequiredChoice(port.protocol, protocols, at.child('protocol')))
  })
  return errors
}

function validateHostPorts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const taken = new Set<string>()
  containers.forEach((container, index) => {
    ;(container.ports ?? []).forEach((port, portIndex) => {
      if (!port.hostPort) return
      const key = `${port.protocol}/${port.hostIP ?? ''}/${port.hostPort}`
      if (taken.has(key)) errors.push(fieldError.duplicate(path.index(index).child('ports').index(portIndex).child('hostPort'), key))
      taken.add(key)
    })
  })
  return errors
}

function validateResizePolicies(
  policies: readonly ContainerResizePolicy[],
  restartPolicy: string | undefined,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>()
  return policies.flatMap((policy, index) => {
    const { resourceName = '' } = policy as Partial<ContainerResizePolicy>
    const errors = seen.has(resourceName) ? [fieldError.duplicate(path.index(index), resourceName)] : []
    seen.add(resourceName)
    errors.push(...validateRequiredChoice(policy.resourceName, resizableResources, path))
    errors.push(...validateRequiredChoice(policy.restartPolicy, resizePolicies, path))
    if (restartPolicy === 'Never' && policy.restartPolicy !== 'NotRequired') {
      errors.push(fieldError.invalid(path, policy.restartPolicy ?? '', "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
    }
    return errors
  })
}
