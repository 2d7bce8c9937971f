import type { ControllerHost } from 'steersman'
import { addNodeHeartbeats } from './node-heartbeat.js'
import type { NodeShape } from './node-object.js'
import { maxNodes } from './pod-addresses.js'
import { addSimulatedKubelets, type PodLifeOptions } from './simulated-kubelet.js'

/** Options of {@link addSimulatedNodes}. */
export interface SimulatedNodesOptions extends PodLifeOptions {
  /** How many there are. */
  readonly count: number
  /** They are named so, with a number from 0 behind it. @default node- */
  readonly namePrefix?: string
  /** What each has. @default cpu 4, memory 16Gi, pods 110, ephemeral-storage 100Gi */
  readonly capacity?: Readonly<Record<string, string>>
  /** Labels of each, besides the usual. @default none */
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * Adds nodes without machines to a manager, before its start: they register, stay alive, and run whatever pods are assigned to them.
 *
 * @throws {RangeError} when the count is not a whole number from 0 to 3072.
 */
export function addSimulatedNodes(manager: ControllerHost, options: SimulatedNodesOptions): void {
  const { count, namePrefix = 'node-', capacity, labels } = options
  if (!Number.isInteger(count) || count < 0 || count > maxNodes)
    throw new RangeError(`Cannot simulate ${count} nodes: expected a whole number from 0 to ${maxNodes}`)
  const shapes = new Map<string, NodeShape>()
  for (let index = 0; index < count; index += 1) {
    const name = `${namePrefix}${index}`
    shapes.set(name, { name, index, ...(capacity === undefined ? {} : { capacity }), ...(labels === undefined ? {} : { labels }) })
  }
  addNodeHeartbeats(manager, shapes)
  addSimulatedKubelets(manager, shapes, options)
}
