import type { AnyResourceType, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, genericResponse, methodNotAllowed, StatusError } from 'steersman/api'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { APIService } from 'steersman/api/types/apiregistration/v1'
import { FlowSchema } from 'steersman/api/types/flowcontrol/v1'
import type { Environment } from 'steersman/environment'
import { deepEqual } from 'steersman/internal'
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
import type { BuiltinSchemas, CustomResource } from '../schema/index.js'
import { compileSchema, DecodeError, loadBuiltinSchemas, StrategicMergeError } from '../schema/index.js'
import type { Storage } from '../storage/index.js'
import { customResourceKind, scaleFields } from './apiextensions/custom-resource.js'
import { customResourceDefinitionKind } from './apiextensions/custom-resource-definition.js'
import { Definitions, servedVersions } from './apiextensions/definitions.js'
import { LocalApiServices } from './apiregistration/local-api-services.js'
import type { ServedBuiltin, SubresourceDefinition } from './builtin.js'
import { allVerbs, scaleSubresource, servedBuiltins, servedReviews, statusSubresource } from './builtin.js'
import type { BuiltinKind } from './builtin-kind.js'
import type { Conversion } from './conversion.js'
import { remembered, rewriteApiVersion, unconverted } from './conversion.js'
import { EventExpiry } from './core/event-expiry.js'
import { ServiceAllocator } from './core/service-allocator.js'
import { DanglingSchemas } from './flowcontrol/dangling.js'
import { validateMetadata } from './metadata.js'
import { customResourcePrinter } from './printers/custom-resource.js'
import { customResourceDefinitionPrinter } from './printers/custom-resource-definition.js'
import type { TablePrinter } from './printers/printer.js'
import { plainPrinter } from './printers/printer.js'
import { compareResources } from './resource-order.js'
import { podBinding } from './reviews/pod-binding.js'
import { ReviewStore } from './reviews/review-store.js'
import type { RuntimeConfig, ServesResource } from './runtime-config.js'
import { servedByConfig } from './runtime-config.js'
import { storageVersionHash } from './storage-version-hash.js'
import type { Decode } from './store.js'
import { GenericStore } from './store.js'
import type { CommittedWrite, ObjectDraft, StoreContext } from './store-context.js'
import { resourcePrefix, storageKey, timestamp } from './store-context.js'

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

/** One served resource and the end of its service. */
interface Entry {
  readonly store: GenericStore
  readonly context: StoreContext
  readonly end: AbortController
  /** Name of the definition that asked for it; empty for a built-in resource. */
  readonly definition: string
  /** What the store was made of, for a custom resource. */
  readonly facts: unknown
}

/** The resources that are served now: the built-in ones, and those of the CustomResourceDefinitions in storage. */
export class ResourceRegistry implements Registry {
  readonly #options: ResourceRegistryOptions
  readonly #schemas: BuiltinSchemas
  readonly #serves: ServesResource
  readonly #entries = new Map<string, Entry>()
  readonly #reviews = new Map<string, ReviewStore>()
  readonly #listeners = new Set<() => void>()
  readonly #writeListeners = new Map<string, Set<() => void>>()
  readonly #definitions: Definitions
  readonly #allocator: ServiceAllocator
  readonly #expiry: EventExpiry
  readonly #danglingSchemas = new DanglingSchemas(() => this.#contextOf(FlowSchema)!)
  readonly #apiServices = new LocalApiServices({ services: () => this.#contextOf(APIService), resources: () => this.#served() })
  #resources: readonly ServedResource[] | undefined

  /** Loads the schemas of built-in kinds and serves what storage holds. @throws {RangeError} for a network of no use, or an API that does not exist. */
  static async open(options: ResourceRegistryOptions): Promise<ResourceRegistry> {
    const { storage, environment } = options
    const registry = new ResourceRegistry(options, await environment.hold(loadBuiltinSchemas()))
    for (const service of (await storage.list(resourcePrefix('', 'services'))).items) registry.#allocator.adopt(service)
    for (const event of (await storage.list(resourcePrefix('', 'events'))).items) registry.#expiry.adopt(event)
    const { group, plural } = CustomResourceDefinition
    for (const definition of (await storage.list(resourcePrefix(group, plural))).items) registry.#definitions.adopt(definition)
    return registry
  }

  private constructor(options: ResourceRegistryOptions, schemas: BuiltinSchemas) {
    this.#options = options
    this.#schemas = schemas
    this.#serves = servedByConfig(options.runtimeConfig ?? {})
    this.#allocator = new ServiceAllocator(options.serviceClusterIpRange ?? '10.0.0.0/24', () => options.environment.random())
    const { storage, environment, eventLifetimeMs = 3_600_000 } = options
    this.#expiry = new EventExpiry(storage, environment, resourcePrefix('', 'events'), eventLifetimeMs)
    const definitionKind = { kind: customResourceDefinitionKind(), printer: customResourceDefinitionPrinter }
    for (const builtin of servedBuiltins(definitionKind, this.#serves)) this.#serveBuiltin(builtin)
    this.serveReviews({ '/bindings': podBinding(this) })
    this.#definitions = new Definitions({
      definitions: () => this.#contextOf(CustomResourceDefinition)!,
      serve: (definition) => this.#serveDefinition(definition),
      withdraw: (definition) => this.#withdraw(definition.metadata.name, new Set()),
      anyStore: (definition) => [...this.#entries.values()].find((entry) => entry.definition === definition.metadata.name)?.context,
    })
  }

  resource(group: string, version: string, plural: string): ResourceStore | undefined {
    const key = entryKey(group, version, plural)
    return this.#entries.get(key)?.store ?? this.#reviews.get(key)
  }

  resources(): readonly ServedResource[] {
    this.#resources ??= this.#served().sort(compareResources)
    return this.#resources
  }

  /** Everything served, in no particular order. */
  #served(): ServedResource[] {
    return [...this.#entries.values(), ...this.#reviews.values()].map((entry) => ('store' in entry ? entry.store : entry).served)
  }

  /** Serves the reviews that somebody can answer. `evaluators`: by group and plural, `authorization.k8s.io/subjectaccessreviews`. */
  serveReviews(evaluators: Readonly<Record<string, ReviewEvaluator>>): void {
    for (const { type, verbs } of servedReviews(this.#serves)) {
      const { group, version, kind, plural } = type
      const evaluator = evaluators[`${group}/${plural}`]
      if (evaluator === undefined) continue
      const served: ServedResource = { type, verbs, subresources: [], builtIn: true }
      const decode = this.#decodeBuiltin(group, version, kind)
      const store = new ReviewStore({ served, decode, complete: this.#completeBuiltin(type), evaluator })
      this.#reviews.set(entryKey(group, version, plural), store)
    }
    this.#changed()
  }

  /** Calls `listener` after each write of an object of a built-in group, before the write is answered. */
  onWritten(group: string, listener: () => void): () => void {
    const listeners = this.#writeListeners.get(group) ?? new Set()
    this.#writeListeners.set(group, listeners)
    const entry = () => listener()
    listeners.add(entry)
    return () => {
      listeners.delete(entry)
    }
  }

  /** Stores objects as they are, without rules and admission: what a real server made at its start. Those that are there already stay. */
  async adopt(group: string, version: string, plural: string, objects: readonly UnstructuredObject[]): Promise<void> {
    const context = this.#entries.get(entryKey(group, version, plural))?.context
    if (context === undefined) throw new TypeError(`Cannot adopt ${plural}: the registry does not serve them`)
    const { environment, storage } = this.#options
    const creationTimestamp = timestamp(environment.now())
    for (const object of objects) {
      const { name = '', namespace } = object.metadata
      const key = storageKey(context, namespace, name)
      if ((await storage.get(key)) !== undefined) continue
      await storage.create(key, { ...object, metadata: { ...object.metadata, uid: environment.uuid(), creationTimestamp } })
    }
    this.#written(group)
  }

  #written(group: string): void {
    for (const listener of this.#writeListeners.get(group) ?? []) listener()
  }

  strategicMerge(
    { group, version, kind }: KindName,
    current: Readonly<Record<string, unknown>>,
    patch: Readonly<Record<string, unknown>>,
  ): StrategicMerged {
    const definition = this.#schemas.definitionName(group === '' ? version : `${group}/${version}`, kind)
    try {
      return this.#schemas.strategicMerge(definition ?? '', current, patch)
    } catch (error) {
      if (!(error instanceof StrategicMergeError)) throw error
      throw new StatusError(mergeRefusal(error), { cause: error })
    }
  }

  protobuf(): Promise<ObjectProtobuf> {
    return this.#schemas.protobuf()
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
    return this.#apiServices.start()
  }

  /** The first address of the service network: that of the service `kubernetes`. */
  get firstServiceAddress(): string {
    return this.#allocator.firstAddress
  }

  /** The network of services, such as `10.0.0.0/24`. */
  get serviceRange(): string {
    return this.#allocator.range
  }

  #changed(): void {
    this.#resources = undefined
    for (const listener of [...this.#listeners]) listener()
  }

  #serveBuiltin(builtin: ServedBuiltin): void {
    const { kind, verbs, viewOf, printer, storageVersionHash: hash } = builtin
    const { type, strategy } = kind
    const { tokenSigner } = this.#options
    const subresources = builtin.subresourceDefinitions.filter(({ served }) => served.name !== 'token' || tokenSigner !== undefined)
    const end = new AbortController()
    const decode = this.#decodeBuiltin(type.group, type.version, type.kind)
    const base = {
      type,
      strategy,
      storage: this.#options.storage,
      environment: this.#options.environment,
      prefix: resourcePrefix(viewOf?.group ?? type.group, viewOf?.plural ?? type.plural),
      decode,
      complete: this.#completeBuiltin(type),
      toServed: viewOf?.toServed ?? unconverted,
      toStored: viewOf?.toStored ?? unconverted,
      unserved: end.signal,
      ...(tokenSigner === undefined ? {} : { tokenSigner }),
    }
    const context: StoreContext = { ...base, ...this.#hooksOf(type) }
    const served: ServedResource = {
      type,
      verbs,
      subresources: subresources.map((subresource) => subresource.served),
      builtIn: true,
      storageVersionHash: hash,
      ...(builtin.deprecationWarning === undefined ? {} : { deprecationWarning: builtin.deprecationWarning }),
    }
    const { createStore } = builtin
    const parts = { served, context, end, decode, subresources, definition: '', table: printer ?? plainPrinter }
    this.#enter(createStore === undefined ? parts : { ...parts, createStore })
  }

  /** What only some kinds do around their writes. */
  #hooksOf(type: AnyResourceType): Partial<Pick<StoreContext, 'reserve' | 'afterWrite'>> {
    if (type.group === '' && type.plural === 'services') {
      return {
        reserve: (draft, old) => this.#allocator.reserve(draft, old),
        afterWrite: ({ type: kind, object, previous }) => {
          if (previous !== undefined) this.#allocator.settle(previous, kind === 'delete' ? undefined : object)
        },
      }
    }
    if (type.plural === 'events') return { afterWrite: (write) => this.#expiry.follow(write) }
    if (type.plural === CustomResourceDefinition.plural) return { afterWrite: (write) => this.#followDefinition(write) }
    if (type.plural === APIService.plural) return { afterWrite: (write) => this.#apiServices.follow(write) }
    if (type.group === FlowSchema.group) return { afterWrite: (write) => this.#danglingSchemas.follow(write) }
    return { afterWrite: () => this.#written(type.group) }
  }

  async #followDefinition(write: CommittedWrite): Promise<void> {
    await this.#definitions.follow(write)
    await this.#apiServices.sync()
  }

  #contextOf({ group, version, plural }: Pick<AnyResourceType, 'group' | 'version' | 'plural'>): StoreContext | undefined {
    return this.#entries.get(entryKey(group, version, plural))?.context
  }

  #serveDefinition(definition: CustomResourceDefinition): void {
    const { name } = definition.metadata
    const resources = servedVersions(definition)
    const wanted = new Set(resources.map(({ type }) => entryKey(type.group, type.version, type.plural)))
    this.#withdraw(name, wanted)
    for (const resource of resources) {
      const { group, version, plural } = resource.type
      const entry = this.#entries.get(entryKey(group, version, plural))
      // A version that stays as it was keeps its watches.
      if (entry === undefined || !deepEqual(entry.facts, factsOf(definition, resource))) this.#serveCustom(definition, resource)
    }
    this.#changed()
  }

  #serveCustom(definition: CustomResourceDefinition, resource: CustomResource): void {
    const { type } = resource
    const { name } = definition.metadata
    const end = new AbortController()
    const schema = compileSchema(resource.schema, { validateEmbeddedMetadata })
    const decode = decodeCustom(schema)
    const apiVersion = `${type.group}/${type.version}`
    const storageVersion = definition.spec.versions.find(({ storage }) => storage)?.name ?? type.version
    const context: StoreContext = {
      type,
      strategy: customResourceKind(resource, schema).strategy,
      storage: this.#options.storage,
      environment: this.#options.environment,
      prefix: resourcePrefix(type.group, type.plural),
      decode,
      toServed: readConversion(definition, apiVersion, (object) => schema.applyDefaults(schema.prune(object)) as typeof object),
      toStored: rewriteApiVersion(`${type.group}/${storageVersion}`),
      refuseCreate: () => this.#refuseWhileTerminating(name, type),
      afterWrite: (write) => (write.type === 'delete' ? this.#definitions.instanceRemoved(name) : undefined),
      unserved: end.signal,
    }
    const scale = scaleFields(resource)
    const subresources = [
      ...(resource.hasStatus ? [statusSubresource(type)] : []),
      ...(scale === undefined ? [] : [scaleSubresource(scale)]),
    ]
    const served: ServedResource = {
      type,
      verbs: allVerbs,
      subresources: subresources.map((subresource) => subresource.served),
      builtIn: false,
      storageVersionHash: storageVersionHash(type.group, storageVersion, type.kind),
      schema: resource.schema as unknown as Readonly<Record<string, unknown>>,
      ...(resource.selectableFields.length === 0 ? {} : { selectableFields: resource.selectableFields }),
      ...(resource.deprecationWarning === undefined ? {} : { deprecationWarning: resource.deprecationWarning }),
    }
    const table = customResourcePrinter(resource.printerColumns)
    this.#enter({ served, context, end, decode, subresources, definition: name, table, facts: factsOf(definition, resource) })
  }

  #refuseWhileTerminating(name: string, type: AnyResourceType): void {
    if (!this.#definitions.isTerminating(name)) return
    const status = methodNotAllowed(type, 'create')
    throw new StatusError({ ...status, message: 'create not allowed while custom resource definition is terminating' })
  }

  #enter(parts: {
    readonly served: ServedResource
    readonly context: StoreContext
    readonly end: AbortController
    readonly decode: Decode
    readonly subresources: readonly SubresourceDefinition[]
    readonly definition: string
    readonly table: TablePrinter
    readonly facts?: unknown
    readonly createStore?: BuiltinKind['createStore']
  }): void {
    const { served, context, end, decode, definition } = parts
    const { group, version, kind, plural } = served.type
    const subresources = parts.subresources.map((subresource) => {
      const body = subresource.served
      const isOwnKind = body.group === group && body.version === version && body.kind === kind
      return subresource.create(context, isOwnKind ? decode : this.#decodeBuiltin(body.group, body.version, body.kind))
    })
    const options = { served, context, decode, table: parts.table, subresources }
    const store = parts.createStore?.(options) ?? new GenericStore(options)
    const entry: Entry = { store, context, end, definition, facts: parts.facts }
    const key = entryKey(group, version, plural)
    this.#entries.get(key)?.end.abort()
    this.#entries.set(key, entry)
  }

  /** Takes the versions of a definition out of service, except those that follow on. */
  #withdraw(definition: string, keep: ReadonlySet<string>): void {
    for (const [key, entry] of [...this.#entries]) {
      if (entry.definition !== definition || definition === '' || keep.has(key)) continue
      this.#entries.delete(key)
      entry.end.abort()
    }
    if (keep.size === 0) this.#changed()
  }

  #completeBuiltin({ group, version, kind }: AnyResourceType): (draft: ObjectDraft) => void {
    const definition = this.#schemas.definitionName(group === '' ? version : `${group}/${version}`, kind) ?? ''
    return (draft) => this.#schemas.complete(definition, draft)
  }

  #decodeBuiltin(group: string, version: string, kind: string): Decode {
    const definition = this.#schemas.definitionName(group === '' ? version : `${group}/${version}`, kind)
    return (value, options = {}) => {
      const problems: string[] = []
      const read = () =>
        definition === undefined ? value : this.#schemas.decode(definition, value, { ...options, strictErrors: problems })
      return { object: readObject(read) as ReturnType<Decode>['object'], problems }
    }
  }
}

/** What of a definition the store of a version depends on. */
function factsOf(definition: CustomResourceDefinition, resource: CustomResource): unknown {
  const { versions } = definition.spec
  return { resource, storage: versions.find(({ storage }) => storage)?.name, versions: versions.length, first: isFirst(definition) }
}

function isFirst(definition: CustomResourceDefinition): boolean {
  return (definition.metadata.generation ?? 1) <= 1 && definition.spec.versions.length === 1
}

function decodeCustom(schema: ReturnType<typeof compileSchema>): Decode {
  return (value) => {
    const unknownFields: string[] = []
    const object = readObject(() => schema.prune(value, { unknownFields })) as ReturnType<Decode>['object']
    return { object, problems: unknownFields.map((field) => `unknown field "${field}"`) }
  }
}

/** @throws {StatusError} BadRequest with the reason why a value is not an object of its kind. */
function mergeRefusal({ message, status }: StrategicMergeError): Status {
  if (status === 400) return badRequest(message)
  if (status === 422) return genericResponse(422)
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
}

function readObject(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof DecodeError) throw new StatusError(badRequest(error.message), { cause: error })
    throw error
  }
}

/** Objects that were written before the definition became what it is may lack defaults, have fields too many, or be of another version. */
function readConversion(definition: CustomResourceDefinition, apiVersion: string, complete: Conversion): Conversion {
  const rewrite = rewriteApiVersion(apiVersion)
  return isFirst(definition) ? rewrite : remembered((object) => complete(rewrite(object)))
}

function validateEmbeddedMetadata(metadata: Readonly<Record<string, unknown>>, path: string): ReturnType<typeof validateMetadata> {
  const errors = validateMetadata({ name: 'embedded', ...metadata }, false, () => [])
  return errors.map((error) => ({ ...error, field: `${path}${error.field.slice('metadata'.length)}` }))
}

function entryKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`
}
