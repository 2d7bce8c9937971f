import { type KubernetesObject, type OwnerReference, parseTime } from 'steersman/api'
import type { Pod, PodCondition } from 'steersman/api/types/core/v1'

/** Whether the pod has run to its end and will not run again. */
export function isPodFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** Whether the pod counts as a replica: it has neither finished nor is it being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined
}

export function podCondition(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type)
}

export function isPodReady(pod: Pod): boolean {
  return podCondition(pod, 'Ready')?.status === 'True'
}

/** When the pod will have been ready for `minReadySeconds`, in milliseconds since the epoch; `undefined` while it is not ready. */
export function availableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  const ready = podCondition(pod, 'Ready')
  if (ready?.status !== 'True') return undefined
  // Ready just now is available at once when nothing has to be waited for, whatever the kubelet's clock says.
  if (minReadySeconds === 0) return 0
  const since = parseTime(ready.lastTransitionTime) ?? 0
  return since + minReadySeconds * 1000
}

/** The owner reference of the managing controller. */
export function controllerOwner(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true)
}
