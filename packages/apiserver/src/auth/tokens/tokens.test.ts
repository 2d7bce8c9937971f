import { createHmac, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { UnstructuredObject } from 'steersman/api'
import { notFound, StatusError } from 'steersman/api'
import { describe, expect, test } from 'vitest'
import type { Registry } from '../../contracts/index.js'
import { JwtSigner } from './jwt-signer.js'
import { serviceAccountTokens } from './service-account-tokens.js'

const issuer = 'https://issuer.example.com'
const pem = (type: 'ec' | 'rsa', namedCurve = 'P-256') => {
  const { privateKey } = type === 'ec' ? generateKeyPairSync('ec', { namedCurve }) : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

describe('JwtSigner', () => {
  test.each(['ec', 'rsa'] as const)('tokens signed with an %s key are right by the published key (RFC 7515)', (type) => {
    const signer = new JwtSigner({ issuer, signingKey: pem(type) })
    const token = signer.sign({ sub: 'a' })
    const [head = '', payload = '', signature = ''] = token.split('.')
    const [jwk] = signer.publicKeys()
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: type === 'ec' ? 'ES256' : 'RS256', kid: jwk?.kid })
    const key = createPublicKey({ key: jwk as never, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    expect(verify('sha256', Buffer.from(`${head}.${payload}`), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true)
    expect(jwk).not.toHaveProperty('d')
    expect(signer.verify(token)).toEqual({ sub: 'a', iss: issuer })
  })

  test('knows its own tokens and those of further keys, and no others', () => {
    const [own, other] = [new JwtSigner({ issuer }), new JwtSigner({ issuer, signingKey: pem('ec') })]
    const token = own.sign({ sub: 'a' })
    expect(other.verify(token)).toBeUndefined()
    const [head, payload, signature] = token.split('.')
    const altered = Buffer.from(JSON.stringify({ sub: 'b', iss: issuer })).toString('base64url')
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const publicKey = createPublicKey({ key: own.publicKeys()[0] as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const symmetric = Buffer.from(JSON.stringify({ alg: 'HS256', kid: own.publicKeys()[0]?.kid })).toString('base64url')
    const hmac = createHmac('sha256', publicKey).update(`${symmetric}.${payload}`).digest('base64url')
    const otherAlgorithm = Buffer.from(JSON.stringify({ alg: 'RS256', kid: own.publicKeys()[0]?.kid })).toString('base64url')
    for (const wrong of [
      `${head}.${altered}.${signature}`,
      `${unsigned}.${payload}.`,
      `${symmetric}.${payload}.${hmac}`,
      `${otherAlgorithm}.${payload}.${signature}`,
      ...['=', '!', ' ', '\n', 'A'.repeat(10_000)].map((tail) => token + tail),
      `${head}.${payload}.`,
      `${token}.x`,
      `${head}.${payload}`,
      'x',
      '..',
    ])
      expect(own.verify(wrong), wrong).toBeUndefined()
    const key = createPublicKey({ key: own.publicKeys()[0] as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string
    expect(new JwtSigner({ issuer, signingKey: pem('ec'), verificationKeys: [key] }).verify(token)).toMatchObject({ sub: 'a' })
  })

  test('tries every key for a token that names none, and takes several from one file', () => {
    const [signingKey, others] = [pem('ec'), [pem('rsa'), pem('ec')]]
    const signer = new JwtSigner({ issuer, signingKey: pem('ec'), verificationKeys: [[...others, signingKey].join('\n')] })
    const payload = Buffer.from(JSON.stringify({ sub: 'a' })).toString('base64url')
    const signed = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${payload}`
    const signature = sign('sha256', Buffer.from(signed), { key: signingKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
    expect(signer.verify(`${signed}.${signature}`)).toEqual({ sub: 'a' })
    expect(signer.publicKeys()).toHaveLength(4)
  })

  test('refuses a key that it cannot use, at once', () => {
    for (const signingKey of ['no key', pem('ec', 'P-384')]) expect(() => new JwtSigner({ issuer, signingKey })).toThrow(TypeError)
  })
})

describe('serviceAccountTokens', () => {
  const signer = new JwtSigner({ issuer })
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  const now = nowMs / 1000
  const object = (uid: string, more: object = {}): UnstructuredObject => ({ apiVersion: 'v1', kind: 'X', metadata: { uid, ...more } })

  function authenticator(objects: Readonly<Record<string, UnstructuredObject>>, atMs = nowMs) {
    const registry = {
      resource: (_group: string, _version: string, plural: string) => ({
        async get({ name }: { readonly name: string }) {
          const found = objects[`${plural}/${name}`]
          if (found === undefined) throw new StatusError(notFound({ group: '', plural }, name))
          return found
        },
      }),
    } as unknown as Pick<Registry, 'resource'>
    return serviceAccountTokens({ signer, registry, now: () => atMs })
  }

  const claims = (bound: object = {}, more: object = {}) => ({
    aud: [issuer],
    iat: now,
    nbf: now,
    exp: now + 3600,
    jti: 'j',
    'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'robot', uid: 'u' }, ...bound },
    ...more,
  })
  const robot = { 'serviceaccounts/robot': object('u') }

  test('a token is its account’s, and says what it is bound to', async () => {
    const token = signer.sign(claims({ pod: { name: 'p', uid: 'pu' }, node: { name: 'n', uid: 'nu' } }))
    const user = await authenticator({ ...robot, 'pods/p': object('pu') }).authenticate({ bearerToken: token })
    expect(user).toEqual({
      name: 'system:serviceaccount:ns:robot',
      uid: 'u',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: {
        'authentication.kubernetes.io/credential-id': ['JTI=j'],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/node-uid': ['nu'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['pu'],
      },
    })
  })

  test('what is no token of ours is left to others', async () => {
    const other = new JwtSigner({ issuer: 'https://other.example.com' }).sign(claims())
    for (const bearerToken of [other, 'secret']) expect(await authenticator(robot).authenticate({ bearerToken })).toBeUndefined()
    expect(await authenticator(robot).authenticate({})).toBeUndefined()
  })

  test('a token ends with its time, an hour later with a minute’s grace', async () => {
    const bearerToken = signer.sign(claims())
    expect(await authenticator(robot, nowMs + 3_659_000).authenticate({ bearerToken })).toBeDefined()
    await expect(authenticator(robot, nowMs + 3_661_000).authenticate({ bearerToken })).rejects.toMatchObject({ status: { code: 401 } })
    await expect(authenticator(robot, nowMs - 61_000).authenticate({ bearerToken })).rejects.toMatchObject({ status: { code: 401 } })
  })

  const invalidated = 'service account token has been invalidated'
  test.each([
    ['without its account', {}, {}, 'serviceaccounts "robot" not found'],
    ['with another account of its name', {}, { 'serviceaccounts/robot': object('v') }, 'service account UID (v) does not match claim (u)'],
    [
      'when its account is being deleted',
      {},
      { 'serviceaccounts/robot': object('u', { deletionTimestamp: '2025-12-31T23:00:00Z' }) },
      'service account ns/robot has been deleted',
    ],
    ['without its pod', { pod: { name: 'p', uid: 'pu' } }, robot, invalidated],
    [
      'with another pod of its name',
      { pod: { name: 'p', uid: 'pu' } },
      { ...robot, 'pods/p': object('x') },
      'pod UID (x) does not match service account pod ref claim (pu)',
    ],
    [
      'with another pod of its name that is being deleted',
      { pod: { name: 'p', uid: 'pu' } },
      { ...robot, 'pods/p': object('x', { deletionTimestamp: '2025-12-31T23:00:00Z' }) },
      'pod UID (x) does not match service account pod ref claim (pu)',
    ],
    ['that names no account', { serviceaccount: null, pod: null }, robot, 'serviceaccounts "undefined" not found'],
    ['without its secret', { secret: { name: 's', uid: 'su' } }, robot, invalidated],
    ['without its node', { node: { name: 'n', uid: 'nu' } }, robot, invalidated],
  ])('a token ends %s', async (_, bound, objects, error) => {
    const token = signer.sign(claims(bound))
    expect(await authenticator(objects).reviewToken(token, [])).toEqual({ error })
    await expect(authenticator(objects).authenticate({ bearerToken: token })).rejects.toMatchObject({ status: { code: 401 } })
  })

  test('a token is good for its audiences alone', async () => {
    const token = signer.sign(claims({}, { aud: ['vault'] }))
    await expect(authenticator(robot).authenticate({ bearerToken: token })).rejects.toMatchObject({ status: { code: 401 } })
    expect(await authenticator(robot).reviewToken(token, ['vault', 'other'])).toMatchObject({ audiences: ['vault'] })
  })
})
