import { describe, expect, test } from 'vitest'
import { limitErrors, podAmounts } from './limits.js'

const container = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu } }, ...more })

// As kube-apiserver 1.37.2 adds up and words it.
describe('limits', () => {
  test('of a pod count init containers one after the other, beside those that go on', () => {
    const initContainers = [container('2'), container('100m', { restartPolicy: 'Always' }), container('1')]
    expect(podAmounts({ containers: [container('500m'), container('1')], initContainers }, 'requests')).toEqual({ cpu: '2' })
    expect(podAmounts({ containers: [container('2')], initContainers }, 'requests')).toEqual({ cpu: '2100m' })
  })

  test('of a pod are what the pod says itself', () => {
    expect(podAmounts({ containers: [container('1')], resources: { requests: { cpu: '3', 'example.com/x': '1' } } }, 'requests')).toEqual({
      cpu: '3',
    })
  })

  test('name what is missing', () => {
    const limit = { type: 'Container', min: { cpu: '1' }, max: { memory: '1Gi' }, maxLimitRequestRatio: { cpu: '2' } }
    expect(limitErrors(limit, {}, {})).toEqual([
      'minimum cpu usage per Container is 1.  No request is specified',
      'maximum memory usage per Container is 1Gi.  No limit is specified',
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ])
    expect(limitErrors({ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }, { cpu: '1' }, {})).toEqual([
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ])
  })
})
