import { readFileSync } from 'node:fs'
import { deepFreeze } from 'steersman/internal'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ServedResource } from '../contracts/index.js'
import type { BuiltinResource } from './builtin/resource.js'
import { resources } from './builtin/resources.generated.js'
import { type BuiltinSchemas, loadBuiltinSchemas } from './builtin.js'
import { createOpenApi, openApiV3Document, openApiV3Hash, openApiV3Index } from './openapi-v3.js'

interface Operation {
  readonly path: string
  readonly method: string
  readonly operationId: string
  readonly action: string
  readonly kind: unknown
  readonly tags: readonly string[]
  readonly query: readonly string[]
  readonly answer?: string
  readonly body: readonly string[]
}
interface GoldenDocument {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, unknown>>
}

/** Parts of the documents of a real kube-apiserver 1.37, without descriptions. */
const golden = deepFreeze(
  JSON.parse(readFileSync(new URL('golden/openapi.json', import.meta.url), 'utf8')) as {
    readonly crdSchema: Readonly<Record<string, unknown>>
    readonly customResource: GoldenDocument
    readonly apps: GoldenDocument
    readonly core: GoldenDocument
  },
)

interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ParameterObject[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: {
    readonly '200': { readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } } }
  }
  readonly 'x-kubernetes-action': string
  readonly 'x-kubernetes-group-version-kind': unknown
}
interface ParameterObject {
  readonly in: string
  readonly name: string
}
const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
type PathItem = { readonly [Method in (typeof methods)[number]]?: OperationObject } & { readonly parameters?: readonly ParameterObject[] }
interface Document {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

function builtinResources(groupVersion: string): readonly ServedResource[] {
  const [version = '', group = ''] = groupVersion.split('/').reverse()
  return (resources[groupVersion] ?? []).map((resource: BuiltinResource) => ({
    type: {
      group,
      version,
      kind: resource.kind,
      plural: resource.plural,
      singular: resource.singular,
      listKind: `${resource.kind}List`,
      shortNames: [],
      categories: [],
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    },
    verbs: resource.verbs,
    subresources: resource.subresources,
    builtIn: true,
  }))
}

const things: ServedResource = {
  type: {
    group: 'schema.test',
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    singular: 'thing',
    listKind: 'ThingList',
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
  },
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [{ name: 'status', group: 'schema.test', version: 'v1', kind: 'Thing', verbs: ['get', 'patch', 'update'] }],
  builtIn: false,
  schema: golden.crdSchema,
}

let schemas: BuiltinSchemas
beforeAll(async () => {
  schemas = await loadBuiltinSchemas()
})

const documentOf = (group: string, version: string, of: readonly ServedResource[]): Document =>
  JSON.parse(JSON.stringify(openApiV3Document(group, version, of, schemas))) as Document

function operationsOf(document: Document): ReadonlyMap<string, Omit<Operation, 'path' | 'method'>> {
  const operations = new Map<string, Omit<Operation, 'path' | 'method'>>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (operation === undefined) continue
      const parameters = [...(operation.parameters ?? []), ...(item.parameters ?? [])]
      operations.set(`${method} ${path}`, {
        operationId: operation.operationId,
        action: operation['x-kubernetes-action'],
        kind: operation['x-kubernetes-group-version-kind'],
        tags: operation.tags,
        query: parameters.filter((one) => one.in === 'query').map((one) => one.name),
        answer: operation.responses['200'].content['application/json'].schema.$ref.split('/').pop() ?? '',
        body: Object.keys(operation.requestBody?.content ?? {}).sort(),
      })
    }
  }
  return operations
}

/** Parameters and fields of features that this server does not have. */
const unsupported = new Set(['shardSelector'])

function expectOperations(document: Document, expected: readonly Operation[]): void {
  const operations = operationsOf(document)
  for (const { path, method, query, body, ...facts } of expected) {
    const operation = operations.get(`${method} ${path}`)
    expect(operation, `${method} ${path}`).toMatchObject({
      operationId: facts.operationId,
      action: facts.action,
      kind: facts.kind,
      tags: facts.tags,
    })
    expect(operation?.query).toEqual(expect.arrayContaining(method === 'patch' ? query.filter((name) => !unsupported.has(name)) : []))
    if (facts.answer !== undefined && method !== 'delete') expect(operation?.answer).toBe(facts.answer)
    if (method === 'patch') expect(body.filter((type) => !type.includes('cbor'))).toEqual(operation?.body)
  }
}

describe('openApiV3Document against the real server', () => {
  test('has the operations of a custom resource', () => {
    const document = documentOf('schema.test', 'v1', [things])
    expectOperations(document, golden.customResource.operations)
    expect(operationsOf(document).size).toBe(golden.customResource.operations.length)
  })

  test('has the operations of built-in resources', () => {
    expectOperations(documentOf('apps', 'v1', builtinResources('apps/v1')), golden.apps.operations)
    expectOperations(documentOf('', 'v1', builtinResources('v1')), golden.core.operations)
  })

  test('states the schema of a custom resource as its definition does', () => {
    const published = documentOf('schema.test', 'v1', [things]).components.schemas
    const real = golden.customResource.schemas['test.schema.v1.Thing'] as { readonly properties: Readonly<Record<string, unknown>> }
    const ours = published['test.schema.v1.Thing'] as typeof real & Readonly<Record<string, unknown>>
    expect(Object.keys(ours.properties).sort()).toEqual(Object.keys(real.properties).sort())
    expect(ours['x-kubernetes-group-version-kind']).toEqual([{ group: 'schema.test', kind: 'Thing', version: 'v1' }])
    expect(ours.properties.spec).toMatchObject({ required: ['name'], properties: { num: { type: 'integer', minimum: 1, maximum: 10 } } })
    expect(published['test.schema.v1.ThingList']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'schema.test', kind: 'ThingList', version: 'v1' }],
    })
  })

  test('has the fields of built-in definitions, with how their lists merge', () => {
    const published = documentOf('apps', 'v1', builtinResources('apps/v1')).components.schemas
    for (const [name, schema] of Object.entries(golden.apps.schemas)) {
      const real = schema as { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
      const ours = published[name] as typeof real
      expect(Object.keys(ours.properties).sort(), name).toEqual(
        Object.keys(real.properties)
          .filter((field) => !unsupported.has(field))
          .sort(),
      )
      for (const [field, facts] of Object.entries(real.properties)) {
        if (unsupported.has(field)) continue
        const extensions = Object.fromEntries(
          Object.entries(facts).filter(([keyword]) => keyword.startsWith('x-kubernetes-list') || keyword === 'type'),
        )
        expect(ours.properties[field], `${name}.${field}`).toMatchObject(extensions)
      }
    }
  })

  test('refers only to what it has', () => {
    for (const [group, version, of] of [
      ['', 'v1', builtinResources('v1')],
      ['apps', 'v1', builtinResources('apps/v1')],
      ['schema.test', 'v1', [things]],
    ] as const) {
      const document = documentOf(group, version, of)
      const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '')
      expect(names.filter((name) => document.components.schemas[name] === undefined)).toEqual([])
    }
  })
})

describe('openApiV3Hash', () => {
  test('depends on the content alone', () => {
    const hash = openApiV3Hash('schema.test', 'v1', [things])
    expect(hash).toMatch(/^[0-9A-F]{128}$/)
    expect(openApiV3Hash('schema.test', 'v1', [structuredClone(things)])).toBe(hash)
    expect(openApiV3Hash('schema.test', 'v1', [{ ...things, schema: { type: 'object' } }])).not.toBe(hash)
  })

  test('is part of the index', () => {
    const index = openApiV3Index([
      { group: '', version: 'v1', resources: [] },
      { group: 'schema.test', version: 'v1', resources: [things] },
    ])
    expect(Object.keys(index.paths)).toEqual(['api/v1', 'apis/schema.test/v1'])
    expect(index.paths['apis/schema.test/v1']?.serverRelativeURL).toBe(
      `/openapi/v3/apis/schema.test/v1?hash=${openApiV3Hash('schema.test', 'v1', [things])}`,
    )
  })
})

test('createOpenApi makes the same document for the endpoints', () => {
  const document = JSON.stringify(createOpenApi(schemas).document('schema.test', 'v1', [things]))
  expect(document).toBe(JSON.stringify(openApiV3Document('schema.test', 'v1', [things], schemas)))
})
