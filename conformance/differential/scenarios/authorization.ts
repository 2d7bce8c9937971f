import type { JsonObject, Resource } from '../language/index.js'
import { defineArea, named, roleBindings, roles } from '../language/index.js'

const authorization = (kind: string, plural: string, isNamespaced = false): Resource => ({
  group: 'authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced,
})
const accessReviews = authorization('SubjectAccessReview', 'subjectaccessreviews')
const localReviews = authorization('LocalSubjectAccessReview', 'localsubjectaccessreviews', true)
const selfReviews = authorization('SelfSubjectAccessReview', 'selfsubjectaccessreviews')
const rulesReviews = authorization('SelfSubjectRulesReview', 'selfsubjectrulesreviews')

const getPods: JsonObject = { verb: 'get', resource: 'pods' }

/** Questions about who may do what. */
export const authorizations = defineArea('authorization', (scenario) => {
  scenario('may I', (s) => {
    s.create(selfReviews, { spec: { resourceAttributes: getPods } })
    s.create(selfReviews, { spec: { resourceAttributes: { ...getPods, namespace: s.namespace } } }, { user: 'jane' })
    s.create(selfReviews, { spec: { nonResourceAttributes: { path: '/api', verb: 'get' } } }, { user: 'jane' })
    s.create(selfReviews, { spec: { nonResourceAttributes: { path: '/api', verb: 'get' } } }, { user: 'anonymous' })
    s.create(
      selfReviews,
      { spec: { resourceAttributes: { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' } } },
      { user: 'jane' },
    )
    s.create(selfReviews, { spec: {} })
    s.create(selfReviews, {})
    s.create(selfReviews, { spec: { resourceAttributes: getPods, nonResourceAttributes: { path: '/', verb: 'get' } } })
    s.create(selfReviews, { metadata: { name: 'a' }, spec: { resourceAttributes: getPods }, status: { allowed: false } })
    s.request('GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews')
  })

  scenario('may somebody', (s) => {
    s.create(accessReviews, { spec: { user: 'jane', resourceAttributes: getPods } })
    s.create(accessReviews, { spec: { user: 'x', groups: ['system:masters'], resourceAttributes: getPods } })
    s.create(accessReviews, { spec: { groups: ['system:authenticated'], nonResourceAttributes: { path: '/api/v1', verb: 'get' } } })
    s.create(accessReviews, { spec: { user: 'system:kube-scheduler', resourceAttributes: { ...getPods, verb: 'list' } } })
    s.create(accessReviews, {
      spec: {
        user: 'system:kube-scheduler',
        uid: 'u',
        extra: { a: ['b'] },
        resourceAttributes: { verb: 'create', resource: 'pods', subresource: 'binding', version: 'v1', name: 'a', namespace: 'b' },
      },
    })
    s.create(accessReviews, {
      spec: { user: 'system:serviceaccount:kube-system:deployment-controller', resourceAttributes: { ...getPods, verb: 'list' } },
    })
    s.create(accessReviews, { spec: { resourceAttributes: getPods } })
    s.create(accessReviews, { spec: { user: 'jane', resourceAttributes: getPods } }, { user: 'jane' })
  })

  scenario('may somebody with selectors', (s) => {
    const ask = (attributes: JsonObject) =>
      s.create(accessReviews, { spec: { user: 'jane', resourceAttributes: { verb: 'list', resource: 'pods', ...attributes } } })
    ask({ labelSelector: { rawSelector: 'a=b' }, fieldSelector: { rawSelector: 'spec.nodeName=a' } })
    ask({ labelSelector: { rawSelector: 'a==(' }, fieldSelector: { rawSelector: 'a' } })
    ask({ labelSelector: {}, fieldSelector: {} })
    ask({ labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] } })
    ask({
      labelSelector: {
        requirements: [
          { key: 'a b', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['x'] },
          { key: 'a', operator: 'Like' },
        ],
      },
      fieldSelector: {
        requirements: [
          { key: '', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['x'] },
        ],
      },
    })
    ask({
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'Like' },
          { key: 'b', operator: 'Exists' },
        ],
      },
      fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] },
    })
  })

  scenario('may somebody here', (s) => {
    const rules = [{ apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'], resourceNames: ['a'], verbs: ['get', 'list'] }]
    const user = s.unique('joe')
    s.create(roles, { ...named('a'), rules }, { isQuiet: true })
    s.create(
      roleBindings,
      {
        ...named('b'),
        roleRef: { kind: 'Role', name: 'a' },
        subjects: [
          { kind: 'User', name: user },
          { kind: 'ServiceAccount', name: 'r' },
        ],
      },
      { isQuiet: true },
    )
    const resourceAttributes = { ...getPods, namespace: s.namespace, name: 'a' }
    s.create(localReviews, { metadata: { namespace: s.namespace }, spec: { user, resourceAttributes } })
    s.create(localReviews, { spec: { user: `system:serviceaccount:${s.namespace}:r`, resourceAttributes } })
    s.create(localReviews, { spec: { user, resourceAttributes: { ...resourceAttributes, name: 'b' } } })
    s.create(localReviews, { spec: { user, resourceAttributes: getPods } })
    s.create(localReviews, { spec: { user, nonResourceAttributes: { path: '/', verb: 'get' } } })
    s.create(localReviews, { metadata: { name: 'a' }, spec: { user, resourceAttributes } })
    s.create(accessReviews, { spec: { user, resourceAttributes } })
    s.create(rulesReviews, { spec: { namespace: s.namespace } }, { headers: { 'impersonate-user': user } })
  })

  scenario('what may I', (s) => {
    s.create(rulesReviews, { spec: { namespace: 'default' } })
    s.create(rulesReviews, { spec: { namespace: s.namespace } }, { user: 'jane' })
    s.create(rulesReviews, { spec: { namespace: s.namespace } }, { user: 'anonymous' })
    s.create(rulesReviews, { spec: {} })
    s.create(rulesReviews, {})
    s.create(roleBindings, { ...named('b'), roleRef: { kind: 'Role', name: 'absent' }, subjects: [{ kind: 'Group', name: 'devs' }] })
    s.create(rulesReviews, { spec: { namespace: s.namespace } }, { user: 'jane' })
  })
})
