import type { AccessRule, Authorizer, RequestInfo, RuleResolver, UserInfo } from '../contracts/index.js'

/** The group whose members may do everything. */
export const mastersGroup = 'system:masters'

/** Everybody whose credentials were good is a member. */
export const authenticatedGroup = 'system:authenticated'

const everything: readonly AccessRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** What everybody may read, known or not: whether the server is well, and which one it is. */
const publicPaths: readonly string[] = ['/healthz', '/livez', '/readyz', '/version', '/version/']
/** What every user may read: what the server serves. */
const discoveryPaths: readonly string[] = ['/api', '/apis', '/openapi']

/** Decides, and can tell what it would allow. */
export type ListingAuthorizer = Authorizer & RuleResolver

/**
 * Who may do what without roles: members of `system:masters` everything, other users may discover what is served, and everybody may
 * ask for health and version.
 */
export const mastersOnlyAuthorizer: ListingAuthorizer = {
  async authorize(user, request) {
    return { allowed: user.groups.includes(mastersGroup) || mayRead(user, request) }
  },
  async rulesFor(user) {
    if (user.groups.includes(mastersGroup)) return { rules: everything, errors: [] }
    const discovery = user.groups.includes(authenticatedGroup) ? discoveryPaths.flatMap((path) => [path, `${path}/*`]) : []
    return { rules: [{ verbs: ['get'], nonResourceURLs: [...publicPaths, ...discovery] }], errors: [] }
  },
}

function mayRead(user: UserInfo, { isResourceRequest, path, verb }: RequestInfo): boolean {
  if (isResourceRequest || (verb !== 'get' && verb !== 'head')) return false
  if (publicPaths.includes(path)) return true
  return user.groups.includes(authenticatedGroup) && discoveryPaths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** Everybody may do everything, those without credentials too. Only for a server that nobody else can reach. */
export const alwaysAllowAuthorizer: ListingAuthorizer = {
  async authorize() {
    return { allowed: true }
  },
  async rulesFor() {
    return { rules: everything, errors: [] }
  },
}
