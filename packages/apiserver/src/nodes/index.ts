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
export { type Behaviours, behaviourAnnotations, type ContainerBehaviour } from './behaviour.js'
export { addScheduler, type SchedulerOptions } from './scheduler.js'
export type { PodLifeOptions } from './simulated-kubelet.js'
export { addSimulatedNodes, type SimulatedNodesOptions } from './simulated-nodes.js'
