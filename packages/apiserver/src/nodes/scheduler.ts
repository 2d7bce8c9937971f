import {
  type ControllerHost,
  controllerManagedBy,
  createEventRecorder,
  type Enqueue,
  type EventRecorder,
  ignoreNotFound,
  isConflict,
  isNotFound,
  mergePatch,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  type SourceEvent,
} from 'steersman'
import { formatTime, isNamespaceTerminating } from 'steersman/api'
import { Node, Pod } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { placePod } from './node-fit.js'
import { NodeUsage } from './node-usage.js'

/** Options of {@link addScheduler}. */
export interface SchedulerOptions {
  /** Pods that name another scheduler are left alone. @default default-scheduler */
  readonly name?: string
}

const unassignedIndex = 'scheduler.unassigned'

/**
 * Assigns pods to nodes: one after the other, each to the node that fits and has most left. A pod that fits nowhere says why in its condition
 * `PodScheduled` and is tried again when a node changes or another pod goes.
 */
export function addScheduler(manager: ControllerHost, options: SchedulerOptions = {}): void {
  const { name = 'default-scheduler' } = options
  const scheduler = new Scheduler(manager, name)
  controllerManagedBy(manager)
    .named(name)
    .watches(Pod, (event, enqueue) => scheduler.onPod(event, enqueue))
    .watches(Node, (event, enqueue) => {
      if (event.type !== 'update' || mattersToPods(event.oldObject, event.object)) scheduler.retryAll(enqueue)
    })
    // One at a time: each assignment changes what is left for the next.
    .withOptions({ maxConcurrentReconciles: 1 })
    .complete((request, context) => scheduler.schedule(request, context))
}

class Scheduler {
  readonly #host: ControllerHost
  readonly #name: string
  readonly #events: EventRecorder
  readonly #usage = new NodeUsage()

  constructor(host: ControllerHost, name: string) {
    this.#host = host
    this.#name = name
    this.#events = createEventRecorder(host, { component: name })
    host.cache.informer(Pod).addIndex(`${unassignedIndex}.${name}`, (pod) => (this.#isWaiting(pod) ? ['true'] : []))
    host.cache.informer(Node)
  }

  onPod(event: SourceEvent<Pod>, enqueue: Enqueue): void {
    const { object: pod, type } = event
    if (type === 'delete') {
      this.#usage.remove(pod.metadata.uid)
      if (isAssigned(pod)) this.retryAll(enqueue)
      return
    }
    const before = event.type === 'update' ? event.oldObject : undefined
    this.#usage.observe(pod)
    if (isAssigned(pod)) {
      if (before !== undefined && isFinished(pod) && !isFinished(before)) this.retryAll(enqueue)
    } else if (this.#isWaiting(pod) && (before === undefined || hasChangedNeeds(before, pod))) {
      enqueue(requestOf(pod), priorityOf(pod))
    }
  }

  /** Pods that wait may fit now. */
  retryAll(enqueue: Enqueue): void {
    for (const pod of this.#host.cache.byIndex(Pod, `${unassignedIndex}.${this.#name}`, 'true')) enqueue(requestOf(pod), priorityOf(pod))
  }

  async schedule(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const pod = this.#host.cache.informer(Pod).get(request)
    if (pod === undefined || !this.#isWaiting(pod)) return undefined
    const nodes = this.#host.cache.informer(Node).list()
    const placement = placePod(pod, nodes, this.#usage)
    try {
      if ('node' in placement) await this.#bind(pod, placement.node, context)
      else await this.#reportUnschedulable(pod, placement.message, context)
    } catch (error) {
      // It went away, or will go with its namespace.
      if (isNotFound(error) || isNamespaceTerminating(error)) return undefined
      if (!isConflict(error)) throw error
      // Somebody else assigned or changed it: its event decides what is next.
      context.log.debug('Pod changed meanwhile', { error: String(error) })
      return { requeueAfterMs: 1000 }
    }
    return undefined
  }

  #isWaiting(pod: Pod): boolean {
    return (
      !isAssigned(pod) &&
      (pod.spec?.schedulerName ?? 'default-scheduler') === this.#name &&
      pod.metadata.deletionTimestamp === undefined &&
      !isFinished(pod) &&
      (pod.spec?.schedulingGates ?? []).length === 0
    )
  }

  async #bind(pod: Pod, node: string, { client, log }: ReconcileContext): Promise<void> {
    const { name, namespace, uid } = pod.metadata
    // Counted before the request is answered: its event may come first.
    this.#usage.place(pod, node)
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { kind: 'Node', name: node },
    }
    try {
      await client.subresource('binding').create(Pod, requestOf(pod), binding)
    } catch (error) {
      const fresh = this.#host.cache.informer(Pod).get(requestOf(pod))
      if (fresh === undefined || !isAssigned(fresh)) this.#usage.remove(uid)
      throw error
    }
    log.debug('Assigned pod', { node })
    this.#events.event(pod, { reason: 'Scheduled', message: `Successfully assigned ${namespace}/${name} to ${node}` })
  }

  async #reportUnschedulable(pod: Pod, message: string, { client, environment }: ReconcileContext): Promise<void> {
    const conditions = pod.status?.conditions ?? []
    const before = conditions.find((condition) => condition.type === 'PodScheduled')
    if (before?.status === 'False' && before.reason === 'Unschedulable' && before.message === message) return
    const { generation, resourceVersion, uid } = pod.metadata
    const after = {
      type: 'PodScheduled',
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      status: 'False',
      lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : formatTime(environment.now()),
      reason: 'Unschedulable',
      message,
    }
    const next = before === undefined ? [...conditions, after] : conditions.map((condition) => (condition === before ? after : condition))
    this.#events.event(pod, { type: 'Warning', reason: 'FailedScheduling', message })
    const patch = mergePatch({ metadata: { uid, resourceVersion }, status: { conditions: next } })
    await client.status.patch(Pod, requestOf(pod), patch).catch(ignoreNotFound)
  }
}

function isAssigned(pod: Pod): boolean {
  return pod.spec?.nodeName !== undefined && pod.spec.nodeName !== ''
}

function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** Status does not count: the scheduler writes it itself. */
function hasChangedNeeds(before: Pod, after: Pod): boolean {
  return before.metadata.generation !== after.metadata.generation || !deepEqual(before.spec, after.spec)
}

/** Heartbeats change a node every few minutes and mean nothing to pods. */
function mattersToPods(before: Node, after: Node): boolean {
  const readiness = (node: Node): unknown => node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status
  return (
    readiness(before) !== readiness(after) ||
    !deepEqual(before.spec, after.spec) ||
    !deepEqual(before.metadata.labels, after.metadata.labels) ||
    !deepEqual(before.status?.allocatable, after.status?.allocatable)
  )
}

function requestOf({ metadata }: Pod): ReconcileRequest {
  return { namespace: metadata.namespace ?? '', name: metadata.name, cluster: '' }
}

/** Pods of higher priority go first. */
function priorityOf(pod: Pod): { readonly priority?: number } {
  const { priority } = pod.spec ?? {}
  return priority === undefined || priority === 0 ? {} : { priority }
}
