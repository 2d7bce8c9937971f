import type { Environment, TransportRequest, TransportResponse } from 'steersman/environment'
import type { Logger } from 'steersman/internal'
import type {
  AdmissionPlugin,
  Authenticator,
  Authorizer,
  BodyStore,
  Registry,
  ResourceStore,
  ServedSubresource,
  TableConverter,
  UserInfo,
  WriteRequest,
} from '../contracts/index.js'
import type { Discovery } from './discovery.js'
import { type AcceptedMedia, bodyMediaTypes, collectionMediaTypes, type NegotiationOptions, negotiate } from './media-types.js'
import type { OpenApi } from './openapi.js'
import type { TokenIssuer } from './openid.js'
import { managerFromUserAgent, type WriteOptions } from './options.js'
import type { LazyProtobuf } from './protobuf.js'
import { nameAndAge, type Presentation, parseIncludeObject, presentObject } from './representation.js'
import type { ParsedRequest } from './request-info.js'
import { respondValue, warningHeaderValues } from './respond.js'
import type { VersionInfo } from './version.js'

/** What answers requests: the rooms behind the endpoints. */
export interface HandlerOptions {
  readonly registry: Registry
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  /** The whole admission chain. */
  readonly admission: AdmissionPlugin
  readonly environment: Environment
  /** @default one that drops everything */
  readonly logger?: Logger
  /** What `/version` says. */
  readonly version: VersionInfo
  /** `host:port` that discovery tells clients. @default empty */
  readonly serverAddress?: () => string
  /** Who issues tokens of service accounts; absent: nobody, and there is nothing to tell about it. */
  readonly tokenIssuer?: TokenIssuer
  /** Makes the OpenAPI documents; absent: there are none. */
  readonly openapi?: OpenApi
}

/** The options, completed, and what is made of them once. */
export interface Handler extends HandlerOptions {
  readonly logger: Logger
  readonly discovery: Discovery
  readonly protobuf: LazyProtobuf
}

/** A request for a resource that is served, after authentication and authorization. */
export interface ResourceRequest {
  readonly handler: Handler
  readonly request: TransportRequest
  readonly info: ParsedRequest
  readonly query: URLSearchParams
  readonly user: UserInfo
  readonly store: ResourceStore
  /** Present when the path names a subresource. */
  readonly subresource?: ServedSubresource
  /** Texts of `Warning` headers, in order. */
  readonly warnings: string[]
}

/** What is read and written: the object or its subresource. */
export function bodyStore({ store, subresource }: ResourceRequest): BodyStore {
  return (subresource === undefined ? undefined : store.subresource(subresource.name)) ?? store
}

/** Chooses how a whole answer is written. @throws {StatusError} NotAcceptable, BadRequest. */
export function negotiateBody(context: ResourceRequest): AcceptedMedia {
  return negotiate(context.request.headers.accept, negotiationOptions(context))
}

/** What the answers to a request may be. */
export function negotiationOptions({ handler, info, query, request, store }: ResourceRequest): NegotiationOptions {
  const isCustom = !store.served.builtIn
  const streams = info.verb === 'list' || info.verb === 'watch'
  return {
    transformations: true,
    query,
    userAgent: request.headers['user-agent'],
    protobuf: handler.protobuf.loaded,
    isCustom,
    ...(isCustom ? {} : { route: streams ? collectionMediaTypes : bodyMediaTypes }),
  }
}

/** How the answer shows objects. */
export function presentation({ handler, query }: ResourceRequest, media: AcceptedMedia): Presentation {
  const includeObject = media.transformation === 'Table' ? parseIncludeObject(query) : 'Metadata'
  return { media, includeObject, now: () => handler.environment.now() }
}

/** Answers with one object in the form that was asked for. */
export function respondObject(context: ResourceRequest, code: number, object: object, media: AcceptedMedia): Promise<TransportResponse> {
  const value = presentObject(object as never, context.store.served, tableOf(context), presentation(context, media))
  return respondValue(code, value, media, warningHeaders(context))
}

function tableOf({ store, subresource }: ResourceRequest): TableConverter {
  if (subresource === undefined || subresource.name === 'status') return store.table
  return store.subresource(subresource.name)?.table ?? nameAndAge
}

/** The `warning` headers of what was collected so far. */
export function warningHeaders({ warnings }: ResourceRequest): Readonly<Record<string, readonly string[]>> {
  return warnings.length === 0 ? {} : { warning: warningHeaderValues(warnings) }
}

/** What the store needs to know of a write. */
export function writeRequest(
  context: ResourceRequest,
  options: Pick<WriteOptions, 'dryRun' | 'object'> & { readonly fieldManager?: string },
): WriteRequest & { readonly namespace: string } {
  const { handler, info, request, store, user, warnings } = context
  return {
    namespace: store.served.type.scope === 'Namespaced' ? info.namespace : '',
    user,
    dryRun: options.dryRun,
    fieldManager: options.fieldManager || managerFromUserAgent(request.headers['user-agent']),
    options: options.object,
    admission: handler.admission,
    warn: (text) => {
      warnings.push(text)
    },
    // In process, the signal is made when it is first asked for.
    get signal() {
      return request.signal
    },
  }
}
