import { badRequest, StatusError, type UnstructuredObject } from 'steersman/api'
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from 'steersman/api/types/authorization/v1'
import type { Authorizer, RequestInfo, ReviewEvaluator, RuleResolver, UserInfo } from '../../contracts/index.js'
import { validateAccessReview } from './access-review-validation.js'
import { selectorProblems } from './selector-attributes.js'

/** Says whether somebody may do something. */
export function subjectAccessReview(authorizer: Authorizer): ReviewEvaluator {
  return {
    check: (review) => validateAccessReview(review, 'SubjectAccessReview'),
    evaluate: (review) => {
      const spec = specOf(review)
      return answer(authorizer, review, subjectOf(spec), spec)
    },
  }
}

/** Says whether somebody may do something in the namespace of the question. */
export function localSubjectAccessReview(authorizer: Authorizer): ReviewEvaluator {
  return {
    check: (review) => validateAccessReview(review, 'LocalSubjectAccessReview'),
    evaluate: (review) => {
      const spec = specOf(review)
      return answer(authorizer, review, subjectOf(spec), spec)
    },
  }
}

/** Says whether who asks may do something. */
export function selfSubjectAccessReview(authorizer: Authorizer): ReviewEvaluator {
  return {
    check: (review) => validateAccessReview(review, 'SelfSubjectAccessReview'),
    evaluate: (review, { user }) => answer(authorizer, review, user, specOf(review)),
  }
}

/** Lists what who asks may do in a namespace. */
export function selfSubjectRulesReview(resolver: RuleResolver): ReviewEvaluator {
  return {
    check(review) {
      if (!namespaceOf(review)) throw new StatusError(badRequest('no namespace on request'))
    },
    async evaluate(review, { user }) {
      const { rules, errors } = await resolver.rulesFor(user, namespaceOf(review))
      const resourceRules = rules.filter(({ resources = [] }) => resources.length > 0).map(({ nonResourceURLs: _, ...rule }) => rule)
      const nonResourceRules = rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }))
      const evaluationError = errors.length <= 1 ? errors[0] : `[${errors.join(', ')}]`
      const status = { resourceRules, nonResourceRules, incomplete: false, ...(evaluationError === undefined ? {} : { evaluationError }) }
      return { apiVersion: review.apiVersion, kind: review.kind, metadata: {}, spec: {}, status }
    },
  }
}

function namespaceOf(review: UnstructuredObject): string {
  return ((review.spec ?? {}) as { readonly namespace?: string }).namespace ?? ''
}

function specOf(review: UnstructuredObject): SubjectAccessReviewSpec {
  return (review as unknown as SubjectAccessReview | LocalSubjectAccessReview).spec
}

function subjectOf({ user = '', groups = [], uid, extra }: SubjectAccessReviewSpec): UserInfo {
  return { name: user, groups, ...(uid ? { uid } : {}), ...(extra === undefined ? {} : { extra }) }
}

async function answer(
  authorizer: Authorizer,
  review: UnstructuredObject,
  user: UserInfo,
  { resourceAttributes, nonResourceAttributes }: SubjectAccessReviewSpec,
): Promise<UnstructuredObject> {
  const request = resourceAttributes ? ofResource(resourceAttributes) : ofPath(nonResourceAttributes ?? {})
  const { allowed, reason } = await authorizer.authorize(user, request)
  const evaluationError = resourceAttributes ? selectorProblems(resourceAttributes) : ''
  return {
    ...review,
    status: { allowed, ...(reason ? { reason } : {}), ...(evaluationError === '' ? {} : { evaluationError }) },
  }
}

function ofResource(asked: ResourceAttributes): RequestInfo {
  const { verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = '' } = asked
  return { isResourceRequest: true, path: '', verb, group, version: version || '*', resource, subresource, namespace, name }
}

function ofPath({ path = '', verb = '' }: NonResourceAttributes): RequestInfo {
  return { isResourceRequest: false, path, verb, group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
}
