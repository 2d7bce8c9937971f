import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateQualifiedName } from 'steersman/api'
import type { Container, ContainerStatus, Pod, PodCondition, PodSpec, PodStatus } from 'steersman/api/types/core/v1'
import { validateImmutable } from '../metadata.js'
import { parseAddress } from '../shared/address.js'
import { addressErrors, warnOfAddress } from '../shared/address-validation.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { idErrors } from '../shared/number-errors.js'
import { withStructValue } from '../shared/struct-value.js'
import { validateAllocated, validateClaimStatuses } from './pod-status-resources.js'
import { validateAnnotationUpdate } from './pod-update.js'
import { specOf } from './pod-validation.js'

const path = fieldPath('status')
const statusFields = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

/** Fields that a client who does not know them leaves out by mistake. */
const keptFields = ['resourceClaimStatuses', 'extendedResourceClaimStatus'] as const

/** Keeps what the writer of a status left out but cannot take away. */
export function keepStatus(status: Draft<PodStatus>, old: PodStatus): void {
  if (old.qosClass !== undefined) status.qosClass ||= old.qosClass
  for (const field of keptFields)
    if (status[field] === undefined && old[field] !== undefined) Object.assign(status, { [field]: old[field] })
  if (old.observedGeneration) status.observedGeneration ||= old.observedGeneration
  // There may be several of one type.
  const conditions = [...(old.conditions ?? [])]
  for (const condition of status.conditions ?? []) {
    const index = conditions.findIndex(({ type }) => type === condition.type)
    const [before] = index < 0 ? [] : conditions.splice(index, 1)
    if (before?.observedGeneration) condition.observedGeneration ||= before.observedGeneration
  }
}

/** What is wrong with the status of a pod as a successor of another one. */
export function validatePodStatus(pod: Pod, old: Pod): FieldError[] {
  const { status = {} } = pod
  const before = old.status ?? {}
  const spec = specOf(pod)
  return [
    ...validateAnnotationUpdate(pod, old),
    ...validateConditions(status.conditions ?? [], path.child('conditions')),
    ...validateNominatedNode(status, old),
    ...validateGeneration(status.observedGeneration, path),
    ...validateImmutable(status.qosClass, before.qosClass, path.child('qosClass')),
    ...validateTransitions(status, before, specOf(old)),
    ...validateClaimStatuses(status, spec),
    ...validatePodAddresses(status),
    ...validateHostAddresses(status),
    ...statusFields.flatMap((field) => validateUsers(status[field] ?? [], spec, path.child(field))),
    ...validateAllocated(status, spec),
  ]
}

/** Says which addresses are right but not written as they should be. */
export function warnOfPodStatus({ status }: Pod, warn: (text: string) => void): void {
  for (const field of ['podIPs', 'hostIPs'] as const) {
    for (const [index, { ip = '' }] of (status?.[field] ?? []).entries()) {
      warnOfAddress(ip, path.child(field).index(index).child('ip'), warn)
    }
  }
}

function validateGeneration(generation: number | undefined, parent: FieldPath): FieldError[] {
  if (generation === undefined || generation >= 0) return []
  return [fieldError.invalid(parent.child('observedGeneration'), generation, 'must be a non-negative integer')]
}

const ownConditions = ['PodScheduled', 'Ready', 'Initialized']

function validateConditions(conditions: readonly PodCondition[], at: FieldPath): FieldError[] {
  return conditions.flatMap(({ type = '', observedGeneration }, index) => [
    ...validateGeneration(observedGeneration, at.index(index)),
    ...(ownConditions.includes(type) ? [] : validateQualifiedName(type)).map((detail) =>
      fieldError.invalid(at.index(index).child('Type'), type, detail),
    ),
  ])
}

function validateNominatedNode({ nominatedNodeName: name = '' }: PodStatus, old: Pod): FieldError[] {
  if (name === '' || name === old.status?.nominatedNodeName) return []
  const at = path.child('nominatedNodeName')
  const errors = subdomainErrors(name, at)
  return old.spec?.nodeName ? [...errors, fieldError.forbidden(at, 'may not be set on pods that are already bound to a node')] : errors
}

/** Errors for containers that run again though they have ended for good. */
function validateTransitions(status: PodStatus, old: PodStatus, spec: PodSpec): FieldError[] {
  const containers = { containerStatuses: spec.containers, initContainerStatuses: spec.initContainers ?? [] }
  const all = [...spec.containers, ...(spec.initContainers ?? [])]
  const mayAllRestart = all.some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  )
  return statusFields.flatMap((field) => {
    if (field !== 'ephemeralContainerStatuses' && mayAllRestart) return []
    return (old[field] ?? []).flatMap(({ name, state }, index) => {
      const exitCode = state?.terminated?.exitCode
      const now = (status[field] ?? []).find((other) => other.name === name)
      if (exitCode === undefined || now === undefined || now.state?.terminated !== undefined) return []
      const container = field === 'ephemeralContainerStatuses' ? undefined : containers[field].find((other) => other.name === name)
      if (container !== undefined && mayRestart(container, spec, exitCode)) return []
      return [fieldError.forbidden(path.child(field).index(index).child('state'), 'may not be transitioned to non-terminated state')]
    })
  })
}

function mayRestart({ restartPolicy, restartPolicyRules = [] }: Container, spec: PodSpec, exitCode: number): boolean {
  const isMatched = restartPolicyRules.some(
    ({ exitCodes }) => exitCodes !== undefined && (exitCodes.operator === 'In') === (exitCodes.values ?? []).includes(exitCode),
  )
  const policy = restartPolicy ?? spec.restartPolicy
  return (restartPolicy !== undefined && isMatched) || (policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never')
}

function goAddress({ ip = '' }: { readonly ip?: string }): object {
  return { IP: ip }
}

function validateAddresses(addresses: readonly { readonly ip?: string }[], at: FieldPath): FieldError[] {
  const errors = addresses.flatMap(({ ip = '' }, index) => addressErrors(ip, at.index(index)))
  if (addresses.length < 2) return errors
  const families = addresses.map(({ ip = '' }) => parseAddress(ip)?.length)
  const wrong = families.indexOf(undefined)
  if (wrong >= 0) {
    errors.push(fieldError.internal(at, `failed to check for dual stack with error:invalid IP[${wrong}]: ${addresses[wrong]?.ip ?? ''}`))
  }
  if (wrong < 0 && new Set(families).size === 2 && addresses.length === 2) return errors
  const error = fieldError.invalid(at, undefined, 'may specify no more than one IP for each IP family')
  return [...errors, withStructValue(error, addresses.map(goAddress))]
}

function validatePodAddresses({ podIP = '', podIPs = [] }: PodStatus): FieldError[] {
  const at = path.child('podIPs')
  const errors = validateAddresses(podIPs, at)
  if ((podIP === '') === (podIPs.length === 0)) return errors
  const error = fieldError.invalid(at, undefined, 'podIP and podIPs must either both be set or both be unset')
  return [...errors, withStructValue(error, podIPs.map(goAddress))]
}

function validateHostAddresses({ hostIP = '', hostIPs = [] }: PodStatus): FieldError[] {
  const at = path.child('hostIPs')
  const [first] = hostIPs
  if (first === undefined) return []
  const { ip = '' } = first
  const errors = hostIP === ip ? [] : [fieldError.invalid(at.index(0).child('ip'), ip, 'must be equal to `hostIP`')]
  return [...errors, ...validateAddresses(hostIPs, at)]
}

const maxUser = 4_294_967_295

function validateUsers(statuses: readonly ContainerStatus[], { os }: PodSpec, at: FieldPath): FieldError[] {
  return statuses.flatMap(({ user }, index) => {
    const linux = user?.linux
    if (linux === undefined) return []
    const userPath = at.index(index).child('user', 'linux')
    if (os?.name === 'windows') return [fieldError.forbidden(userPath, 'cannot be set for a windows pod')]
    const { uid, gid, supplementalGroups = [] } = linux
    const isUser = uid >= 0 && uid <= maxUser
    return [
      ...(isUser ? [] : [fieldError.invalid(userPath.child('uid'), uid, `must be between 0 and ${maxUser}, inclusive`)]),
      ...idErrors(gid, userPath.child('gid')),
      ...supplementalGroups.flatMap((group, place) => idErrors(group, userPath.child('supplementalGroups').index(place))),
    ]
  })
}
