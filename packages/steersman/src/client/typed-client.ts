import type {
  AnyResourceType,
  InputOf,
  KubernetesList,
  KubernetesObject,
  ObjectKey,
  PartialObjectMetadata,
  Patch,
  ResourceOf,
  Status,
  WatchEvent,
} from '../api/index.js'
import { apiVersionOf, isStatus, resourcePath } from '../api/index.js'
import type { ResponseBody } from '../environment/index.js'
import { deepFreeze, linkAbort } from '../internal/index.js'
import type { CallRecorder } from './call-recorder.js'
import type {
  CallOptions,
  Client,
  ClientBinding,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RawListOptions,
  SubresourceClient,
  WatchOptions,
  WriteOptions,
} from './client.js'
import type { Shape } from './decode.js'
import { decodeWatch, stamp, stampList } from './decode.js'
import { deleteBody, getQuery, listQuery, watchQuery, writeQuery } from './query.js'
import type { ApiCall, RequesterOptions } from './request.js'
import { Requester } from './request.js'

/** What a client is made of. */
export interface CreateClientOptions extends RequesterOptions {
  /** Recorded by the server as the owner of what is written. @default the name in the bound `caller`; without one the server uses the user agent's */
  readonly fieldManager?: string
  /** Who calls, for the recorder, until {@link Client.with} binds another. @default empty */
  readonly caller?: string
  /** Gets every call. @default none */
  readonly recorder?: CallRecorder
}

/** A typed client of the server behind `options.transport`. It starts nothing; whoever made the transport closes it. */
export function createClient(options: CreateClientOptions): Client {
  const { fieldManager, caller, recorder } = options
  const binding = { ...(fieldManager !== undefined && { fieldManager }), ...(caller !== undefined && { caller }) }
  return new TypedClient({ requester: new Requester(options), recorder }, binding)
}

/** What a client and all those bound from it share. */
interface Shared {
  readonly requester: Requester
  readonly recorder: CallRecorder | undefined
}

interface Target {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string
}

class TypedClient implements Client {
  readonly #calls: Calls
  readonly #shared: Shared
  readonly #binding: ClientBinding

  constructor(shared: Shared, binding: ClientBinding) {
    this.#shared = shared
    this.#binding = binding
    this.#calls = new Calls(shared, binding)
  }

  async get<Type extends AnyResourceType>(type: Type, key: ObjectKey, options: GetOptions = {}): Promise<ResourceOf<Type>> {
    const query = getQuery(options)
    return stamp(type, await this.#calls.json('get', type, named(type, key, 'get'), { method: 'GET', ...(query && { query }) }, options))
  }

  async list<Type extends AnyResourceType>(type: Type, options: ListOptions = {}): Promise<KubernetesList<ResourceOf<Type>>> {
    return stampList(type, await this.#list(type, options, 'object'))
  }

  async create<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options: WriteOptions = {}): Promise<ResourceOf<Type>> {
    const { metadata } = object as KubernetesObject
    const target = inNamespace(type, metadata?.namespace, 'create')
    return stamp(type, await this.#calls.write('create', type, target, { method: 'POST', body: stampInput(type, object) }, options))
  }

  async update<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options: WriteOptions = {}): Promise<ResourceOf<Type>> {
    const target = named(type, (object as KubernetesObject).metadata, 'update')
    return stamp(type, await this.#calls.write('update', type, target, { method: 'PUT', body: stampInput(type, object) }, options))
  }

  async patch<Type extends AnyResourceType>(
    type: Type,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<ResourceOf<Type>> {
    return stamp(type, await this.#calls.write('patch', type, named(type, key, 'patch'), patchCall(patch), options))
  }

  async delete(type: AnyResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<Status | KubernetesObject> {
    const body = deleteBody(options)
    const answer = await this.#calls.json('delete', type, named(type, key, 'delete'), { method: 'DELETE', body }, options)
    return isStatus(answer) ? deepFreeze(answer) : stamp(type, answer)
  }

  async deleteCollection(type: AnyResourceType, options: DeleteOptions & ListOptions = {}): Promise<void> {
    const target = inNamespace(type, options.namespace, 'delete the collection of')
    const query = listQuery(options)
    await this.#calls.json(
      'deletecollection',
      type,
      target,
      { method: 'DELETE', body: deleteBody(options), ...(query && { query }) },
      options,
    )
  }

  watch<Type extends AnyResourceType>(type: Type, options: WatchOptions = {}): AsyncIterable<readonly WatchEvent<ResourceOf<Type>>[]> {
    return this.#watch(type, options, 'object') as AsyncIterable<readonly WatchEvent<ResourceOf<Type>>[]>
  }

  get status(): SubresourceClient {
    return this.subresource('status')
  }

  subresource(name: string): SubresourceClient {
    return new TypedSubresourceClient(this.#calls, name)
  }

  get metadata(): Client['metadata'] {
    return {
      list: async (type, options = {}) =>
        stampList(type, await this.#list(type, options, 'metadata'), 'metadata') as KubernetesList<PartialObjectMetadata>,
      watch: (type, options = {}) => this.#watch(type, options, 'metadata') as AsyncIterable<readonly WatchEvent<PartialObjectMetadata>[]>,
    }
  }

  async rawList(type: AnyResourceType, options: RawListOptions = {}): Promise<ResponseBody> {
    const { call, target } = listCall(type, options, options.metadataOnly ? 'metadata' : 'object')
    // The body outlives this call, and so must the signal.
    const signals = [options.signal, this.#binding.signal?.()].filter((signal) => signal !== undefined)
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
    const response = await this.#shared.requester.send({ ...this.#calls.describe('list', type, target, call), signal })
    return response.body
  }

  with(binding: ClientBinding): Client {
    return new TypedClient(this.#shared, { ...this.#binding, ...binding, ...bothSignals(this.#binding.signal, binding.signal) })
  }

  #list(type: AnyResourceType, options: ListOptions, shape: Shape): Promise<unknown> {
    const { call, target } = listCall(type, options, shape)
    return this.#calls.json('list', type, target, call, options)
  }

  async *#watch(type: AnyResourceType, options: WatchOptions, shape: Shape): AsyncGenerator<readonly WatchEvent[], void, undefined> {
    const { signal, unlink } = this.#calls.signalOf(options)
    try {
      const call = { method: 'GET', query: watchQuery(options), ...(shape === 'metadata' && { accept: metadataEvent }) }
      const description = this.#calls.describe('watch', type, inAnyNamespace(type, options.namespace), call)
      const response = await this.#shared.requester.send({ ...description, signal })
      yield* decodeWatch(type, response.body, shape)
    } finally {
      unlink()
    }
  }
}

class TypedSubresourceClient implements SubresourceClient {
  readonly #calls: Calls
  readonly #name: string

  constructor(calls: Calls, name: string) {
    this.#calls = calls
    this.#name = name
  }

  async get<Type extends AnyResourceType, Body = ResourceOf<Type>>(type: Type, key: ObjectKey): Promise<Body> {
    return deepFreeze(await this.#calls.json('get', type, this.#target(type, key, 'get'), { method: 'GET' }, {})) as Body
  }

  async create<Answer = Status>(type: AnyResourceType, key: ObjectKey, body: object, options: WriteOptions = {}): Promise<Answer> {
    const call = { method: 'POST', body }
    return deepFreeze(await this.#calls.write('create', type, this.#target(type, key, 'create'), call, options)) as Answer
  }

  async update<Type extends AnyResourceType>(
    type: Type,
    object: InputOf<Type>,
    options: WriteOptions & { readonly body?: object } = {},
  ): Promise<ResourceOf<Type>> {
    const target = this.#target(type, (object as KubernetesObject).metadata, 'update')
    const call = { method: 'PUT', body: options.body ?? stampInput(type, object) }
    return deepFreeze(await this.#calls.write('update', type, target, call, options))
  }

  async patch<Type extends AnyResourceType>(
    type: Type,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<ResourceOf<Type>> {
    return deepFreeze(await this.#calls.write('patch', type, this.#target(type, key, 'patch'), patchCall(patch), options))
  }

  #target(type: AnyResourceType, key: Partial<ObjectKey> | undefined, verb: string): Target {
    return { ...named(type, key, `${verb} ${this.#name} of`), subresource: this.#name }
  }
}

type PartialCall = Pick<ApiCall, 'method' | 'query' | 'accept' | 'body' | 'contentType'>

/** Makes calls under one binding: adds path, signal and field manager, and records. */
class Calls {
  readonly #shared: Shared
  readonly #binding: ClientBinding

  constructor(shared: Shared, binding: ClientBinding) {
    this.#shared = shared
    this.#binding = binding
  }

  async json(verb: string, type: AnyResourceType, target: Target, call: PartialCall, options: CallOptions): Promise<unknown> {
    const { signal, unlink } = this.signalOf(options)
    try {
      return await this.#shared.requester.json({ ...this.describe(verb, type, target, call), signal })
    } finally {
      unlink()
    }
  }

  write(verb: string, type: AnyResourceType, target: Target, call: PartialCall, options: WriteOptions): Promise<unknown> {
    const query = writeQuery(options, options.fieldManager ?? this.#fieldManager())
    return this.json(verb, type, target, { ...call, ...(query && { query }) }, options)
  }

  /** The whole call, and a record of it. */
  describe(verb: string, type: AnyResourceType, target: Target, call: PartialCall): ApiCall {
    const { namespace = '', name = '', subresource = '' } = target
    const { group, plural: resource } = type
    const path = resourcePath(type, { namespace, name, subresource })
    this.#shared.recorder?.record({ caller: this.#binding.caller ?? '', group, resource, subresource, verb, namespace })
    return { ...call, path, resource: { group, plural: resource }, name }
  }

  /** The caller's signal and the bound one as one. `unlink` when the call is over. */
  signalOf({ signal: own }: CallOptions): { readonly signal: AbortSignal | undefined; readonly unlink: () => void } {
    const bound = this.#binding.signal?.()
    if (own === undefined || bound === undefined) return { signal: own ?? bound, unlink: () => undefined }
    const controller = new AbortController()
    return { signal: controller.signal, unlink: linkAbort(controller, own, bound) }
  }

  #fieldManager(): string | undefined {
    const { fieldManager, caller } = this.#binding
    // `controller/widget` is the controller named widget.
    return fieldManager ?? caller?.slice(caller.lastIndexOf('/') + 1)
  }
}

/** With `application/json` as the last resort, as client-go asks: an old aggregated server then sends whole objects. */
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const metadataEvent = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'

function listCall(type: AnyResourceType, options: ListOptions, shape: Shape): { readonly call: PartialCall; readonly target: Target } {
  const query = listQuery(options)
  return {
    call: { method: 'GET', ...(query && { query }), ...(shape === 'metadata' && { accept: metadataList }) },
    target: inAnyNamespace(type, options.namespace),
  }
}

function patchCall(patch: Patch): PartialCall {
  return { method: 'PATCH', body: patch.body, contentType: patch.type }
}

/** The server refuses a body that does not say what it is. */
function stampInput(type: AnyResourceType, object: object): object {
  const { apiVersion, kind } = object as Partial<KubernetesObject>
  return apiVersion && kind ? object : { ...object, apiVersion: apiVersion || apiVersionOf(type), kind: kind || type.kind }
}

function named(type: AnyResourceType, key: Partial<ObjectKey> | undefined, verb: string): Target {
  if (!key?.name) throw new TypeError(`Cannot ${verb} ${type.kind}: the name is missing or empty`)
  return { ...inNamespace(type, key.namespace, verb), name: key.name }
}

function inNamespace(type: AnyResourceType, namespace: string | undefined, verb: string): Target {
  if (type.scope === 'Namespaced' && !namespace) {
    throw new TypeError(`Cannot ${verb} ${type.kind}: the namespace is missing or empty, and the kind is namespaced`)
  }
  return inAnyNamespace(type, namespace)
}

/** A namespace says nothing about a cluster-scoped kind. */
function inAnyNamespace(type: AnyResourceType, namespace: string | undefined): Target {
  return type.scope === 'Namespaced' && namespace ? { namespace } : {}
}

function bothSignals(outer: ClientBinding['signal'], inner: ClientBinding['signal']): Pick<ClientBinding, 'signal'> {
  if (outer === undefined || inner === undefined) return {}
  let both: AbortSignal | undefined
  return {
    signal: () => {
      both ??= AbortSignal.any([outer(), inner()])
      return both
    },
  }
}
