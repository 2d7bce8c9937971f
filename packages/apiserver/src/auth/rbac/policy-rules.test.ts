import { describe, expect, test } from 'vitest'
import type { AccessRule, RequestInfo } from '../../contracts/index.js'
import { describeRules, missingRules, ruleAllows } from './policy-rules.js'

const onPods: AccessRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const request = (more: Partial<RequestInfo> = {}): RequestInfo => ({
  isResourceRequest: true,
  path: '',
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: 'a',
  ...more,
})
const path = (name: string) => request({ isResourceRequest: false, path: name, resource: '', name: '' })

// As https://kubernetes.io/docs/reference/access-authn-authz/rbac/ has it.
describe('ruleAllows', () => {
  test.each([
    ['what it names', onPods, request(), true],
    ['no other verb', onPods, request({ verb: 'list' }), false],
    ['no other group', onPods, request({ group: 'apps' }), false],
    ['no subresource', onPods, request({ subresource: 'log' }), false],
    ['a subresource that it names', { ...onPods, resources: ['pods/log'] }, request({ subresource: 'log' }), true],
    ['the subresource of every resource', { ...onPods, resources: ['*/log'] }, request({ subresource: 'log' }), true],
    ['not another subresource of every resource', { ...onPods, resources: ['*/scale'] }, request({ subresource: 'log' }), false],
    ['subresources by everything', { ...onPods, resources: ['*'] }, request({ subresource: 'log' }), true],
    ['everything', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, request({ verb: 'dance', group: 'x' }), true],
    ['a name', { ...onPods, resourceNames: ['a'] }, request(), true],
    ['no other name', { ...onPods, resourceNames: ['b'] }, request(), false],
    ['nothing without a name by names', { ...onPods, resourceNames: ['a'] }, request({ name: '' }), false],
    ['no path by resources', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, path('/metrics'), false],
    ['a path', { verbs: ['get'], nonResourceURLs: ['/metrics'] }, path('/metrics'), true],
    ['what begins with a path', { verbs: ['get'], nonResourceURLs: ['/logs/*'] }, path('/logs/a/b'), true],
    ['not the path itself by what follows', { verbs: ['get'], nonResourceURLs: ['/logs/*'] }, path('/logs'), false],
  ])('allows %s', (_, rule, asked, allowed) => {
    expect(ruleAllows(rule, asked)).toBe(allowed)
  })
})

describe('missingRules', () => {
  test('a held rule covers what it allows and nothing else', () => {
    const wanted: AccessRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] }
    expect(missingRules([{ ...onPods, resources: ['*'] }], [wanted])).toHaveLength(2)
    expect(missingRules([{ verbs: ['*'], apiGroups: ['*'], resources: ['pods', '*/log'] }], [wanted])).toEqual([])
    expect(missingRules([{ ...onPods, resourceNames: ['a'] }], [onPods])).toEqual([onPods])
    expect(missingRules([onPods], [{ ...onPods, resourceNames: ['a'] }])).toEqual([])
    expect(missingRules([{ verbs: ['*'], nonResourceURLs: ['*'] }], [{ verbs: ['get'], nonResourceURLs: ['/a'] }])).toEqual([])
  })
})

test('describeRules puts the verbs of one resource together, as the real server does', () => {
  const text = describeRules([
    { verbs: ['get'], apiGroups: [''], resources: ['secrets'] },
    { verbs: ['delete'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['delete'], apiGroups: [''], resources: ['secrets'] },
    { verbs: ['get'], nonResourceURLs: ['/a'] },
  ])
  expect(text.split('\n')).toEqual([
    '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
    '{NonResourceURLs:["/a"], Verbs:["get"]}',
  ])
})
