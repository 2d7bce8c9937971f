import { badRequest, forbidden, StatusError, unauthorized } from 'steersman/api'
import type { TransportRequest } from 'steersman/environment'
import type { RequestInfo, UserInfo } from '../contracts/index.js'
import type { ConnectionCredentials } from './connection-credentials.js'
import type { Handler } from './context.js'

/** Who a request without credentials comes from. */
export const anonymous: UserInfo = Object.freeze({ name: 'system:anonymous', groups: Object.freeze(['system:unauthenticated']) })

const authenticatedGroup = 'system:authenticated'
const serviceAccountPrefix = 'system:serviceaccount:'

/**
 * Finds out who makes a request: the user that an in-process transport names, or what the credentials prove; then whom that user acts as.
 *
 * @throws {StatusError} Unauthorized for wrong credentials, Forbidden for an impersonation that is not allowed.
 */
export async function identify(
  handler: Handler,
  request: TransportRequest,
  connection: ConnectionCredentials | undefined,
): Promise<UserInfo> {
  const user = request.user === undefined ? await authenticate(handler, request, connection) : withGroups(request.user)
  return impersonate(handler, request, user)
}

async function authenticate(handler: Handler, request: TransportRequest, connection: ConnectionCredentials | undefined): Promise<UserInfo> {
  const bearerToken = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const certificate = connection?.certificate
  const credentials = { ...(bearerToken === undefined ? {} : { bearerToken }), ...(certificate === undefined ? {} : { certificate }) }
  const user = await handler.authenticator.authenticate(credentials)
  if (user !== undefined) return withGroups(user)
  if (connection?.hasWrongCertificate) throw new StatusError(unauthorized())
  return anonymous
}

/** Everybody but the anonymous user is in the group of the authenticated. */
function withGroups(user: { readonly name: string; readonly groups?: readonly string[] }): UserInfo {
  const groups = user.groups ?? []
  const isComplete = user.name === anonymous.name || groups.includes(authenticatedGroup)
  return { ...user, groups: isComplete ? groups : [...groups, authenticatedGroup] }
}

/** What one header asks the authorizer for. */
interface Claim {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  readonly namespace: string
}

async function impersonate(handler: Handler, request: TransportRequest, user: UserInfo): Promise<UserInfo> {
  const { headers } = request
  const name = headers['impersonate-user'] ?? ''
  const uid = headers['impersonate-uid'] ?? ''
  const groups = splitValues(headers['impersonate-group'])
  const extra = extraOf(headers)
  if (name === '') {
    if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return user
    throw new StatusError(badRequest('requested impersonation of groups, uid or extra fields without impersonating a user name'))
  }
  for (const claim of claims(name, uid, groups, extra)) await requireClaim(handler, user, claim)
  const acting = groups.length > 0 ? groups : serviceAccountGroups(name)
  return withGroups({
    name,
    groups: name === anonymous.name && acting.length === 0 ? anonymous.groups : acting,
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  })
}

function splitValues(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((value) => value.trim())
}

const extraPrefix = 'impersonate-extra-'

function extraOf(headers: TransportRequest['headers']): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {}
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix)) continue
    extra[decodeHeaderKey(header.slice(extraPrefix.length))] = splitValues(value)
  }
  return extra
}

function decodeHeaderKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    // A key that is not percent-encoded stands for itself.
    return key
  }
}

function claims(name: string, uid: string, groups: readonly string[], extra: Readonly<Record<string, readonly string[]>>): Claim[] {
  const plain = { group: '', subresource: '', namespace: '' }
  const serviceAccount = serviceAccountOf(name)
  const authentication = { ...plain, group: 'authentication.k8s.io' }
  return [
    serviceAccount === undefined ? { ...plain, resource: 'users', name } : { ...plain, resource: 'serviceaccounts', ...serviceAccount },
    ...groups.map((group) => ({ ...plain, resource: 'groups', name: group })),
    ...(uid === '' ? [] : [{ ...authentication, resource: 'uids', name: uid }]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({ ...authentication, resource: 'userextras', subresource: key, name: value })),
    ),
  ]
}

async function requireClaim(handler: Handler, user: UserInfo, claim: Claim): Promise<void> {
  const info: RequestInfo = { isResourceRequest: true, path: '', verb: 'impersonate', version: 'v1', ...claim }
  const { allowed, reason } = await handler.authorizer.authorize(user, info)
  if (allowed) return
  throw new StatusError(forbidden({ group: claim.group, plural: claim.resource }, claim.name, forbiddenReason(user, info, reason)))
}

/** `User "u" cannot get resource "pods" in API group "" in the namespace "n"`. */
export function forbiddenReason(user: UserInfo, info: RequestInfo, reason = ''): string {
  const suffix = reason === '' ? '' : `: ${reason}`
  if (!info.isResourceRequest) return `User "${user.name}" cannot ${info.verb} path "${info.path}"${suffix}`
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`
  const where = info.namespace === '' ? 'at the cluster scope' : `in the namespace "${info.namespace}"`
  return `User "${user.name}" cannot ${info.verb} resource "${resource}" in API group "${info.group}" ${where}${suffix}`
}

function serviceAccountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!name.startsWith(serviceAccountPrefix)) return undefined
  const [namespace, account, ...rest] = name.slice(serviceAccountPrefix.length).split(':')
  return namespace && account && rest.length === 0 ? { namespace, name: account } : undefined
}

function serviceAccountGroups(name: string): readonly string[] {
  const account = serviceAccountOf(name)
  return account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]
}
