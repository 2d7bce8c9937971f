import type { AnyResourceType } from 'steersman/api'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { APIService } from 'steersman/api/types/apiregistration/v1'
import { FlowSchema } from 'steersman/api/types/flowcontrol/v1'
import type { Environment } from 'steersman/environment'
import type { ServedResource } from '../../contracts/index.js'
import type { Storage } from '../../storage/index.js'
import { LocalApiServices } from '../apiregistration/local-api-services.js'
import { EventExpiry } from '../core/event-expiry.js'
import { ServiceAllocator } from '../core/service-allocator.js'
import { DanglingSchemas } from '../flowcontrol/dangling.js'
import type { CommittedWrite, StoreContext } from '../store-context.js'
import { resourcePrefix } from '../store-context.js'
import type { ServedStores } from './served-stores.js'

/** What {@link KindHooks} work with. */
export interface KindHooksOptions {
  readonly storage: Storage
  readonly environment: Environment
  readonly eventLifetimeMs: number
  readonly serviceClusterIpRange: string
  readonly stores: ServedStores
  /** Everything that is served. */
  readonly resources: () => readonly ServedResource[]
  /** Follows a write of a CustomResourceDefinition. */
  readonly followDefinition: (write: CommittedWrite) => Promise<void>
}

/** What only some kinds do around their writes. */
export class KindHooks {
  readonly allocator: ServiceAllocator
  readonly apiServices: LocalApiServices
  readonly #options: KindHooksOptions
  readonly #expiry: EventExpiry
  readonly #danglingSchemas: DanglingSchemas
  readonly #writeListeners = new Map<string, Set<() => void>>()

  /** @throws {RangeError} for a network of services of no use. */
  constructor(options: KindHooksOptions) {
    const { storage, environment, eventLifetimeMs, serviceClusterIpRange, stores, resources } = options
    this.#options = options
    this.allocator = new ServiceAllocator(serviceClusterIpRange, () => environment.random())
    this.apiServices = new LocalApiServices({ services: () => stores.contextOf(APIService), resources })
    this.#expiry = new EventExpiry(storage, environment, resourcePrefix('', 'events'), eventLifetimeMs)
    this.#danglingSchemas = new DanglingSchemas(() => stores.contextOf(FlowSchema)!)
  }

  /** Takes in the services and events that storage holds. */
  async adopt(): Promise<void> {
    const { storage } = this.#options
    for (const service of (await storage.list(resourcePrefix('', 'services'))).items) this.allocator.adopt(service)
    for (const event of (await storage.list(resourcePrefix('', 'events'))).items) this.#expiry.adopt(event)
  }

  /** The hooks of a built-in kind. */
  of(type: AnyResourceType): Partial<Pick<StoreContext, 'reserve' | 'afterWrite'>> {
    if (type.group === '' && type.plural === 'services') {
      return {
        reserve: (draft, old) => this.allocator.reserve(draft, old),
        afterWrite: ({ type: kind, object, previous }) => {
          if (previous !== undefined) this.allocator.settle(previous, kind === 'delete' ? undefined : object)
        },
      }
    }
    if (type.plural === 'events') return { afterWrite: (write) => this.#expiry.follow(write) }
    if (type.plural === CustomResourceDefinition.plural) return { afterWrite: (write) => this.#followDefinition(write) }
    if (type.plural === APIService.plural) return { afterWrite: (write) => this.apiServices.follow(write) }
    if (type.group === FlowSchema.group) return { afterWrite: (write) => this.#danglingSchemas.follow(write) }
    return { afterWrite: () => this.written(type.group) }
  }

  /** Calls `listener` after each write of an object of a built-in group. Returns how to end that. */
  onWritten(group: string, listener: () => void): () => void {
    const listeners = this.#writeListeners.get(group) ?? new Set()
    this.#writeListeners.set(group, listeners)
    const entry = () => listener()
    listeners.add(entry)
    return () => {
      listeners.delete(entry)
    }
  }

  /** Tells those who follow a group that something of it was written. */
  written(group: string): void {
    for (const listener of this.#writeListeners.get(group) ?? []) listener()
  }

  async #followDefinition(write: CommittedWrite): Promise<void> {
    await this.#options.followDefinition(write)
    await this.apiServices.sync()
  }
}
