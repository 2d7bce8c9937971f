import { WidgetReconciler } from '@steersman/example-widget/reconciler'
import { Widget } from '@steersman/example-widget/widget'
import { controllerManagedBy, ignoreAlreadyExists, ignoreNotFound, type Logger, mergePatch, type Reconciler } from 'steersman'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'
import type { InterceptedExchange, TransportResponse } from 'steersman/environment'
import { type Program, SimulatedCluster } from './simulated-cluster.js'
import { isReady, type Rollout, widgetViolations } from './widget-invariants.js'

/** Options of {@link runWidgetHistory}. */
export interface HistoryOptions {
  /** @default as drawn by the seed */
  readonly maxLatencyMs?: number
  /** Kill the operator once, after the server applied one of its writes and before the answer came. @default true */
  readonly killOperator?: boolean
  /** Nobody reaches the server for 30 s, beginning at a write that the seed chooses. @default none */
  readonly outage?: 'silent' | 'refused'
  /** Another operator in place of the article's. */
  readonly reconciler?: () => Reconciler
  readonly logger?: Logger
  /** How many entries of the trace to keep as text. @default 0 */
  readonly traceEntries?: number
}

/** How a history went. */
export interface HistoryOutcome {
  readonly seed: number
  /** Every step of the story came true in time. */
  readonly converged: boolean
  /** Why not, and whatever else went against the expectations; empty if all is well. */
  readonly violations: readonly string[]
  /** What there was when the story had come true, before the Widget was deleted, without names, times and counters. The same for all seeds. */
  readonly finalState: string
  /** Covers every request, response body, watch event and timer. */
  readonly hash: string
  /** Covers who asked what and the order of it, but nothing that merely follows from random names. */
  readonly course: string
  readonly virtualMs: number
  readonly events: number
  /** Writes that the server applied. */
  readonly writes: number
  /** Writes by the operator. */
  readonly operatorWrites: number
  /** The request after which the operator was killed: `PUT /apis/…`. */
  readonly killedAfter: string | undefined
  /** Requests of each process, watches included. */
  readonly requests: Readonly<Record<string, number>>
  /** How often each thing was asked during the outage: by `operator GET /apis/…`. */
  readonly requestsInOutage: Readonly<Record<string, number>>
  /** The trace's last entries, if asked for. */
  readonly trace: readonly string[]
}

/** The process that the operator runs in. */
export const OPERATOR = 'operator'
const key = { namespace: 'default', name: 'hello' }
/** The operator makes at least so many writes in the story. */
const LEAST_OPERATOR_WRITES = 15
/** The server applies at least so many writes in the story. */
const LEAST_WRITES = 250
const OUTAGE_MS = 30_000
/** Longer than a pod takes to go and its controllers to notice. */
const SETTLE_MS = 20_000
/** The operator is away for at most this long. */
const MOST_DOWNTIME_MS = 5000

/** The article's operator as a program. */
export function widgetProgram(reconciler: Reconciler = new WidgetReconciler()): Program {
  return (manager) => void controllerManagedBy(manager).for(Widget).owns(Deployment).complete(reconciler)
}

/**
 * One history of the article's Widget: created, ready, scaled, its image changed, its Deployment deleted by hand, its operator killed and started
 * again, the Widget deleted. The seed chooses the latency, the order in which everything is delivered, every random number, and at which write the
 * operator is killed.
 */
export async function runWidgetHistory(seed: number, options: HistoryOptions = {}): Promise<HistoryOutcome> {
  const { maxLatencyMs, traceEntries } = options
  const cluster = await SimulatedCluster.open({
    seed,
    nodes: 3,
    controllers: 'all',
    ...(maxLatencyMs === undefined ? {} : { maxLatencyMs }),
    ...(traceEntries === undefined ? {} : { traceEntries }),
  })
  const history = new WidgetHistory(cluster, options)
  await history.play()
  return history.outcome()
}

/** The cluster with the Widget's definition and the operator running. The story's steps can be played on it one by one. */
export class WidgetHistory {
  readonly cluster: SimulatedCluster
  readonly #options: HistoryOptions
  readonly #rollouts: Rollout[] = []
  readonly #violations: string[] = []
  readonly #interference: Promise<void>[] = []
  #killedAfter: string | undefined
  #requestsInOutage: ReadonlyMap<string, number> = new Map()
  #finalState = ''
  #converged = false

  constructor(cluster: SimulatedCluster, options: HistoryOptions = {}) {
    this.cluster = cluster
    this.#options = options
    const random = cluster.world.seededRandom('interference')
    const killAfter = 1 + random.below(LEAST_OPERATOR_WRITES)
    const downMs = random.below(MOST_DOWNTIME_MS + 1)
    const outageAfter = 1 + random.below(LEAST_WRITES)
    let operatorWrites = 0
    let writes = 0
    cluster.world.network.intercept({
      response: (exchange, response) => {
        if (!isApplied(exchange, response)) return undefined
        writes++
        if (writes === outageAfter && options.outage !== undefined) this.#interference.push(this.#outage(options.outage))
        if (exchange.client.name !== OPERATOR) return undefined
        operatorWrites++
        if (operatorWrites === killAfter && options.killOperator !== false) this.#interference.push(this.#killOperator(exchange, downMs))
        return undefined
      },
    })
  }

  /** Plays the whole story and ends the cluster. */
  async play(): Promise<void> {
    const { cluster } = this
    try {
      await cluster.run(this.#story())
      await cluster.run(Promise.all(this.#interference))
      this.#converged = true
    } catch (error) {
      this.#violations.push((error as Error).message)
    }
    for (const failure of cluster.failures) this.#violations.push(`A manager failed: ${failure}`)
    const leftovers = await cluster.close()
    this.#violations.push(...leftovers.map((leftover) => `Still awaited after the end: ${leftover}`))
    const outages = this.#options.outage === undefined ? 0 : OUTAGE_MS + 60_000
    this.#violations.push(
      ...widgetViolations(cluster.observer.inOrder(), {
        rollouts: this.#rollouts,
        maxStaleStatusMs: MOST_DOWNTIME_MS + 15_000 + outages,
      }),
    )
  }

  outcome(): HistoryOutcome {
    const { world, course, writes, requests } = this.cluster
    return {
      seed: world.seed,
      converged: this.#converged,
      violations: this.#violations,
      finalState: this.#finalState,
      hash: world.trace.hash,
      course: course.digest(),
      virtualMs: world.elapsedMs,
      events: world.events,
      writes: writes.length,
      operatorWrites: writes.filter(({ client }) => client === OPERATOR).length,
      killedAfter: this.#killedAfter,
      requests: Object.fromEntries(requests),
      requestsInOutage: Object.fromEntries(this.#requestsInOutage),
      trace: world.trace.entries,
    }
  }

  /** The definition, the operator, and a Widget that is ready. */
  async begin(): Promise<void> {
    const { cluster } = this
    await cluster.persist(() => cluster.install(Widget).catch(ignoreAlreadyExists))
    for (const type of [Widget, Deployment, ReplicaSet, Pod]) await cluster.persist(() => cluster.follow(type))
    this.#startOperator()
    await cluster.persist(() =>
      cluster.client.create(Widget, { metadata: key, spec: { image: 'hello:1', replicas: 2 } }).catch(ignoreAlreadyExists),
    )
    await this.#ready('hello:1', 2)
  }

  /** Ends the operator in good order and starts a new one. */
  async restartOperator(): Promise<void> {
    await this.cluster.stopOperator(OPERATOR)
    this.#startOperator()
  }

  async scale(replicas: number): Promise<void> {
    const widget = await this.#patch({ spec: { replicas } })
    await this.#ready(widget.spec.image, replicas)
  }

  async changeImage(image: string): Promise<void> {
    const widget = await this.#patch({ spec: { image } })
    await this.#ready(image, widget.spec.replicas)
    const { changes } = this.cluster.observer
    this.#rollouts.push({
      from: Number(widget.metadata.resourceVersion),
      to: changes.at(-1)!.revision,
      replicas: widget.spec.replicas,
    })
  }

  async deleteDeployment(): Promise<void> {
    const { client, observer } = this.cluster
    const { uid } = (await this.cluster.persist(() => client.get(Deployment, key))).metadata
    await this.cluster.persist(() =>
      client.delete(Deployment, key, { propagationPolicy: 'Background', preconditions: { uid } }).catch(ignoreGone),
    )
    await observer.until('a new Deployment in place of the deleted one', () =>
      this.#objects<Deployment>('Deployment').some(({ metadata }) => metadata.name === key.name && metadata.uid !== uid),
    )
  }

  async deleteWidget(): Promise<void> {
    const { client, observer } = this.cluster
    await this.cluster.persist(() => client.delete(Widget, key, { propagationPolicy: 'Background' }).catch(ignoreNotFound))
    await observer.until('no Widget, Deployment, ReplicaSet or Pod left', () =>
      ['Widget', 'Deployment', 'ReplicaSet', 'Pod'].every((kind) => observer.objects(kind).length === 0),
    )
  }

  async #story(): Promise<void> {
    await this.begin()
    await this.scale(4)
    await this.changeImage('hello:2')
    await this.deleteDeployment()
    await this.#ready('hello:2', 4)
    await this.scale(3)
    // Until what was terminating is gone and every status has been written.
    await this.cluster.user.sleep(SETTLE_MS)
    this.#finalState = this.#describeState()
    await this.deleteWidget()
  }

  #patch(change: object): Promise<Widget> {
    return this.cluster.persist(() => this.cluster.client.patch(Widget, key, mergePatch(change)))
  }

  #objects<Resource extends { metadata: object }>(kind: string): readonly Resource[] {
    return this.cluster.observer.objects(kind) as unknown as readonly Resource[]
  }

  #ready(image: string, replicas: number): Promise<void> {
    const expected = `Widget "${key.name}" ready with ${replicas} of ${replicas} replicas of ${image} at its newest generation`
    return this.cluster.observer.until(expected, () => {
      const widget = this.#objects<Widget>('Widget').find(({ metadata }) => metadata.name === key.name)
      const ready = widget?.status?.conditions?.find(({ type }) => type === 'Ready')
      const pods = this.#objects<Pod>('Pod').filter((pod) => isReady(pod) && pod.spec?.containers[0]?.image === image)
      return (
        widget?.spec.image === image &&
        widget.spec.replicas === replicas &&
        ready?.status === 'True' &&
        widget.status?.observedGeneration === widget.metadata.generation &&
        widget.status?.readyReplicas === replicas &&
        pods.length === replicas
      )
    })
  }

  #startOperator(): void {
    const { reconciler, logger } = this.#options
    this.cluster.startOperator(OPERATOR, widgetProgram(reconciler?.()), logger === undefined ? {} : { logger })
  }

  async #outage(kind: 'silent' | 'refused'): Promise<void> {
    this.#requestsInOutage = await this.cluster.outage(kind, OUTAGE_MS)
  }

  async #killOperator({ request }: InterceptedExchange, downMs: number): Promise<void> {
    this.#killedAfter = `${request.method} ${request.path}`
    this.cluster.killOperator(OPERATOR)
    await this.cluster.user.sleep(downMs)
    this.#startOperator()
  }

  #describeState(): string {
    const described = ['Widget', 'Deployment', 'ReplicaSet', 'Pod'].map((kind) =>
      this.#objects<Widget>(kind)
        .map(({ spec, status }) => withoutNames({ spec, status }))
        .sort(),
    )
    return JSON.stringify(described)
  }
}

/** JSON without what differs from one history to the next: times, names, addresses, counters and hashes. */
function withoutNames(value: object): string {
  const names =
    /Time$|^lastUpdateTime$|^startedAt$|^nodeName$|IP$|IPs$|ID$|^name$|^message$|^resourceVersion$|hash|^collisionCount$|^generation$|^observedGeneration$/
  return JSON.stringify(value, (name, member: unknown) => (names.test(name) ? undefined : member))
}

function isApplied({ request }: InterceptedExchange, { status }: TransportResponse): boolean {
  return request.method !== 'GET' && status < 300
}

/** Deleted by an earlier attempt whose answer was lost; then another one may be in its place. */
function ignoreGone(error: unknown): void {
  const code = (error as { status?: { code?: number } }).status?.code
  if (code !== 404 && code !== 409) throw error
}
