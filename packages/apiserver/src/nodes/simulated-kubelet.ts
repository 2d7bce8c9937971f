import {
  type ControllerHost,
  controllerManagedBy,
  createEventRecorder,
  type EventRecorder,
  ignoreNotFound,
  isConflict,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  type SourceEvent,
} from 'steersman'
import { parseTime } from 'steersman/api'
import { Node, Pod, type PodStatus } from 'steersman/api/types/core/v1'
import type { Behaviours } from './behaviour.js'
import { type ContainerLife, isOver, type LifeFacts, live, newLife, nextChangeMs, resumeLife } from './container-life.js'
import type { NodeShape } from './node-object.js'
import { nodeAddress, PodAddresses } from './pod-addresses.js'
import { isSameStatus, podStatus } from './pod-status.js'

/** How pods live on simulated nodes. */
export interface PodLifeOptions {
  /** From the first sight of a pod to its containers running, in milliseconds. @default 50 */
  readonly startLatencyMs?: number
  /** Up to so much is added to the start latency, by chance. @default 50 */
  readonly startJitterMs?: number
  /** From a pod's deletion to its end; never more than its grace period. @default 50 */
  readonly stopLatencyMs?: number
  /** What containers do. @default they run until stopped, unless annotations on their pod say otherwise */
  readonly behaviours?: Behaviours
}

/** Brings pods to life on the nodes, ends them, and reports as kubelets do. What it knows it can read off the API again after a restart. */
export function addSimulatedKubelets(manager: ControllerHost, shapes: ReadonlyMap<string, NodeShape>, options: PodLifeOptions): void {
  const kubelets = new SimulatedKubelets(manager, shapes, options)
  manager.cache.informer(Node)
  controllerManagedBy(manager)
    .named('simulated-kubelets')
    .watches(Pod, (event, enqueue) => {
      if (kubelets.onPod(event))
        enqueue({ namespace: event.object.metadata.namespace ?? '', name: event.object.metadata.name, cluster: '' })
    })
    .withOptions({ maxConcurrentReconciles: 32 })
    .complete((request, context) => kubelets.sync(request, context))
}

/** What this process remembers of a pod. Lost without harm. */
interface PodMemory {
  lives: readonly ContainerLife[]
  readonly startedMs: number
  stopMs?: number
}

class SimulatedKubelets {
  readonly #host: ControllerHost
  readonly #shapes: ReadonlyMap<string, NodeShape>
  readonly #options: PodLifeOptions
  readonly #memories = new Map<string, PodMemory>()
  readonly #addresses = new Map<string, PodAddresses>()
  readonly #recorders = new Map<string, EventRecorder>()

  constructor(host: ControllerHost, shapes: ReadonlyMap<string, NodeShape>, options: PodLifeOptions) {
    this.#host = host
    this.#shapes = shapes
    this.#options = options
  }

  /** Whether the pod is to be looked at. */
  onPod({ type, object: pod }: SourceEvent<Pod>): boolean {
    const shape = this.#shapes.get(pod.spec?.nodeName ?? '')
    if (shape === undefined) return false
    const addresses = this.#addressesOf(shape)
    const { uid } = pod.metadata
    if (type === 'delete') {
      addresses.release(uid)
      this.#memories.delete(uid)
      return false
    }
    const { podIP } = pod.status ?? {}
    if (podIP !== undefined && pod.spec?.hostNetwork !== true) addresses.reserve(uid, podIP)
    return true
  }

  async sync(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const pod = await context.client.get(Pod, request).catch(ignoreNotFound)
    const shape = this.#shapes.get(pod?.spec?.nodeName ?? '')
    if (pod === undefined || shape === undefined) return undefined
    // Pods of a machine that is no longer part of the cluster are for others to clear away.
    if (this.#host.cache.informer(Node).get({ name: shape.name }) === undefined) return { requeueAfterMs: 1000 }
    try {
      return pod.metadata.deletionTimestamp === undefined ? await this.#run(pod, shape, context) : await this.#stop(pod, shape, context)
    } catch (error) {
      if (!isConflict(error)) throw error
      context.log.debug('Pod changed meanwhile', { error: String(error) })
      return { requeueAfterMs: 1000 }
    }
  }

  async #run(pod: Pod, shape: NodeShape, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (isFinal(pod)) {
      this.#memories.delete(pod.metadata.uid)
      return undefined
    }
    const memory = this.#remember(pod, context)
    const facts: LifeFacts = { pod, behaviours: this.#options.behaviours, nowMs: context.environment.now() }
    const before = memory.lives
    memory.lives = before.map((life) => live(life, facts))
    await this.#report(pod, shape, { memory, facts, context })
    this.#announce(pod, shape, { before, after: memory.lives })
    const changes = memory.lives.map((life) => nextChangeMs(life, facts)).filter((atMs) => atMs !== undefined)
    return changes.length === 0 ? undefined : { requeueAfterMs: Math.max(1, Math.min(...changes) - context.environment.now()) }
  }

  /** Waits the stop latency, then takes the pod away. With finalizers left on it, it first says that it has ended: who put them there waits for that. */
  async #stop(pod: Pod, shape: NodeShape, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { client, environment } = context
    const { uid, finalizers = [], deletionGracePeriodSeconds = 0 } = pod.metadata
    const memory = this.#remember(pod, context)
    const nowMs = environment.now()
    const isRunning = !isFinal(pod) && memory.lives.some(({ phase }) => phase.is === 'running')
    if (memory.stopMs === undefined) {
      const latencyMs = isRunning ? Math.min(this.#options.stopLatencyMs ?? 50, deletionGracePeriodSeconds * 1000) : 0
      memory.stopMs = nowMs + latencyMs
      if (isRunning)
        for (const life of memory.lives) this.#containerEvent(pod, shape, life, 'Killing', `Stopping container ${life.container.name}`)
    }
    if (memory.stopMs > nowMs) return { requeueAfterMs: memory.stopMs - nowMs }
    if (finalizers.length > 0 && !isFinal(pod)) {
      const stopped: Pod = { ...pod, spec: { containers: [], ...pod.spec, restartPolicy: 'Never' } }
      memory.lives = memory.lives.map((life) => ended(life, nowMs))
      await this.#report(stopped, shape, { memory, facts: { pod: stopped, behaviours: this.#options.behaviours, nowMs }, context })
    }
    if (deletionGracePeriodSeconds > 0 || finalizers.length === 0)
      await client.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } }).catch(ignoreNotFound)
    return undefined
  }

  #remember(pod: Pod, { environment }: ReconcileContext): PodMemory {
    const { uid } = pod.metadata
    const present = this.#memories.get(uid)
    if (present !== undefined) return present
    const { startLatencyMs = 50, startJitterMs = 50 } = this.#options
    const nowMs = environment.now()
    const startMs = nowMs + startLatencyMs + Math.floor(environment.random() * startJitterMs)
    const statuses = pod.status?.containerStatuses
    const lives = (pod.spec?.containers ?? []).map((container) =>
      statuses === undefined
        ? newLife(container, startMs)
        : resumeLife(
            container,
            statuses.find(({ name }) => name === container.name),
            startMs,
          ),
    )
    const memory: PodMemory = { lives, startedMs: parseTime(pod.status?.startTime) ?? nowMs }
    this.#memories.set(uid, memory)
    return memory
  }

  async #report(
    pod: Pod,
    shape: NodeShape,
    { memory, facts, context }: { readonly memory: PodMemory; readonly facts: LifeFacts; readonly context: ReconcileContext },
  ): Promise<void> {
    const hostIP = nodeAddress(shape.index)
    const podIP = pod.spec?.hostNetwork === true ? hostIP : this.#addressesOf(shape).addressOf(pod.metadata.uid)
    const status: PodStatus = podStatus(memory.lives, { hostIP, podIP, startedMs: memory.startedMs }, facts)
    if (isSameStatus(status, pod.status)) return
    await context.client.status.update(Pod, { ...pod, status })
  }

  #announce(
    pod: Pod,
    shape: NodeShape,
    { before, after }: { readonly before: readonly ContainerLife[]; readonly after: readonly ContainerLife[] },
  ): void {
    for (const [index, life] of after.entries()) {
      const old = before[index]
      const wasStarted = old?.phase.is === 'running' && old.restarts === life.restarts
      if (life.phase.is === 'running' && !wasStarted) {
        this.#containerEvent(pod, shape, life, 'Created', 'Container created')
        this.#containerEvent(pod, shape, life, 'Started', 'Container started')
      } else if (life.phase.is === 'waiting' && life.phase.untilMs === undefined && old?.phase !== life.phase) {
        this.#containerEvent(pod, shape, life, 'Failed', `Error: ${life.phase.reason}`)
      } else if (life.phase.is === 'ended' && old?.phase.is !== 'ended' && !isOver(life, pod)) {
        this.#containerEvent(
          pod,
          shape,
          life,
          'BackOff',
          `Back-off restarting failed container ${life.container.name} in pod ${nameOf(pod)}`,
        )
      }
    }
  }

  #containerEvent(pod: Pod, { name: host }: NodeShape, { container }: ContainerLife, reason: string, message: string): void {
    let recorder = this.#recorders.get(host)
    if (recorder === undefined) {
      recorder = createEventRecorder(this.#host, { component: 'kubelet', host })
      this.#recorders.set(host, recorder)
    }
    const type = reason === 'Failed' || reason === 'BackOff' ? 'Warning' : 'Normal'
    recorder.event(pod, { type, reason, message, fieldPath: `spec.containers{${container.name}}` })
  }

  #addressesOf(shape: NodeShape): PodAddresses {
    let addresses = this.#addresses.get(shape.name)
    if (addresses === undefined) {
      addresses = new PodAddresses(shape.index)
      this.#addresses.set(shape.name, addresses)
    }
    return addresses
  }
}

function isFinal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** A container that was stopped with SIGTERM and went at once. */
function ended(life: ContainerLife, nowMs: number): ContainerLife {
  if (life.phase.is === 'ended') return life
  const startedMs = life.phase.is === 'running' ? life.phase.sinceMs : nowMs
  return { ...life, phase: { is: 'ended', startedMs, atMs: nowMs, exitCode: 143 } }
}

function keyOf({ metadata }: Pod): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name }
}

function nameOf({ metadata }: Pod): string {
  return `${metadata.name}_${metadata.namespace}(${metadata.uid})`
}
