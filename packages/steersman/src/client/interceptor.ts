import type {
  AnyResourceType,
  InputOf,
  KubernetesList,
  KubernetesObject,
  ObjectKey,
  Patch,
  ResourceOf,
  Status,
  WatchEvent,
} from '../api/index.js'
import type { Transport, TransportRequest, TransportResponse } from '../environment/index.js'
import type {
  Client,
  ClientBinding,
  DeleteOptions,
  GetOptions,
  ListOptions,
  SubresourceClient,
  WatchOptions,
  WriteOptions,
} from './client.js'

/** What {@link interceptTransport} replaces. */
export interface TransportInterceptor {
  /** Answers instead of the transport. `next` sends the request, or another, on. */
  request?(request: TransportRequest, next: (request: TransportRequest) => Promise<TransportResponse>): Promise<TransportResponse>
}

/** A transport whose requests pass through `interceptor`, e.g. to inject errors. Closing it closes `transport`. */
export function interceptTransport(transport: Transport, interceptor: TransportInterceptor): Transport {
  const next = (request: TransportRequest) => transport.request(request)
  return {
    request: (request) => (interceptor.request ? interceptor.request(request, next) : next(request)),
    ...(transport.prepare && { prepare: transport.prepare.bind(transport) }),
    close: () => transport.close(),
  }
}

/** An object whose type the interceptor does not know. */
type Any = ResourceOf<AnyResourceType>

/**
 * Functions that answer instead of a client's methods. Each gets the client behind, to call it or not, and the method's arguments.
 * A method without a function goes to the client behind.
 */
export interface ClientInterceptor {
  get?(client: Client, type: AnyResourceType, key: ObjectKey, options?: GetOptions): Promise<Any>
  list?(client: Client, type: AnyResourceType, options?: ListOptions): Promise<KubernetesList<Any>>
  create?(client: Client, type: AnyResourceType, object: InputOf<AnyResourceType>, options?: WriteOptions): Promise<Any>
  update?(client: Client, type: AnyResourceType, object: InputOf<AnyResourceType>, options?: WriteOptions): Promise<Any>
  patch?(client: Client, type: AnyResourceType, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<Any>
  delete?(client: Client, type: AnyResourceType, key: ObjectKey, options?: DeleteOptions): Promise<Status | Any>
  deleteCollection?(client: Client, type: AnyResourceType, options?: DeleteOptions & ListOptions): Promise<void>
  watch?(client: Client, type: AnyResourceType, options?: WatchOptions): AsyncIterable<readonly WatchEvent[]>
  metadataList?(client: Client, type: AnyResourceType, options?: ListOptions): ReturnType<Client['metadata']['list']>
  metadataWatch?(client: Client, type: AnyResourceType, options?: WatchOptions): ReturnType<Client['metadata']['watch']>
  subresourceGet?(client: Client, subresource: string, type: AnyResourceType, key: ObjectKey): Promise<unknown>
  subresourceCreate?(
    client: Client,
    subresource: string,
    type: AnyResourceType,
    key: ObjectKey,
    body: object,
    options?: WriteOptions,
  ): Promise<unknown>
  subresourceUpdate?(
    client: Client,
    subresource: string,
    type: AnyResourceType,
    object: InputOf<AnyResourceType>,
    options?: WriteOptions & { readonly body?: object },
  ): Promise<Any>
  subresourcePatch?(
    client: Client,
    subresource: string,
    type: AnyResourceType,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<Any>
}

/** A client whose methods pass through `interceptor`, bound clients included. `rawList` is absent when `list` is replaced. */
export function interceptClient(client: Client, interceptor: ClientInterceptor): Client {
  return new InterceptedClient(client, interceptor)
}

class InterceptedClient implements Client {
  readonly #client: Client
  readonly #interceptor: ClientInterceptor
  readonly rawList?: NonNullable<Client['rawList']>

  constructor(client: Client, interceptor: ClientInterceptor) {
    this.#client = client
    this.#interceptor = interceptor
    const { list, metadataList } = interceptor
    if (client.rawList && !list && !metadataList) this.rawList = client.rawList.bind(client)
  }

  get<Type extends AnyResourceType>(type: Type, key: ObjectKey, options?: GetOptions): Promise<ResourceOf<Type>> {
    return this.#interceptor.get ? this.#interceptor.get(this.#client, type, key, options) : this.#client.get(type, key, options)
  }

  list<Type extends AnyResourceType>(type: Type, options?: ListOptions): Promise<KubernetesList<ResourceOf<Type>>> {
    return this.#interceptor.list ? this.#interceptor.list(this.#client, type, options) : this.#client.list(type, options)
  }

  create<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options?: WriteOptions): Promise<ResourceOf<Type>> {
    const { create } = this.#interceptor
    return create ? create.call(this.#interceptor, this.#client, type, object, options) : this.#client.create(type, object, options)
  }

  update<Type extends AnyResourceType>(type: Type, object: InputOf<Type>, options?: WriteOptions): Promise<ResourceOf<Type>> {
    const { update } = this.#interceptor
    return update ? update.call(this.#interceptor, this.#client, type, object, options) : this.#client.update(type, object, options)
  }

  patch<Type extends AnyResourceType>(type: Type, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<ResourceOf<Type>> {
    return this.#interceptor.patch
      ? this.#interceptor.patch(this.#client, type, key, patch, options)
      : this.#client.patch(type, key, patch, options)
  }

  delete(type: AnyResourceType, key: ObjectKey, options?: DeleteOptions): Promise<Status | KubernetesObject> {
    return this.#interceptor.delete ? this.#interceptor.delete(this.#client, type, key, options) : this.#client.delete(type, key, options)
  }

  deleteCollection(type: AnyResourceType, options?: DeleteOptions & ListOptions): Promise<void> {
    return this.#interceptor.deleteCollection
      ? this.#interceptor.deleteCollection(this.#client, type, options)
      : this.#client.deleteCollection(type, options)
  }

  watch<Type extends AnyResourceType>(type: Type, options?: WatchOptions): AsyncIterable<readonly WatchEvent<ResourceOf<Type>>[]> {
    const { watch } = this.#interceptor
    if (watch === undefined) return this.#client.watch(type, options)
    return watch.call(this.#interceptor, this.#client, type, options) as AsyncIterable<readonly WatchEvent<ResourceOf<Type>>[]>
  }

  get metadata(): Client['metadata'] {
    const { metadata } = this.#client
    return {
      list: (type, options) =>
        this.#interceptor.metadataList ? this.#interceptor.metadataList(this.#client, type, options) : metadata.list(type, options),
      watch: (type, options) =>
        this.#interceptor.metadataWatch ? this.#interceptor.metadataWatch(this.#client, type, options) : metadata.watch(type, options),
    }
  }

  get status(): SubresourceClient {
    return this.subresource('status')
  }

  subresource(name: string): SubresourceClient {
    return new InterceptedSubresourceClient(this.#client, this.#interceptor, name)
  }

  with(binding: ClientBinding): Client {
    return new InterceptedClient(this.#client.with(binding), this.#interceptor)
  }
}

class InterceptedSubresourceClient implements SubresourceClient {
  readonly #client: Client
  readonly #interceptor: ClientInterceptor
  readonly #name: string

  constructor(client: Client, interceptor: ClientInterceptor, name: string) {
    this.#client = client
    this.#interceptor = interceptor
    this.#name = name
  }

  get #next(): SubresourceClient {
    return this.#client.subresource(this.#name)
  }

  get<Type extends AnyResourceType, Body = ResourceOf<Type>>(type: Type, key: ObjectKey): Promise<Body> {
    const { subresourceGet } = this.#interceptor
    if (subresourceGet === undefined) return this.#next.get(type, key)
    return subresourceGet.call(this.#interceptor, this.#client, this.#name, type, key) as Promise<Body>
  }

  create<Answer = Status>(type: AnyResourceType, key: ObjectKey, body: object, options?: WriteOptions): Promise<Answer> {
    const { subresourceCreate } = this.#interceptor
    if (subresourceCreate === undefined) return this.#next.create(type, key, body, options)
    return subresourceCreate.call(this.#interceptor, this.#client, this.#name, type, key, body, options) as Promise<Answer>
  }

  update<Type extends AnyResourceType>(
    type: Type,
    object: InputOf<Type>,
    options?: WriteOptions & { readonly body?: object },
  ): Promise<ResourceOf<Type>> {
    const { subresourceUpdate } = this.#interceptor
    if (subresourceUpdate === undefined) return this.#next.update(type, object, options)
    return subresourceUpdate.call(this.#interceptor, this.#client, this.#name, type, object, options)
  }

  patch<Type extends AnyResourceType>(type: Type, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<ResourceOf<Type>> {
    const { subresourcePatch } = this.#interceptor
    if (subresourcePatch === undefined) return this.#next.patch(type, key, patch, options)
    return subresourcePatch.call(this.#interceptor, this.#client, this.#name, type, key, patch, options)
  }
}
