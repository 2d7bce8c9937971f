import type { Draft, LabelSelector } from 'steersman/api'
import type { PodAffinity, PodSpec } from 'steersman/api/types/core/v1'

/** Adds to selectors of a pod what it says only by keys: that others have the same labels as the pod itself, or other ones. */
export function selectOwnLabels(spec: Draft<PodSpec>, labels: Readonly<Record<string, string>>): void {
  for (const { matchLabelKeys = [], labelSelector } of spec.topologySpreadConstraints ?? []) {
    addOwnLabels(labelSelector, matchLabelKeys, 'In', labels)
  }
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    for (const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } of affinityTerms(affinity)) {
      addOwnLabels(labelSelector, matchLabelKeys, 'In', labels)
      addOwnLabels(labelSelector, mismatchLabelKeys, 'NotIn', labels)
    }
  }
}

function affinityTerms(affinity: Draft<PodAffinity> | undefined) {
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ podAffinityTerm }) => podAffinityTerm ?? []),
  ]
}

function addOwnLabels(
  selector: Draft<LabelSelector> | undefined,
  keys: readonly string[],
  operator: string,
  labels: Readonly<Record<string, string>>,
): void {
  if (selector === undefined) return
  for (const key of keys) {
    const value = labels[key]
    if (value !== undefined) selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [value] }]
  }
}
