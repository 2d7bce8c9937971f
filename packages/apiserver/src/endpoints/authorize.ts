import { forbidden, StatusError } from 'steersman/api'
import type { Authorizer, RequestInfo, UserInfo } from '../contracts/index.js'

/** @throws {StatusError} Forbidden when the user may not do what the request asks. */
export async function requireAllowed(authorizer: Authorizer, user: UserInfo, info: RequestInfo): Promise<void> {
  const { allowed, reason } = await authorizer.authorize(user, info)
  if (!allowed) throw refusalOf(user, info, reason)
}

/** The refusal of what a request asks. */
export function refusalOf(user: UserInfo, info: RequestInfo, reason = ''): StatusError {
  const suffix = reason === '' ? '' : `: ${reason}`
  return new StatusError(forbidden({ group: info.group, plural: info.resource }, info.name, withoutMarkup(request(user, info)) + suffix))
}

/** `User "u" cannot get resource "pods" in API group "" in the namespace "n"`. */
function request(user: UserInfo, info: RequestInfo): string {
  if (!info.isResourceRequest) return `User "${user.name}" cannot ${info.verb} path "${info.path}"`
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`
  const where = info.namespace === '' ? 'at the cluster scope' : `in the namespace "${info.namespace}"`
  return `User "${user.name}" cannot ${info.verb} resource "${resource}" in API group "${info.group}" ${where}`
}

/** What the client said must not look like HTML. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
