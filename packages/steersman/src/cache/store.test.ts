import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../api/index.js'
import { storeKey } from './key.js'
import { Store } from './store.js'

function object(namespace: string | undefined, name: string, owners: readonly string[] = []): KubernetesObject {
  return { metadata: { name, ...(namespace === undefined ? {} : { namespace }), annotations: { owners: owners.join(',') } } }
}

const owners = ({ metadata }: KubernetesObject) => (metadata.annotations?.owners ?? '').split(',').filter((owner) => owner !== '')
const names = (objects: readonly KubernetesObject[]) => objects.map(({ metadata }) => storeKey(metadata.namespace, metadata.name as string))
const fail = (_: string, error: unknown) => {
  throw error
}

describe('Store', () => {
  test('lists in key order as a server does, whatever the order of arrival', () => {
    const store = new Store(fail)
    for (const key of ['b/y', 'a/z', 'a-b/x', 'b/x', 'a/a']) {
      const [namespace, name] = key.split('/') as [string, string]
      store.set(key, object(namespace, name))
    }
    expect(names(store.list())).toEqual(['a-b/x', 'a/a', 'a/z', 'b/x', 'b/y'])
    expect(names(store.list('b'))).toEqual(['b/x', 'b/y'])
    expect(store.list('c')).toEqual([])
    store.delete('a/a')
    store.set('a/m', object('a', 'm'))
    expect(names(store.list(''))).toEqual(['a-b/x', 'a/m', 'a/z', 'b/x', 'b/y'])
  })

  test('holds cluster-scoped objects under their name', () => {
    const store = new Store(fail)
    store.set('n2', object(undefined, 'n2'))
    store.set('n1', object(undefined, 'n1'))
    expect(names(store.list())).toEqual(['n1', 'n2'])
    expect(store.get('n1')?.metadata.name).toBe('n1')
  })

  test('freezes an object in depth when it is handed out first', () => {
    const store = new Store(fail)
    const raw = object('a', 'x')
    store.set('a/x', raw)
    expect(Object.isFrozen(raw)).toBe(false)
    expect(store.get('a/x')).toBe(raw)
    expect(Object.isFrozen(raw)).toBe(true)
    expect(Object.isFrozen(raw.metadata.annotations)).toBe(true)
    expect(store.list()[0]).toBe(raw)
  })

  test('indexes present and coming objects, over all namespaces and in one', () => {
    const store = new Store(fail)
    store.set('a/x', object('a', 'x', ['1', '2']))
    store.addIndex('owner', owners)
    store.set('b/y', object('b', 'y', ['1']))
    expect(names(store.byIndex('owner', '1'))).toEqual(['a/x', 'b/y'])
    expect(names(store.byIndex('owner', '1', 'b'))).toEqual(['b/y'])
    store.set('a/x', object('a', 'x', ['2', '3']))
    expect(names(store.byIndex('owner', '1'))).toEqual(['b/y'])
    store.delete('b/y')
    expect(store.byIndex('owner', '1')).toEqual([])
    expect(names(store.byIndex('owner', '3', 'a'))).toEqual(['a/x'])
  })

  test('refuses an unknown index and a second one of the same name', () => {
    const store = new Store(fail)
    store.addIndex('owner', owners)
    expect(() => store.byIndex('node', 'x')).toThrow('Cannot read by index "node": no such index, there are: "owner"')
    expect(() => store.addIndex('owner', owners)).toThrow(TypeError)
  })

  test('gives an object without index values when the function throws, and reports it', () => {
    const errors: string[] = []
    const store = new Store((name, error) => errors.push(`${name}: ${error}`))
    store.addIndex('bad', ({ metadata }) => {
      if (metadata.name === 'x') throw new Error('no')
      return ['v']
    })
    store.set('a/x', object('a', 'x'))
    store.set('a/y', object('a', 'y'))
    expect(names(store.byIndex('bad', 'v'))).toEqual(['a/y'])
    expect(errors).toEqual(['bad: Error: no'])
  })

  test('agrees with a naive model after any changes', () => {
    const key = fc.tuple(fc.constantFrom('a', 'a-b', 'b'), fc.constantFrom('x', 'y', 'z'))
    const values = fc.uniqueArray(fc.constantFrom('1', '2', '3'), { maxLength: 2 })
    const change = fc.oneof(
      fc.tuple(fc.constant('set'), key, values),
      fc.tuple(fc.constant('delete'), key, values),
      fc.tuple(fc.constant('read'), key, values),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.nat(60), (changes, indexAt) => {
        const store = new Store(fail)
        const model = new Map<string, readonly string[]>()
        const sorted = (namespace: string | undefined, value: string | undefined) =>
          [...model]
            .filter(
              ([name, held]) =>
                (namespace === undefined || name.startsWith(`${namespace}/`)) && (value === undefined || held.includes(value)),
            )
            .map(([name]) => name)
            .sort()
        if (indexAt >= changes.length) store.addIndex('owner', owners)
        changes.forEach(([verb, [namespace, name], held], index) => {
          if (index === indexAt) store.addIndex('owner', owners)
          if (verb === 'set') {
            store.set(`${namespace}/${name}`, object(namespace, name, held))
            model.set(`${namespace}/${name}`, held)
          } else if (verb === 'delete') {
            store.delete(`${namespace}/${name}`)
            model.delete(`${namespace}/${name}`)
          } else {
            expect(names(store.list(namespace))).toEqual(sorted(namespace, undefined))
          }
        })
        expect(names(store.list())).toEqual(sorted(undefined, undefined))
        for (const value of ['1', '2', '3']) {
          expect(names(store.byIndex('owner', value))).toEqual(sorted(undefined, value))
          expect(names(store.byIndex('owner', value, 'a'))).toEqual(sorted('a', value))
        }
        expect(store.size).toBe(model.size)
      }),
    )
  })
})
