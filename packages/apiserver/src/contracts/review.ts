import type { UnstructuredObject } from 'steersman/api'
import type { WriteRequest } from './registry.js'
import type { UserInfo } from './request.js'

/**
 * Answers the objects of a resource that is created in order to ask something and that nobody stores: access and token reviews.
 *
 * The registry serves such resources; who knows the answers hands it the evaluators.
 */
export interface ReviewEvaluator {
  /** Everything wrong with the question. @throws {StatusError} Invalid, BadRequest. */
  check?(review: UnstructuredObject, request: ReviewRequest): void
  /** The answer: usually the review with its status. The given one must not be changed. @throws {StatusError} */
  evaluate(review: UnstructuredObject, request: ReviewRequest): Promise<UnstructuredObject>
}

/** Who asks, and where: the namespace is empty for a cluster-wide question. */
export type ReviewRequest = WriteRequest & { readonly namespace: string }

/** What a rule allows, as roles and reviews carry it. */
export interface AccessRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

/** Tells what a user may do, as far as it can be listed. */
export interface RuleResolver {
  /** @param namespace rules of this namespace and of the cluster; empty: of the cluster alone. */
  rulesFor(user: UserInfo, namespace: string): Promise<ResolvedRules>
}

/** The rules that were found, and why there may be more. */
export interface ResolvedRules {
  readonly rules: readonly AccessRule[]
  /** Why some could not be found. */
  readonly errors: readonly string[]
}

/** Makes tokens of service accounts. */
export interface TokenSigner {
  /** Who issues the tokens: a URL. */
  readonly issuer: string
  /** Who tokens are for that name no audience: this server. */
  readonly audiences: readonly string[]
  /** A signed token that says this. `iss` is added. */
  sign(claims: Readonly<Record<string, unknown>>): string
}
