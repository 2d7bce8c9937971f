import type { Draft, FieldError, UnstructuredObject } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { Container, PodSpec } from 'steersman/api/types/core/v1'
import { Pod } from 'steersman/api/types/core/v1'
import { deepCopy, deepEqual } from 'steersman/internal'
import { validateImmutable } from '../metadata.js'
import { addressErrors } from '../shared/address-validation.js'
import { takeAppArmorAnnotations } from '../shared/app-armor-annotations.js'
import { imageErrors } from '../shared/container-validation.js'
import { dropDisabledPodFields, dropDisabledPodStatus } from '../shared/disabled-pod-fields.js'
import { unsupportedField } from '../shared/fields.js'
import { goForm } from '../shared/go-form.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { selectOwnLabels } from '../shared/own-labels.js'
import { validatePodAnnotations, validateProfileAnnotations } from '../shared/pod-annotations.js'
import { defaultPodSpec } from '../shared/pod-defaults.js'
import { qosClass } from '../shared/pod-qos.js'
import { defaultPodResources } from '../shared/pod-resource-defaults.js'
import { validatePodSpec } from '../shared/pod-validation.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { unifiedDiff } from '../shared/unified-diff.js'
import type { ObjectDraft } from '../store-context.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')

/** The condition of a pod that has gates. */
const heldBack = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
} as const

/** Pods: their spec can hardly change, and somebody must stop them before they are gone. */
export const podKind = defineKind(Pod, {
  validateName: validateDns1123Subdomain,
  default(pod) {
    pod.spec ??= { containers: [] }
    const { spec } = pod
    defaultPodSpec(spec)
    if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
    for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      const { limits } = container.resources ?? {}
      if (limits !== undefined && container.resources !== undefined)
        container.resources.requests = { ...limits, ...container.resources.requests }
      if (spec.hostNetwork === true) for (const port of container.ports ?? []) port.hostPort ||= port.containerPort
    }
    spec.enableServiceLinks ??= true
    const status = pod.status
    if (status === undefined) return
    const [first] = status.podIPs ?? []
    if (status.podIP && first?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }]
    else if (!status.podIP && first !== undefined) status.podIP = first.ip
  },
  dropDisabledFields(pod) {
    dropDisabledPodFields(pod)
    dropDisabledPodStatus(pod.status)
  },
  prepareForCreate(pod, { now, warn }) {
    takeAppArmorAnnotations(pod, warn)
    if (pod.spec !== undefined) prepareSpec(pod.spec, pod.metadata.labels ?? {})
    pod.status = { ...pod.status, qosClass: qosClass(pod.spec as PodSpec | undefined) }
    if ((pod.spec?.schedulingGates ?? []).length === 0) return
    const condition = { ...heldBack, lastProbeTime: null as unknown as string, lastTransitionTime: now }
    pod.status = { ...pod.status, conditions: [condition] }
  },
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (old === undefined) warnOfPod({ metadata, spec }, undefined, warn)
  },
  validate: (pod) => validatePod(pod, true),
  validateUpdate: validatePodUpdate,
  changesGeneration: (pod, old) => !deepEqual(pod.spec, old.spec),
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec?.nodeName,
    'spec.restartPolicy': ({ spec }) => spec?.restartPolicy,
    'spec.schedulerName': ({ spec }) => spec?.schedulerName,
    'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName,
    'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork === true),
    'spec.host': ({ spec }) => spec?.nodeName,
    'status.phase': ({ status }) => status?.phase,
    'status.podIP': ({ status }) => status?.podIP,
    'status.podIPs': ({ status }) => status?.podIP,
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName,
  },
  unknownField: unsupportedField,
  status: {
    initial: () => ({ phase: 'Pending' }),
    prepareForUpdate(pod, old) {
      // Kubelets of old corrupted owner references through this endpoint.
      if (old.metadata.ownerReferences === undefined) delete pod.metadata.ownerReferences
      else pod.metadata.ownerReferences = deepCopy(old.metadata.ownerReferences) as typeof pod.metadata.ownerReferences
      pod.status ??= {}
      if (old.status?.qosClass !== undefined) pod.status.qosClass ||= old.status.qosClass
    },
    validateUpdate: validateStatus,
  },
  deletion: {
    returnsObject: true,
    graceSeconds({ spec, status }, requested) {
      // Nobody has to stop a pod that runs nowhere or has ended.
      if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0
      const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0
      return seconds < 0 ? 1 : seconds
    },
  },
})

/** Makes metadata of the draft what it was, but for the version that the writer saw. */
export function keepObjectMetadata(draft: ObjectDraft, old: UnstructuredObject): void {
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    if (old.metadata[field] === undefined) delete draft.metadata[field]
    else Object.assign(draft.metadata, { [field]: deepCopy(old.metadata[field]) })
  }
}

function prepareSpec(spec: Draft<PodSpec>, labels: Readonly<Record<string, string>>): void {
  selectOwnLabels(spec, labels)
  defaultPodResources(spec)
}

function validateStatus({ status = {} }: Pod, old: Pod): FieldError[] {
  const path = fieldPath('status')
  const errors: FieldError[] = []
  if (old.status?.qosClass !== undefined) errors.push(...validateImmutable(status.qosClass, old.status.qosClass, path.child('qosClass')))
  if (status.nominatedNodeName) errors.push(...subdomainErrors(status.nominatedNodeName, path.child('nominatedNodeName')))
  const addresses = (status.podIPs ?? []).flatMap(({ ip = '' }, index) => addressErrors(ip, path.child('podIPs').index(index)))
  return [...errors, ...addresses]
}

/** What is wrong with a pod, a new one or one that stays what it is but for a few fields. */
export function validatePod(pod: Pod, isNew: boolean): FieldError[] {
  const spec = pod.spec ?? { containers: [] }
  const { name = '', annotations } = pod.metadata
  const errors = [
    ...validatePodAnnotations(annotations, spec, fieldPath('metadata', 'annotations')),
    ...validatePodSpec(spec, specPath, name),
    ...validateTokens(spec),
    ...validateNonNegative(spec.terminationGracePeriodSeconds, specPath.child('terminationGracePeriodSeconds')),
    ...validateImages(spec),
  ]
  if (!isNew) return errors
  if ((spec.ephemeralContainers ?? []).length > 0) {
    errors.push(fieldError.forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'))
  }
  if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    errors.push(fieldError.forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'))
  }
  return [...errors, ...validateProfileAnnotations(annotations, spec, specPath)]
}

/** Rules of pods that templates of old may break. */
function validateImages(spec: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap((container, index) => imageErrors(container, specPath.child(field).index(index))),
  )
}

function validateTokens(spec: PodSpec): FieldError[] {
  if (spec.serviceAccountName) return []
  return (spec.volumes ?? []).flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, source) => {
      if (serviceAccountToken === undefined) return []
      const at = specPath.child('volumes').index(index).child('projected', 'sources').index(source).child('serviceAccountToken')
      return [fieldError.forbidden(at, 'must not be specified when serviceAccountName is not set')]
    }),
  )
}

function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const spec = pod.spec ?? { containers: [] }
  const oldSpec = old.spec ?? { containers: [] }
  if (deepEqual(spec, oldSpec)) return []
  const errors = validatePodSpec(spec, specPath, pod.metadata.name ?? '')
  for (const field of ['containers', 'initContainers'] as const) {
    if ((spec[field] ?? []).length !== (oldSpec[field] ?? []).length) {
      errors.push(fieldError.forbidden(specPath.child(field), 'pod updates may not add or remove containers'))
      return errors
    }
  }
  errors.push(...validateDeadline(spec, oldSpec), ...validateTolerationsKept(spec, oldSpec))
  const gates = new Set((oldSpec.schedulingGates ?? []).map(({ name }) => name))
  ;(spec.schedulingGates ?? []).forEach(({ name }, index) => {
    if (gates.has(name)) return
    const at = specPath.child('schedulingGates').index(index).child('name')
    errors.push(fieldError.forbidden(at, `only deletion is allowed, but found new scheduling gate '${name}'`))
  })
  const rest = withMutableFieldsOf(spec, oldSpec)
  if (deepEqual(rest, oldSpec)) return errors
  const difference = unifiedDiff(goForm('PodSpec', oldSpec), goForm('PodSpec', rest))
  return [...errors, fieldError.forbidden(specPath, `${immutableSpecMessage}\n${difference}`)]
}

const immutableSpecMessage =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function validateDeadline(spec: PodSpec, old: PodSpec): FieldError[] {
  const path = specPath.child('activeDeadlineSeconds')
  const { activeDeadlineSeconds: value } = spec
  const { activeDeadlineSeconds: before } = old
  if (before === undefined) return []
  if (value === undefined) return [fieldError.invalid(path, null, 'must not update from a positive integer to nil value')]
  return value > before ? [fieldError.invalid(path, value, 'must be less than or equal to previous value')] : []
}

function validateTolerationsKept(spec: PodSpec, old: PodSpec): FieldError[] {
  const kept = (old.tolerations ?? []).every((toleration) =>
    (spec.tolerations ?? []).some((other) =>
      deepEqual({ ...other, tolerationSeconds: undefined }, { ...toleration, tolerationSeconds: undefined }),
    ),
  )
  return kept
    ? []
    : [fieldError.forbidden(specPath.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds')]
}

/** The spec as it would be without the changes that are allowed. */
function withMutableFieldsOf(spec: PodSpec, old: PodSpec): PodSpec {
  const images = (containers: readonly Container[] | undefined, before: readonly Container[] | undefined) =>
    containers?.map((container, index) => ({ ...container, image: before?.[index]?.image }))
  return {
    ...spec,
    containers: images(spec.containers, old.containers) as readonly Container[],
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: images(spec.initContainers, old.initContainers) as readonly Container[] }),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    schedulingGates: withoutAdded(spec, old),
    ...((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1
      ? { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds }
      : {}),
  } as PodSpec
}

/** Gates may only go. */
function withoutAdded(spec: PodSpec, old: PodSpec): PodSpec['schedulingGates'] {
  const before = new Set((old.schedulingGates ?? []).map(({ name }) => name))
  return (spec.schedulingGates ?? []).every(({ name }) => before.has(name)) ? old.schedulingGates : spec.schedulingGates
}
