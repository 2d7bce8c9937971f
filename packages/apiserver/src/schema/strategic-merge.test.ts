import { beforeAll, describe, expect, test } from 'vitest'
import { type BuiltinSchemas, loadBuiltinSchemas } from './builtin.js'

let schemas: BuiltinSchemas
beforeAll(async () => {
  schemas = await loadBuiltinSchemas()
})

const merge = (kind: string, current: object, patch: object) => {
  const [apiVersion = '', name = ''] = kind.split(' ')
  return schemas.strategicMerge(schemas.definitionName(apiVersion, name) ?? '', current as never, patch as never).object
}
const podOf = (...containers: object[]) => ({ spec: { containers } })

// What kube-apiserver 1.37.2 answered to such patches; the suite of conformance/differential asks for more.
describe('strategicMerge', () => {
  test('changes one element of a list that has a key, and puts new ones in front of those it does not name', () => {
    const current = podOf({ name: 'one', image: 'a' }, { name: 'two', image: 'b' })
    expect(merge('v1 Pod', current, podOf({ name: 'two', image: 'c' }))).toEqual(
      podOf({ name: 'one', image: 'a' }, { name: 'two', image: 'c' }),
    )
    expect(merge('v1 Pod', current, podOf({ name: 'three', image: 'c' }))).toEqual(
      podOf({ name: 'three', image: 'c' }, { name: 'one', image: 'a' }, { name: 'two', image: 'b' }),
    )
  })

  test('removes and replaces elements by directive', () => {
    const current = podOf({ name: 'one' }, { name: 'two' })
    expect(merge('v1 Pod', current, podOf({ name: 'two', $patch: 'delete' }))).toEqual(podOf({ name: 'one' }))
    expect(merge('v1 Pod', current, podOf({ $patch: 'replace' }, { name: 'only' }))).toEqual(podOf({ name: 'only' }))
    expect(merge('v1 Pod', current, { spec: { $patch: 'replace', nodeName: 'n' } })).toEqual({ spec: { nodeName: 'n' } })
    expect(merge('v1 Pod', current, { spec: { $patch: 'delete' } })).toEqual({ spec: {} })
  })

  test('merges lists inside elements by keys of their own', () => {
    const current = podOf({ name: 'one', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] })
    const patch = podOf({ name: 'one', env: [{ name: 'B', value: '2' }], ports: [{ containerPort: 80, name: 'web' }] })
    const [container] = (merge('v1 Pod', current, patch) as ReturnType<typeof podOf>).spec.containers
    expect(container).toEqual({
      name: 'one',
      env: [
        { name: 'B', value: '2' },
        { name: 'A', value: '1' },
      ],
      ports: [{ containerPort: 80, name: 'web' }],
    })
  })

  test('sets the order that is asked for; what it does not name keeps its place', () => {
    const current = podOf({ name: 'one' }, { name: 'two' }, { name: 'three' })
    const patch = {
      spec: { '$setElementOrder/containers': [{ name: 'three' }, { name: 'one' }], containers: [{ name: 'one', image: 'x' }] },
    }
    const names = (merge('v1 Pod', current, patch) as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name)
    expect(names).toEqual(['two', 'three', 'one'])
  })

  test('adds to and removes from lists of plain values', () => {
    const current = { metadata: { finalizers: ['a/one', 'a/two'] } }
    expect(merge('v1 ConfigMap', current, { metadata: { finalizers: ['a/three'] } })).toEqual({
      metadata: { finalizers: ['a/three', 'a/one', 'a/two'] },
    })
    expect(merge('v1 ConfigMap', current, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a/one'] } })).toEqual({
      metadata: { finalizers: ['a/two'] },
    })
  })

  test('replaces a list without a key, removes by null and keeps what retained keys name', () => {
    const node = { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }
    expect(merge('v1 Node', node, { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } })).toEqual({
      spec: { taints: [{ key: 'b', effect: 'NoExecute' }] },
    })
    expect(merge('v1 ConfigMap', { data: { a: '1', b: '2' } }, { data: { a: null } })).toEqual({ data: { b: '2' } })
    const deployment = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } }
    expect(merge('apps/v1 Deployment', deployment, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } })).toEqual({
      spec: { strategy: { type: 'Recreate' } },
    })
  })

  test('takes what is new without directives and nulls, and changes nothing that it is given', () => {
    const current = Object.freeze({ metadata: Object.freeze({ name: 'a' }) })
    const patch = {
      spec: {
        nodeName: null,
        containers: [
          { $patch: 'delete', name: 'x' },
          { name: 'y', command: null },
        ],
      },
    }
    expect(merge('v1 Pod', current, patch)).toEqual({ metadata: { name: 'a' }, spec: { containers: [{ name: 'y' }] } })
    expect(current).toEqual({ metadata: { name: 'a' } })
  })

  test('refuses an element without its key, an unknown directive and fields beside the retained ones', () => {
    expect(() => merge('v1 Pod', podOf({ name: 'one' }), podOf({ image: 'x:1' }))).toThrow(
      'map: map[image:x:1] does not contain declared merge key: name',
    )
    expect(() => merge('v1 Pod', {}, { $patch: 'shake' })).toThrow('unknown patch type: shake')
    expect(() => merge('apps/v1 Deployment', { spec: { strategy: {} } }, { spec: { strategy: { $retainKeys: [], type: 'x' } } })).toThrow(
      'invalid patch format of retainKeys',
    )
  })
})
