import type { KubernetesObject, OwnerReference } from 'steersman/api'
import type { Pod, PodCondition } from 'steersman/api/types/core/v1'

/** Whether the pod counts as a replica: it has neither finished nor is it being deleted. */
export function isPodActive(pod: Pod): boolean {
  return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined
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
  const since = ready.lastTransitionTime === undefined ? 0 : Date.parse(ready.lastTransitionTime)
  return since + minReadySeconds * 1000
}

/** The owner reference of the managing controller. */
export function controllerOwner(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true)
}

/** For {@link Informer.addIndex}: the uid of the managing controller. */
export function controllerUid(object: KubernetesObject): readonly string[] {
  const owner = controllerOwner(object)
  return owner === undefined ? [] : [owner.uid]
}

export const controllerUidIndex = 'metadata.controllerUid'
