import { describe, expect, test } from 'vitest'
import type { RequestInfo } from '../contracts/index.js'
import { alwaysAllowAuthorizer, certificateAuthenticator, firstAuthenticator, mastersOnlyAuthorizer, tokenAuthenticator } from './index.js'

const root = { name: 'root', groups: ['system:masters'] }

describe('authenticators', () => {
  test('a certificate’s common name is the user, its organizations are the groups', async () => {
    const certificate = { commonName: 'ann', organizations: ['dev', 'ops'] }
    expect(await certificateAuthenticator.authenticate({ certificate })).toEqual({ name: 'ann', groups: ['dev', 'ops'] })
    expect(await certificateAuthenticator.authenticate({ certificate: { commonName: '', organizations: ['dev'] } })).toBeUndefined()
    expect(await certificateAuthenticator.authenticate({})).toBeUndefined()
    expect(await certificateAuthenticator.authenticate({ certificate: { ...certificate, sha256: '0f' } })).toMatchObject({
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=0f'] },
    })
  })

  test('a token is known or not', async () => {
    const tokens = tokenAuthenticator(new Map([['secret', root]]))
    expect(await tokens.authenticate({ bearerToken: 'secret' })).toEqual(root)
    for (const bearerToken of ['', 'secre', 'secret ', 'SECRET']) expect(await tokens.authenticate({ bearerToken })).toBeUndefined()
  })

  test('a token that no authenticator knows is refused; no credentials are none', async () => {
    const all = firstAuthenticator([certificateAuthenticator, tokenAuthenticator(new Map([['secret', root]]))])
    await expect(all.authenticate({ bearerToken: 'wrong' })).rejects.toMatchObject({ status: { code: 401 } })
    expect(await all.authenticate({})).toBeUndefined()
    expect(await all.authenticate({ bearerToken: 'secret' })).toEqual(root)
  })
})

describe('authorizers', () => {
  const resource: RequestInfo = {
    isResourceRequest: true,
    path: '/api/v1/pods',
    verb: 'list',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: '',
    name: '',
  }
  const path = (name: string, verb = 'get'): RequestInfo => ({ ...resource, isResourceRequest: false, path: name, verb })
  const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
  const known = { name: 'bob', groups: ['system:authenticated'] }
  const allows = async (user: typeof known, request: RequestInfo) => (await mastersOnlyAuthorizer.authorize(user, request)).allowed

  test('masters may do everything, others nothing with resources', async () => {
    expect(await allows(root, resource)).toBe(true)
    expect(await allows(known, resource)).toBe(false)
    expect(await allows(anonymous, resource)).toBe(false)
  })

  test('everybody may ask for health and version, known users for discovery', async () => {
    expect(await allows(anonymous, path('/healthz'))).toBe(true)
    expect(await allows(anonymous, path('/version', 'post'))).toBe(false)
    expect(await allows(anonymous, path('/apis'))).toBe(false)
    for (const name of ['/api', '/apis/apps/v1', '/openapi/v3']) expect(await allows(known, path(name)), name).toBe(true)
    expect(await allows(known, path('/apiserver-secrets'))).toBe(false)
  })

  test('always-allow allows', async () => {
    expect(await alwaysAllowAuthorizer.authorize(anonymous, resource)).toEqual({ allowed: true })
  })
})
