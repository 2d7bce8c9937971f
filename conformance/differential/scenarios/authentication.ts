import type { JsonObject, Resource, ScenarioBuilder } from '../language/index.js'
import { configMaps, defineArea, named, nodes, podSpec, pods, secrets, serviceAccounts } from '../language/index.js'

const authentication = (kind: string, plural: string): Resource => ({
  group: 'authentication.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced: false,
})
const tokenReviews = authentication('TokenReview', 'tokenreviews')
const selfSubjectReviews = authentication('SelfSubjectReview', 'selfsubjectreviews')
const token = { subresource: 'token' } as const

const tokenRequest = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  metadata: { name, ...metadata },
  spec,
})

/** Passes the time until the caches of the real server know of a write. Asking with a token would make it remember the token. */
function untilKnown(s: ScenarioBuilder): void {
  for (let round = 0; round < 30; round++) s.get(serviceAccounts, 'robot', { isQuiet: true })
}

/** Who asks: tokens, and what they are good for. */
export const authentications = defineArea('authentication', (scenario) => {
  scenario('who am I', (s) => {
    s.create(selfSubjectReviews, {})
    s.create(selfSubjectReviews, { metadata: { name: 'ignored' }, status: { userInfo: { username: 'mallory' } } }, { user: 'jane' })
    s.create(selfSubjectReviews, {}, { user: 'anonymous' })
    s.create(selfSubjectReviews, {}, { user: 'stranger' })
    s.create(selfSubjectReviews, {}, { query: { dryRun: 'All' } })
    s.request('GET', '/apis/authentication.k8s.io/v1/selfsubjectreviews')
    s.request('GET', '/apis/authentication.k8s.io/v1/selfsubjectreviews/a')
    s.request('DELETE', '/apis/authentication.k8s.io/v1/selfsubjectreviews/a')
    s.create(selfSubjectReviews, { nothing: 1 }, { query: { fieldValidation: 'Strict' } })
  })

  scenario('who am I when I act as somebody else', (s) => {
    const as = (headers: Readonly<Record<string, string>>) => s.create(selfSubjectReviews, {}, { headers })
    as({ 'impersonate-user': 'ann' })
    as({ 'impersonate-user': 'ann', 'impersonate-group': 'devs', 'impersonate-uid': 'u1' })
    as({ 'impersonate-user': 'ann', 'impersonate-extra-scopes': 'view', 'impersonate-extra-acme.com%2Fproject': 'a' })
    as({ 'impersonate-user': 'system:serviceaccount:a:b' })
    as({ 'impersonate-user': 'system:serviceaccount:a:b', 'impersonate-group': 'devs' })
    as({ 'impersonate-user': 'system:serviceaccount:A B:b' })
    as({ 'impersonate-user': 'system:anonymous' })
    as({ 'impersonate-user': 'ann', 'impersonate-group': 'system:unauthenticated' })
    as({ 'impersonate-user': 'ann', 'impersonate-group': 'system:authenticated' })
    as({ 'impersonate-group': 'devs' })
  })

  scenario('to act as somebody else without leave', (s) => {
    const jane = (headers: Readonly<Record<string, string>>) => s.create(selfSubjectReviews, {}, { user: 'jane', headers })
    jane({ 'impersonate-user': 'ann' })
    jane({ 'impersonate-user': 'system:serviceaccount:a:b' })
    jane({ 'impersonate-user': 'system:node:n1' })
    s.list(configMaps, { user: 'anonymous', headers: { 'impersonate-user': 'ann' } })
  })

  scenario('a token review', (s) => {
    s.create(tokenReviews, { spec: { token: 'jane-token' } })
    s.create(tokenReviews, { spec: { token: 'nobody-knows-this-token' } })
    s.create(tokenReviews, { spec: { token: 'jane-token', audiences: ['a', 'b'] } })
    s.create(tokenReviews, { spec: {} })
    s.create(tokenReviews, {})
    s.create(tokenReviews, { spec: { token: 'jane-token' } }, { user: 'jane' })
  })

  scenario('a token of an account', (s) => {
    s.create(serviceAccounts, named('robot'), { isQuiet: true })
    const made = s.create(serviceAccounts, tokenRequest('robot'), token)
    const bearer = { user: 'anonymous', headers: { authorization: `Bearer ${made.at('status.token')}` } } as const
    s.create(selfSubjectReviews, {}, bearer)
    s.list(configMaps, bearer)
    s.create(tokenReviews, { spec: { token: made.at('status.token') } })
    s.create(tokenReviews, { spec: { token: made.at('status.token'), audiences: ['https://kubernetes.default.svc', 'other'] } })
    s.create(tokenReviews, { spec: { token: made.at('status.token'), audiences: ['other'] } })
  })

  scenario('a token for others', (s) => {
    s.create(serviceAccounts, named('robot'), { isQuiet: true })
    const made = s.create(serviceAccounts, tokenRequest('robot', { audiences: ['vault', 'b'], expirationSeconds: 7200 }), token)
    const bearer = { user: 'anonymous', headers: { authorization: `Bearer ${made.at('status.token')}` } } as const
    s.create(selfSubjectReviews, {}, bearer)
    s.create(tokenReviews, { spec: { token: made.at('status.token') } })
    s.create(tokenReviews, { spec: { token: made.at('status.token'), audiences: ['vault', 'c'] } })
  })

  scenario('a token of a pod', (s) => {
    const node = s.unique('node')
    s.create(nodes, named(node), { isQuiet: true })
    s.create(serviceAccounts, named('robot'), { isQuiet: true })
    s.create(pods, { ...named('a'), spec: podSpec({ serviceAccountName: 'robot', nodeName: node }) }, { isQuiet: true })
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'a' }
    const made = s.create(serviceAccounts, tokenRequest('robot', { boundObjectRef, expirationSeconds: 3607 }), token)
    s.create(selfSubjectReviews, {}, { user: 'anonymous', headers: { authorization: `Bearer ${made.at('status.token')}` } })
    s.create(serviceAccounts, named('other'), { isQuiet: true })
    s.create(serviceAccounts, tokenRequest('other', { boundObjectRef }), token)
    s.create(serviceAccounts, tokenRequest('robot', { boundObjectRef: { ...boundObjectRef, uid: 'x' } }), token)
    s.create(serviceAccounts, tokenRequest('robot', { boundObjectRef: { ...boundObjectRef, name: 'absent' } }), token)
  })

  scenario('a token of a secret or a node', (s) => {
    const node = s.unique('node')
    s.create(nodes, named(node), { isQuiet: true })
    s.create(secrets, named('a'), { isQuiet: true })
    s.create(serviceAccounts, named('robot'), { isQuiet: true })
    const made = s.create(
      serviceAccounts,
      tokenRequest('robot', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'a' } }),
      token,
    )
    s.create(serviceAccounts, tokenRequest('robot', { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: node } }), token)
    s.create(serviceAccounts, tokenRequest('robot', { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } }), token)
    s.create(serviceAccounts, tokenRequest('robot', { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } }), token)
    s.delete(secrets, 'a', undefined, { isQuiet: true })
    s.create(tokenReviews, { spec: { token: made.at('status.token') } })
  })

  scenario('a token whose account is gone', (s) => {
    s.create(serviceAccounts, named('robot'), { isQuiet: true })
    const first = s.create(serviceAccounts, tokenRequest('robot'), { ...token, isQuiet: true })
    const second = s.create(serviceAccounts, tokenRequest('robot'), { ...token, isQuiet: true })
    s.delete(serviceAccounts, 'robot', undefined, { isQuiet: true })
    untilKnown(s)
    s.list(configMaps, { user: 'anonymous', headers: { authorization: `Bearer ${first.at('status.token')}` } })
    s.create(tokenReviews, { spec: { token: first.at('status.token') } })
    s.create(serviceAccounts, named('robot'), { isQuiet: true })
    untilKnown(s)
    s.create(tokenReviews, { spec: { token: second.at('status.token') } })
  })

  scenario('token requests that are wrong', (s) => {
    s.create(serviceAccounts, tokenRequest('absent'), token)
    const { at } = s.create(serviceAccounts, named('robot'), { isQuiet: true })
    s.create(serviceAccounts, tokenRequest('robot', { expirationSeconds: 60 }), token)
    s.create(serviceAccounts, tokenRequest('robot', { expirationSeconds: 4294967297 }), token)
    s.create(serviceAccounts, tokenRequest('robot', { attestations: { a: ['b'] } }), token)
    s.create(serviceAccounts, tokenRequest('robot', {}, { uid: 'x' }), token)
    s.create(serviceAccounts, tokenRequest('robot', {}, { uid: at('metadata.uid') }), token)
    s.create(serviceAccounts, tokenRequest('robot', {}, { namespace: 'elsewhere' }), token)
    const path = s.path(serviceAccounts, 'robot', token)
    s.request('POST', path, tokenRequest('other'))
    s.request('POST', path, { apiVersion: 'v1', kind: 'TokenRequest' })
    s.request('POST', path, {})
    s.request('GET', path)
    s.request('POST', path, tokenRequest('robot'), { user: 'jane' })
    s.request('POST', path, tokenRequest('robot'), { query: { dryRun: 'All' } })
  })

  scenario('what others need to check tokens', (s) => {
    s.request('GET', '/.well-known/openid-configuration')
    s.request('GET', '/openid/v1/jwks', undefined, { accept: '*/*' })
    s.request('GET', '/openid/v1/jwks')
    s.request('GET', '/openid/v1/jwks', undefined, { user: 'jane' })
    s.request('POST', '/openid/v1/jwks', {})
  })
})
