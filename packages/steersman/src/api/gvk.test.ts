import { describe, expect, test } from 'vitest'
import { apiVersionOf, gvkText, parseApiVersion, resourcePath } from './gvk.js'

const deployments = { group: 'apps', version: 'v1', plural: 'deployments', scope: 'Namespaced' } as const
const nodes = { group: '', version: 'v1', plural: 'nodes', scope: 'Cluster' } as const
const namespaces = { group: '', version: 'v1', plural: 'namespaces', scope: 'Cluster' } as const

test('parseApiVersion and apiVersionOf are each other’s inverse', () => {
  for (const apiVersion of ['v1', 'apps/v1', 'example.com/v1alpha1']) expect(apiVersionOf(parseApiVersion(apiVersion))).toBe(apiVersion)
  expect(parseApiVersion('v1')).toEqual({ group: '', version: 'v1' })
  expect(() => parseApiVersion('a/b/c')).toThrow('unexpected GroupVersion string: a/b/c')
})

test('gvkText is the text that Go prints', () => {
  expect(gvkText({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBe('apps/v1, Kind=Deployment')
  expect(gvkText({ group: '', version: 'v1', kind: 'Pod' })).toBe('v1, Kind=Pod')
})

describe('resourcePath', () => {
  test.each([
    [deployments, {}, '/apis/apps/v1/deployments'],
    [deployments, { namespace: 'n' }, '/apis/apps/v1/namespaces/n/deployments'],
    [deployments, { namespace: 'n', name: 'x' }, '/apis/apps/v1/namespaces/n/deployments/x'],
    [deployments, { namespace: 'n', name: 'x', subresource: 'scale' }, '/apis/apps/v1/namespaces/n/deployments/x/scale'],
    [nodes, { name: 'x', namespace: 'ignored' }, '/api/v1/nodes/x'],
    [namespaces, { name: 'x', subresource: 'finalize' }, '/api/v1/namespaces/x/finalize'],
    [nodes, { name: 'system:node' }, '/api/v1/nodes/system:node'],
    [nodes, { name: 'a b?c' }, '/api/v1/nodes/a%20b%3Fc'],
  ])('resourcePath(%o, %o) is %s', (type, path, text) => {
    expect(resourcePath(type, path)).toBe(text)
  })

  test.each([
    [deployments, { name: 'x' }, 'no namespace is given'],
    [deployments, { namespace: 'n', subresource: 'scale' }, 'needs the name'],
    [nodes, { name: '..' }, 'invalid resource name'],
    [nodes, { name: 'a/b' }, 'invalid resource name'],
    [deployments, { namespace: 'a%2fb', name: 'x' }, 'invalid resource name'],
  ])('resourcePath(%o, %o) is refused: %s', (type, path, problem) => {
    expect(() => resourcePath(type, path)).toThrow(TypeError)
    expect(() => resourcePath(type, path)).toThrow(problem)
  })
})
