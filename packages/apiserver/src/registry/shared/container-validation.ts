import type { FieldError, FieldPath } from 'steersman/api'
import {
  fieldError,
  validateDns1123Label,
  validateDns1123Subdomain,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
} from 'steersman/api'
import type { Container, ContainerPort, EnvVar, Lifecycle, Probe, ResourceRequirements, VolumeMount } from 'steersman/api/types/core/v1'
import { amountOf, quantityFormatMessage } from './quantity.js'
import { validateSecurityContext } from './security-context-validation.js'

/** What containers of one pod are checked against. */
export interface ContainerScope {
  readonly volumeNames: ReadonlySet<string>
}

/** The values in kube-apiserver's order. */
const protocols = ['SCTP', 'TCP', 'UDP']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']

/** What is wrong with the regular containers of a pod. */
export function validateContainers(containers: readonly Container[], scope: ContainerScope, path: FieldPath): FieldError[] {
  if (containers.length === 0) return [fieldError.required(path)]
  const names = new Set<string>()
  const errors = containers.flatMap((container, index) => {
    const at = path.index(index)
    const found = [...validateContainer(container, scope, at), ...duplicateName(container, names, at)]
    found.push(...validateLifecycle(container.lifecycle, at.child('lifecycle')), ...validateProbes(container, at))
    return found
  })
  return [...errors, ...validateHostPorts(containers, path)]
}

/** What is wrong with the init containers of a pod. */
export function validateInitContainers(
  containers: readonly Container[],
  regular: readonly Container[],
  scope: ContainerScope,
  path: FieldPath,
): FieldError[] {
  const names = new Set(regular.map(({ name }) => name))
  return containers.flatMap((container, index) => {
    const at = path.index(index)
    const found = validateContainer(container, scope, at)
    const { restartPolicy } = container
    if (restartPolicy !== undefined && restartPolicy !== 'Always') {
      found.push(fieldError.notSupported(at.child('restartPolicy'), restartPolicy, ['Always']))
    }
    found.push(...duplicateName(container, names, at), ...validateHostPorts([container], path))
    if (restartPolicy === 'Always')
      found.push(...validateLifecycle(container.lifecycle, at.child('lifecycle')), ...validateProbes(container, at))
    else found.push(...forbidProbes(container, at))
    return found
  })
}

function duplicateName({ name }: Container, names: Set<string>, path: FieldPath): FieldError[] {
  if (names.has(name)) return [fieldError.duplicate(path.child('name'), name)]
  names.add(name)
  return []
}

function forbidProbes(container: Container, path: FieldPath): FieldError[] {
  const detail = 'may not be set for init containers without restartPolicy=Always'
  const fields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const
  return fields.filter((field) => container[field] !== undefined).map((field) => fieldError.forbidden(path.child(field), detail))
}

function validateContainer(container: Container, scope: ContainerScope, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (!container.name) errors.push(fieldError.required(path.child('name')))
  else errors.push(...labelErrors(container.name, path.child('name')))
  if (!container.image) errors.push(fieldError.required(path.child('image')))
  const policy = container.terminationMessagePolicy
  if (policy !== 'File' && policy !== 'FallbackToLogsOnError') {
    errors.push(fieldError.notSupported(path.child('terminationMessagePolicy'), policy, ['File', 'FallbackToLogsOnError']))
  }
  errors.push(...validatePorts(container.ports ?? [], path.child('ports')))
  errors.push(...validateEnv(container.env ?? [], path.child('env')))
  errors.push(...validateVolumeMounts(container.volumeMounts ?? [], scope, path.child('volumeMounts')))
  if (!pullPolicies.includes(container.imagePullPolicy ?? '')) {
    errors.push(fieldError.notSupported(path.child('imagePullPolicy'), container.imagePullPolicy, pullPolicies))
  }
  errors.push(...validateResources(container.resources, path.child('resources')))
  errors.push(...validateSecurityContext(container.securityContext, path.child('securityContext')))
  return errors
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
    if (!protocols.includes(port.protocol ?? '')) errors.push(fieldError.notSupported(at.child('protocol'), port.protocol, protocols))
  })
  return errors
}

function portErrors(port: number, path: FieldPath): FieldError[] {
  return validatePortNumber(port).map((detail) => fieldError.invalid(path, port, detail))
}

/** What is wrong with a port that is a number or the name of one. */
export function validatePortNumberOrName(port: number | string | undefined, path: FieldPath): FieldError[] {
  if (typeof port === 'string') return validatePortName(port).map((detail) => fieldError.invalid(path, port, detail))
  return portErrors(port ?? 0, path)
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

function validateEnv(variables: readonly EnvVar[], path: FieldPath): FieldError[] {
  const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const
  return variables.flatMap((variable, index) => {
    const at = path.index(index)
    const errors: FieldError[] = []
    if (!variable.name) errors.push(fieldError.required(at.child('name')))
    else errors.push(...relaxedNameErrors(variable.name, at.child('name')))
    const from = variable.valueFrom as Readonly<Record<string, { readonly key?: string } | undefined>> | undefined
    if (from === undefined) return errors
    const fromPath = at.child('valueFrom')
    const count = sources.filter((source) => from[source] !== undefined).length
    if (variable.valueFrom?.fieldRef !== undefined) {
      errors.push(...fieldRefErrors(variable.valueFrom.fieldRef.fieldPath ?? '', fromPath.child('fieldRef')))
    }
    for (const source of ['configMapKeyRef', 'secretKeyRef'] as const) {
      if (from[source] !== undefined && !from[source]?.key) errors.push(fieldError.required(fromPath.child(source, 'key')))
    }
    if (count === 0) {
      const detail = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
      errors.push(fieldError.invalid(fromPath, '', detail))
    } else if (variable.value) errors.push(fieldError.invalid(fromPath, '', 'may not be specified when `value` is not empty'))
    else if (count > 1) errors.push(fieldError.invalid(fromPath, '', 'may not have more than one field specified at a time'))
    return errors
  })
}

const variableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

/** What is wrong with the field of the pod that a variable shows. */
function fieldRefErrors(field: string, path: FieldPath): FieldError[] {
  const at = path.child('fieldPath')
  if (field === '') return [fieldError.required(at)]
  const [, map, key = ''] = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(field) ?? []
  if (map !== undefined) {
    const name = map === 'metadata.annotations' ? key.toLowerCase() : key
    return validateQualifiedName(name).map((detail) => fieldError.invalid(path, name, detail))
  }
  if (variableFields.includes(field)) return []
  if (field === 'metadata.labels' || field === 'metadata.annotations') return [fieldError.notSupported(at, field, variableFields)]
  return [fieldError.invalid(at, field, `error converting fieldPath: field label not supported: ${field}`)]
}

/** Since Kubernetes 1.34 a variable may have any printable ASCII name without an equals sign. */
function relaxedNameErrors(name: string, path: FieldPath): FieldError[] {
  if (/^[ -<>-~]+$/.test(name)) return []
  const detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
  return [fieldError.invalid(path, name, detail)]
}

function validateVolumeMounts(mounts: readonly VolumeMount[], scope: ContainerScope, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const paths = new Set<string>()
  mounts.forEach((mount, index) => {
    const at = path.index(index)
    if (!mount.name) errors.push(fieldError.required(at.child('name')))
    if (!scope.volumeNames.has(mount.name)) errors.push(fieldError.notFound(at.child('name'), mount.name ?? ''))
    if (!mount.mountPath) errors.push(fieldError.required(at.child('mountPath')))
    if (paths.has(mount.mountPath)) errors.push(fieldError.invalid(at.child('mountPath'), mount.mountPath, 'must be unique'))
    paths.add(mount.mountPath)
    if (mount.subPath?.startsWith('/')) errors.push(fieldError.invalid(path.child('subPath'), mount.subPath, 'must be a relative path'))
    if (mount.subPath?.split('/').includes('..'))
      errors.push(fieldError.invalid(path.child('subPath'), mount.subPath, "must not contain '..'"))
  })
  return errors
}

function validateProbes(container: Container, path: FieldPath): FieldError[] {
  return [
    ...validateProbe(container.livenessProbe, path.child('livenessProbe'), true),
    ...validateProbe(container.readinessProbe, path.child('readinessProbe'), false),
    ...validateProbe(container.startupProbe, path.child('startupProbe'), true),
  ]
}

function validateProbe(probe: Probe | undefined, path: FieldPath, succeedsOnce: boolean): FieldError[] {
  if (probe === undefined) return []
  const errors = validateHandler(probe as HandlerFields, path)
  for (const field of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const) {
    errors.push(...validateNonNegative(probe[field], path.child(field)))
  }
  const grace = probe.terminationGracePeriodSeconds
  if (grace !== undefined && grace <= 0) {
    errors.push(fieldError.invalid(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'))
  }
  if (succeedsOnce && probe.successThreshold !== 1) {
    errors.push(fieldError.invalid(path.child('successThreshold'), probe.successThreshold, 'must be 1'))
  }
  return errors
}

function validateLifecycle(lifecycle: Lifecycle | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (lifecycle?.postStart !== undefined) errors.push(...validateHandler(lifecycle.postStart as HandlerFields, path.child('postStart')))
  if (lifecycle?.preStop !== undefined) errors.push(...validateHandler(lifecycle.preStop as HandlerFields, path.child('preStop')))
  return errors
}

interface HandlerFields {
  readonly exec?: { readonly command?: readonly string[] }
  readonly httpGet?: { readonly path?: string; readonly port?: number | string; readonly scheme?: string }
  readonly tcpSocket?: { readonly port?: number | string }
  readonly grpc?: { readonly port?: number }
  readonly sleep?: { readonly seconds?: number }
}

function validateHandler(handler: HandlerFields, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  let found = 0
  for (const type of ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const) {
    if (handler[type] === undefined) continue
    if (++found > 1) errors.push(fieldError.forbidden(path.child(type), 'may not specify more than 1 handler type'))
    else errors.push(...validateAction(handler, type, path.child(type)))
  }
  if (found === 0) errors.push(fieldError.required(path, 'must specify a handler type'))
  return errors
}

function validateAction(handler: HandlerFields, type: keyof HandlerFields, path: FieldPath): FieldError[] {
  switch (type) {
    case 'exec':
      return (handler.exec?.command ?? []).length === 0 ? [fieldError.required(path.child('command'))] : []
    case 'httpGet': {
      const errors = handler.httpGet?.path ? [] : [fieldError.required(path.child('path'))]
      errors.push(...validatePortNumberOrName(handler.httpGet?.port, path.child('port')))
      const scheme = handler.httpGet?.scheme
      if (scheme !== 'HTTP' && scheme !== 'HTTPS') errors.push(fieldError.notSupported(path.child('scheme'), scheme, ['HTTP', 'HTTPS']))
      return errors
    }
    case 'tcpSocket':
      return validatePortNumberOrName(handler.tcpSocket?.port, path.child('port'))
    case 'grpc':
      return portErrors(handler.grpc?.port ?? 0, path.child('port'))
    default:
      return []
  }
}

/** What is wrong with a number that must not be negative. */
export function validateNonNegative(value: number | undefined, path: FieldPath): FieldError[] {
  return value !== undefined && value < 0 ? [fieldError.invalid(path, value, 'must be greater than or equal to 0')] : []
}

const containerResources = ['cpu', 'memory', 'ephemeral-storage']
const standardResources = [
  ...containerResources,
  'pods',
  'services',
  'secrets',
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'storage',
]

/** What is wrong with the name of a resource of containers. One without a domain must be one that everybody knows. */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(name).map((detail) => fieldError.invalid(path, name, detail))
  if (name.includes('/') || name.startsWith('hugepages-')) return errors
  if (errors.length === 0 && !standardResources.includes(name)) {
    errors.push(fieldError.invalid(path, name, 'must be a standard resource type or fully qualified'))
  }
  if (!containerResources.includes(name)) errors.push(fieldError.invalid(path, name, 'must be a standard resource for containers'))
  return errors
}

function validateResources(resources: ResourceRequirements | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const limits = resources?.limits ?? {}
  for (const field of ['limits', 'requests'] as const) {
    for (const [name, quantity] of Object.entries(resources?.[field] ?? {})) {
      const at = path.child(field).key(name)
      const amount = amountOf(quantity)
      errors.push(...validateContainerResourceName(name, at))
      if (amount === undefined) errors.push(fieldError.invalid(at, quantity, quantityFormatMessage))
      else if (amount < 0n) errors.push(fieldError.invalid(at, quantity, 'must be greater than or equal to 0'))
      else if (name.includes('/') && amount % 1_000_000_000n !== 0n) errors.push(fieldError.invalid(at, quantity, 'must be an integer'))
      if (field === 'limits') continue
      const limit = limits[name] === undefined ? undefined : amountOf(limits[name])
      if (amount === undefined || limit === undefined) continue
      if (amount > limit)
        errors.push(fieldError.invalid(path.child('requests'), quantity, `must be less than or equal to ${name} limit of ${limits[name]}`))
    }
  }
  return errors
}

/** What is wrong with a DNS label. */
export function labelErrors(value: string, path: FieldPath): FieldError[] {
  return validateDns1123Label(value).map((detail) => fieldError.invalid(path, value, detail))
}

/** What is wrong with a DNS subdomain. */
export function subdomainErrors(value: string, path: FieldPath): FieldError[] {
  return validateDns1123Subdomain(value).map((detail) => fieldError.invalid(path, value, detail))
}
