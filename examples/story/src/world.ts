import { Widget } from '@steersman/example-widget/widget'
import { type AnyResourceType, type Client, discardLogger, type KubernetesObject, Manager, type Transport } from 'steersman'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { Pod } from 'steersman/api/types/core/v1'

/** One change of an object, in words. */
export interface Change {
  readonly kind: string
  readonly name: string
  readonly what: 'created' | 'changed' | 'deleted'
}

/** What the story looks at: the Widgets and everything that follows from them, always current. */
export class World {
  readonly client: Client
  readonly #manager: Manager
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(transport: Transport) {
    this.#manager = new Manager({ transport, logger: discardLogger })
    this.client = this.#manager.liveClient
    for (const type of [Widget, Deployment, ReplicaSet, Pod]) this.#follow(type)
  }

  start(): void {
    this.#running = this.#manager.start(this.#stop.signal)
  }

  async stop(): Promise<void> {
    this.#stop.abort(new DOMException('The story is over', 'AbortError'))
    await this.#running
  }

  /** Calls `listener` for each change; returns how to end that. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get widgets(): readonly Widget[] {
    return this.#manager.cache.informer(Widget).list('default')
  }

  get deployments(): readonly Deployment[] {
    return this.#manager.cache.informer(Deployment).list('default')
  }

  get replicaSets(): readonly ReplicaSet[] {
    return this.#manager.cache.informer(ReplicaSet).list('default')
  }

  get pods(): readonly Pod[] {
    return this.#manager.cache.informer(Pod).list('default')
  }

  #follow(type: AnyResourceType): void {
    const tell = (object: KubernetesObject, what: Change['what']): void => {
      for (const listener of this.#listeners) listener({ kind: type.kind, name: object.metadata.name ?? '', what })
    }
    this.#manager.cache.informer(type).addHandler({
      onAdd: (object: KubernetesObject) => tell(object, 'created'),
      onUpdate: (_old: KubernetesObject, object: KubernetesObject) => tell(object, 'changed'),
      onDelete: (object: KubernetesObject) => tell(object, 'deleted'),
    })
  }
}

export function isPodReady(pod: Pod): boolean {
  return (
    pod.metadata.deletionTimestamp === undefined &&
    pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true
  )
}

/** A line of text for each object: what a person wants to know of it. */
export function describeWorld(world: World): string[] {
  return [
    ...world.widgets.map((widget) => {
      const ready = widget.status?.conditions?.find((condition) => condition.type === 'Ready')?.status ?? 'Unknown'
      return `Widget      ${widget.metadata.name}  ${widget.spec.image}  ${widget.status?.readyReplicas ?? 0}/${widget.spec.replicas} ready  Ready=${ready}`
    }),
    ...world.deployments.map(({ metadata, spec, status }) => {
      return `Deployment  ${metadata.name}  ${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0} ready  ${status?.updatedReplicas ?? 0} updated  ${status?.availableReplicas ?? 0} available`
    }),
    ...world.replicaSets.map(({ metadata, spec, status }) => {
      return `ReplicaSet  ${metadata.name}  ${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0} ready  ${spec?.template?.spec?.containers[0]?.image ?? ''}`
    }),
    ...world.pods.map((pod) => {
      const state =
        pod.metadata.deletionTimestamp === undefined ? (isPodReady(pod) ? 'Ready' : (pod.status?.phase ?? 'Pending')) : 'Terminating'
      return `Pod         ${pod.metadata.name}  ${state}  ${pod.spec?.nodeName ?? 'not scheduled'}  ${pod.spec?.containers[0]?.image ?? ''}`
    }),
  ]
}
