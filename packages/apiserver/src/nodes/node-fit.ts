import type { Node, Pod, Taint } from 'steersman/api/types/core/v1'
import { matchesNodeAffinity } from './node-affinity.js'
import type { NodeUsage, Usage } from './node-usage.js'
import { type Amounts, amountsOf, podRequests } from './pod-resources.js'
import { isTolerated } from './tolerations.js'

/** Why a node does not take a pod, in the scheduler's words, and whether it could if other pods went. */
export interface Misfit {
  readonly reasons: readonly string[]
  readonly isResolvable: boolean
}

/** Where a pod goes, or why it goes nowhere. */
export type Placement = { readonly node: string } | { readonly message: string }

/** Chooses the node that takes the pod and has most left, by name among equals. */
export function placePod(pod: Pod, nodes: readonly Node[], usage: NodeUsage): Placement {
  if (nodes.length === 0) return { message: 'no nodes available to schedule pods' }
  const requests = podRequests(pod)
  const misfits: Misfit[] = []
  let best: { readonly node: string; readonly score: number } | undefined
  for (const node of nodes) {
    const used = usage.of(node.metadata.name)
    const misfit = misfitOf(pod, requests, node, used)
    if (misfit !== undefined) {
      misfits.push(misfit)
      continue
    }
    const score = freeShare(node, used)
    const isBetter = best === undefined || score > best.score || (score === best.score && node.metadata.name < best.node)
    if (isBetter) best = { node: node.metadata.name, score }
  }
  return best === undefined ? { message: noFitMessage(pod, nodes.length, misfits) } : { node: best.node }
}

function misfitOf(pod: Pod, requests: Amounts, node: Node, usage: Usage): Misfit | undefined {
  const never = (reason: string): Misfit => ({ reasons: [reason], isResolvable: false })
  const { tolerations } = pod.spec ?? {}
  if (node.spec?.unschedulable === true && !isTolerated(unschedulableTaint, tolerations)) return never('node(s) were unschedulable')
  if (taintsOf(node).some((taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, tolerations)))
    return never('node(s) had untolerated taint(s)')
  if (!matchesNodeAffinity(pod, node)) return never("node(s) didn't match Pod's node affinity/selector")
  return resourceMisfit(requests, node, usage)
}

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** The node's taints, and the one that the node lifecycle controller puts on a node that is not ready, should it not have done so yet. */
function taintsOf(node: Node): readonly Taint[] {
  const taints = node.spec?.taints ?? []
  const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status
  if (ready === 'True') return taints
  const key = ready === 'Unknown' ? 'node.kubernetes.io/unreachable' : 'node.kubernetes.io/not-ready'
  return [...taints, { key, effect: 'NoSchedule' }]
}

function resourceMisfit(requests: Amounts, node: Node, usage: Usage): Misfit | undefined {
  const allocatable = allocatableOf(node)
  const reasons: string[] = []
  let isResolvable = true
  if (usage.pods + 1 > (allocatable.get('pods') ?? 0)) reasons.push('Too many pods')
  for (const [name, amount] of requests) {
    const total = allocatable.get(name) ?? 0
    if (amount === 0 || amount + (usage.requested.get(name) ?? 0) <= total) continue
    reasons.push(`Insufficient ${name}`)
    if (amount > total) isResolvable = false
  }
  return reasons.length === 0 ? undefined : { reasons, isResolvable }
}

/** Read once per state of a node: every pod asks every node. */
const allocatables = new WeakMap<object, Amounts>()

function allocatableOf({ status }: Node): Amounts {
  const { allocatable } = status ?? {}
  if (allocatable === undefined) return amountsOf(allocatable)
  let amounts = allocatables.get(allocatable)
  if (amounts === undefined) {
    amounts = amountsOf(allocatable)
    allocatables.set(allocatable, amounts)
  }
  return amounts
}

/** How much of cpu and memory is free, on average. */
function freeShare(node: Node, { scored }: Usage): number {
  const allocatable = allocatableOf(node)
  const free = (name: 'cpu' | 'memory'): number => {
    const total = allocatable.get(name) ?? 0
    return total === 0 ? 0 : Math.max(0, total - scored[name]) / total
  }
  return (free('cpu') + free('memory')) / 2
}

function noFitMessage(pod: Pod, nodes: number, misfits: readonly Misfit[]): string {
  const message = `0/${nodes} nodes are available: ${histogram(misfits.flatMap(({ reasons }) => reasons))}.`
  if (pod.spec?.preemptionPolicy === 'Never') return `${message} preemption: not eligible due to preemptionPolicy=Never.`
  const hopes = misfits.map(({ isResolvable }) =>
    isResolvable ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling',
  )
  return `${message} preemption: 0/${nodes} nodes are available: ${histogram(hopes)}.`
}

/** `1 Insufficient cpu, 2 node(s) were unschedulable`. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ')
}
