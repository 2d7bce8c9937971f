import type { LabelSelector } from 'steersman/api'
import { compareCodePoints } from 'steersman/api'
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from 'steersman/api/types/core/v1'

/** A label selector as Go shows it in refusals: in its own order, with what an expression leaves out. */
export function goLabelSelector({ matchLabels, matchExpressions }: LabelSelector): object {
  const labels = Object.entries(matchLabels ?? {}).sort(([a], [b]) => compareCodePoints(a, b))
  const expressions = matchExpressions?.map(({ key, operator, values }) => ({
    key: key ?? '',
    operator: operator ?? '',
    ...((values?.length ?? 0) > 0 ? { values } : {}),
  }))
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...((expressions?.length ?? 0) > 0 ? { matchExpressions: expressions } : {}),
  }
}

/** A selector of nodes as Go shows it in refusals: its own names, nothing left out. */
export function goNodeSelector({ nodeSelectorTerms }: NodeSelector): object {
  return { NodeSelectorTerms: nodeSelectorTerms?.map(goNodeSelectorTerm) ?? null }
}

export function goNodeSelectorTerm({ matchExpressions, matchFields }: NodeSelectorTerm): object {
  return { MatchExpressions: goRequirements(matchExpressions), MatchFields: goRequirements(matchFields) }
}

function goRequirements(list: readonly NodeSelectorRequirement[] | undefined): readonly object[] | null {
  return list?.map(({ key, operator, values }) => ({ Key: key ?? '', Operator: operator ?? '', Values: values ?? null })) ?? null
}
