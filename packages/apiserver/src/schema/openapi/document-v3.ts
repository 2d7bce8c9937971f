import type { ServedResource } from '../../contracts/index.js'
import type { OpenApiFacts } from '../builtin/openapi-facts.js'
import type { BuiltinSchemas } from '../builtin.js'
import type { StructuralSchema } from '../structural-schema.js'
import { definitionOf, listDefinitionOf } from './definition-names.js'
import { answerDescriptions, type OpenApiPath, type Operation, type Parameter, text } from './operation.js'
import { resourcePaths } from './resource-paths.js'
import { resourceListPath, rootDocumentPath } from './root-paths.js'
import { kindsExtension, OpenApiSchemas, reference } from './schemas.js'
import type { OpenApiSource } from './source.js'

type Json = Readonly<Record<string, unknown>>

/**
 * The OpenAPI v3 document of a group version: what kubectl validates, explains and merges by.
 *
 * @param group empty for the core group.
 * @param resources those of this group version.
 */
export function groupVersionDocument(source: OpenApiSource, group: string, version: string, resources: readonly ServedResource[]): Json {
  const isCustom = resources.every(({ builtIn }) => !builtIn)
  const groupVersion = group === '' ? version : `${group}/${version}`
  const schemas = new OpenApiSchemas(source, isCustom ? customOptionVersions(source.facts) : [...new Set(['v1', groupVersion])])
  addKinds(schemas, resources, source.schemas)
  const paths = resources.flatMap((resource) => resourcePaths(resource, source.schemas, source.facts))
  if (!isCustom) paths.unshift(resourceListPath(group, version))
  return document(source, schemas, paths, isCustom)
}

/** The document of a path that is no group version's; `undefined` when there is no such. */
export function rootDocument(source: OpenApiSource, name: string): Json | undefined {
  const path = rootDocumentPath(name)
  return path === undefined ? undefined : document(source, new OpenApiSchemas(source, []), [path], false)
}

/** Adds the kinds of custom resources, and of all resources the lists. */
export function addKinds(schemas: OpenApiSchemas, resources: readonly ServedResource[], builtins: BuiltinSchemas): void {
  for (const resource of resources) {
    const { type, verbs } = resource
    const definition = definitionOf(resource, builtins)
    if (!resource.builtIn) schemas.addCustom(definition, (resource.schema ?? {}) as StructuralSchema, kindExtensions(resource))
    if (!verbs.includes('list')) continue
    const list = kindExtensions({ ...resource, type: { ...type, kind: type.listKind } })
    schemas.addList(listDefinitionOf(definition, type.listKind), definition, list)
  }
}

/** Adds what operations take and answer. */
export function addReferenced(schemas: OpenApiSchemas, paths: readonly OpenApiPath[]): void {
  for (const { operations } of paths) {
    for (const { body, answers } of operations) {
      for (const name of [...(body === undefined ? [] : [body.definition]), ...Object.values(answers)]) if (name !== text) schemas.add(name)
    }
  }
}

/** What the schema of a resource's kind says besides its fields: the kind, and which fields selectors may name. */
export function kindExtensions({ type, selectableFields = [] }: Pick<ServedResource, 'type' | 'selectableFields'>): Json {
  const { group, kind, version } = type
  const selectable = selectableFields.map((path) => ({ fieldPath: path.replace(/^\./, '') }))
  return {
    ...kindsExtension([{ group, kind, version }]),
    ...(selectable.length === 0 ? {} : { 'x-kubernetes-selectable-fields': selectable }),
  }
}

/** Custom resources come from a part of the server that knows these groups' options not. */
const unknownToCustomResources = ['admission.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io', 'imagepolicy.k8s.io']

function customOptionVersions(facts: OpenApiFacts): readonly string[] {
  return facts.optionVersions.split(' ').filter((groupVersion) => !unknownToCustomResources.includes(groupVersion.split('/')[0] ?? ''))
}

function document({ version }: OpenApiSource, schemas: OpenApiSchemas, paths: readonly OpenApiPath[], isCustom: boolean): Json {
  addReferenced(schemas, paths)
  const all = schemas.toJSON()
  const securitySchemes = { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } }
  return {
    openapi: '3.0.0',
    info: isCustom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version },
    paths: Object.fromEntries(
      [...paths].sort((left, right) => (left.path < right.path ? -1 : 1)).map((path) => [path.path, pathItem(path)]),
    ),
    components: { ...(Object.keys(all).length === 0 ? {} : { schemas: all }), ...(isCustom ? {} : { securitySchemes }) },
  }
}

function pathItem({ parameters, operations }: OpenApiPath): Json {
  const methods = Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)]))
  return parameters.length === 0 ? methods : { ...methods, parameters: parameters.map(parameterObject) }
}

function operationObject(operation: Operation): Json {
  const { tag, operationId, action, kind, parameters, body, consumes, produces, answers } = operation
  const responses = Object.entries(answers).map(([code, definition]) => [
    code,
    { description: answerDescriptions[code], content: content(definition, produces) },
  ])
  return {
    tags: [tag],
    operationId,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterObject) }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: content(body.definition, consumes), ...(body.isRequired ? { required: true } : {}) } }),
    responses: { ...Object.fromEntries(responses), '401': { description: answerDescriptions['401'] } },
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined ? {} : { 'x-kubernetes-group-version-kind': kind }),
  }
}

function parameterObject(parameter: Parameter): Json {
  const { name, type } = parameter
  return { name, in: parameter.in, ...(parameter.in === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } }
}

function content(definition: string, mediaTypes: readonly string[]): Json {
  const schema = definition === text ? { type: 'string' } : reference(definition)
  return Object.fromEntries([...mediaTypes].sort().map((mediaType) => [mediaType, { schema }]))
}
