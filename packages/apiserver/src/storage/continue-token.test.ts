import { expect, it } from 'vitest'
import { decodeContinueToken, encodeContinueToken } from './continue-token.js'

// A token that kube-apiserver 1.37 gave for a list of namespaces with limit 1.
const real = Buffer.from('{"v":"meta.k8s.io/v1","rv":17,"start":"default\\u0000"}').toString('base64url')

it('encodeContinueToken writes what kube-apiserver writes', () => {
  expect(encodeContinueToken({ revision: 17, start: 'default\0' })).toBe(real)
  expect(decodeContinueToken(real)).toEqual({ revision: 17, start: 'default\0' })
})

it.each([
  ['not base64', '%%%', 'continue key is not valid: illegal base64 data at input byte 0'],
  ['not JSON', 'abc', "continue key is not valid: invalid character 'i' looking for beginning of value"],
  [
    'another version',
    encode({ v: 'v2', rv: 1, start: 'a' }),
    'continue key is not valid: server does not recognize this encoded version v2',
  ],
  [
    'no revision',
    encode({ v: 'meta.k8s.io/v1', start: 'a' }),
    'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  ],
  ['no start', encode({ v: 'meta.k8s.io/v1', rv: 1 }), 'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)'],
  ['a start that climbs', encode({ v: 'meta.k8s.io/v1', rv: 1, start: '../secrets' }), 'continue key is not valid: ../secrets'],
])('decodeContinueToken refuses %s', (_, token, message) => {
  expect(() => decodeContinueToken(token)).toThrow(message)
})

function encode(token: unknown): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}
