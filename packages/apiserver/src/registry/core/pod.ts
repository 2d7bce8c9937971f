import type { Draft, UnstructuredObject } from 'steersman/api'
import { validateDns1123Subdomain } from 'steersman/api'
import type { PodSpec } from 'steersman/api/types/core/v1'
import { Pod } from 'steersman/api/types/core/v1'
import { deepCopy, deepEqual } from 'steersman/internal'
import { takeAppArmorAnnotations } from '../shared/app-armor-annotations.js'
import { dropDisabledPodFields, dropDisabledPodStatus } from '../shared/disabled-pod-fields.js'
import { unsupportedField } from '../shared/fields.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { selectOwnLabels } from '../shared/own-labels.js'
import { defaultPodSpec } from '../shared/pod-defaults.js'
import { qosClass } from '../shared/pod-qos.js'
import { defaultPodResources } from '../shared/pod-resource-defaults.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import type { ObjectDraft } from '../store-context.js'
import { defineKind } from '../strategy.js'
import { keepStatus, validatePodStatus, warnOfPodStatus } from './pod-status.js'
import { validatePodUpdate } from './pod-update.js'
import { validateNewPod } from './pod-validation.js'

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
  prepareForUpdate({ spec }, old) {
    // Clients of old leave out what they do not know.
    if (spec !== undefined && old.spec?.resources !== undefined)
      spec.resources ??= deepCopy(old.spec.resources) as typeof spec.resources & {}
  },
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (old === undefined) warnOfPod({ metadata, spec }, undefined, warn)
  },
  validate: validateNewPod,
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
      keepStatus(pod.status, old.status ?? {})
    },
    validateUpdate: validatePodStatus,
    warn: warnOfPodStatus,
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
