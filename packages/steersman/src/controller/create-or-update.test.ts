import { describe, expect, test } from 'vitest'
import { mergeDesired } from './create-or-update.js'

describe('mergeDesired', () => {
  test('sets what is given and leaves what the server filled in', () => {
    const podSpec: { readonly dnsPolicy?: string; readonly restartPolicy?: string } = { dnsPolicy: 'ClusterFirst' }
    const draft = { spec: { replicas: 1, strategy: { type: 'RollingUpdate' }, template: { spec: podSpec } } }
    mergeDesired(draft, { spec: { replicas: 2, template: { spec: { restartPolicy: 'Always' } } } })
    expect(draft).toEqual({
      spec: {
        replicas: 2,
        strategy: { type: 'RollingUpdate' },
        template: { spec: { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always' } },
      },
    })
  })

  test('matches items of lists by name and removes what is not desired', () => {
    const draft = {
      containers: [
        { name: 'b', image: 'b:1', pull: 'Always' },
        { name: 'a', image: 'a:1', pull: 'Never' },
        { name: 'c', image: 'c:1' },
      ],
    }
    mergeDesired(draft, {
      containers: [
        { name: 'a', image: 'a:2' },
        { name: 'b', image: 'b:1' },
      ],
    })
    expect(draft.containers).toEqual([
      { name: 'a', image: 'a:2', pull: 'Never' },
      { name: 'b', image: 'b:1', pull: 'Always' },
    ])
  })

  test('matches items without names by position', () => {
    const draft = { ports: [{ port: 80, protocol: 'TCP' }], args: ['x', 'y'] }
    mergeDesired(draft, { ports: [{ port: 81 }, { port: 82 }], args: ['z'] })
    expect(draft).toEqual({ ports: [{ port: 81, protocol: 'TCP' }, { port: 82 }], args: ['z'] })
  })

  test('leaves a field given as undefined alone, and shares nothing with what was desired', () => {
    const desired = { a: undefined, b: { c: [{ d: 1 }] } }
    const draft: Record<string, unknown> = { a: 1 }
    mergeDesired(draft, desired)
    expect(draft).toEqual({ a: 1, b: { c: [{ d: 1 }] } })
    ;(draft.b as { c: { d: number }[] }).c[0]!.d = 2
    expect(desired.b.c[0]?.d).toBe(1)
  })
})
