import type { FieldPath, ObjectMeta } from 'steersman/api'
import { fieldPath, goQuote, validateLabelValue } from 'steersman/api'
import type { Container, NodeSelectorTerm, PodAffinity, PodSpec } from 'steersman/api/types/core/v1'
import { warnOfAddress } from './address-validation.js'
import { deprecatedNodeLabel } from './node-labels.js'
import { seccompPod, seccompPrefix } from './pod-annotations.js'
import { amountOf } from './quantity.js'
import { warnOfVolumes } from './volume-warnings.js'
import type { LocatedContainer } from './windows-validation.js'
import { locatedContainers } from './windows-validation.js'

type Warn = (text: string) => void

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}

/** A pod, or the template of one. */
interface PodLike {
  readonly metadata?: ObjectMeta
  readonly spec?: PodSpec
}

/** Says what is right in a pod, or in a template of pods, but hardly meant. `path`: where the template is; `undefined`: it is a pod. */
export function warnOfPod({ metadata, spec }: PodLike, path: FieldPath | undefined, warn: Warn): void {
  if (spec === undefined) return
  const specPath = path?.child('spec') ?? fieldPath('spec')
  const annotationsPath = path?.child('metadata', 'annotations') ?? fieldPath('metadata', 'annotations')
  const annotations = metadata?.annotations ?? {}
  const containers = locatedContainers(spec, specPath)
  warnOfNodes(spec, specPath, warn)
  for (const [key, message] of Object.entries(oldAnnotations)) {
    if (annotations[key] !== undefined) warn(`${annotationsPath.key(key)}: ${message}`)
  }
  warnOfVolumes(spec.volumes ?? [], specPath.child('volumes'), warn)
  warnOfDuplicates(
    (spec.hostAliases ?? []).map(({ ip }) => ip),
    'ip',
    specPath.child('hostAliases'),
    warn,
  )
  warnOfDuplicates(
    (spec.imagePullSecrets ?? []).map(({ name = '' }) => name),
    'name',
    specPath.child('imagePullSecrets'),
    warn,
  )
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (name === '') warn(`${specPath.child('imagePullSecrets').index(index).child('name')}: invalid empty name ""`)
  }
  warnOfFractions(spec.overhead, specPath.child('overhead'), ['memory', 'ephemeral-storage'], warn)
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead'
  if (spec.securityContext?.seccompProfile === undefined && annotations[seccompPod] !== undefined) {
    warn(`${annotationsPath.key(seccompPod)}: ${seccomp}`)
  }
  for (const { container, path: at } of containers) {
    const key = seccompPrefix + container.name
    if (container.securityContext?.seccompProfile === undefined && annotations[key] !== undefined) {
      warn(`${annotationsPath.key(key)}: ${seccomp}`)
    }
    warnOfContainer(container as Container, at, warn)
  }
  warnOfPorts(containers, warn)
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    warn(`${specPath.child('terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`)
  }
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    warnOfAffinity(spec.affinity?.[field], specPath.child('affinity', field), warn)
  }
  for (const [index, address] of (spec.dnsConfig?.nameservers ?? []).entries()) {
    warnOfAddress(address, specPath.child('dnsConfig', 'nameservers').index(index), warn)
  }
  for (const [index, { ip }] of (spec.hostAliases ?? []).entries()) {
    warnOfAddress(ip, specPath.child('hostAliases').index(index).child('ip'), warn)
  }
}

function warnOfNodes(spec: PodSpec, path: FieldPath, warn: Warn): void {
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const deprecation = deprecatedNodeLabel(key)
    if (deprecation !== undefined) warn(`${path.child('nodeSelector').key(key)}: ${deprecation}`)
  }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } =
    spec.affinity?.nodeAffinity ?? {}
  const affinityPath = path.child('affinity', 'nodeAffinity')
  const requiredPath = affinityPath.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms')
  for (const [index, term] of (required?.nodeSelectorTerms ?? []).entries()) warnOfTerm(term, false, requiredPath.index(index), warn)
  const preferredPath = affinityPath.child('preferredDuringSchedulingIgnoredDuringExecution')
  for (const [index, { preference }] of (preferred ?? []).entries()) {
    warnOfTerm(preference ?? {}, true, preferredPath.index(index).child('preference'), warn)
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = path.child('topologySpreadConstraints').index(index)
    const deprecation = deprecatedNodeLabel(topologyKey)
    if (deprecation !== undefined) warn(`${at.child('topologyKey')}: ${topologyKey} is ${deprecation}`)
    if (!labelSelector) warn(`${at.child('labelSelector')}: a null labelSelector results in matching no pod`)
  }
}

function warnOfTerm({ matchExpressions }: NodeSelectorTerm, checksValues: boolean, path: FieldPath, warn: Warn): void {
  for (const [index, { key, values }] of (matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index)
    const deprecation = deprecatedNodeLabel(key)
    if (deprecation !== undefined) warn(`${at.child('key')}: ${key} is ${deprecation}`)
    if (!checksValues) continue
    for (const [position, value] of (values ?? []).entries()) {
      for (const problem of validateLabelValue(value)) warn(`${at.child('values').index(position)}: ${value} is invalid, ${problem}`)
    }
  }
}

function warnOfDuplicates(values: readonly string[], field: string, path: FieldPath, warn: Warn): void {
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) < index) warn(`${path.index(index).child(field)}: duplicate ${field} ${goQuote(value)}`)
  }
}

/** There is no part of a byte. */
function warnOfFractions(
  amounts: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  names: readonly string[],
  warn: Warn,
): void {
  for (const name of names) {
    const quantity = amounts?.[name]
    if (quantity === undefined || (amountOf(quantity) ?? 0n) % 1_000_000_000n === 0n) continue
    warn(`${path.key(name)}: fractional byte value ${goQuote(quantity)} is invalid, must be an integer`)
  }
}

function warnOfContainer({ resources, env }: Container, path: FieldPath, warn: Warn): void {
  for (const name of ['memory', 'ephemeral-storage']) {
    for (const field of ['limits', 'requests'] as const) warnOfFractions(resources?.[field], path.child('resources', field), [name], warn)
  }
  // A variable may build on an earlier one of its name; else it hides it.
  const seen = new Set<string>()
  for (const [index, { name, value = '', valueFrom }] of (env ?? []).entries()) {
    const reference = `$(${name})`
    if (seen.has(name) && (valueFrom || value === reference || !value.includes(reference))) {
      warn(`${path.child('env').index(index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`)
    }
    seen.add(name)
  }
}

function warnOfPorts(containers: readonly LocatedContainer[], warn: Warn): void {
  const ports = containers.flatMap(({ container, path }) =>
    ((container as Container).ports ?? []).map((port, index) => ({ port, path: path.child('ports').index(index) })),
  )
  for (const [index, { port, path }] of ports.entries()) {
    const { name = '', hostPort = 0, containerPort, protocol, hostIP = '' } = port
    if (hostIP !== '' && hostPort === 0) {
      const shown = `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
      warn(`${path}: hostIP set without hostPort: ${shown}`)
    }
    for (const { port: other, path: otherPath } of ports.slice(0, index)) {
      if (other.containerPort !== containerPort || other.protocol !== protocol) continue
      const { hostPort: otherHostPort = 0, hostIP: otherHostIP = '' } = other
      if (hostIP === otherHostIP && hostPort === otherHostPort) warn(`${path}: duplicate port definition with ${otherPath}`)
      else if (hostPort === 0 || otherHostPort === 0) warn(`${path}: overlapping port definition with ${otherPath}`)
      else if (hostPort === otherHostPort && (hostIP === '' || otherHostIP === '')) {
        warn(`${path}: dangerously ambiguous port definition with ${otherPath}`)
      }
    }
  }
  for (const [index, { port, path }] of ports.entries()) {
    const first = ports.slice(0, index).find(({ port: other }) => Boolean(port.name) && other.name === port.name)
    if (first === undefined) continue
    const advice = `services and probes that select ports by name will use ${first.path}`
    warn(`${path}: duplicate port name ${goQuote(port.name ?? '')} with ${first.path}, ${advice}`)
  }
}

function warnOfAffinity(affinity: PodAffinity | undefined, path: FieldPath, warn: Warn): void {
  const message = 'a null labelSelector results in matching no pod'
  const requiredPath = path.child('requiredDuringSchedulingIgnoredDuringExecution')
  for (const [index, { labelSelector }] of (affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    if (!labelSelector) warn(`${requiredPath.index(index).child('labelSelector')}: ${message}`)
  }
  const preferredPath = path.child('preferredDuringSchedulingIgnoredDuringExecution')
  for (const [index, { podAffinityTerm }] of (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    if (!podAffinityTerm?.labelSelector) warn(`${preferredPath.index(index).child('podAffinityTerm', 'labelSelector')}: ${message}`)
  }
}
