import type { Pod } from 'steersman/api/types/core/v1'
import { type Amounts, podRequests } from './pod-resources.js'

/** For ordering nodes, a pod that asks for nothing still takes something. */
const assumedCpu = 100
const assumedMemory = 200 * 1024 * 1024

/** What is taken on one node. */
export interface Usage {
  readonly pods: number
  readonly requested: Amounts
  /** As `requested`, with an assumption for what pods do not say; cpu and memory only. */
  readonly scored: { readonly cpu: number; readonly memory: number }
}

interface Placement {
  readonly node: string
  readonly requests: Amounts
}

interface MutableUsage {
  pods: number
  readonly requested: Map<string, number>
  readonly scored: { cpu: number; memory: number }
}

const noUsage: Usage = { pods: 0, requested: new Map(), scored: { cpu: 0, memory: 0 } }

/** Which pod takes what on which node, pods that were just bound included. */
export class NodeUsage {
  readonly #placements = new Map<string, Placement>()
  readonly #usage = new Map<string, MutableUsage>()

  of(node: string): Usage {
    return this.#usage.get(node) ?? noUsage
  }

  /** Takes in what an informer tells. What it tells of a pod that was bound a moment ago may be older than that. */
  observe(pod: Pod): void {
    const { phase } = pod.status ?? {}
    const node = pod.spec?.nodeName
    if (phase === 'Succeeded' || phase === 'Failed') this.remove(pod.metadata.uid)
    else if (node !== undefined && node !== '') this.place(pod, node)
  }

  /** Counts the pod on the node. */
  place(pod: Pod, node: string): void {
    const { uid } = pod.metadata
    if (this.#placements.get(uid)?.node === node) return
    this.remove(uid)
    const placement: Placement = { node, requests: podRequests(pod) }
    this.#placements.set(uid, placement)
    this.#change(placement, 1)
  }

  remove(uid: string): void {
    const placement = this.#placements.get(uid)
    if (placement === undefined) return
    this.#placements.delete(uid)
    this.#change(placement, -1)
  }

  #change({ node, requests }: Placement, sign: 1 | -1): void {
    let usage = this.#usage.get(node)
    if (usage === undefined) {
      usage = { pods: 0, requested: new Map(), scored: { cpu: 0, memory: 0 } }
      this.#usage.set(node, usage)
    }
    usage.pods += sign
    for (const [name, amount] of requests) usage.requested.set(name, (usage.requested.get(name) ?? 0) + sign * amount)
    usage.scored.cpu += sign * (requests.get('cpu') || assumedCpu)
    usage.scored.memory += sign * (requests.get('memory') || assumedMemory)
    if (usage.pods === 0) this.#usage.delete(node)
  }
}
