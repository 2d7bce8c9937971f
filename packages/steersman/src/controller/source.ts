import type { AnyResourceType, KubernetesObject, ResourceOf } from '../api/index.js'
import type { Cache, InformerHandler, InformerOptions } from '../cache/index.js'
import { onAbort } from '../internal/index.js'
import type { SourceEvent } from './event.js'
import { type Enqueue, type EventHandler, lowPriority } from './handler.js'
import type { Predicate } from './predicate.js'

/** Where a controller's requests come from. */
export interface Source {
  /** For messages: `kind apps/v1 Deployment`. */
  readonly name: string
  /** Begins to enqueue. Returns at once; it ends with the signal. */
  start(enqueue: Enqueue, signal: AbortSignal): void
  /** Resolves when everything that existed at the start has been enqueued. @throws `signal.reason`. */
  waitForSync(signal: AbortSignal): Promise<void>
  /** Whether waiting longer than the usual time is right: the watched kind is not installed yet. */
  readonly isWaitingForKind?: () => boolean
}

/** Options of {@link kindSource}. */
export interface KindSourceOptions<Resource extends KubernetesObject> {
  readonly predicates?: readonly Predicate<Resource>[]
  readonly informer?: InformerOptions
}

/** Events of a kind from the shared informer of a cache. */
export function kindSource<Type extends AnyResourceType>(
  cache: Cache,
  type: Type,
  handler: EventHandler<ResourceOf<Type>>,
  options: KindSourceOptions<ResourceOf<Type>> = {},
): Source {
  const predicates = options.predicates ?? []
  const informer = cache.informer(type, options.informer)
  let registration: ReturnType<typeof informer.addHandler> | undefined
  return {
    name: `kind ${type.group === '' ? type.version : `${type.group}/${type.version}`} ${type.kind}`,
    start(enqueue, signal) {
      const dispatch = (event: SourceEvent<ResourceOf<Type>>): void => {
        if (!predicates.every((predicate) => predicate(event))) return
        handler(event, isUnchanged(event) ? (request, given) => enqueue(request, { priority: lowPriority, ...given }) : enqueue)
      }
      registration = informer.addHandler(informerHandler(dispatch))
      const remove = (): void => registration?.remove()
      if (signal.aborted) remove()
      else onAbort(signal, remove)
    },
    waitForSync: async (signal) => {
      try {
        await registration?.waitForSync(signal)
      } catch (error) {
        // The abort also removes the handler, and which of the two is heard of first is chance: a stop is no failure.
        throw signal.aborted ? signal.reason : error
      }
    },
    isWaitingForKind: () =>
      cache.health().some((health) => health.group === type.group && health.kind === type.kind && health.state === 'kind-not-installed'),
  }
}

function informerHandler<Resource extends KubernetesObject>(dispatch: (event: SourceEvent<Resource>) => void): InformerHandler<Resource> {
  return {
    onAdd: (object, isInInitialList) => dispatch({ type: 'create', object, isInInitialList }),
    onUpdate: (oldObject, object) => dispatch({ type: 'update', oldObject, object }),
    onDelete: (object, stateUnknown) => dispatch({ type: 'delete', object, stateUnknown }),
  }
}

function isUnchanged(event: SourceEvent): boolean {
  if (event.type === 'create') return event.isInInitialList
  return event.type === 'update' && event.oldObject.metadata.resourceVersion === event.object.metadata.resourceVersion
}

/** A source fed by the program: events from outside the cluster, such as webhooks or timers. */
export class ChannelSource<Resource extends KubernetesObject> implements Source {
  readonly name = 'channel'
  readonly #handler: EventHandler<Resource>
  #enqueue: Enqueue | undefined

  constructor(handler: EventHandler<Resource>) {
    this.#handler = handler
  }

  start(enqueue: Enqueue, signal: AbortSignal): void {
    this.#enqueue = enqueue
    onAbort(signal, () => {
      this.#enqueue = undefined
    })
  }

  async waitForSync(): Promise<void> {}

  /** Reports an event. Returns whether a running controller took it; before the start and after the stop it is dropped. */
  send(object: Resource): boolean {
    if (this.#enqueue === undefined) return false
    this.#handler({ type: 'generic', object }, this.#enqueue)
    return true
  }
}
