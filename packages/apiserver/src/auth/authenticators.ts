import { createHash, timingSafeEqual } from 'node:crypto'
import { StatusError, unauthorized } from 'steersman/api'
import type { Authenticator, UserInfo } from '../contracts/index.js'

/** Takes the subject of a client certificate for a user: the common name is the user's name, organizations are the groups. */
export const certificateAuthenticator: Authenticator = {
  async authenticate({ certificate }) {
    if (certificate === undefined || certificate.commonName === '') return undefined
    return { name: certificate.commonName, groups: certificate.organizations }
  },
}

/**
 * Knows users by secret tokens. Comparing takes the same time whatever is wrong with a token.
 *
 * @param users who each token belongs to.
 */
export function tokenAuthenticator(users: ReadonlyMap<string, UserInfo>): Authenticator {
  const entries = Array.from(users, ([token, user]) => ({ digest: digestOf(token), user }))
  return {
    async authenticate({ bearerToken }) {
      if (bearerToken === undefined || entries.length === 0) return undefined
      const digest = digestOf(bearerToken)
      let found: UserInfo | undefined
      for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found = entry.user
      return found
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
  }
}
