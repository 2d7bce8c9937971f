import { badRequest, genericResponse, internalError, methodNotAllowed, notFound, StatusError, statusOf } from 'steersman/api'
import type { TransportRequest, TransportResponse } from 'steersman/environment'
import { discardLogger } from 'steersman/internal'
import type { ResourceStore, UserInfo } from '../contracts/index.js'
import { requireAllowed } from './authorize.js'
import type { ConnectionCredentials } from './connection-credentials.js'
import { type Handler, type HandlerOptions, type ResourceRequest, warningHeaders } from './context.js'
import { create } from './create.js'
import { deleteCollection, deleteOne } from './delete.js'
import { Discovery } from './discovery.js'
import { respondDiscovery } from './discovery-requests.js'
import { get } from './get.js'
import { respondHealth } from './health.js'
import { identify } from './identify.js'
import { impersonate } from './impersonate.js'
import { list } from './list.js'
import { negotiate } from './media-types.js'
import { OpenApiEndpoint } from './openapi.js'
import { respondOpenId } from './openid.js'
import { patch } from './patch.js'
import { LazyProtobuf } from './protobuf.js'
import { type ParsedRequest, parseRequest } from './request-info.js'
import { pageNotFound, plainJson, respondNothing, respondStatus, respondValue } from './respond.js'
import { update } from './update.js'
import { watch } from './watch.js'
import { prepareYaml } from './yaml.js'

/** Answers requests. In process the transport names the user; over a network the adapter hands over what the connection presents. */
export type ApiHandler = (request: TransportRequest, connection?: ConnectionCredentials) => Promise<TransportResponse>

/**
 * The API server as one function. It never throws for what a client sent; it rejects with `request.signal.reason` when the request is aborted.
 *
 * Bodies of answers are plain frozen JSON values, watches are streams of batches of events; encoding is the work of whoever carries them.
 */
export function createRequestHandler(options: HandlerOptions): ApiHandler {
  const discovery = new Discovery(options.registry)
  const protobuf = new LazyProtobuf(options.registry, options.environment)
  const handler: Handler = { ...options, logger: options.logger ?? discardLogger, discovery, protobuf }
  const openapi =
    options.openapi === undefined
      ? undefined
      : new OpenApiEndpoint({
          openapi: options.openapi,
          discovery,
          environment: options.environment,
          version: options.version.gitVersion,
          resources: () => options.registry.resources(),
        })
  return async (request, connection) => {
    try {
      return await respond(handler, openapi, request, connection)
    } catch (error) {
      if (!(error instanceof StatusError) && request.signal?.aborted) throw request.signal.reason
      return respondError(handler, request, error)
    }
  }
}

async function respond(
  handler: Handler,
  openapi: OpenApiEndpoint | undefined,
  request: TransportRequest,
  connection: ConnectionCredentials | undefined,
): Promise<TransportResponse> {
  await prepareYaml(handler.environment, request)
  await handler.protobuf.prepare(request)
  const info = parseRequest(request)
  const requestor = await identify(handler, request, connection)
  const user = await impersonate(handler.authorizer, request, requestor, info)
  await requireAllowed(handler.authorizer, user, info)
  if (info.path.startsWith('//')) return pageNotFound()
  return info.isResourceRequest ? await respondResource(handler, request, info, user) : await respondOther(handler, openapi, request, info)
}

/** Everything that can go wrong becomes a Status here, and only here. */
async function respondError(handler: Handler, request: TransportRequest, error: unknown): Promise<TransportResponse> {
  const status = error instanceof StatusError ? error.status : statusOf(error)
  if (status !== undefined) return respondStatus(status, acceptedForRefusal(handler, request))
  handler.logger.error(error, 'Cannot answer a request', { method: request.method, path: request.path })
  return respondStatus(internalError(error instanceof Error ? error.message : 'unexpected error'), acceptedForRefusal(handler, request))
}

/** A refusal is written as the client likes it if that can be, and as JSON else. */
function acceptedForRefusal({ protobuf }: Handler, request: TransportRequest) {
  const { headers, query } = request
  try {
    const offered = { transformations: true, protobuf: protobuf.loaded }
    return negotiate(headers.accept, { ...offered, query, userAgent: headers['user-agent'] })
  } catch {
    // The refusal itself may be that nothing is acceptable; then it is for people.
    return { ...plainJson, pretty: true }
  }
}

async function respondOther(
  handler: Handler,
  openapi: OpenApiEndpoint | undefined,
  request: TransportRequest,
  info: ParsedRequest,
): Promise<TransportResponse> {
  const health = respondHealth(request, info)
  if (health !== undefined) return health
  const discovery = await respondDiscovery(handler, request, info)
  if (discovery !== undefined) return discovery
  const [first, second] = info.segments
  if (first === 'version' && second === undefined) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return respondStatus(genericResponse(405))
    return respondValue(200, handler.version, negotiate(request.headers.accept, { transformations: false, route: ['application/json'] }))
  }
  const openId = respondOpenId(request, info, handler.tokenIssuer, handler.serverAddress?.() ?? '')
  if (openId !== undefined) return openId
  if (first === 'openapi' && openapi !== undefined) return openapi.respond(request)
  if (first === undefined) return respondValue(200, { paths: rootPaths(handler, openapi !== undefined) })
  return pageNotFound()
}

function rootPaths({ discovery }: Handler, hasOpenApi: boolean): string[] {
  const groups = discovery
    .groupVersions()
    .flatMap(({ group, version }) => (group === '' ? [`/api/${version}`] : [`/apis/${group}`, `/apis/${group}/${version}`]))
  const openapi = hasOpenApi ? ['/openapi/v2', '/openapi/v3'] : []
  return [...new Set(['/api', '/apis', ...groups, '/healthz', '/livez', '/readyz', ...openapi, '/version'])].sort()
}

async function respondResource(
  handler: Handler,
  request: TransportRequest,
  info: ParsedRequest,
  user: UserInfo,
): Promise<TransportResponse> {
  const store = handler.registry.resource(info.group, info.version, info.resource)
  if (store === undefined) return handler.discovery.isBuiltIn(info.group) ? respondStatus(genericResponse(404)) : pageNotFound()
  const refusal = route(store, info)
  if (refusal !== undefined) return refusal
  // Custom resources have one handler for every method, built-in ones a route for each that there is.
  // The old paths of proxies have a verb of their own, and are no longer there.
  if (info.verb === 'proxy') return respondStatus(genericResponse(404))
  const isOtherThanGet = request.method === 'HEAD' || (info.isLegacyWatch && request.method !== 'GET')
  if (isOtherThanGet && store.served.builtIn) return respondStatus(genericResponse(405))
  const subresource = store.served.subresources.find(({ name }) => name === info.subresource)
  const warnings = store.served.deprecationWarning === undefined ? [] : [store.served.deprecationWarning]
  const query = request.query ?? new URLSearchParams()
  const context: ResourceRequest = {
    handler,
    request,
    info,
    query,
    user,
    store,
    warnings,
    ...(subresource === undefined ? {} : { subresource }),
  }
  const verb = verbHandlers[info.verb]
  const verbs = subresource?.verbs ?? store.served.verbs
  if (verb === undefined || !verbs.includes(info.verb)) throw notSupported(store, info)
  try {
    const conversation = subresource === undefined ? undefined : store.subresource(subresource.name)
    if (conversation?.connect !== undefined) {
      await conversation.connect({ namespace: info.namespace, name: info.name }, query)
      return respondNothing()
    }
    return await verb(context)
  } catch (error) {
    if (!(error instanceof StatusError) || warnings.length === 0) throw error
    return respondStatus(error.status, acceptedForRefusal(handler, request), warningHeaders(context))
  }
}

const verbHandlers: Readonly<Record<string, (context: ResourceRequest) => Promise<TransportResponse>>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
}

/** Refuses paths that name nothing: kube-apiserver has no route for them. */
function route(store: ResourceStore, info: ParsedRequest): Promise<TransportResponse> | TransportResponse | undefined {
  const { builtIn, subresources, type, verbs } = store.served
  const unknown = () => (builtIn ? respondStatus(genericResponse(404)) : pageNotFound())
  const isNamespaceItself = info.resource === 'namespaces' && info.group === ''
  const inNamespace = info.namespace !== '' && !isNamespaceItself
  const hasName = info.name !== '' && info.verb !== 'list' && info.verb !== 'deletecollection' && !(info.verb === 'watch')
  // Behind a proxy there may be any path.
  if (builtIn && info.rest.length > 0 && info.subresource !== 'proxy') return unknown()
  // A resource that is only created has no paths with names, and none across namespaces.
  if (builtIn && hasName && !verbs.includes('get')) return unknown()
  if (!inNamespace && type.scope === 'Namespaced' && !verbs.includes('list')) return unknown()
  if (inNamespace && type.scope === 'Cluster') return unknown()
  if (!inNamespace && type.scope === 'Namespaced') {
    if (hasName) return unknown()
    if (info.verb !== 'list' && info.verb !== 'watch') return builtIn ? respondStatus(genericResponse(405)) : pageNotFound()
  }
  if (info.subresource !== '' && !subresources.some(({ name }) => name === info.subresource)) {
    if (builtIn) return unknown()
    throw new StatusError(notFound(type, info.name))
  }
  return methodRefusal(store, info, hasName)
}

/** A method that the path does not have: POST to a name, PUT to a collection. */
function methodRefusal(store: ResourceStore, info: ParsedRequest, hasName: boolean): Promise<TransportResponse> | undefined {
  const { builtIn } = store.served
  if (!hasName && (info.verb === 'update' || info.verb === 'patch')) {
    if (!builtIn) throw new StatusError(badRequest('name must be provided'))
    return respondStatus(genericResponse(405))
  }
  if (hasName && info.verb === 'create' && info.subresource === '' && builtIn) return respondStatus(genericResponse(405))
  return undefined
}

function notSupported(store: ResourceStore, info: ParsedRequest): StatusError {
  const { builtIn, type } = store.served
  return new StatusError(builtIn ? genericResponse(405) : methodNotAllowed(type, info.verb))
}
