import { stringifyJson } from 'steersman/api'
import type { Environment, TransportRequest, TransportResponse } from 'steersman/environment'
import type { ServedResource } from '../contracts/index.js'
import { type Discovery, digest } from './discovery.js'
import { parseAccept } from './media-types.js'
import { pageNotFound, type ResponseHeaders } from './respond.js'

/** A group version and what it serves. */
export interface OpenApiGroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly ServedResource[]
}

/** Makes OpenAPI documents. */
export interface OpenApi {
  /** The OpenAPI v3 document of one group version. */
  groupVersion(groupVersion: OpenApiGroupVersion): Promise<unknown> | unknown
  /** The OpenAPI v3 document of a path that is no group version's: `api`, `apis`, `apis/apps`, `version`. */
  root(name: string): Promise<unknown> | unknown
  /** The OpenAPI v2 document of everything, as a value and encoded as gnostic's protobuf message. */
  swagger(served: readonly OpenApiGroupVersion[]): Promise<SwaggerDocument> | SwaggerDocument
}

export interface SwaggerDocument {
  readonly value: unknown
  encode(): Uint8Array
}

/** A document of OpenAPI v3, not made yet. */
interface Entry {
  readonly hash: string
  make(): Promise<unknown> | unknown
}

/** What was made for one list of resources; dropped when the list changes. */
interface Catalogue {
  readonly served: readonly OpenApiGroupVersion[]
  /** By their paths below `/openapi/v3/`, sorted. */
  readonly entries: ReadonlyMap<string, Entry>
  readonly documents: Map<string, Promise<Uint8Array>>
  readonly swaggerTag: string
}

/** What the endpoint needs to know of the server. */
export interface OpenApiEndpointOptions {
  readonly openapi: OpenApi
  readonly discovery: Discovery
  readonly environment: Environment
  /** Hashes change with it. */
  readonly version: string
  readonly resources: () => readonly ServedResource[]
}

const yearMs = 365 * 24 * 3600 * 1000
const v3Prefix = '/openapi/v3'
const json = 'application/json'
const gnostic = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
/** As clients write it: the at sign is no part of a media type, but the server took it from the beginning. */
const gnosticAsAsked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
const vary = ['Accept-Encoding', 'Accept']
const wildcards = ['*/*', 'application/*']

/** Serves `/openapi/v2`, `/openapi/v3` and the documents that it lists, to any method. Documents are made on first use. */
export class OpenApiEndpoint {
  readonly #options: OpenApiEndpointOptions
  #catalogue: { readonly of: readonly ServedResource[]; readonly value: Catalogue } | undefined

  constructor(options: OpenApiEndpointOptions) {
    this.#options = options
  }

  /** Answers a path below `/openapi`. */
  async respond(request: TransportRequest): Promise<TransportResponse> {
    const { path } = request
    if (path === '/openapi/v2') return this.#respondSwagger(request)
    if (path === v3Prefix) return respondBytes(bytesOf(this.#index()), 'text/plain; charset=utf-8')
    if (!path.startsWith(`${v3Prefix}/`)) return pageNotFound()
    const name = path.slice(v3Prefix.length + 1)
    const entry = this.#current().entries.get(name)
    return entry === undefined ? empty(404) : this.#respondDocument(request, name, entry)
  }

  async #respondDocument(request: TransportRequest, name: string, entry: Entry): Promise<TransportResponse> {
    const etag = `"${entry.hash}"`
    if (accepted(request, [json]) === undefined) return empty(406, { vary: 'Accept' })
    const asked = request.query?.get('hash') ?? ''
    if (asked !== '' && asked !== entry.hash)
      return empty(301, { etag, vary: 'Accept', location: documentUrl(name, entry.hash), 'content-type': json })
    const headers = { etag, vary: 'Accept', ...(asked === '' ? {} : this.#immutable()) }
    if (isKnown(request, etag)) return empty(304, headers)
    return respondBytes(await this.#document(name, entry.make), json, headers)
  }

  async #respondSwagger(request: TransportRequest): Promise<TransportResponse> {
    const { swaggerTag, served } = this.#current()
    const headers = { etag: swaggerTag, vary }
    const mediaType = accepted(request, [json, gnostic, gnosticAsAsked])
    if (mediaType === undefined) return empty(406, { vary })
    if (isKnown(request, swaggerTag)) return empty(304, headers)
    const make = async () => this.#options.openapi.swagger(served)
    if (mediaType === json) return respondBytes(await this.#document('v2', async () => (await make()).value), json, headers)
    return respondBytes(await this.#bytes('v2 gnostic', async () => (await make()).encode()), gnostic, headers)
  }

  #immutable(): ResponseHeaders {
    const expires = new Date(this.#options.environment.now() + yearMs).toUTCString().replace('GMT', 'UTC')
    return { 'cache-control': 'public, immutable', expires }
  }

  #index(): object {
    const paths = Array.from(this.#current().entries, ([name, { hash }]) => [name, { serverRelativeURL: documentUrl(name, hash) }])
    return { paths: Object.fromEntries(paths) }
  }

  /** Hashes are of what documents are made of, so that the index does not need the documents. */
  #current(): Catalogue {
    const { discovery, openapi, resources, version } = this.#options
    const of = resources()
    if (this.#catalogue?.of === of) return this.#catalogue.value
    const served = discovery.groupVersions()
    const entries: [string, Entry][] = served.map((groupVersion) => {
      const facts = groupVersion.resources.map((resource) => (resource.builtIn ? resource.type.plural : resource))
      const hash = digest(version + stringifyJson(facts))
      return [documentName(groupVersion), { hash, make: () => openapi.groupVersion(groupVersion) }]
    })
    for (const name of rootNames(served)) entries.push([name, { hash: digest(version + name), make: () => openapi.root(name) }])
    const sorted = entries.sort(([left], [right]) => (left < right ? -1 : 1))
    const swaggerTag = `"${digest(sorted.map(([name, { hash }]) => name + hash).join())}"`
    const value = { served, entries: new Map(sorted), documents: new Map(), swaggerTag }
    this.#catalogue = { of, value }
    return value
  }

  #document(name: string, make: () => Promise<unknown> | unknown): Promise<Uint8Array> {
    return this.#bytes(name, async () => bytesOf(await make()))
  }

  #bytes(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const { documents } = this.#current()
    let document = documents.get(name)
    if (document === undefined) {
      document = make()
      documents.set(name, document)
      document.catch(() => documents.delete(name))
    }
    return document
  }
}

/** The names of documents that are no group version's. Only groups that are compiled in have one. */
function rootNames(served: readonly OpenApiGroupVersion[]): readonly string[] {
  const builtIn = served.filter(({ resources }) => resources.some((resource) => resource.builtIn))
  const groups = new Set(builtIn.map(({ group }) => (group === '' ? 'api' : `apis/${group}`)))
  return ['apis', 'version', '.well-known/openid-configuration', 'openid/v1/jwks', ...groups]
}

function documentName({ group, version }: OpenApiGroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

function documentUrl(name: string, hash: string): string {
  return `${v3Prefix}/${name}?hash=${hash}`
}

/** The first of the media types that the client wants; a wildcard is the first that there is. */
function accepted({ headers }: TransportRequest, mediaTypes: readonly string[]): string | undefined {
  for (const { type } of parseAccept(headers.accept)) {
    if (wildcards.includes(type)) return mediaTypes[0]
    if (mediaTypes.includes(type)) return type
  }
  return undefined
}

/** Whether the client has what the tag stands for. */
function isKnown({ headers }: TransportRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known?.some((one) => one === etag || one === '*') ?? false
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(stringifyJson(value))
}

function respondBytes(bytes: Uint8Array, contentType: string, headers: ResponseHeaders = {}): TransportResponse {
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache, private', 'content-type': contentType, ...headers },
    body: { kind: 'bytes', bytes },
  }
}

function empty(status: number, headers: ResponseHeaders = {}): TransportResponse {
  return { status, headers: { 'cache-control': 'no-cache, private', ...headers }, body: { kind: 'empty' } }
}
