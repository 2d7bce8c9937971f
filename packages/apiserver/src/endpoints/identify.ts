import { StatusError, unauthorized } from 'steersman/api'
import type { TransportRequest } from 'steersman/environment'
import { authenticatedGroup } from '../auth/index.js'
import type { UserInfo } from '../contracts/index.js'
import type { ConnectionCredentials } from './connection-credentials.js'
import type { Handler } from './context.js'

/** Who a request without credentials comes from. */
export const anonymous: UserInfo = Object.freeze({ name: 'system:anonymous', groups: Object.freeze(['system:unauthenticated']) })

/**
 * Finds out who makes a request: the user that an in-process transport names, or what the credentials prove.
 *
 * @throws {StatusError} Unauthorized for wrong credentials.
 */
export async function identify(
  handler: Handler,
  request: TransportRequest,
  connection: ConnectionCredentials | undefined,
): Promise<UserInfo> {
  return request.user === undefined ? authenticate(handler, request, connection) : withGroups(request.user)
}

async function authenticate(handler: Handler, request: TransportRequest, connection: ConnectionCredentials | undefined): Promise<UserInfo> {
  const bearerToken = tokenOf(request.headers.authorization ?? '')
  const certificate = connection?.certificate
  const credentials = { ...(bearerToken === undefined ? {} : { bearerToken }), ...(certificate === undefined ? {} : { certificate }) }
  const user = await handler.authenticator.authenticate(credentials)
  if (user !== undefined) return withGroups(user)
  if (connection?.hasWrongCertificate) throw new StatusError(unauthorized())
  return anonymous
}

/** The second word after `Bearer`; what follows counts for nothing, and two spaces are a token that is empty: none. */
function tokenOf(header: string): string | undefined {
  const [scheme = '', token = ''] = header.trim().split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

/** Everybody but the anonymous user is in the group of the authenticated. */
function withGroups(user: { readonly name: string; readonly groups?: readonly string[] }): UserInfo {
  const groups = user.groups ?? []
  const isComplete = user.name === anonymous.name || groups.includes(authenticatedGroup)
  return { ...user, groups: isComplete ? groups : [...groups, authenticatedGroup] }
}
