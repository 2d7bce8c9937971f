import type { UnstructuredObject } from 'steersman/api'
import type { Environment } from 'steersman/environment'
import type {
  KindName,
  ObjectProtobuf,
  Registry,
  ResourceStore,
  ReviewEvaluator,
  ServedResource,
  StrategicMerged,
  TokenSigner,
} from '../contracts/index.js'
import type { Storage } from '../storage/index.js'
import { customResourceDefinitionKind } from './apiextensions/custom-resource-definition.js'
import { CustomResources } from './apiextensions/custom-resources.js'
import { servedBuiltins, servedReviews } from './builtin.js'
import { customResourceDefinitionPrinter } from './printers/custom-resource-definition.js'
import { compareResources } from './resource-order.js'
import { podBinding } from './reviews/pod-binding.js'
import { ReviewStore } from './reviews/review-store.js'
import type { RuntimeConfig, ServesResource } from './runtime-config.js'
import { servedByConfig } from './runtime-config.js'
import { BuiltinObjects } from './serving/builtin-objects.js'
import { builtinServing } from './serving/builtin-serving.js'
import { KindHooks } from './serving/kind-hooks.js'
import { ServedStores } from './serving/served-stores.js'
import { storageKey, timestamp } from './store-context.js'

/** What a {@link ResourceRegistry} is made of. */
export interface ResourceRegistryOptions {
  readonly storage: Storage
  readonly environment: Environment
  /** How long events are kept after their last write; 0: for ever. @default one hour */
  readonly eventLifetimeMs?: number
  /** The IPv4 network of cluster IPs. @default 10.0.0.0/24 */
  readonly serviceClusterIpRange?: string
  /** Which built-in APIs are served. @default those that are on by default */
  readonly runtimeConfig?: RuntimeConfig
  /** Makes tokens of service accounts. @default none can be had */
  readonly tokenSigner?: TokenSigner
}

/** The resources that are served now: the built-in ones, and those of the CustomResourceDefinitions in storage. */
export class ResourceRegistry implements Registry {
  readonly #options: ResourceRegistryOptions
  readonly #objects: BuiltinObjects
  readonly #serves: ServesResource
  readonly #stores: ServedStores
  readonly #hooks: KindHooks
  readonly #customResources: CustomResources
  readonly #reviews = new Map<string, ReviewStore>()
  readonly #listeners = new Set<() => void>()
  #resources: readonly ServedResource[] | undefined

  /** Loads the schemas of built-in kinds and serves what storage holds. @throws {RangeError} for a network of no use, or an API that does not exist. */
  static async open(options: ResourceRegistryOptions): Promise<ResourceRegistry> {
    const registry = new ResourceRegistry(options, await options.environment.hold(BuiltinObjects.load()))
    await registry.#hooks.adopt()
    await registry.#customResources.adopt()
    return registry
  }

  private constructor(options: ResourceRegistryOptions, objects: BuiltinObjects) {
    const { storage, environment, eventLifetimeMs = 3_600_000, serviceClusterIpRange = '10.0.0.0/24', tokenSigner } = options
    this.#options = options
    this.#objects = objects
    this.#serves = servedByConfig(options.runtimeConfig ?? {})
    const stores = new ServedStores(objects)
    this.#stores = stores
    this.#customResources = new CustomResources({ storage, environment, stores, changed: () => this.#changed() })
    this.#hooks = new KindHooks({
      storage,
      environment,
      eventLifetimeMs,
      serviceClusterIpRange,
      stores,
      resources: () => this.#served(),
      followDefinition: (write) => this.#customResources.follow(write),
    })
    const parts = { storage, environment, tokenSigner, objects, hooks: this.#hooks }
    const definitionKind = { kind: customResourceDefinitionKind(), printer: customResourceDefinitionPrinter }
    for (const builtin of servedBuiltins(definitionKind, this.#serves)) stores.enter(builtinServing(builtin, parts))
    this.serveReviews({ '/bindings': podBinding(this) })
  }

  resource(group: string, version: string, plural: string): ResourceStore | undefined {
    return this.#stores.find(group, version, plural)?.store ?? this.#reviews.get(`${group}/${version}/${plural}`)
  }

  resources(): readonly ServedResource[] {
    this.#resources ??= this.#served().sort(compareResources)
    return this.#resources
  }

  /** Everything served, in no particular order. */
  #served(): ServedResource[] {
    return [...this.#stores.served(), ...[...this.#reviews.values()].map(({ served }) => served)]
  }

  /** Serves the reviews that somebody can answer. `evaluators`: by group and plural, `authorization.k8s.io/subjectaccessreviews`. */
  serveReviews(evaluators: Readonly<Record<string, ReviewEvaluator>>): void {
    for (const { type, verbs } of servedReviews(this.#serves)) {
      const { group, version, plural } = type
      const evaluator = evaluators[`${group}/${plural}`]
      if (evaluator === undefined) continue
      const served: ServedResource = { type, verbs, subresources: [], builtIn: true }
      const store = new ReviewStore({ served, decode: this.#objects.decoder(type), complete: this.#objects.completer(type), evaluator })
      this.#reviews.set(`${group}/${version}/${plural}`, store)
    }
    this.#changed()
  }

  /** Calls `listener` after each write of an object of a built-in group, before the write is answered. */
  onWritten(group: string, listener: () => void): () => void {
    return this.#hooks.onWritten(group, listener)
  }

  /** Stores objects as they are, without rules and admission: what a real server made at its start. Those that are there already stay. */
  async adopt(group: string, version: string, plural: string, objects: readonly UnstructuredObject[]): Promise<void> {
    const context = this.#stores.contextOf({ group, version, plural })
    if (context === undefined) throw new TypeError(`Cannot adopt ${plural}: the registry does not serve them`)
    const { environment, storage } = this.#options
    const creationTimestamp = timestamp(environment.now())
    for (const object of objects) {
      const { name = '', namespace } = object.metadata
      const key = storageKey(context, namespace, name)
      if ((await storage.get(key)) !== undefined) continue
      await storage.create(key, { ...object, metadata: { ...object.metadata, uid: environment.uuid(), creationTimestamp } })
    }
    this.#hooks.written(group)
  }

  strategicMerge(kind: KindName, current: Readonly<Record<string, unknown>>, patch: Readonly<Record<string, unknown>>): StrategicMerged {
    return this.#objects.strategicMerge(kind, current, patch)
  }

  protobuf(): Promise<ObjectProtobuf> {
    return this.#objects.protobuf()
  }

  onResourcesChanged(listener: () => void): () => void {
    const entry = () => listener()
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
    }
  }

  /** Makes an APIService of each group version that is served, and keeps those of custom resources in step with them. */
  keepApiServices(): Promise<void> {
    return this.#hooks.apiServices.start()
  }

  /** The first address of the service network: that of the service `kubernetes`. */
  get firstServiceAddress(): string {
    return this.#hooks.allocator.firstAddress
  }

  /** The network of services, such as `10.0.0.0/24`. */
  get serviceRange(): string {
    return this.#hooks.allocator.range
  }

  #changed(): void {
    this.#resources = undefined
    for (const listener of [...this.#listeners]) listener()
  }
}
