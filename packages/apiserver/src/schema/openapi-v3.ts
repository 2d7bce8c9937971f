import { createHash } from 'node:crypto'
import type { ServedResource, ServedSubresource } from '../contracts/index.js'
import type { BuiltinSchemas } from './builtin.js'
import {
  customDefinitionName,
  deleteOptionsDefinition,
  OpenApiComponents,
  type OpenApiKind,
  patchDefinition,
  reference,
  statusDefinition,
} from './openapi-components.js'
import { canonicalJson, type StructuralSchema } from './structural-schema.js'

type Json = Readonly<Record<string, unknown>>

/** What a client may ask an operation with. */
interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required?: boolean
  readonly schema: { readonly type: string; readonly uniqueItems: boolean }
}

/**
 * The OpenAPI v3 document of a group version: what kubectl validates, explains and merges by. Large for the core group, so make it on first
 * use and keep it. Documentation of fields is not in it.
 *
 * @param group empty for the core group.
 * @param resources those of this group version.
 */
export function openApiV3Document(group: string, version: string, resources: readonly ServedResource[], schemas: BuiltinSchemas): Json {
  const document = new DocumentBuilder(group, version, schemas)
  for (const resource of resources) document.add(resource)
  return document.build()
}

/** Makes documents as the endpoints ask for them. */
export function createOpenApi(schemas: BuiltinSchemas): {
  document(group: string, version: string, resources: readonly ServedResource[]): Json
} {
  return { document: (group, version, resources) => openApiV3Document(group, version, resources, schemas) }
}

/** The path of a group version below `/openapi/v3/`: `api/v1`, `apis/apps/v1`. */
export function openApiPath(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

/**
 * A hash of what a document is made of, so that it is known before the document is made. Equal resources give equal hashes in every process.
 */
export function openApiV3Hash(group: string, version: string, resources: readonly ServedResource[]): string {
  const facts = resources.map(({ type, verbs, subresources, schema }) => ({ type, verbs, subresources, schema }))
  return createHash('sha512').update(canonicalJson({ group, version, facts })).digest('hex').toUpperCase()
}

/** The index of documents at `/openapi/v3`. */
export function openApiV3Index(
  groupVersions: readonly { readonly group: string; readonly version: string; readonly resources: readonly ServedResource[] }[],
): { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> } {
  const entries = groupVersions.map(({ group, version, resources }) => {
    const path = openApiPath(group, version)
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${openApiV3Hash(group, version, resources)}` }] as const
  })
  return { paths: Object.fromEntries(entries) }
}

const query = (name: string, type = 'string'): Parameter => ({ name, in: 'query', schema: { type, uniqueItems: true } })
const pathParameter = (name: string): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } })

const writeParameters = [query('dryRun'), query('fieldManager'), query('fieldValidation')]
const patchParameters = [...writeParameters, query('force', 'boolean')]
const deleteParameters = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
]
const listParameters = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
]

/** The facts that all operations on one body share. */
interface Subject {
  readonly kind: OpenApiKind
  /** Definition of the body. */
  readonly definition: string
  /** End of operation identifiers: `NamespacedDeploymentStatus`. */
  readonly suffix: string
  readonly isCustom: boolean
}

class DocumentBuilder {
  readonly #group: string
  readonly #version: string
  readonly #components: OpenApiComponents
  readonly #schemas: BuiltinSchemas
  readonly #paths: Record<string, Json> = {}

  constructor(group: string, version: string, schemas: BuiltinSchemas) {
    this.#group = group
    this.#version = version
    this.#schemas = schemas
    this.#components = new OpenApiComponents(schemas)
    this.#components.addBuiltin(deleteOptionsDefinition, { group, kind: 'DeleteOptions', version })
    this.#components.addBuiltin(statusDefinition, { group: '', kind: 'Status', version: 'v1' })
    this.#components.addBuiltin(patchDefinition)
  }

  build(): Json {
    return {
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: 'v1.37.2' },
      paths: Object.fromEntries(Object.entries(this.#paths).sort(([left], [right]) => (left < right ? -1 : 1))),
      components: { schemas: this.#components.toJSON() },
    }
  }

  add(resource: ServedResource): void {
    const { type } = resource
    const kind: OpenApiKind = { group: type.group, kind: type.kind, version: type.version }
    const isCustom = !resource.builtIn
    const definition = isCustom ? customDefinitionName(type) : this.#builtinDefinition(kind)
    if (isCustom) this.#components.addCustom(definition, (resource.schema ?? {}) as StructuralSchema, kind)
    else this.#components.addBuiltin(definition, kind)
    const isNamespaced = type.scope === 'Namespaced'
    const scope = isNamespaced ? 'Namespaced' : ''
    const subject: Subject = { kind, definition, suffix: `${scope}${type.kind}`, isCustom }

    const root = `/${openApiPath(this.#group, this.#version)}`
    const collection = isNamespaced ? `${root}/namespaces/{namespace}/${type.plural}` : `${root}/${type.plural}`
    const inScope = isNamespaced ? [pathParameter('namespace')] : []
    this.#addCollection(collection, resource, subject, inScope)
    if (isNamespaced && resource.verbs.includes('list')) {
      const list = this.#operation(
        'list',
        'list',
        { ...subject, suffix: `${type.kind}ForAllNamespaces` },
        this.#listBody(resource, subject),
      )
      this.#paths[`${root}/${type.plural}`] = { get: { ...list, parameters: listParameters } }
    }
    this.#addObject(`${collection}/{name}`, resource.verbs, subject, inScope)
    for (const subresource of resource.subresources)
      this.#addSubresource(`${collection}/{name}/${subresource.name}`, subresource, subject, inScope)
  }

  #addCollection(path: string, resource: ServedResource, subject: Subject, parameters: readonly Parameter[]): void {
    const { verbs } = resource
    const operations: Record<string, unknown> = {}
    const deleted = { ...subject, suffix: `Collection${subject.suffix}` }
    if (verbs.includes('list')) {
      operations.get = { ...this.#operation('list', 'list', subject, this.#listBody(resource, subject)), parameters: listParameters }
    }
    if (verbs.includes('create')) operations.post = this.#write('create', 'post', subject)
    if (verbs.includes('deletecollection')) {
      const operation = this.#operation('delete', 'deletecollection', deleted, statusDefinition, deleteOptionsDefinition)
      operations.delete = { ...operation, parameters: [...deleteParameters, ...listParameters] }
    }
    if (Object.keys(operations).length > 0) this.#paths[path] = { ...operations, parameters: [...parameters, query('pretty')] }
  }

  #addObject(path: string, verbs: readonly string[], subject: Subject, parameters: readonly Parameter[]): void {
    const operations: Record<string, unknown> = {}
    if (verbs.includes('get')) operations.get = this.#operation('read', 'get', subject, subject.definition)
    if (verbs.includes('update')) operations.put = this.#write('replace', 'put', subject)
    if (verbs.includes('create')) operations.post = this.#write('create', 'post', subject)
    if (verbs.includes('delete')) {
      const operation = this.#operation('delete', 'delete', subject, statusDefinition, deleteOptionsDefinition)
      operations.delete = { ...operation, parameters: deleteParameters }
    }
    if (verbs.includes('patch')) operations.patch = this.#patch(subject)
    // Objects are created in their collection; only a subresource is created at its own path.
    if (path.endsWith('/{name}')) delete operations.post
    if (Object.keys(operations).length > 0) {
      this.#paths[path] = { ...operations, parameters: [pathParameter('name'), ...parameters, query('pretty')] }
    }
  }

  #addSubresource(path: string, subresource: ServedSubresource, parent: Subject, parameters: readonly Parameter[]): void {
    // Streams and proxies have no body to describe.
    if (subresource.kind.endsWith('Options') || subresource.name === 'log') return
    const version = subresource.version === '' ? parent.kind.version : subresource.version
    const group = subresource.version === '' && subresource.group === '' ? parent.kind.group : subresource.group
    const kind: OpenApiKind = { group, kind: subresource.kind, version }
    const isOwnKind = group === parent.kind.group && kind.kind === parent.kind.kind
    const definition = isOwnKind ? parent.definition : this.#builtinDefinition(kind)
    if (!isOwnKind) this.#components.addBuiltin(definition, kind)
    const suffix = `${parent.suffix}${subresource.name.charAt(0).toUpperCase()}${subresource.name.slice(1)}`
    this.#addObject(path, subresource.verbs, { kind, definition, suffix, isCustom: parent.isCustom }, parameters)
  }

  #builtinDefinition(kind: OpenApiKind): string {
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
    return (
      this.#schemas.definitionName(apiVersion, kind.kind) ?? `io.k8s.api.${shortGroup(kind.group) || 'core'}.${kind.version}.${kind.kind}`
    )
  }

  #listBody({ type }: ServedResource, subject: Subject): string {
    const name = `${subject.definition.slice(0, subject.definition.lastIndexOf('.'))}.${type.listKind}`
    this.#components.addList(name, subject.definition, { ...subject.kind, kind: type.listKind })
    return name
  }

  #write(verb: 'create' | 'replace', action: 'post' | 'put', subject: Subject): Json {
    return { ...this.#operation(verb, action, subject, subject.definition, subject.definition), parameters: writeParameters }
  }

  #patch(subject: Subject): Json {
    const types = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
    if (!subject.isCustom) types.push('application/strategic-merge-patch+json')
    const content = Object.fromEntries(types.map((type) => [type, { schema: reference(patchDefinition) }]))
    const operation = this.#operation('patch', 'patch', subject, subject.definition)
    return { ...operation, parameters: patchParameters, requestBody: { content, required: true } }
  }

  #operation(verb: string, action: string, subject: Subject, answer: string, body?: string): Json {
    const media = subject.isCustom
      ? ['application/json', 'application/yaml']
      : ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
    const contentOf = (name: string, types: readonly string[]): Json =>
      Object.fromEntries(types.map((type) => [type, { schema: reference(name) }]))
    const ok = { description: 'OK', content: contentOf(answer, media) }
    return {
      tags: [`${camelGroup(this.#group)}_${this.#version}`],
      operationId: this.#operationId(verb, subject),
      ...(body === undefined
        ? {}
        : {
            requestBody: {
              content: contentOf(body, subject.isCustom ? media : ['*/*']),
              ...(body === deleteOptionsDefinition ? {} : { required: true }),
            },
          }),
      responses: {
        '200': ok,
        ...(action === 'post' || action === 'put' ? { '201': { ...ok, description: 'Created' } } : {}),
        '401': { description: 'Unauthorized' },
      },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': subject.kind,
    }
  }

  #operationId(verb: string, subject: Subject): string {
    const group = camelGroup(this.#group)
    const version = this.#version.charAt(0).toUpperCase() + this.#version.slice(1)
    return `${verb}${group.charAt(0).toUpperCase()}${group.slice(1)}${version}${subject.suffix}`
  }
}

function shortGroup(group: string): string {
  return group.replace(/\.k8s\.io$/, '')
}

/** The group as it appears in tags: `core`, `apps`, `coordination`, `exampleCom`. */
function camelGroup(group: string): string {
  if (group === '') return 'core'
  return shortGroup(group)
    .split(/[.-]/)
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')
}
