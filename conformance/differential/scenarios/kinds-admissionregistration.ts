import { defineArea, type JsonObject, named, type Resource, table } from '../language/index.js'
import { live } from './live.js'

const kind = (name: string, plural: string): Resource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural,
  kind: name,
  isNamespaced: false,
})
const validatingWebhooks = kind('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations')
const mutatingWebhooks = kind('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations')
const validatingPolicies = kind('ValidatingAdmissionPolicy', 'validatingadmissionpolicies')
const validatingBindings = kind('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings')
const mutatingPolicies = kind('MutatingAdmissionPolicy', 'mutatingadmissionpolicies')
const mutatingBindings = kind('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings')

/** Rules that match nothing that anybody asks for. */
const rule = (more: JsonObject = {}): JsonObject => ({
  operations: ['CREATE'],
  apiGroups: ['nothing.example.com'],
  apiVersions: ['v1'],
  resources: ['things'],
  ...more,
})
const webhook = (more: JsonObject = {}): JsonObject => ({
  name: 'hook.example.com',
  clientConfig: { url: 'https://hook.example.com/x' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
})
const hooks = (...webhooks: readonly JsonObject[]): JsonObject => ({ ...named('a'), webhooks })
const policy = (spec: JsonObject = {}): JsonObject => ({
  spec: { matchConstraints: { resourceRules: [rule()] }, validations: [{ expression: 'true' }], ...spec },
})
const mutatingPolicy = (spec: JsonObject = {}): JsonObject => ({
  spec: {
    matchConstraints: { resourceRules: [rule()] },
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    reinvocationPolicy: 'Never',
    ...spec,
  },
})
const wrongSelector = {
  matchLabels: { 'a b': '-' },
  matchExpressions: [
    { key: 'k', operator: 'Is' },
    { key: 'x', operator: 'In' },
  ],
}

const wrongWebhooks: readonly JsonObject[] = [
  hooks({}),
  hooks(webhook({ name: 'short' }), webhook({ name: 'two.parts' }), webhook({ name: 'Capital.example.com' }), webhook(), webhook()),
  hooks(
    webhook({
      failurePolicy: 'Maybe',
      matchPolicy: 'Any',
      sideEffects: 'Some',
      timeoutSeconds: 31,
      admissionReviewVersions: ['v2', 'v2', 'X'],
      namespaceSelector: wrongSelector,
      objectSelector: wrongSelector,
      clientConfig: {},
    }),
    webhook({ timeoutSeconds: 0, clientConfig: { url: 'http://u:p@/x?q=1#f', service: { namespace: 'n', name: 's' } } }),
    webhook({ clientConfig: { url: 'http://u:p@host/x?q=1#f' } }),
    webhook({ clientConfig: { url: 'no url' } }),
    webhook({ clientConfig: { service: {} } }),
    webhook({ clientConfig: { service: { name: 's', path: 'a//b/-c/', port: 70000 } } }),
    webhook({ clientConfig: { service: { namespace: 'n', path: '//' } } }),
  ),
  hooks(
    webhook({
      rules: [
        {},
        rule({ operations: ['*', 'CREATE'], apiGroups: ['*', ''], apiVersions: ['*', ''], resources: ['*', ''], scope: 'All' }),
        rule({ operations: ['MAKE'], resources: ['pods/*', 'pods/status', '*/status', 'nodes/status', '*/*'] }),
        rule({ resources: ['*', 'pods'] }),
      ],
    }),
  ),
  hooks(
    webhook({
      matchConditions: [{}, { name: 'a b', expression: ' ' }, { name: 'x', expression: 'true' }, { name: 'x', expression: 'true' }],
    }),
  ),
  { ...named('Capital'), webhooks: [webhook()] },
  { ...named('a.static.k8s.io'), webhooks: [webhook()] },
]

const wrongPolicies: readonly JsonObject[] = [
  { ...named('a'), spec: {} },
  { ...named('a'), spec: { failurePolicy: 'Maybe', matchConstraints: {}, validations: [], paramKind: {} } },
  {
    ...named('a'),
    ...policy({
      paramKind: { apiVersion: 'a/b/c', kind: '-' },
      matchConstraints: {
        matchPolicy: 'Any',
        namespaceSelector: wrongSelector,
        objectSelector: wrongSelector,
        resourceRules: [rule({ resourceNames: ['a', 'a', 'x/y'] }), {}],
        excludeResourceRules: [{}],
      },
      matchConditions: [{}, { name: 'x', expression: '' }],
      variables: [{}, { name: 'for', expression: 'true' }, { name: 'x y', expression: 'true' }],
      validations: [
        {},
        { expression: 'true', message: ' ', messageExpression: ' ', reason: 'Bored' },
        { expression: 'true', message: 'a\nb', reason: 'Forbidden' },
      ],
      auditAnnotations: [
        {},
        { key: 'k', valueExpression: "'x'" },
        { key: 'k', valueExpression: "'x'" },
        { key: 'a b', valueExpression: "'x'" },
      ],
    }),
  },
  { ...named('a'), ...policy({ paramKind: { apiVersion: 'Group/V1', kind: 'Kind!' } }) },
  { ...named('a'), ...policy({ paramKind: { apiVersion: 'group/', kind: 'K' } }) },
  { ...named('x.static.k8s.io'), ...policy() },
]

const wrongBindings: readonly JsonObject[] = [
  { ...named('a'), spec: {} },
  { ...named('a'), spec: { policyName: 'P', validationActions: ['Deny', 'Deny', 'Warn', 'Panic'], paramRef: {}, matchResources: {} } },
  {
    ...named('a'),
    spec: {
      policyName: 'p',
      validationActions: ['Audit'],
      paramRef: { name: 'a/b', selector: wrongSelector, parameterNotFoundAction: 'Panic' },
      matchResources: { matchPolicy: 'Any', resourceRules: [rule({ operations: ['DELETE', 'MAKE'] })], excludeResourceRules: [{}] },
    },
  },
]

const wrongMutatingPolicies: readonly JsonObject[] = [
  { ...named('a'), spec: {} },
  {
    ...named('a'),
    ...mutatingPolicy({
      failurePolicy: 'Maybe',
      paramKind: {},
      matchConstraints: { resourceRules: [rule({ operations: ['DELETE', '*'] })] },
      matchConditions: [{}],
      variables: [{}],
      mutations: [
        {},
        { patchType: 'Glue' },
        { patchType: 'JSONPatch' },
        { patchType: 'JSONPatch', jsonPatch: {}, applyConfiguration: { expression: 'Object{}' } },
        { patchType: 'ApplyConfiguration' },
        { patchType: 'ApplyConfiguration', applyConfiguration: {}, jsonPatch: { expression: '[]' } },
      ],
      reinvocationPolicy: 'Often',
    }),
  },
]

/** The kinds of admissionregistration.k8s.io. */
export const kindsAdmissionRegistration = defineArea('kinds admissionregistration', (scenario) => {
  scenario('webhooks that validate', (s) => {
    live(s, validatingWebhooks, { webhooks: [webhook({ rules: [rule()] })] }, { webhooks: [webhook({ failurePolicy: 'Ignore' })] })
    live(s, validatingWebhooks, {}, { webhooks: [webhook()] })
  })
  scenario('webhooks that mutate', (s) => {
    live(s, mutatingWebhooks, { webhooks: [webhook({ rules: [rule()] })] }, { webhooks: [webhook({ reinvocationPolicy: 'IfNeeded' })] })
  })
  scenario('a webhook that says everything', (s) => {
    const full = webhook({
      rules: [rule({ scope: 'Namespaced', operations: ['*'], resources: ['things', 'things/status', '*/scale'] })],
      clientConfig: { service: { namespace: 'n', name: 's', path: '/a/b' }, caBundle: 'AAAA' },
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      namespaceSelector: { matchLabels: { a: 'b' } },
      objectSelector: { matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] },
      sideEffects: 'NoneOnDryRun',
      timeoutSeconds: 5,
      admissionReviewVersions: ['v1', 'v1beta1', 'v7'],
      matchConditions: [{ name: 'c', expression: "object.kind != 'X'" }],
    })
    const name = s.unique('full')
    s.create(validatingWebhooks, { ...named(name), webhooks: [full, webhook({ name: 'second.example.com' })] })
    s.patch(validatingWebhooks, name, 'strategic', { webhooks: [{ name: 'second.example.com', timeoutSeconds: 3 }] })
    s.patch(validatingWebhooks, name, 'json', [{ op: 'replace', path: '/webhooks/0/sideEffects', value: 'Unknown' }])
    s.delete(validatingWebhooks, name)
    s.create(mutatingWebhooks, { ...named(name), webhooks: [{ ...full, reinvocationPolicy: 'IfNeeded' }] })
    s.delete(mutatingWebhooks, name)
  })
  scenario('webhooks that are refused', (s) => {
    for (const body of wrongWebhooks.filter((_, index) => index !== 2)) s.create(validatingWebhooks, body)
    s.create(mutatingWebhooks, hooks(webhook({ reinvocationPolicy: 'Often' })))
    s.create(mutatingWebhooks, named('a.static.k8s.io'))
    const reviews = rule({ apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews', 'tokenreviews', 'x'] })
    s.create(mutatingWebhooks, hooks(webhook({ rules: [rule(), reviews, { ...reviews, resources: ['*'] }] })), { query: { dryRun: 'All' } })
  })
  scenario('webhooks with many mistakes', (s) => {
    for (const body of wrongWebhooks.slice(2, 3)) s.create(validatingWebhooks, body)
  })
  scenario('webhooks that mutate with many mistakes', (s) => {
    for (const body of wrongWebhooks.slice(2, 3)) s.create(mutatingWebhooks, body)
  })
  scenario('policies that validate', (s) => {
    live(s, validatingPolicies, policy(), { spec: { validations: [{ expression: 'true', message: 'm', reason: 'Invalid' }] } })
    const name = s.unique('full')
    s.create(validatingPolicies, {
      ...named(name),
      ...policy({
        failurePolicy: 'Ignore',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: {
          matchPolicy: 'Exact',
          resourceRules: [rule({ resourceNames: ['x'], scope: 'Cluster' })],
          excludeResourceRules: [rule()],
        },
        matchConditions: [{ name: 'c', expression: 'true' }],
        variables: [{ name: 'v', expression: '1' }],
        auditAnnotations: [{ key: 'k', valueExpression: "'x'" }],
      }),
    })
    s.get(validatingPolicies, name, table)
    s.update(
      validatingPolicies,
      {
        ...named(name, { labels: { k: 'v' } }),
        status: {
          observedGeneration: 1,
          typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'w' }] },
          conditions: [{ type: 'A', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' }],
        },
      },
      { subresource: 'status' },
    )
    s.patch(
      validatingPolicies,
      name,
      'merge',
      { status: { typeChecking: { expressionWarnings: [{}] }, conditions: [{}] } },
      { subresource: 'status' },
    )
    s.delete(validatingPolicies, name)
  })
  scenario('policies that are refused', (s) => {
    for (const body of wrongPolicies) s.create(validatingPolicies, body)
  })
  scenario('expressions that do not compile', (s) => {
    const dryRun = { query: { dryRun: 'All' } }
    s.create(validatingWebhooks, hooks(webhook({ matchConditions: [{ name: 'c', expression: 'object.' }] })), dryRun)
    s.create(validatingPolicies, { ...named('a'), ...policy({ validations: [{ expression: 'nothing', messageExpression: '1' }] }) }, dryRun)
    const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression: '1' } }]
    s.create(mutatingPolicies, { ...named('a'), ...mutatingPolicy({ mutations }) }, dryRun)
  })
  scenario('bindings of policies', (s) => {
    const body = { spec: { policyName: 'p', validationActions: ['Deny'] } }
    live(s, validatingBindings, body, { spec: { validationActions: ['Audit', 'Warn'] } })
    const params = { name: 'x', namespace: 'default', parameterNotFoundAction: 'Deny' }
    live(s, validatingBindings, { spec: { ...body.spec, paramRef: params } }, { spec: { matchResources: { resourceRules: [rule()] } } })
    const selected = { selector: { matchLabels: { b: 'c', a: 'b' } }, parameterNotFoundAction: 'Allow' }
    live(s, validatingBindings, { spec: { ...body.spec, paramRef: selected } }, { spec: { matchResources: {} } })
    for (const wrong of wrongBindings) s.create(validatingBindings, wrong)
  })
  scenario('policies that mutate', (s) => {
    live(s, mutatingPolicies, mutatingPolicy(), { spec: { reinvocationPolicy: 'IfNeeded' } })
    live(s, mutatingBindings, { spec: { policyName: 'p' } }, { spec: { policyName: 'q' } })
    for (const wrong of wrongMutatingPolicies) s.create(mutatingPolicies, wrong)
    for (const wrong of wrongBindings) s.create(mutatingBindings, wrong)
  })
})
