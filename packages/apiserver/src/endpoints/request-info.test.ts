import { describe, expect, test } from 'vitest'
import { parseRequest, queryFlag } from './request-info.js'

const parse = (method: string, target: string) => {
  const [path = '', query = ''] = target.split('?')
  return parseRequest({ method, path, query: new URLSearchParams(query), headers: {} })
}

describe('parseRequest', () => {
  // What kube-apiserver's own tests of RequestInfo expect.
  test.each([
    ['GET', '/api/v1/namespaces', 'list', '', 'namespaces', '', '', ''],
    ['GET', '/api/v1/namespaces/other', 'get', '', 'namespaces', '', 'other', 'other'],
    ['GET', '/api/v1/namespaces/other/pods', 'list', '', 'pods', '', 'other', ''],
    ['GET', '/api/v1/namespaces/other/pods/foo', 'get', '', 'pods', '', 'other', 'foo'],
    ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get', '', 'pods', '', 'other', 'foo'],
    ['GET', '/api/v1/pods', 'list', '', 'pods', '', '', ''],
    ['GET', '/api/v1/namespaces/other/pods/foo/status', 'get', '', 'pods', 'status', 'other', 'foo'],
    ['GET', '/api/v1/namespaces/other/status', 'get', '', 'namespaces', 'status', 'other', 'other'],
    ['PUT', '/api/v1/namespaces/other/finalize', 'update', '', 'namespaces', 'finalize', 'other', 'other'],
    ['GET', '/apis/apps/v1/namespaces/other/deployments?watch=true', 'watch', 'apps', 'deployments', '', 'other', ''],
    ['GET', '/api/v1/watch/namespaces/other/pods', 'watch', '', 'pods', '', 'other', ''],
    ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection', '', 'pods', '', 'other', ''],
    ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete', '', 'pods', '', 'other', 'foo'],
    ['POST', '/api/v1/namespaces/other/pods', 'create', '', 'pods', '', 'other', ''],
    ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch', '', 'pods', '', 'other', 'foo'],
    ['GET', '/api/v1/namespaces/other/pods?fieldSelector=metadata.name%3Dfoo', 'list', '', 'pods', '', 'other', 'foo'],
    ['GET', '/api/v1/namespaces/other/pods/a%2Fb', 'get', '', 'pods', 'b', 'other', 'a'],
    ['GET', '/api/v1/namespaces/other/pods?fieldSelector=metadata.name%3Da%5C%2Cb', 'list', '', 'pods', '', 'other', 'a,b'],
    ['GET', '/api/v1/namespaces/other/pods?fieldSelector=metadata.name!%3Dq%5C%2Cmetadata.name%3Dfoo', 'list', '', 'pods', '', 'other', ''],
    ['DELETE', '/api/v1/namespaces/other/pods?fieldSelector=metadata.name%3Dfoo', 'deletecollection', '', 'pods', '', 'other', ''],
    ['GET', '/api/v1/proxy/namespaces/other/pods/foo', 'proxy', '', 'pods', '', 'other', 'foo'],
  ])('%s %s is %s', (method, target, verb, group, resource, subresource, namespace, name) => {
    expect(parse(method, target)).toMatchObject({ isResourceRequest: true, verb, group, resource, subresource, namespace, name })
  })

  test.each(['/', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/healthz', '/anything/else/at/all'])(
    '%s names no resource',
    (path) => {
      expect(parse('GET', path)).toMatchObject({ isResourceRequest: false, verb: 'get', path })
    },
  )

  test('refuses a path that is not percent-encoded text', () => {
    expect(() => parse('GET', '/api/v1/pods/%ff')).toThrow('invalid URL path /api/v1/pods/%ff')
  })
})

test.each([
  ['watch', true],
  ['watch=', true],
  ['watch=1', true],
  ['watch=true', true],
  ['watch=False', false],
  ['watch=0', false],
  ['', false],
])('queryFlag reads ?%s as %s', (query, expected) => {
  expect(queryFlag(new URLSearchParams(query), 'watch')).toBe(expected)
})
