import type { ServedResource } from '../../contracts/index.js'
import type { OpenApiFacts } from '../builtin/openapi-facts.js'
import { metaPackage } from '../definition.js'
import { isJsonObject, type StructuralSchema } from '../structural-schema.js'
import { customSchemaV2 } from './custom-schema-v2.js'
import { definitionOf } from './definition-names.js'
import { addKinds, addReferenced, kindExtensions } from './document-v3.js'
import { answerDescriptions, type OpenApiPath, type Operation, type Parameter, text } from './operation.js'
import { resourcePaths } from './resource-paths.js'
import { resourceListPath, rootDocumentNames, rootDocumentPath } from './root-paths.js'
import { OpenApiSchemas } from './schemas.js'
import type { OpenApiSource } from './source.js'

type Json = Readonly<Record<string, unknown>>

/** A group version and what it serves. */
export interface ServedGroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly ServedResource[]
}

/** The OpenAPI v2 document of everything that is served: what kubectl before 1.27 validates, merges and explains by. */
export function swaggerDocument(source: OpenApiSource, served: readonly ServedGroupVersion[]): Json {
  const builtIn = served.filter(({ resources }) => resources.some((resource) => resource.builtIn))
  const groups = new Set(builtIn.map(({ group }) => group))
  const paths = rootDocumentNames([...groups]).flatMap((name) => rootDocumentPath(name) ?? [])
  for (const { group, version } of builtIn) paths.push(resourceListPath(group, version))
  const resources = served.flatMap((groupVersion) => groupVersion.resources)
  for (const resource of resources) paths.push(...resourcePaths(resource, source.schemas, source.facts))
  const parameters = new SharedParameters(source.facts)
  const items = [...paths].sort(byPath).map((path) => [path.path, pathItem(path, parameters)])
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: source.version },
    paths: Object.fromEntries(items),
    definitions: definitions(source, paths, resources),
    parameters: parameters.toJSON(),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  }
}

function byPath(left: OpenApiPath, right: OpenApiPath): number {
  return left.path < right.path ? -1 : 1
}

function definitions(source: OpenApiSource, paths: readonly OpenApiPath[], resources: readonly ServedResource[]): Json {
  const schemas = new OpenApiSchemas(source, source.facts.optionVersions.split(' '))
  addKinds(schemas, resources, source.schemas)
  addReferenced(schemas, paths)
  const converted = Object.entries(schemas.toJSON()).map(([name, schema]) => [name, convert(schema as Json)] as const)
  const all: Record<string, unknown> = Object.fromEntries(converted)
  for (const resource of resources) {
    if (resource.builtIn) continue
    const name = definitionOf(resource, source.schemas)
    const { apiVersion, kind, metadata } = (all[name] as { readonly properties: Json }).properties
    const schema = customSchemaV2((resource.schema ?? {}) as StructuralSchema, { apiVersion, kind, metadata })
    all[name] = { ...schema, ...kindExtensions(resource) }
  }
  return all
}

/** From the form of version 3: no defaults, no choices, references beside other keywords. */
function convert(schema: Json): Json {
  const converted: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'default') continue
    // What may be one of several types is a text: amounts, numbers or names of ports.
    if (keyword === 'oneOf') converted.type = 'string'
    else if (keyword === 'allOf' && Array.isArray(value)) Object.assign(converted, convert(value[0] as Json))
    else if (keyword === '$ref') converted.$ref = String(value).replace('#/components/schemas/', '#/definitions/')
    else if (keyword === 'properties') converted.properties = mapValues(value as Json, (one) => convert(one as Json))
    else if ((keyword === 'items' || keyword === 'additionalProperties') && isJsonObject(value)) converted[keyword] = convert(value)
    else converted[keyword] = value
  }
  return converted
}

function mapValues(values: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function pathItem({ parameters, operations }: OpenApiPath, shared: SharedParameters): Json {
  const methods = Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation, shared)]))
  return parameters.length === 0 ? methods : { ...methods, parameters: parameters.map((parameter) => shared.use(parameter)) }
}

function operationObject(operation: Operation, shared: SharedParameters): Json {
  const { tag, operationId, action, kind, method, body, consumes, produces, answers } = operation
  const parameters = [
    ...(body === undefined ? [] : [shared.useBody(body, method)]),
    ...operation.parameters.map((parameter) => shared.use(parameter)),
  ]
  const responses = mapValues(answers, (definition) => ({
    schema: definition === text ? { type: 'string' } : { $ref: `#/definitions/${definition}` },
  }))
  const described = Object.entries(responses).map(([code, answer]) => [
    code,
    { description: answerDescriptions[code], ...(answer as Json) },
  ])
  return {
    ...(consumes.length === 0 ? {} : { consumes }),
    produces,
    schemes: ['https'],
    tags: [tag],
    operationId,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { ...Object.fromEntries(described), '401': { description: answerDescriptions['401'] } },
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined ? {} : { 'x-kubernetes-group-version-kind': kind }),
  }
}

/** The parameters that operations have in common, under the names that the real server gives them. */
class SharedParameters {
  readonly #names: OpenApiFacts['sharedParameters']
  readonly #used = new Map<string, Json>()

  constructor({ sharedParameters }: OpenApiFacts) {
    this.#names = sharedParameters
  }

  /** Those that were used, sorted by name. */
  toJSON(): Json {
    return Object.fromEntries([...this.#used].sort(([left], [right]) => (left < right ? -1 : 1)))
  }

  use({ name, in: location, type, scope }: Parameter): Json {
    const key = location === 'path' ? `{${name}}` : name
    const parameter = { uniqueItems: true, type, name, in: location, ...(location === 'path' ? { required: true } : {}) }
    return this.#refer(key, scope, parameter)
  }

  useBody({ definition, isRequired }: NonNullable<Operation['body']>, method: string): Json {
    const schema = { $ref: `#/definitions/${definition}` }
    const parameter = { name: 'body', in: 'body', ...(isRequired ? { required: true } : {}), schema }
    return definition.startsWith(metaPackage) ? this.#refer('body', method === 'patch' ? 'patch' : undefined, parameter) : parameter
  }

  #refer(key: string, scope: string | undefined, parameter: Json): Json {
    const name = this.#names[`${scope} ${key}`] ?? this.#names[key]
    if (name === undefined) return parameter
    this.#used.set(name, parameter)
    return { $ref: `#/parameters/${name}` }
  }
}
