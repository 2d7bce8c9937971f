import type { ControllerHost, HandlerRegistration } from 'steersman'
import type { AnyResourceType, KubernetesObject } from 'steersman/api'
import { type DiscoveryResult, resourceTypeOf } from 'steersman/client'
import { abortable } from 'steersman/internal'
import { apiVersionOfType, kindKey, kindTable, resourcesWithVerbs } from './deletable-resources.js'

/** What the monitors tell. Called synchronously. */
export interface MonitorHandler {
  onObject(kind: { readonly apiVersion: string; readonly kind: string }, object: KubernetesObject): void
  /** `isCertain`: the deletion itself was seen, not concluded from a list. */
  onGone(object: KubernetesObject, isCertain: boolean): void
  onKindGone(kind: { readonly apiVersion: string; readonly kind: string }): void
  /** Kinds came or went on the server; a resync should find out. */
  onKindsChanged(): void
}

interface Monitor {
  readonly type: AnyResourceType
  readonly registration: HandlerRegistration
  /** Whether the informer was made here, and ends with the monitor. */
  readonly isOwn: boolean
}

/** Events come and go by themselves, in numbers, and own nothing. */
const ignoredResources: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events'])
/** Kinds whose objects make other kinds. */
const kindMakers: ReadonlySet<string> = new Set(['apiextensions.k8s.io/customresourcedefinitions', 'apiregistration.k8s.io/apiservices'])
/** A kind that cannot be listed must not keep the garbage collector from all others. */
const maxSyncWaitMs = 30_000

/** Watches the metadata of every resource of the server that can be deleted, whatever comes and goes. */
export class ResourceMonitors {
  readonly #host: ControllerHost
  readonly #handler: MonitorHandler
  readonly #monitors = new Map<string, Monitor>()
  #kinds: Map<string, AnyResourceType> = new Map()
  readonly #firstSync: Promise<void>
  #resolveFirstSync: () => void = () => {}

  constructor(host: ControllerHost, handler: MonitorHandler) {
    this.#host = host
    this.#handler = handler
    this.#firstSync = new Promise((resolve) => {
      this.#resolveFirstSync = resolve
    })
  }

  /** The descriptor of a kind that the server has in this version. */
  typeFor(apiVersion: string, kind: string): AnyResourceType | undefined {
    return this.#kinds.get(kindKey(apiVersion, kind))
  }

  /** Resources watched now. */
  get size(): number {
    return this.#monitors.size
  }

  /**
   * Asks the server what it has; starts and ends monitors accordingly. What failed to answer keeps its monitors.
   *
   * @returns whether everything answered.
   */
  async resync(signal: AbortSignal): Promise<boolean> {
    const discovered = await this.#discover(signal)
    const failed = new Set(discovered.failures.map(({ group }) => group))
    const wanted = new Map(
      resourcesWithVerbs(discovered, ['delete', 'list', 'watch'])
        .filter(({ group, plural }) => !ignoredResources.has(`${group}/${plural}`))
        .map((resource) => [`${apiVersionOfType(resource)}/${resource.plural}`, resource]),
    )
    for (const [key, { type }] of this.#monitors) if (!wanted.has(key) && !failed.has(type.group)) await this.#remove(key)
    const kinds = kindTable(discovered)
    if (failed.size > 0) for (const [key, type] of this.#kinds) if (failed.has(type.group) && !kinds.has(key)) kinds.set(key, type)
    this.#kinds = kinds
    for (const [key, resource] of wanted) if (!this.#monitors.has(key)) this.#add(key, resourceTypeOf(resource))
    this.#resolveFirstSync()
    return failed.size === 0
  }

  /** Resolves when what exists has been told, as far as it can be listed within 30 s. */
  async waitForSync(signal: AbortSignal): Promise<void> {
    await abortable(this.#firstSync, signal)
    const deadline = new AbortController()
    const timer = this.#host.environment.timer(maxSyncWaitMs, () => deadline.abort(new Error('Listing took too long')))
    const both = AbortSignal.any([signal, deadline.signal])
    try {
      for (const { type, registration } of this.#monitors.values()) {
        await registration.waitForSync(both).catch((error: unknown) => {
          if (signal.aborted) throw error
          this.#host.logger.warn('Collecting garbage without a kind that could not be listed', { kind: type.kind, group: type.group })
        })
      }
    } finally {
      timer.cancel()
    }
  }

  #discover(signal: AbortSignal): Promise<DiscoveryResult> {
    const { discovery } = this.#host
    if (discovery === undefined) throw new TypeError('Cannot monitor resources: the manager offers no discovery')
    return discovery.resources(signal)
  }

  #add(key: string, type: AnyResourceType): void {
    const { cache, logger } = this.#host
    const kind = { apiVersion: apiVersionOfType(type), kind: type.kind }
    const makesKinds = kindMakers.has(`${type.group}/${type.plural}`)
    const changed = (): void => {
      if (makesKinds) this.#handler.onKindsChanged()
    }
    try {
      const isOwn = !cache.hasInformer(type)
      const informer = cache.informer(type, { metadataOnly: true })
      const registration = informer.addHandler({
        onAdd: (object, isInInitialList) => {
          this.#handler.onObject(kind, object)
          if (!isInInitialList) changed()
        },
        onUpdate: (_, object) => {
          this.#handler.onObject(kind, object)
          changed()
        },
        onDelete: (object, stateUnknown) => {
          this.#handler.onGone(object, !stateUnknown)
          changed()
        },
      })
      this.#monitors.set(key, { type, registration, isOwn })
    } catch (error) {
      // Somebody caches a part of this kind only: its other objects are invisible here, so none is touched.
      logger.error(error, 'Cannot monitor a resource', { group: type.group, kind: type.kind })
    }
  }

  async #remove(key: string): Promise<void> {
    const monitor = this.#monitors.get(key)
    if (monitor === undefined) return
    this.#monitors.delete(key)
    monitor.registration.remove()
    if (monitor.isOwn) await this.#host.cache.removeInformer(monitor.type)
    this.#handler.onKindGone({ apiVersion: apiVersionOfType(monitor.type), kind: monitor.type.kind })
  }
}
