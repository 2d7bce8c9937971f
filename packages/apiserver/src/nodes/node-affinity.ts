import { compileLabelSelector, type LabelRequirement, labelRequirement, type SelectorOperator } from 'steersman/api'
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from 'steersman/api/types/core/v1'

/** Whether the node has what the pod's nodeSelector and required node affinity ask for. */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const { nodeSelector, affinity } = pod.spec ?? {}
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(nodeSelector ?? {}).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)) return false
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  // One term is enough; no terms match nothing.
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node))
}

function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false
  return (
    matchExpressions.every((requirement) => matchesRequirement(requirement, node.metadata.labels ?? {})) &&
    matchFields.every((requirement) => matchesRequirement(requirement, { 'metadata.name': node.metadata.name }))
  )
}

const orderOperators: Readonly<Record<string, SelectorOperator>> = { Gt: 'gt', Lt: 'lt' }

/** A requirement that cannot be understood matches nothing. */
function matchesRequirement({ key, operator, values }: NodeSelectorRequirement, labels: Readonly<Record<string, string>>): boolean {
  const order = orderOperators[operator]
  if (order !== undefined) return matchesOrder(labelRequirement(key, order, values ?? []), labels)
  if (key === 'metadata.name') {
    const isListed = values?.includes(labels[key] ?? '') === true
    return operator === 'In' ? isListed : operator === 'NotIn' && !isListed
  }
  return compileLabelSelector({ matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] }).matches(labels)
}

function matchesOrder({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const label = labels[key]
  const pattern = /^-?\d+$/
  const [limit = ''] = values
  if (label === undefined || !pattern.test(label) || !pattern.test(limit)) return false
  return operator === 'gt' ? BigInt(label) > BigInt(limit) : BigInt(label) < BigInt(limit)
}
