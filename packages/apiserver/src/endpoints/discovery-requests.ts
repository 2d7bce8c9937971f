import { genericResponse, notAcceptable, StatusError } from 'steersman/api'
import type { TransportRequest, TransportResponse } from 'steersman/environment'
import type { Handler } from './context.js'
import { aggregatedVersions } from './discovery.js'
import { type AcceptClause, type AcceptedMedia, bodyMediaTypes, negotiate, parseAccept, protobufType, requireRoute } from './media-types.js'
import type { ParsedRequest } from './request-info.js'
import { pageNotFound, respondValue } from './respond.js'

/** Answers `/api`, `/apis` and what lies under them as far as it is discovery; `undefined`: it is something else. */
export async function respondDiscovery(
  handler: Handler,
  request: TransportRequest,
  info: ParsedRequest,
): Promise<TransportResponse | undefined> {
  const [prefix, first, second] = info.segments
  if (prefix !== 'api' && prefix !== 'apis') return undefined
  const { discovery } = handler
  if (first === undefined) return respondRoot(handler, request, prefix)
  const media = (route?: readonly string[]) =>
    mediaOf(handler, request, { accept: request.headers.accept, ...(route === undefined ? {} : { route }) })
  // Groups and the resources of custom ones are answered whatever the method is.
  if (prefix === 'apis' && second === undefined) {
    const group = discovery.group(first)
    return group === undefined ? pageNotFound() : respondValue(200, group, media())
  }
  const [group, version] = prefix === 'api' ? ['', first] : [first, second ?? '']
  const resources = discovery.resourceList(group, version)
  const isBuiltIn = discovery.isBuiltIn(group)
  if (resources === undefined && !isBuiltIn) return pageNotFound()
  if (resources === undefined) throw new StatusError(genericResponse(404))
  if (isBuiltIn && request.method !== 'GET') throw new StatusError(genericResponse(405))
  return respondValue(200, resources, media(isBuiltIn ? bodyMediaTypes : undefined))
}

async function respondRoot(handler: Handler, request: TransportRequest, prefix: 'api' | 'apis'): Promise<TransportResponse> {
  const { discovery } = handler
  if (prefix === 'api' && request.method !== 'GET') throw new StatusError(genericResponse(405))
  const clauses = parseAccept(request.headers.accept)
  // The aggregated form comes before all others that are acceptable, whatever their weights; under the path with a slash it is not offered.
  const aggregated = request.path === '/apis/' ? undefined : clauses.find(isAggregated)
  if (aggregated !== undefined) return respondAggregated(handler, request, prefix, aggregated)
  if (prefix === 'api') requireRoute(clauses, bodyMediaTypes)
  const offered = handler.protobuf.loaded === undefined ? plainTypes : [...plainTypes, protobufType]
  const plain = clauses.find(({ type, parameters }) => parameters.as === undefined && offered.includes(type))
  if (plain === undefined) throw new StatusError(notAcceptable(bodyMediaTypes))
  const value = prefix === 'api' ? discovery.legacyVersions(handler.serverAddress?.() ?? '') : discovery.groupList()
  return respondValue(200, value, mediaOf(handler, request, { accept: acceptText(plain) }))
}

const plainTypes = ['application/json', 'application/yaml', '*/*', 'application/*']

function isAggregated({ type, parameters }: AcceptClause): boolean {
  const { as, g, v = '' } = parameters
  return plainTypes.includes(type) && as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && aggregatedVersions.includes(v)
}

async function respondAggregated(
  handler: Handler,
  request: TransportRequest,
  prefix: 'api' | 'apis',
  clause: AcceptClause,
): Promise<TransportResponse> {
  const { v: version = '' } = clause.parameters
  const { value, etag } = handler.discovery.aggregated(`/${prefix}`, version)
  const headers = { 'cache-control': 'public', etag, vary: 'Accept' }
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: { kind: 'empty' } }
  const media = mediaOf(handler, request, { accept: acceptText(clause) })
  const contentType = `${media.mediaType};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return respondValue(200, value, media, { ...headers, 'content-type': contentType })
}

/** What of a clause says how the answer is written. */
function acceptText({ type, parameters }: AcceptClause): string {
  return parameters.pretty === undefined ? type : `${type};pretty=${parameters.pretty}`
}

interface Accepted {
  readonly accept: string | undefined
  /** The media types of a route that is built in. */
  readonly route?: readonly string[]
}

function mediaOf({ protobuf }: Handler, { headers, query }: TransportRequest, { accept, ...route }: Accepted): AcceptedMedia {
  return negotiate(accept, { transformations: false, protobuf: protobuf.loaded, query, userAgent: headers['user-agent'], ...route })
}
