/**
 * Room `nodes`: what makes pods run where there are no machines: a scheduler and simulated nodes, as clients of any API server.
 *
 * The scheduler assigns pods by what they ask for; each simulated node registers, renews its lease, reports its status and takes its pods through their lives
 * as a kubelet reports them: pending, running, ready, ended, restarted, deleted in their grace period.
 *
 * Promises: everything is read off the API, so a new process goes on where an old one stopped; the same seed gives the same course; no write when nothing is
 * to be told, except leases every ten seconds and node statuses every five minutes.
 *
 * Deliberately not here: containers, networks and volumes themselves; preemption; clearing away the pods of nodes that vanished.
 */
import { type Logger, Manager } from 'steersman'
import type { Environment, Transport } from 'steersman/environment'
import { addScheduler } from './scheduler.js'
import { addSimulatedNodes, type SimulatedNodesOptions } from './simulated-nodes.js'

export { type Behaviours, behaviourAnnotations, type ContainerBehaviour } from './behaviour.js'
export type { SchedulerOptions } from './scheduler.js'
export type { PodLifeOptions } from './simulated-kubelet.js'
export type { SimulatedNodesOptions } from './simulated-nodes.js'
export { addScheduler, addSimulatedNodes }

/** What {@link createSimulatedNodes} works with. */
export interface NodesEnvironment extends Omit<SimulatedNodesOptions, 'count'> {
  readonly environment: Environment
  /** To the API server, as a user who may do everything. The nodes close it when they stop. */
  readonly transport: Transport
  readonly logger: Logger
}

/** Simulated nodes and the scheduler that assigns pods to them, as one part of a process with a manager of its own. None without nodes. */
export function createSimulatedNodes(
  count: number,
  options: NodesEnvironment,
): readonly { readonly name: string; start(signal: AbortSignal): Promise<void> }[] {
  if (count === 0) return []
  const { environment, transport, logger } = options
  const manager = new Manager({ environment, transport, logger })
  addScheduler(manager)
  addSimulatedNodes(manager, { ...options, count })
  return [{ name: 'simulated-nodes', start: (signal) => manager.start(signal) }]
}
