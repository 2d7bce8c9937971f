import { describe, expect, test } from 'vitest'
import type { Json, JsonObject, Scenario } from '../language/index.js'
import { scenarios } from '../scenarios/index.js'
import { Chance } from './chance.js'
import { SchemaDocument } from './kind-schema.js'
import { changed, jsonPatch, Mutation, mergePatch } from './mutation.js'
import { randomKindScenario } from './random-kind-scenario.js'
import { seedObjects } from './seed-objects.js'
import type { RandomKind } from './served-kinds.js'

const lamp: JsonObject = {
  apiVersion: 'example.com/v1',
  kind: 'Lamp',
  metadata: { name: 'a' },
  spec: { colour: 'Red', watts: 5, sockets: [{ name: 'x' }], parent: {} },
}
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const document = new SchemaDocument({
  components: {
    schemas: {
      'com.example.Lamp': {
        type: 'object',
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: {},
          spec: { allOf: [reference('com.example.Spec')] },
        },
        'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Lamp' }],
      },
      'com.example.Spec': {
        type: 'object',
        required: ['colour'],
        properties: {
          colour: { type: 'string', enum: ['Red', 'Blue'] },
          watts: { type: 'integer', format: 'int32' },
          sockets: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, load: reference('io.Quantity') } } },
          wires: { type: 'object', additionalProperties: { type: 'string' } },
          parent: reference('com.example.Spec'),
        },
      },
      'io.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
    },
  },
})
const schema = document.ofKind('example.com', 'v1', 'Lamp')
if (schema === undefined) throw new Error('the document has no lamp')
const kind: RandomKind = {
  resource: { group: 'example.com', version: 'v1', plural: 'lamps', kind: 'Lamp', isNamespaced: true },
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update'],
  objectSubresources: ['status'],
  hasScale: true,
  schema,
  seeds: [lamp],
}

describe('randomKindScenario', () => {
  test('is what its seed says', () => {
    expect(randomKindScenario(7, 20, kind)).toEqual(randomKindScenario(7, 20, kind))
    expect(randomKindScenario(7, 20, kind)).not.toEqual(randomKindScenario(8, 20, kind))
  })

  test('begins with an object that is right', () => {
    expect(randomKindScenario(3, 1, kind).steps).toMatchObject([{ method: 'POST', body: { json: lamp } }])
  })

  test('asks in many ways, of the object and of its parts', () => {
    const requests = Array.from({ length: 40 }, (_, seed) => randomKindScenario(seed, 20, kind)).flatMap(requestsOf)
    const said = new Set(requests.map(({ method, path }) => `${method} ${/lamps(?:\/a)?(\/\w+)?/.exec(path)?.[1] ?? ''}`))
    expect([...said].sort()).toEqual([
      'DELETE ',
      'GET ',
      'GET /scale',
      'PATCH ',
      'PATCH /scale',
      'PATCH /status',
      'POST ',
      'PUT ',
      'PUT /status',
    ])
  })

  test('only tries wrong objects of kinds that change what everybody is answered', () => {
    const resource = { ...kind.resource, group: 'admissionregistration.k8s.io' }
    const writes = Array.from({ length: 20 }, (_, seed) => randomKindScenario(seed, 20, { ...kind, resource, hasScale: false }))
      .flatMap(requestsOf)
      .filter(({ method, body }) => ['POST', 'PUT', 'PATCH'].includes(method) && JSON.stringify(body) !== JSON.stringify({ json: lamp }))
    expect(writes.filter(({ path }) => !path.includes('dryRun=All'))).toEqual([])
  })

  test('asks only for creation of what can only be created', () => {
    const steps = randomKindScenario(1, 20, { ...kind, verbs: ['create'], objectSubresources: [], hasScale: false })
    expect(new Set(requestsOf(steps).map(({ method }) => method))).toEqual(new Set(['POST']))
  })
})

describe('Mutation', () => {
  test('changes something, and leaves the object that it was handed as it is', () => {
    const before = JSON.stringify(lamp)
    const results = Array.from({ length: 200 }, (_, seed) => JSON.stringify(new Mutation(new Chance(seed)).mutated(lamp, schema)))
    expect(JSON.stringify(lamp)).toBe(before)
    expect(new Set(results).size).toBeGreaterThan(100)
    for (const field of ['wires', 'load', 'watts', 'unknown', 'Blue'])
      expect(
        results.some((text) => text.includes(field)),
        field,
      ).toBe(true)
  })

  test('stays within the part that is named', () => {
    const paths = Array.from({ length: 50 }, (_, seed) => new Mutation(new Chance(seed)).change(lamp, schema, 'spec').path[0])
    expect(new Set(paths)).toEqual(new Set(['spec']))
  })
})

test('changed, mergePatch and jsonPatch say the same', () => {
  expect(changed({ a: { b: 1 } }, { path: ['a', 'c'], value: 2 })).toEqual({ a: { b: 1, c: 2 } })
  expect(changed({ a: [1, 2] }, { path: ['a', 0] })).toEqual({ a: [2] })
  expect(changed({ a: { b: 1 } }, { path: ['a', 'b'] })).toEqual({ a: {} })
  expect(mergePatch({ a: { b: 1 } }, { path: ['a', 'b'] })).toEqual({ a: { b: null } })
  expect(mergePatch({ a: [{ b: 1 }, 3] }, { path: ['a', 0, 'b'], value: 2 })).toEqual({ a: [{ b: 2 }, 3] })
  expect(jsonPatch('add', { path: ['a', 0, 'b/c'], value: 2 })).toEqual([{ op: 'add', path: '/a/0/b~1c', value: 2 }])
  expect(jsonPatch('add', { path: ['a'] })).toEqual([{ op: 'remove', path: '/a' }])
})

test('seedObjects has objects of every kind of the core and of apps that the real server accepted', () => {
  const seeds = seedObjects(scenarios)
  const kinds = [
    'v1/Pod',
    'v1/Service',
    'v1/ReplicationController',
    'v1/PodTemplate',
    'apps/v1/Deployment',
    'apps/v1/StatefulSet',
    'batch/v1/CronJob',
  ]
  for (const name of kinds) expect(seeds.get(name)?.length, name).toBeGreaterThan(0)
  expect(JSON.stringify([...seeds.values()])).not.toMatch(/\{\{r\d/)
})

function requestsOf({ steps }: Scenario) {
  return steps.flatMap((step) => (step.kind === 'request' ? [step] : []))
}
