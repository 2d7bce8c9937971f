import type { Authorizer, RequestInfo, UserInfo } from '../contracts/index.js'

/** The group whose members may do everything. */
export const mastersGroup = 'system:masters'

const authenticatedGroup = 'system:authenticated'

/** What everybody may read, known or not: whether the server is well, and which one it is. */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/'])
/** What every user may read: what the server serves. */
const discoveryPaths: readonly RegExp[] = [/^\/apis?(?:\/|$)/, /^\/openapi(?:\/|$)/]

/**
 * Who may do what, as long as there are no roles: members of `system:masters` everything, other users may discover what is served, and everybody may
 * ask for health and version.
 */
export const defaultAuthorizer: Authorizer = {
  async authorize(user, request) {
    return { allowed: user.groups.includes(mastersGroup) || mayRead(user, request) }
  },
}

function mayRead(user: UserInfo, { isResourceRequest, path, verb }: RequestInfo): boolean {
  if (isResourceRequest || (verb !== 'get' && verb !== 'head')) return false
  if (publicPaths.has(path)) return true
  return user.groups.includes(authenticatedGroup) && discoveryPaths.some((pattern) => pattern.test(path))
}

/** Everybody may do everything, those without credentials too. Only for a server that nobody else can reach. */
export const alwaysAllowAuthorizer: Authorizer = {
  async authorize() {
    return { allowed: true }
  },
}
