import type { KubernetesObject } from '../api/index.js'
import type { HandlerRegistration, InformerHandler } from './cache.js'
import { CacheError } from './errors.js'
import { WaitList } from './wait-list.js'

/** A change of one informer's store, as its handlers are told of it. */
export type Change =
  | { readonly type: 'add'; readonly object: KubernetesObject; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly oldObject: KubernetesObject; readonly newObject: KubernetesObject }
  | { readonly type: 'delete'; readonly object: KubernetesObject; readonly stateUnknown: boolean }

/** One handler of an informer. Keeps its errors from the informer and from the other handlers. */
export class Registration implements HandlerRegistration {
  readonly #handler: InformerHandler<KubernetesObject>
  readonly #onError: (error: unknown) => void
  readonly #onRemove: () => void
  readonly #syncWaits = new WaitList()
  #synced = false
  #removed = false

  constructor(handler: InformerHandler<KubernetesObject>, onError: (error: unknown) => void, onRemove: () => void) {
    this.#handler = handler
    this.#onError = onError
    this.#onRemove = onRemove
  }

  get hasSynced(): boolean {
    return this.#synced
  }

  waitForSync(signal: AbortSignal): Promise<void> {
    if (this.#synced) return Promise.resolve()
    if (this.#removed) return Promise.reject(stopped('Cannot wait for the handler: it was removed'))
    return this.#syncWaits.wait(signal)
  }

  remove(): void {
    if (this.#removed) return
    this.#removed = true
    this.#onRemove()
    this.#syncWaits.rejectAll(stopped('Handler did not sync: it was removed'))
  }

  /** The handler has seen the whole initial list. */
  synced(): void {
    this.#synced = true
    this.#syncWaits.resolveAll()
  }

  tell(change: Change): void {
    if (this.#removed) return
    try {
      const result: unknown = this.#call(change)
      // The contract says void, but an async function passes as one; its failure must not become an unhandled rejection.
      if (result instanceof Promise) result.catch(this.#onError)
    } catch (error) {
      this.#onError(error)
    }
  }

  #call(change: Change): unknown {
    const handler = this.#handler
    if (change.type === 'add') return handler.onAdd?.(change.object, change.isInInitialList)
    if (change.type === 'update') return handler.onUpdate?.(change.oldObject, change.newObject)
    return handler.onDelete?.(change.object, change.stateUnknown)
  }
}

function stopped(message: string): CacheError {
  return new CacheError('CACHE_INFORMER_STOPPED', message)
}
