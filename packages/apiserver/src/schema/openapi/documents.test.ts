import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseJson } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ServedResource } from '../../contracts/index.js'
import { openApiFacts } from '../builtin/openapi.generated.js'
import { groupVersions, resources } from '../builtin/resources.generated.js'
import { loadBuiltinSchemas } from '../builtin.js'
import { customResourcesOf } from '../crd-resources.js'
import type { CrdVersion, CustomResourceDefinitionObject } from '../crd-types.js'
import { loadOpenApi } from '../load-openapi.js'
import { canonicalJson, isJsonObject, type JsonObject } from '../structural-schema.js'
import type { ServedGroupVersion } from './document-v2.js'
import { groupVersionDocument } from './document-v3.js'
import type { OpenApiDocuments } from './documents.js'

type Digests = Readonly<Record<string, string>>

/** Digests of what a real kube-apiserver 1.37 answers that serves every version: see `golden/record-openapi.mjs`. */
const golden = deepFreeze(
  JSON.parse(readFileSync(new URL('../golden/openapi.json', import.meta.url), 'utf8')) as {
    readonly schemas: Digests
    readonly documents: Readonly<Record<string, { readonly rest: string; readonly schemas: string; readonly paths: Digests }>>
    readonly swagger: { readonly rest: string; readonly definitions: Digests; readonly paths: Digests }
  },
)
const definitions = deepFreeze(
  parseJson(
    readFileSync(new URL('../golden/openapi-definitions.json', import.meta.url), 'utf8'),
  ) as readonly CustomResourceDefinitionObject[],
)

const names = new Set(['properties', 'definitions', 'schemas', 'paths'])

function withoutDescriptions(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutDescriptions(one))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([key, member]) => areNames || key !== 'description' || typeof member !== 'string')
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutDescriptions(member, !areNames && names.has(key))]))
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(withoutDescriptions(value)))
    .digest('hex')
    .slice(0, 12)
}

function builtin(group: string, version: string): ServedGroupVersion {
  const served = (resources[group === '' ? version : `${group}/${version}`] ?? []).map((resource): ServedResource => {
    const { kind, plural, singular, namespaced, shortNames, categories, verbs, subresources } = resource
    const scope = namespaced ? 'Namespaced' : 'Cluster'
    const type = { group, version, kind, plural, singular, listKind: `${kind}List`, shortNames, categories, scope } as const
    return { type, verbs, subresources, builtIn: true }
  })
  return { group, version, resources: served }
}

/** As the registry serves the definitions. */
function custom(version: string): ServedGroupVersion {
  const served = definitions.flatMap((definition) =>
    customResourcesOf(definition)
      .filter(({ type }) => type.version === version)
      .map(({ type, schema, selectableFields, hasStatus, scale }): ServedResource => {
        const verbs = ['get', 'patch', 'update']
        return {
          type,
          verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
          subresources: [
            ...(hasStatus ? [{ name: 'status', group: type.group, version, kind: type.kind, verbs }] : []),
            ...(scale === undefined ? [] : [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs }]),
          ],
          builtIn: false,
          schema: schema as unknown as JsonObject,
          selectableFields,
        }
      }),
  )
  return { group: 'schema.test', version, resources: served }
}

const served = [
  ...groupVersions.map(({ group, version }) => builtin(group, version)),
  ...(definitions[0]?.spec?.versions ?? []).map(({ name = '' }: CrdVersion) => custom(name)),
]
const byName = new Map(served.map((one) => [one.group === '' ? `api/${one.version}` : `apis/${one.group}/${one.version}`, one]))

let documents: OpenApiDocuments
beforeAll(async () => {
  documents = await loadOpenApi('1.37')
})

interface DocumentV3 {
  readonly paths: JsonObject
  readonly components: { readonly schemas?: JsonObject }
}

describe('OpenApiDocuments', () => {
  test.each(Object.keys(golden.documents))('document %s of version 3 is the real one', (name) => {
    const expected = golden.documents[name]
    const groupVersion = byName.get(name)
    const document = (groupVersion === undefined ? documents.root(name) : documents.groupVersion(groupVersion)) as DocumentV3
    const { paths, components, ...rest } = document
    const { schemas = {}, ...others } = components
    const differences = Object.entries(schemas)
      .filter(([schema, value]) => digest(value) !== (golden.schemas[`${schema} in ${name}`] ?? golden.schemas[schema]))
      .map(([schema]) => schema)
    expect(differences).toEqual([])
    expect(digest(Object.keys(schemas).sort())).toBe(expected?.schemas)
    expect(Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, digest(item)]))).toEqual(expected?.paths)
    expect(digest({ ...rest, ...others })).toBe(expected?.rest)
  })

  test('the document of version 2 is the real one', () => {
    const { paths, definitions: schemas, ...rest } = documents.swagger(served).value as Record<'paths' | 'definitions', JsonObject>
    expect(groupDigests(schemas, (name) => name.slice(0, name.lastIndexOf('.')))).toEqual(golden.swagger.definitions)
    expect(groupDigests(paths, (path) => path.split('/').slice(0, 4).join('/'))).toEqual(golden.swagger.paths)
    expect(digest(rest)).toBe(golden.swagger.rest)
  })
})

test('groupVersionDocument says what built-in definitions and their fields are for', async () => {
  const descriptions = {
    'apps/v1/DeploymentSpec': { '': 'What is wanted.', selector: 'Which pods.' },
    'meta/v1/Status': { kind: 'Which kind.' },
  }
  const source = { schemas: await loadBuiltinSchemas(), facts: openApiFacts, descriptions, version: '1.37' }
  const { components } = groupVersionDocument(source, 'apps', 'v1', builtin('apps', 'v1').resources) as unknown as DocumentV3
  expect(components.schemas?.['io.k8s.api.apps.v1.DeploymentSpec']).toMatchObject({
    description: 'What is wanted.',
    properties: {
      selector: {
        description: 'Which pods.',
        allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector' }],
      },
    },
  })
  expect(components.schemas?.['io.k8s.api.apps.v1.Deployment']).toMatchObject({ properties: { kind: { description: 'Which kind.' } } })
})

function groupDigests(values: JsonObject, keyOf: (name: string) => string): Digests {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of Object.entries(values)) groups[keyOf(name)] = { ...groups[keyOf(name)], [name]: value }
  return Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, digest({ definitions: group })]))
}
