import type { AnyResourceType, ResourceOf } from '../api/index.js'
import type { Cache, InformerOptions } from '../cache/index.js'
import type { Client, Discovery } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import type { Logger } from '../internal/index.js'
import { Controller } from './controller.js'
import type { ControllerOptions } from './controller-options.js'
import { type EventHandler, enqueueRequestForObject, enqueueRequestForOwner } from './handler.js'
import type { Predicate } from './predicate.js'
import type { ReconcileFunction, Reconciler } from './reconcile.js'
import { kindSource, type Source } from './source.js'

/** What a controller needs of the manager that runs it. */
export interface ControllerHost {
  readonly environment: Environment
  readonly client: Client
  /** Reads from the server whatever is cached, for who must not act on what may be old. @default {@link client} */
  readonly liveClient?: Client
  /** Which resources the server has. Absent where nothing can tell. */
  readonly discovery?: Discovery
  readonly cache: Cache
  readonly logger: Logger
  /** Aborts when reconciles under way must end. */
  readonly abandonSignal: AbortSignal
  /** @throws {TypeError} when the name is taken. */
  claimControllerName(name: string): void
  add(runnable: Controller): void
}

/** Options of `for`, `owns` and `watches`. */
export interface WatchedKindOptions<Type extends AnyResourceType> {
  /** Events that lead to no reconcile are dropped here; all must pass. */
  readonly predicates?: readonly Predicate<ResourceOf<Type>>[]
  /** Narrows what is watched and cached of this kind. */
  readonly informer?: InformerOptions
}

/** Options of `owns`. */
export interface OwnedKindOptions<Type extends AnyResourceType> extends WatchedKindOptions<Type> {
  /** Every owner, not only the managing controller. @default false */
  readonly matchEveryOwner?: boolean
}

/** The options of a controller that its author chooses. */
export type ControllerTuning = Pick<
  ControllerOptions,
  'maxConcurrentReconciles' | 'cacheSyncTimeoutMs' | 'reconcileTimeoutMs' | 'rateLimiter'
>

/** Begins a controller that the manager will run. */
export function controllerManagedBy(manager: ControllerHost): ControllerBuilder {
  return new ControllerBuilder(manager)
}

/** Says what a controller watches, then makes it with `complete`. Every method returns the builder. */
export class ControllerBuilder {
  readonly #host: ControllerHost
  #name: string | undefined
  #for: AnyResourceType | undefined
  #tuning: ControllerTuning = {}
  readonly #filters: Predicate[] = []
  // The sources are made at the end, because an event filter holds for those named before it too.
  readonly #makeSources: (() => Source)[] = []

  constructor(host: ControllerHost) {
    this.#host = host
  }

  /** The kind that is reconciled. Once per controller. */
  for<Type extends AnyResourceType>(type: Type, options: WatchedKindOptions<Type> = {}): this {
    if (this.#for !== undefined) throw new TypeError(`Cannot reconcile ${type.kind}: the controller is already for ${this.#for.kind}`)
    this.#for = type
    return this.watches(type, enqueueRequestForObject(), options)
  }

  /** A kind whose objects have the reconciled kind as owner: a change of one reconciles its owner. */
  owns<Type extends AnyResourceType>(type: Type, options: OwnedKindOptions<Type> = {}): this {
    if (this.#for === undefined) throw new TypeError(`Cannot watch owned ${type.kind}: call for() before owns()`)
    return this.watches(type, enqueueRequestForOwner(this.#for, { onlyController: options.matchEveryOwner !== true }), options)
  }

  /** Another kind and how its events become requests. */
  watches<Type extends AnyResourceType>(type: Type, handler: EventHandler<ResourceOf<Type>>, options: WatchedKindOptions<Type> = {}): this {
    this.#makeSources.push(() =>
      kindSource(this.#host.cache, type, handler, {
        predicates: [...(this.#filters as Predicate<ResourceOf<Type>>[]), ...(options.predicates ?? [])],
        ...(options.informer === undefined ? {} : { informer: options.informer }),
      }),
    )
    return this
  }

  /** A source of one's own. Event filters do not hold for it. */
  watchesRawSource(source: Source): this {
    this.#makeSources.push(() => source)
    return this
  }

  /** A predicate for every kind named by `for`, `owns` and `watches`. */
  withPredicates(...predicates: readonly Predicate[]): this {
    this.#filters.push(...predicates)
    return this
  }

  withOptions(tuning: ControllerTuning): this {
    this.#tuning = { ...this.#tuning, ...tuning }
    return this
  }

  /** @default the reconciled kind in lower case */
  named(name: string): this {
    this.#name = name
    return this
  }

  /**
   * Makes the controller and adds it to the manager, which runs it.
   *
   * @throws {TypeError} when there is nothing to watch, no name, or the name is taken.
   */
  complete(reconciler: Reconciler | ReconcileFunction): Controller {
    const name = this.#name ?? this.#for?.kind.toLowerCase()
    if (name === undefined) throw new TypeError('Cannot make a controller: it has no name; call for() or named()')
    if (this.#makeSources.length === 0) throw new TypeError(`Cannot make controller "${name}": it watches nothing; call for() or watches()`)
    this.#host.claimControllerName(name)
    const controller = new Controller({
      ...this.#tuning,
      name,
      reconciler: typeof reconciler === 'function' ? { reconcile: reconciler } : reconciler,
      environment: this.#host.environment,
      client: this.#host.client,
      logger:
        this.#for === undefined
          ? this.#host.logger
          : this.#host.logger.with({ controllerGroup: this.#for.group, controllerKind: this.#for.kind }),
      abandonSignal: this.#host.abandonSignal,
      ...(this.#for === undefined ? {} : { kind: this.#for.kind }),
    })
    for (const makeSource of this.#makeSources) controller.watch(makeSource())
    this.#host.add(controller)
    return controller
  }
}
