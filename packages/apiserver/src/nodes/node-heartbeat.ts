import {
  type ControllerHost,
  controllerManagedBy,
  ignoreNotFound,
  isConflict,
  isNotFound,
  mergePatch,
  ownerReference,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from 'steersman'
import { formatMicroTime, isAlreadyExists, isNamespaceTerminating } from 'steersman/api'
import { Lease } from 'steersman/api/types/coordination/v1'
import { Node } from 'steersman/api/types/core/v1'
import type { Client } from 'steersman/client'
import { type NodeShape, nextHeartbeatMs, nextNodeStatus, nodeObject } from './node-object.js'

const leaseNamespace = 'kube-node-lease'
const leaseSeconds = 40
const renewIntervalMs = 10_000
const notReadyTaint = 'node.kubernetes.io/not-ready'

/**
 * Registers nodes and keeps them alive: a lease every ten seconds, the status every five minutes or when it is wrong.
 *
 * A node that somebody deletes stays away until this process starts anew, as a machine does whose kubelet is not restarted.
 */
export function addNodeHeartbeats(manager: ControllerHost, shapes: ReadonlyMap<string, NodeShape>): void {
  const heartbeats = new Heartbeats(manager, shapes)
  controllerManagedBy(manager)
    .named('simulated-nodes')
    .watches(Node, (event, enqueue) => {
      if (shapes.has(event.object.metadata.name)) enqueue({ namespace: '', name: event.object.metadata.name, cluster: '' })
    })
    .watchesRawSource({
      name: 'simulated machines',
      start(enqueue) {
        for (const name of shapes.keys()) enqueue({ namespace: '', name, cluster: '' })
      },
      waitForSync: async () => {},
    })
    .withOptions({ maxConcurrentReconciles: 16 })
    .complete((request, context) => heartbeats.beat(request, context))
}

class Heartbeats {
  readonly #shapes: ReadonlyMap<string, NodeShape>
  readonly #live: Client
  readonly #registered = new Set<string>()
  /** The last lease written, by node. */
  readonly #leases = new Map<string, { readonly lease: Lease; readonly renewedMs: number }>()

  constructor(manager: ControllerHost, shapes: ReadonlyMap<string, NodeShape>) {
    this.#shapes = shapes
    this.#live = manager.liveClient ?? manager.client
  }

  async beat({ name }: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const shape = this.#shapes.get(name)
    if (shape === undefined) return undefined
    const node = (await context.client.get(Node, { name }).catch(ignoreNotFound)) ?? (await this.#register(shape, context))
    if (node === undefined) {
      this.#leases.delete(name)
      return undefined
    }
    this.#registered.add(name)
    const nextLeaseMs = await this.#renew(node, context)
    const nextStatusMs = await this.#report(shape, await this.#removeStartupTaint(node, context), context)
    return { requeueAfterMs: Math.max(1, Math.min(nextLeaseMs, nextStatusMs) - context.environment.now()) }
  }

  /** `undefined` when the node was there and somebody deleted it. */
  async #register(shape: NodeShape, { client, environment, log }: ReconcileContext): Promise<Node | undefined> {
    if (this.#registered.has(shape.name)) return undefined
    const wanted = nodeObject(shape, environment.now(), () => environment.uuid())
    try {
      const node = await client.create(Node, wanted)
      log.info('Registered node', { node: shape.name })
      return node.status?.nodeInfo === undefined ? await client.status.update(Node, { ...node, status: wanted.status }) : node
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      return this.#live.get(Node, { name: shape.name })
    }
  }

  /**
   * A real API server puts this taint on every new node, for the node lifecycle controller to take away once the node is ready. A simulated node is ready
   * from the beginning, and there may be no such controller.
   */
  async #removeStartupTaint(node: Node, { client }: ReconcileContext): Promise<Node> {
    const { resourceVersion, name } = node.metadata
    const taints = node.spec?.taints ?? []
    const remaining = taints.filter(({ key }) => key !== notReadyTaint)
    if (remaining.length === taints.length) return node
    const patch = mergePatch({ metadata: { resourceVersion }, spec: { taints: remaining } })
    try {
      return await client.patch(Node, { name }, patch)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      // Its event brings us back.
      return node
    }
  }

  /** Returns when to write the status next. */
  async #report(shape: NodeShape, node: Node, { client, environment }: ReconcileContext): Promise<number> {
    const status = nextNodeStatus(shape, node, environment.now())
    if (status === undefined) return nextHeartbeatMs(node)
    try {
      return nextHeartbeatMs(await client.status.update(Node, { ...node, status }))
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      // Somebody changed the node: its event brings us back.
      return environment.now() + 1000
    }
  }

  /** Returns when to renew next. */
  async #renew(node: Node, { client, environment, log, signal }: ReconcileContext): Promise<number> {
    const { name } = node.metadata
    const key = { namespace: leaseNamespace, name }
    const last = this.#leases.get(name)
    const nowMs = environment.now()
    if (last !== undefined && nowMs < last.renewedMs + renewIntervalMs) return last.renewedMs + renewIntervalMs
    const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: formatMicroTime(nowMs) }
    const metadata = { ...key, ownerReferences: [ownerReference(Node, node)] }
    try {
      const present = last?.lease ?? (await this.#live.get(Lease, key, { signal }).catch(ignoreNotFound))
      const lease =
        present === undefined
          ? await client.create(Lease, { metadata, spec })
          : await client.update(Lease, { ...present, metadata: { ...present.metadata, ...metadata }, spec: { ...present.spec, ...spec } })
      this.#leases.set(name, { lease, renewedMs: nowMs })
      return nowMs + renewIntervalMs
    } catch (error) {
      this.#leases.delete(name)
      const isTransient = isConflict(error) || isNotFound(error) || isAlreadyExists(error) || isNamespaceTerminating(error)
      if (!isTransient) throw error
      // Changed or deleted meanwhile, or the server has no namespace for leases yet.
      log.debug('Could not renew lease', { node: name, error: String(error) })
      return nowMs + 1000
    }
  }
}
