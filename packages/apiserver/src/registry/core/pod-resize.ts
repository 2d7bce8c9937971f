import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { Container, Pod, PodSpec, ResourceRequirements } from 'steersman/api/types/core/v1'
import { deepCopy } from 'steersman/internal'
import { qosClass } from '../shared/pod-qos.js'
import { defaultPodResources } from '../shared/pod-resource-defaults.js'
import { isSameValue } from '../shared/same-value.js'
import type { ObjectDraft } from '../store-context.js'
import type { UpdateRules } from '../update-rules.js'
import { keepField } from '../update-rules.js'
import { keepObjectMetadata } from './pod.js'
import { validatePod } from './pod-validation.js'

const specPath = fieldPath('spec')

/** The rules of the `resize` subresource of pods: what containers that run ask for. */
export const resizeRules: UpdateRules = {
  subresource: 'resize',
  allowCreate: false,
  prepare(draft, old) {
    const spec = draft.spec as PodSpec | undefined
    const before = old.spec as PodSpec
    keepField(draft, old, 'status')
    // What was added, removed or renamed is left as it is, for validation to refuse.
    if (spec === undefined || !hasSameLengths(spec, before)) return
    keepObjectMetadata(draft, old)
    const resources = spec.resources ?? before.resources
    const next = {
      ...(deepCopy(before) as PodSpec),
      containers: withResources(spec.containers ?? [], before.containers ?? []),
      ...(spec.initContainers === undefined ? {} : { initContainers: withResources(spec.initContainers, before.initContainers ?? []) }),
      ...(resources === undefined ? {} : { resources: deepCopy(resources) }),
    }
    if (next.resources !== undefined) defaultPodResources(next as never)
    ;(draft as ObjectDraft).spec = next
  },
  validate: (object, old) => validateResize(object as unknown as Pod, old as unknown as Pod),
  changesGeneration: (object, old) => !isSameValue(object.spec, old.spec),
}

function hasSameLengths(spec: PodSpec, old: PodSpec): boolean {
  return (['containers', 'initContainers'] as const).every((field) => (spec[field] ?? []).length === (old[field] ?? []).length)
}

function withResources(containers: readonly Container[], old: readonly Container[]): readonly Container[] {
  if (containers.some(({ name }, index) => name !== old[index]?.name)) return containers
  return containers.map(({ resources, resizePolicy }, index) => {
    const { resources: _, resizePolicy: __, ...kept } = deepCopy(old[index]) as Container
    return { ...kept, ...(resources === undefined ? {} : { resources }), ...(resizePolicy === undefined ? {} : { resizePolicy }) }
  })
}

function validateResize(pod: Pod, old: Pod): FieldError[] {
  const spec = pod.spec ?? { containers: [] }
  const before = old.spec ?? { containers: [] }
  const errors = validatePod(pod)
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) {
    return [fieldError.forbidden('', 'static pods cannot be resized')]
  }
  if (before.os?.name === 'windows') return [fieldError.forbidden('', 'windows pods cannot be resized')]
  if (qosClass(before) !== qosClass(spec)) {
    errors.push(fieldError.invalid(specPath, pod.status?.qosClass, 'Pod QOS Class may not change as a result of resizing'))
  }
  const running = (old.status?.containerStatuses ?? []).find(({ state }) => state?.running !== undefined)
  if (running !== undefined && running.resources === undefined) {
    errors.push(fieldError.forbidden(specPath, 'Pod running on node without support for resize'))
  }
  errors.push(...validatePodLevel(spec.resources, before.resources))
  const orderErrors = validateOrder(spec, before)
  errors.push(...orderErrors)
  if (orderErrors.length > 0) return errors
  for (const field of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (before[field] ?? []).entries()) {
      const path = specPath.child(field).index(index).child('resources')
      errors.push(...validateKept(spec[field]?.[index]?.resources, container.resources, path, 'resource '))
    }
  }
  return [...errors, ...validateOthers(spec, before)]
}

function validateKept(
  resources: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
  path: ReturnType<typeof fieldPath>,
  what: string,
): FieldError[] {
  return (['requests', 'limits'] as const)
    .filter((field) => Object.keys(old?.[field] ?? {}).some((name) => resources?.[field]?.[name] === undefined))
    .map((field) => fieldError.forbidden(path.child(field), `${what}${field} cannot be removed`))
}

function validatePodLevel(resources: ResourceRequirements | undefined, old: ResourceRequirements | undefined): FieldError[] {
  const path = specPath.child('resources')
  if (old !== undefined && resources === undefined) return [fieldError.forbidden(path, 'pod-level resources cannot be removed')]
  const errors = old === undefined ? [] : validateKept(resources, old, path, 'pod-level resource ')
  if (!isSameValue(withoutComputing(resources), withoutComputing(old))) {
    errors.push(fieldError.forbidden(specPath, 'only cpu and memory resources are mutable at pod-level'))
  }
  return errors
}

function validateOrder(spec: PodSpec, old: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) => {
    const path = specPath.child(field)
    const containers = spec[field] ?? []
    const before = old[field] ?? []
    if (containers.length !== before.length) return [fieldError.forbidden(path, `${field} may not be added or removed on resize`)]
    return before.flatMap(({ name }, index) =>
      containers[index]?.name === name
        ? []
        : [fieldError.forbidden(path.index(index).child('name'), `${field} may not be renamed or reordered on resize`)],
    )
  })
}

function validateOthers(spec: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = []
  const isSame = (container: Container, before: Container | undefined) =>
    isSameValue(
      { ...container, resources: withoutComputing(container.resources) },
      { ...before, resources: withoutComputing(before?.resources) },
    )
  for (const [index, container] of (spec.containers ?? []).entries()) {
    if (!isSame(container, old.containers?.[index]))
      errors.push(fieldError.forbidden(specPath, 'only cpu and memory resources are mutable'))
  }
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const at = specPath.child('initContainers').index(index)
    const before = old.initContainers?.[index]
    if (!isSame(container, before)) {
      errors.push(fieldError.forbidden(at, 'only cpu and memory resources for init or sidecar containers are mutable'))
    }
    const restarts = (container.resizePolicy ?? []).some(({ restartPolicy }) => restartPolicy === 'RestartContainer')
    if (restarts && container.restartPolicy !== 'Always' && !isSameValue(container, before)) {
      const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'
      errors.push(fieldError.forbidden(at, detail))
    }
  }
  return errors
}

/** Resources without those that may change; nothing when nothing is left. */
function withoutComputing(resources: ResourceRequirements | undefined): ResourceRequirements | undefined {
  const rest = (amounts: Readonly<Record<string, string>> | undefined) => {
    const { cpu: _, memory: __, ...others } = amounts ?? {}
    return Object.keys(others).length === 0 ? undefined : others
  }
  const requests = rest(resources?.requests)
  const limits = rest(resources?.limits)
  const claims = resources?.claims
  return requests === undefined && limits === undefined && claims === undefined
    ? undefined
    : { ...(requests && { requests }), ...(limits && { limits }), ...(claims && { claims }) }
}
