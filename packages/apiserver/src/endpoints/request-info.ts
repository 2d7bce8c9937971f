import { badRequest, parseFieldSelector, SelectorError, StatusError } from 'steersman/api'
import type { TransportRequest } from 'steersman/environment'
import type { RequestInfo } from '../contracts/index.js'

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Subresources of a namespace; any other third word is a resource inside it. */
const namespaceSubresources = new Set(['status', 'finalize'])

/** What the path holds beyond what authorization needs. */
export interface ParsedRequest extends RequestInfo {
  /** Decoded segments of the path. */
  readonly segments: readonly string[]
  /** Segments after the subresource; built-in resources have no such paths. */
  readonly rest: readonly string[]
  /** `/api/v1/watch/…`: the old form of a watch. */
  readonly isLegacyWatch: boolean
}

/**
 * Reads method, path and query as kube-apiserver does.
 *
 * @throws {StatusError} BadRequest for a path that is not percent-encoded UTF-8.
 */
export function parseRequest(request: TransportRequest): ParsedRequest {
  const path = decodePath(request.path)
  const segments = pathSegments(path)
  const prefix = segments[0]
  const head = prefix === 'api' ? 2 : prefix === 'apis' ? 3 : Number.POSITIVE_INFINITY
  if (segments.length <= head) return nonResource(request, path, segments)
  const group = prefix === 'apis' ? (segments[1] ?? '') : ''
  const version = segments[head - 1] ?? ''
  let parts = segments.slice(head)
  const isLegacyWatch = parts[0] === 'watch' && parts.length > 1
  const isLegacyProxy = parts[0] === 'proxy' && parts.length > 1
  if (isLegacyWatch || isLegacyProxy) parts = parts.slice(1)
  let namespace = ''
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] ?? ''
    if (parts.length > 2 && !namespaceSubresources.has(parts[2] ?? '')) parts = parts.slice(2)
  }
  const [resource = '', name = '', subresource = '', ...rest] = parts
  const verb = isLegacyWatch ? 'watch' : isLegacyProxy ? 'proxy' : verbOf(request, name)
  const info = { isResourceRequest: true, path, verb, group, version, resource, subresource, namespace, name }
  return { ...info, name: name === '' ? selectedName(request, verb) : name, segments, rest, isLegacyWatch }
}

/** Decodes the whole path: a slash is a slash, however it is written. */
function decodePath(path: string): string {
  try {
    // Nearly no path has anything to decode.
    return path.includes('%') ? decodeURIComponent(path) : path
  } catch (cause) {
    throw new StatusError(badRequest(`invalid URL path ${path}`), { cause })
  }
}

function pathSegments(path: string): string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? [] : trimmed.split('/')
}

function nonResource(request: TransportRequest, path: string, segments: readonly string[]): ParsedRequest {
  const verb = request.method.toLowerCase()
  const blank = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  return { isResourceRequest: false, path, verb, ...blank, segments, rest: [], isLegacyWatch: false }
}

function verbOf(request: TransportRequest, name: string): string {
  const verb = verbs[request.method] ?? ''
  if (name !== '') return verb
  if (verb === 'get') return queryFlag(request.query, 'watch') ? 'watch' : 'list'
  return verb === 'delete' ? 'deletecollection' : verb
}

/** A list or watch that selects one name is authorized as a request for that name; one whose selector cannot be read, as one for all. */
function selectedName(request: TransportRequest, verb: string): string {
  const selector = request.query?.get('fieldSelector')
  if (!selector || (verb !== 'list' && verb !== 'watch')) return ''
  try {
    const name = parseFieldSelector(selector).exactValue('metadata.name') ?? ''
    return name === '.' || name === '..' || /[/%]/.test(name) ? '' : name
  } catch (error) {
    if (error instanceof SelectorError) return ''
    throw error
  }
}

/** Whether a boolean parameter is set: present and neither `false` nor `0`, as kube-apiserver reads it. */
export function queryFlag(query: URLSearchParams | undefined, name: string): boolean {
  const value = query?.get(name)
  return value !== null && value !== undefined && value.toLowerCase() !== 'false' && value !== '0'
}
