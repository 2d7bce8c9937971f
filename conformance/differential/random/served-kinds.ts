import { httpRequest } from '../../src/http-client.js'
import { users } from '../../src/users.js'
import type { Json, JsonObject, Resource } from '../language/index.js'
import { apiVersionOf } from '../language/index.js'
import type { Target } from '../run/index.js'
import { type FieldSchema, SchemaDocument } from './kind-schema.js'

/** A kind that random requests are about. */
export interface RandomKind {
  readonly resource: Resource
  readonly verbs: readonly string[]
  /** Names of those that take and give objects of the kind itself: `status`, `approval`, … */
  readonly objectSubresources: readonly string[]
  readonly hasScale: boolean
  readonly schema: FieldSchema
  /** Objects that the real server accepts. */
  readonly seeds: readonly JsonObject[]
}

interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: { readonly kind: string }
  readonly scope: 'Namespaced' | 'Cluster'
  readonly verbs: readonly string[]
  readonly subresources?: readonly {
    readonly subresource: string
    readonly responseKind: { readonly kind: string }
    readonly verbs: readonly string[]
  }[]
}

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[]
}

const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** The built-in kinds that a server serves and that can be created, in the order of its discovery, with the schemas of its OpenAPI documents. */
export async function servedKinds(target: Target, seeds: ReadonlyMap<string, readonly JsonObject[]>): Promise<readonly RandomKind[]> {
  const kinds: RandomKind[] = []
  for (const path of ['/api', '/apis']) {
    const { items } = (await ask(target, path, discovery)) as unknown as { readonly items: readonly DiscoveredGroup[] }
    for (const { metadata, versions } of items) {
      for (const { version, resources } of versions) {
        const group = metadata.name ?? ''
        const document = new SchemaDocument(
          await ask(target, `/openapi/v3${path}/${group === '' ? '' : `${group}/`}${version}`, 'application/json'),
        )
        kinds.push(...resources.flatMap((discovered) => randomKind(discovered, { group, version }, document, seeds) ?? []))
      }
    }
  }
  return kinds
}

function randomKind(
  { resource: plural, responseKind: { kind }, scope, verbs, subresources = [] }: DiscoveredResource,
  { group, version }: Pick<Resource, 'group' | 'version'>,
  document: SchemaDocument,
  seeds: ReadonlyMap<string, readonly JsonObject[]>,
): RandomKind | undefined {
  const resource: Resource = { group, version, plural, kind, isNamespaced: scope === 'Namespaced' }
  const schema = document.ofKind(group, version, kind)
  const objects = seeds.get(`${apiVersionOf(resource)}/${kind}`)
  if (schema === undefined || objects === undefined || !verbs.includes('create')) return undefined
  const ownSubresources = subresources.filter(
    (subresource) => subresource.responseKind.kind === kind && subresource.verbs.includes('update'),
  )
  return {
    resource,
    verbs,
    objectSubresources: ownSubresources.map(({ subresource }) => subresource),
    hasScale: subresources.some(({ subresource }) => subresource === 'scale'),
    schema,
    seeds: objects,
  }
}

async function ask({ url }: Target, path: string, accept: string): Promise<Json> {
  const { status, body } = await httpRequest({
    url: url + path,
    method: 'GET',
    headers: { accept, authorization: `Bearer ${users.admin.token}` },
  })
  if (status !== 200) throw new Error(`Cannot read ${path}: answered with ${status}`)
  return JSON.parse(body) as Json
}
