import { badRequest, StatusError, type UnstructuredObject } from 'steersman/api'
import type { TokenReview } from 'steersman/api/types/authentication/v1'
import type { Authenticator, ReviewEvaluator, UserInfo } from '../../contracts/index.js'

/** Says whom a token belongs to. */
export function tokenReview(authenticator: Authenticator): ReviewEvaluator {
  return {
    check(review) {
      if (specOf(review).token) return
      throw new StatusError(badRequest('token is required for TokenReview in authentication'))
    },
    async evaluate(review) {
      const { token = '', audiences = [] } = specOf(review)
      const { user, audiences: good, error } = (await authenticator.reviewToken?.(token, audiences)) ?? {}
      const { authenticated: _, ...given } = (review as unknown as Partial<TokenReview>).status ?? {}
      const found =
        user === undefined ? (error === undefined ? {} : { error }) : { authenticated: true, user: userInfo(user), audiences: good ?? [] }
      return { ...review, status: { ...given, ...found } }
    },
  }
}

/** Says who asks. */
export function selfSubjectReview(now: () => number): ReviewEvaluator {
  return {
    async evaluate({ apiVersion, kind }, { user }) {
      const creationTimestamp = `${new Date(now()).toISOString().slice(0, 19)}Z`
      return { apiVersion, kind, metadata: { creationTimestamp }, status: { userInfo: userInfo(user) } }
    },
  }
}

function specOf(review: UnstructuredObject): Partial<TokenReview['spec']> {
  return (review as unknown as Partial<TokenReview>).spec ?? {}
}

/** A user as reviews carry it. */
function userInfo({ name, uid, groups, extra }: UserInfo): Readonly<Record<string, unknown>> {
  const hasExtra = extra !== undefined && Object.keys(extra).length > 0
  return { username: name, ...(uid ? { uid } : {}), ...(groups.length > 0 ? { groups } : {}), ...(hasExtra ? { extra } : {}) }
}
