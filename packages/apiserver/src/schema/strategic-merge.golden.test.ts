import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { deepFreeze } from 'steersman/internal'
import { beforeAll, describe, expect, test } from 'vitest'
import { type BuiltinSchemas, loadBuiltinSchemas } from './builtin.js'
import type { JsonObject } from './structural-schema.js'

interface Case {
  readonly kind: string
  readonly current: JsonObject
  readonly patch: JsonObject
  readonly result?: JsonObject
  readonly error?: string
}

// Random patches, and what k8s.io/apimachinery v0.37.2 makes of them, where that does not depend on the order of Go's maps.
const cases = JSON.parse(readFileSync(new URL('golden/strategic-merge.json', import.meta.url), 'utf8')) as readonly Case[]

let schemas: BuiltinSchemas
beforeAll(async () => {
  schemas = await loadBuiltinSchemas()
})

function merge(kind: string, current: JsonObject, patch: JsonObject): JsonObject {
  const definition = schemas.definitionName(kind === 'Deployment' ? 'apps/v1' : 'v1', kind) ?? ''
  return schemas.strategicMerge(definition, deepFreeze(current), deepFreeze(patch)).object
}

describe('strategicMerge makes what the Go library makes', () => {
  test.each(cases.map((each, index) => ({ ...each, index })))('$index: $kind', ({ kind, current, patch, result, error }) => {
    if (error === undefined) expect(merge(kind, current, patch)).toEqual(result)
    else expect(() => merge(kind, current, patch)).toThrow(expect.objectContaining({ name: 'StrategicMergeError', message: error }))
  })
})

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const ids = fc.uniqueArray(id)
const labels = fc.dictionary(id, fc.constantFrom('1', '2'))
const labelPatch = fc.dictionary(id, fc.constantFrom('1', '3', null))
const container = fc.record({ name: id, image: fc.constantFrom('x', 'y'), args: ids }, { requiredKeys: ['name'] })
const containers = fc.uniqueArray(container, { selector: ({ name }) => name })
const pod = fc.record({
  metadata: fc.record({ labels, finalizers: ids }, { requiredKeys: [] }),
  spec: fc.record({ containers, nodeSelector: labels }, { requiredKeys: [] }),
})
const deletion = fc.record({ name: id, $patch: fc.constant('delete') })
const podPatch = fc.record(
  {
    metadata: fc.record({ labels: labelPatch, finalizers: ids }, { requiredKeys: [] }),
    spec: fc.record(
      { containers: fc.uniqueArray(fc.oneof(container, deletion), { selector: ({ name }) => name }), nodeSelector: labelPatch },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

/** The patch with an order of its containers, as kubectl adds it. */
function withOrder(patch: { spec?: { containers?: readonly { name: string; $patch?: string }[] } }, more: readonly string[]): JsonObject {
  const given = (patch.spec?.containers ?? []).filter((each) => each.$patch === undefined).map(({ name }) => name)
  const order = [...given, ...more.filter((name) => !given.includes(name))]
  return { ...patch, spec: { ...patch.spec, '$setElementOrder/containers': order.map((name) => ({ name })) } }
}

const namesOf = (object: JsonObject) => ((object.spec as { containers?: { name: string }[] }).containers ?? []).map(({ name }) => name)

describe('strategicMerge', () => {
  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(pod, podPatch, (current, patch) => {
        const once = merge('Pod', current, patch)
        expect(merge('Pod', once, patch)).toEqual(once)
      }),
    )
  })

  test('gives elements the order that is set, and leaves the others in theirs', () => {
    const given = fc.record({ current: pod, patch: podPatch, more: ids }).filter(({ current, patch }) => {
      const isEmpty = (list?: readonly unknown[]) => list === undefined || list.length === 0
      return !(isEmpty(current.spec.containers) && isEmpty(patch.spec?.containers))
    })
    fc.assert(
      fc.property(given, ({ current, patch, more }) => {
        const ordered = withOrder(patch, more)
        const order = (ordered.spec as Record<string, { name: string }[]>)['$setElementOrder/containers']!.map(({ name }) => name)
        const result = namesOf(merge('Pod', current, ordered))
        expect(result.filter((name) => order.includes(name))).toEqual(order.filter((name) => result.includes(name)))
        const others = result.filter((name) => !order.includes(name))
        expect(others).toEqual(namesOf(current).filter((name) => others.includes(name)))
      }),
    )
  })

  test('of nothing changes nothing', () => {
    fc.assert(
      fc.property(pod, (current) => {
        expect(merge('Pod', current, {})).toEqual(current)
      }),
    )
  })
})
