import { genericResponse, notAcceptable, StatusError } from 'steersman/api'
import type { TransportRequest, TransportResponse } from 'steersman/environment'
import type { Handler } from './context.js'
import { aggregatedVersions } from './discovery.js'
import { type AcceptClause, bodyMediaTypes, negotiate, parseAccept } from './media-types.js'
import type { ParsedRequest } from './request-info.js'
import { pageNotFound, respondStatus, respondValue } from './respond.js'

/** Answers `/api`, `/apis` and what lies under them as far as it is discovery; `undefined`: it is something else. */
export async function respondDiscovery(
  handler: Handler,
  request: TransportRequest,
  info: ParsedRequest,
): Promise<TransportResponse | undefined> {
  const [prefix, first, second] = info.segments
  if (prefix !== 'api' && prefix !== 'apis') return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return respondStatus(genericResponse(405))
  const { discovery } = handler
  if (first === undefined) return respondRoot(handler, request, prefix)
  const media = () =>
    negotiate(request.headers.accept, { transformations: false, query: request.query, userAgent: request.headers['user-agent'] })
  if (prefix === 'apis' && second === undefined) {
    const group = discovery.group(first)
    return group === undefined ? pageNotFound() : respondValue(200, group, media())
  }
  const [group, version] = prefix === 'api' ? ['', first] : [first, second ?? '']
  const resources = discovery.resourceList(group, version)
  if (resources !== undefined) return respondValue(200, resources, media())
  return discovery.isBuiltIn(group) ? respondStatus(genericResponse(404)) : pageNotFound()
}

async function respondRoot(handler: Handler, request: TransportRequest, prefix: 'api' | 'apis'): Promise<TransportResponse> {
  const { discovery } = handler
  for (const clause of parseAccept(request.headers.accept)) {
    const aggregatedVersion = aggregatedVersionOf(clause)
    if (aggregatedVersion !== undefined) return respondAggregated(handler, request, prefix, aggregatedVersion)
    if (clause.parameters.as !== undefined || !['application/json', 'application/yaml', '*/*', 'application/*'].includes(clause.type))
      continue
    const media = negotiate(clause.type, { transformations: false, query: request.query, userAgent: request.headers['user-agent'] })
    const value = prefix === 'api' ? discovery.legacyVersions(handler.serverAddress?.() ?? '') : discovery.groupList()
    return respondValue(200, value, media)
  }
  throw new StatusError(notAcceptable(bodyMediaTypes))
}

function aggregatedVersionOf({ type, parameters }: AcceptClause): string | undefined {
  const { as, g, v = '' } = parameters
  if (type !== 'application/json' || as !== 'APIGroupDiscoveryList' || g !== 'apidiscovery.k8s.io') return undefined
  return aggregatedVersions.includes(v) ? v : undefined
}

async function respondAggregated(
  { discovery }: Handler,
  request: TransportRequest,
  prefix: 'api' | 'apis',
  version: string,
): Promise<TransportResponse> {
  const { value, etag } = discovery.aggregated(`/${prefix}`, version)
  const headers = { 'cache-control': 'public', etag, vary: 'Accept' }
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: { kind: 'empty' } }
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return respondValue(200, value, undefined, { ...headers, 'content-type': contentType })
}
