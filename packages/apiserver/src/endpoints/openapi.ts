import { stringifyJson } from 'steersman/api'
import type { TransportRequest, TransportResponse } from 'steersman/environment'
import type { ServedResource } from '../contracts/index.js'
import { type Discovery, digest } from './discovery.js'
import { parseAccept } from './media-types.js'
import type { ParsedRequest } from './request-info.js'
import { pageNotFound, respondValue } from './respond.js'

/** Makes the OpenAPI v3 document of one group version. */
export interface OpenApi {
  document(group: string, version: string, resources: readonly ServedResource[]): Promise<unknown> | unknown
}

interface Entry {
  readonly group: string
  readonly version: string
  readonly resources: readonly ServedResource[]
  readonly hash: string
}

/** What was made for one list of resources; dropped when the list changes. */
interface Catalogue {
  readonly entries: ReadonlyMap<string, Entry>
  readonly documents: Map<string, Promise<Uint8Array>>
}

/** Serves `/openapi/v3` and the documents that it lists. Documents are made on first use. */
export class OpenApiEndpoint {
  readonly #openapi: OpenApi
  readonly #discovery: Discovery
  readonly #version: string
  readonly #resources: () => readonly ServedResource[]
  #catalogue: { readonly of: readonly ServedResource[]; readonly value: Catalogue } | undefined

  constructor(openapi: OpenApi, discovery: Discovery, version: string, resources: () => readonly ServedResource[]) {
    this.#openapi = openapi
    this.#discovery = discovery
    this.#version = version
    this.#resources = resources
  }

  /** Answers a path below `/openapi`. */
  async respond(request: TransportRequest, info: ParsedRequest): Promise<TransportResponse> {
    const [, form, ...path] = info.segments
    if (form !== 'v3') return pageNotFound()
    if (path.length === 0) return respondValue(200, this.#index())
    const entry = this.#entries().entries.get(path.join('/'))
    if (entry === undefined) return { status: 404, headers: { 'cache-control': 'no-cache, private' }, body: { kind: 'empty' } }
    return this.#respondDocument(request, path.join('/'), entry)
  }

  async #respondDocument(request: TransportRequest, path: string, entry: Entry): Promise<TransportResponse> {
    const etag = `"${entry.hash}"`
    const headers = { etag, vary: 'Accept' }
    if (!acceptsJson(request.headers.accept)) return { status: 406, headers: { vary: 'Accept' }, body: { kind: 'empty' } }
    const asked = request.query?.get('hash') ?? ''
    if (asked !== '' && asked !== entry.hash) {
      const location = { location: documentUrl(path, entry.hash), 'content-type': 'application/json' }
      return { status: 301, headers: { ...headers, ...location, 'cache-control': 'no-cache, private' }, body: { kind: 'empty' } }
    }
    const cacheControl = asked === '' ? 'no-cache, private' : 'public, immutable'
    if (request.headers['if-none-match'] === etag)
      return { status: 304, headers: { ...headers, 'cache-control': cacheControl }, body: { kind: 'empty' } }
    const bytes = await this.#document(path, entry)
    return {
      status: 200,
      headers: { ...headers, 'cache-control': cacheControl, 'content-type': 'application/json' },
      body: { kind: 'bytes', bytes },
    }
  }

  #index(): object {
    const paths: Record<string, object> = {}
    for (const [path, { hash }] of this.#entries().entries) paths[path] = { serverRelativeURL: documentUrl(path, hash) }
    return { paths }
  }

  /** The hash is one of what a document is made of, so that the index does not need the documents. */
  #entries(): Catalogue {
    const of = this.#resources()
    if (this.#catalogue?.of === of) return this.#catalogue.value
    const entries = new Map<string, Entry>()
    for (const { group, version, resources } of this.#discovery.groupVersions()) {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`
      const facts = resources.map((resource) => (resource.builtIn ? resource.type.plural : resource))
      entries.set(path, { group, version, resources, hash: digest(this.#version + stringifyJson(facts)) })
    }
    const value = { entries, documents: new Map() }
    this.#catalogue = { of, value }
    return value
  }

  #document(path: string, entry: Entry): Promise<Uint8Array> {
    const { documents } = this.#entries()
    let document = documents.get(path)
    if (document === undefined) {
      document = this.#make(entry)
      documents.set(path, document)
      document.catch(() => documents.delete(path))
    }
    return document
  }

  async #make({ group, version, resources }: Entry): Promise<Uint8Array> {
    return new TextEncoder().encode(stringifyJson(await this.#openapi.document(group, version, resources)))
  }
}

function documentUrl(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`
}

function acceptsJson(header: string | undefined): boolean {
  return parseAccept(header).some(({ type }) => type === 'application/json' || type === '*/*' || type === 'application/*')
}
