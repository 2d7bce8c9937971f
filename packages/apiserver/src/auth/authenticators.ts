import { createHash, timingSafeEqual } from 'node:crypto'
import { StatusError, unauthorized } from 'steersman/api'
import type { Authenticator, UserInfo } from '../contracts/index.js'
import { authenticatedGroup } from './authorizers.js'

/** Takes the subject of a client certificate for a user: the common name is the user's name, organizations are the groups. */
export const certificateAuthenticator: Authenticator = {
  async authenticate({ certificate }) {
    if (certificate === undefined || certificate.commonName === '') return undefined
    const { commonName, organizations, sha256 } = certificate
    const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256}`] }
    return { name: commonName, groups: organizations, ...(sha256 === undefined ? {} : { extra }) }
  },
}

/**
 * Knows users by secret tokens. Comparing takes the same time whatever is wrong with a token.
 *
 * @param users who each token belongs to.
 * @param serverAudiences what the tokens are good for.
 */
export function tokenAuthenticator(users: ReadonlyMap<string, UserInfo>, serverAudiences: readonly string[] = []): Authenticator {
  const entries = Array.from(users, ([token, user]) => ({ digest: digestOf(token), user }))
  const find = (token: string): UserInfo | undefined => {
    if (entries.length === 0) return undefined
    const digest = digestOf(token)
    let found: UserInfo | undefined
    for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found = entry.user
    return found
  }
  return {
    async authenticate({ bearerToken }) {
      return bearerToken === undefined ? undefined : find(bearerToken)
    },
    async reviewToken(token, audiences) {
      const shared = audiences.length === 0 ? serverAudiences : audiences.filter((audience) => serverAudiences.includes(audience))
      const user = shared.length === 0 ? undefined : find(token)
      return user === undefined ? {} : { user, audiences: shared }
    },
  }
}

/** Equal length for all tokens, which a comparison in constant time needs. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Asks one authenticator after the other. A token that none of them knows is refused, not ignored. */
export function firstAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return {
    async authenticate(credentials) {
      for (const authenticator of authenticators) {
        const user = await authenticator.authenticate(credentials)
        if (user !== undefined) return user
      }
      if (credentials.bearerToken !== undefined) throw new StatusError(unauthorized())
      return undefined
    },
    async reviewToken(token, audiences) {
      const errors: string[] = []
      for (const authenticator of authenticators) {
        const { error, ...verdict } = (await authenticator.reviewToken?.(token, audiences)) ?? {}
        if (verdict.user !== undefined) return { ...verdict, user: withAuthenticated(verdict.user) }
        if (error !== undefined) errors.push(error)
      }
      return { error: errors.length === 0 ? invalidToken : `[${[invalidToken, ...errors].join(', ')}]` }
    },
  }
}

const invalidToken = 'invalid bearer token'

/** Everybody whom a token proves is in the group of the authenticated. */
function withAuthenticated(user: UserInfo): UserInfo {
  return user.groups.includes(authenticatedGroup) ? user : { ...user, groups: [...user.groups, authenticatedGroup] }
}
