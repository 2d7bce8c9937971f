import { forbidden, StatusError } from 'steersman/api'
import type { RequestInfo, UserInfo } from '../contracts/index.js'
import type { Handler } from './context.js'
import { forbiddenReason } from './identify.js'

/** @throws {StatusError} Forbidden when the user may not do what the request asks. */
export async function authorize({ authorizer }: Handler, user: UserInfo, info: RequestInfo): Promise<void> {
  const { allowed, reason } = await authorizer.authorize(user, info)
  if (allowed) return
  const resource = { group: info.group, plural: info.resource }
  throw new StatusError(forbidden(resource, info.name, forbiddenReason(user, info, reason)))
}
