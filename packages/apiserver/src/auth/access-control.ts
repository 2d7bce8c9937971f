import type { AdmissionPlugin, Authenticator, Authorizer, Registry, ReviewEvaluator, UserInfo } from '../contracts/index.js'
import { certificateAuthenticator, firstAuthenticator, tokenAuthenticator } from './authenticators.js'
import { alwaysAllowAuthorizer, type ListingAuthorizer, mastersOnlyAuthorizer } from './authorizers.js'
import { signerChecks } from './certificates/signer-checks.js'
import { EscalationCheck } from './rbac/escalation.js'
import { RbacAuthorizer } from './rbac/rbac-authorizer.js'
import { RoleIndex, type RoleSource } from './rbac/role-index.js'
import { localSubjectAccessReview, selfSubjectAccessReview, selfSubjectRulesReview, subjectAccessReview } from './reviews/access-reviews.js'
import { selfSubjectReview, tokenReview } from './reviews/token-reviews.js'
import type { JwtSigner } from './tokens/jwt-signer.js'
import { serviceAccountTokens } from './tokens/service-account-tokens.js'

/** How it is decided who may do what: by roles, by membership of `system:masters` alone, or not at all. */
export type AuthorizationMode = 'rbac' | 'masters-only' | 'always-allow'

/** Parts of {@link createAccessControl}. */
export interface AccessControlOptions {
  /** @default 'rbac' */
  readonly mode?: AuthorizationMode
  readonly registry: RoleSource & Pick<Registry, 'resource'>
  /** Users by secret token. */
  readonly tokens: ReadonlyMap<string, UserInfo>
  readonly signer: JwtSigner
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Who asks, whether they may, and what others may know of both. */
export interface AccessControl {
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  /** Belongs at the end of the admission chain. */
  readonly admission: readonly AdmissionPlugin[]
  /** By group and plural of the review. */
  readonly reviews: Readonly<Record<string, ReviewEvaluator>>
}

/** Puts authenticators, the authorizer and what asks them together. */
export function createAccessControl({ mode = 'rbac', registry, tokens, signer, now }: AccessControlOptions): AccessControl {
  const authenticator = firstAuthenticator([
    certificateAuthenticator,
    tokenAuthenticator(tokens, signer.audiences),
    serviceAccountTokens({ signer, registry, now }),
  ])
  const { authorizer, admission } = authorization(mode, registry)
  return {
    authenticator,
    authorizer,
    admission: [...admission, ...signerChecks(authorizer)],
    reviews: {
      'authentication.k8s.io/tokenreviews': tokenReview(authenticator),
      'authentication.k8s.io/selfsubjectreviews': selfSubjectReview(now),
      'authorization.k8s.io/subjectaccessreviews': subjectAccessReview(authorizer),
      'authorization.k8s.io/localsubjectaccessreviews': localSubjectAccessReview(authorizer),
      'authorization.k8s.io/selfsubjectaccessreviews': selfSubjectAccessReview(authorizer),
      'authorization.k8s.io/selfsubjectrulesreviews': selfSubjectRulesReview(authorizer),
    },
  }
}

function authorization(
  mode: AuthorizationMode,
  registry: RoleSource,
): { readonly authorizer: ListingAuthorizer; readonly admission: readonly AdmissionPlugin[] } {
  switch (mode) {
    case 'always-allow':
      return { authorizer: alwaysAllowAuthorizer, admission: [] }
    case 'masters-only':
      return { authorizer: mastersOnlyAuthorizer, admission: [] }
    case 'rbac': {
      const index = new RoleIndex(registry)
      const authorizer = new RbacAuthorizer(index)
      return { authorizer, admission: [new EscalationCheck(authorizer, index)] }
    }
  }
}
