import { parseTime } from 'steersman/api'
import type { Pod } from 'steersman/api/types/core/v1'
import { isPodReady, podCondition } from './pod-state.js'

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost'
const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }

/**
 * Orders pods so that the first are the ones to delete: those that serve least.
 *
 * Not assigned before assigned, Pending before Unknown before Running, not ready before ready, lower deletion cost, more pods of the same
 * controller on the node, ready for a shorter time, more restarts, newer; then by name, so that the order is total.
 */
export function rankPodsForDeletion(pods: readonly Pod[]): Pod[] {
  const onNode = new Map<string, number>()
  for (const pod of pods) {
    const node = pod.spec?.nodeName ?? ''
    onNode.set(node, (onNode.get(node) ?? 0) + 1)
  }
  const rank = (pod: Pod): readonly (number | string)[] => [
    pod.spec?.nodeName === undefined || pod.spec.nodeName === '' ? 0 : 1,
    phaseRank[pod.status?.phase ?? 'Pending'] ?? 1,
    isPodReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.[deletionCostAnnotation] ?? 0) || 0,
    -(onNode.get(pod.spec?.nodeName ?? '') ?? 0),
    -(parseTime(podCondition(pod, 'Ready')?.lastTransitionTime) ?? 0),
    -restarts(pod),
    -(parseTime(pod.metadata.creationTimestamp) ?? 0),
    pod.metadata.name,
  ]
  const ranks = new Map(pods.map((pod) => [pod, rank(pod)]))
  return [...pods].sort((left, right) => compare(ranks.get(left) ?? [], ranks.get(right) ?? []))
}

function compare(left: readonly (number | string)[], right: readonly (number | string)[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index]
    if (other === undefined || value === other) continue
    return value < other ? -1 : 1
  }
  return 0
}

function restarts(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount))
}
