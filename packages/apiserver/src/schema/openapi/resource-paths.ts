import type { ServedResource, ServedSubresource } from '../../contracts/index.js'
import type { OpenApiFacts } from '../builtin/openapi-facts.js'
import type { BuiltinSchemas } from '../builtin.js'
import {
  builtinDefinition,
  definitionOf,
  deleteOptionsDefinition,
  listDefinitionOf,
  patchDefinition,
  statusDefinition,
  watchEventDefinition,
} from './definition-names.js'
import {
  camelGroup,
  capitalized,
  type Method,
  type OpenApiKind,
  type OpenApiPath,
  type Operation,
  openApiPath,
  type Parameter,
  rootPath,
  text,
} from './operation.js'
import {
  deleteParameters,
  listParameters,
  nameInPath,
  namespaceInPath,
  parseParameters,
  patchParameters,
  pretty,
  proxiedPath,
  resourceVersion,
  selectionParameters,
  writeParameters,
} from './parameters.js'

const customMedia = ['application/json', 'application/yaml']
const builtinMedia = [...customMedia, 'application/vnd.kubernetes.protobuf']
const watchMedia = [...builtinMedia, 'application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']
const anyMedia = ['*/*']
const customPatchMedia = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']
const builtinPatchMedia = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]

/** The HTTP methods of a stream that a verb of discovery stands for. */
const streamMethods: Readonly<Record<string, readonly Method[]>> = {
  get: ['get'],
  update: ['put', 'options', 'head'],
  create: ['post'],
  delete: ['delete'],
  patch: ['patch'],
}

/** What the operations on one body share. */
interface Subject {
  readonly kind: OpenApiKind
  readonly definition: string
  /** End of operation identifiers: `NamespacedDeploymentStatus`. */
  readonly suffix: string
  /** What the path and every operation below it need. */
  readonly parameters: readonly Parameter[]
}

/** The paths of a resource: its collections, its objects, their subresources, and for built-in kinds the old paths of watches. */
export function resourcePaths(resource: ServedResource, schemas: BuiltinSchemas, facts: OpenApiFacts): readonly OpenApiPath[] {
  return new ResourcePaths(resource, schemas, facts).build()
}

class ResourcePaths {
  readonly #resource: ServedResource
  readonly #schemas: BuiltinSchemas
  readonly #facts: OpenApiFacts
  readonly #isCustom: boolean
  readonly #isNamespaced: boolean
  readonly #kind: OpenApiKind
  readonly #definition: string
  readonly #media: readonly string[]
  readonly #consumes: readonly string[]
  readonly #paths: OpenApiPath[] = []

  constructor(resource: ServedResource, schemas: BuiltinSchemas, facts: OpenApiFacts) {
    const { type, builtIn } = resource
    this.#resource = resource
    this.#schemas = schemas
    this.#facts = facts
    this.#isCustom = !builtIn
    this.#isNamespaced = type.scope === 'Namespaced'
    this.#kind = { group: type.group, kind: type.kind, version: type.version }
    this.#definition = definitionOf(resource, schemas)
    this.#media = builtIn ? builtinMedia : customMedia
    this.#consumes = builtIn ? anyMedia : customMedia
  }

  build(): readonly OpenApiPath[] {
    const { type, subresources } = this.#resource
    const root = rootPath(type.group, type.version)
    const inScope = this.#isNamespaced ? '/namespaces/{namespace}' : ''
    const subject: Subject = {
      kind: this.#kind,
      definition: this.#definition,
      suffix: `${this.#isNamespaced ? 'Namespaced' : ''}${type.kind}`,
      parameters: this.#isNamespaced ? [namespaceInPath] : [],
    }
    const one: Subject = { ...subject, parameters: [...subject.parameters, nameInPath] }
    const collection = `${root}${inScope}/${type.plural}`
    this.#add(collection, this.#collectionOperations(subject))
    if (this.#isNamespaced && this.#has('list')) {
      this.#add(`${root}/${type.plural}`, [this.#list({ ...subject, suffix: `${type.kind}ForAllNamespaces`, parameters: [] })])
    }
    this.#add(`${collection}/{name}`, this.#objectOperations(one))
    for (const subresource of subresources) this.#addSubresource(`${collection}/{name}/${subresource.name}`, subresource, one)
    if (!this.#isCustom && this.#has('watch')) this.#addWatches(`${root}/watch`, inScope, subject, one)
    return this.#paths
  }

  #has(verb: string): boolean {
    return this.#resource.verbs.includes(verb)
  }

  #add(path: string, operations: readonly Operation[]): void {
    if (operations.length > 0) this.#paths.push(openApiPath(path, operations))
  }

  #collectionOperations(subject: Subject): readonly Operation[] {
    const operations: Operation[] = []
    if (this.#has('list')) operations.push(this.#list(subject))
    if (this.#has('create')) operations.push(this.#create(subject))
    if (this.#has('deletecollection')) operations.push(this.#deleteCollection(subject))
    return operations
  }

  #objectOperations(subject: Subject): readonly Operation[] {
    const { type, verbs } = this.#resource
    const operations = this.#bodyOperations(subject, verbs)
    if (!this.#has('delete')) return operations
    const groupVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
    const returnsObject = !this.#isCustom && this.#facts.returnsDeleted.split(' ').includes(`${groupVersion}/${type.plural}`)
    const answer = returnsObject ? this.#definition : statusDefinition
    return [
      ...operations,
      this.#operation('delete', 'delete', 'delete', subject, deleteParameters, {
        body: { definition: deleteOptionsDefinition, isRequired: false },
        answers: { '200': answer, '202': answer },
      }),
    ]
  }

  /** What can be done with an object, and with its subresources too. */
  #bodyOperations(subject: Subject, verbs: readonly string[]): readonly Operation[] {
    const { definition } = subject
    const operations: Operation[] = []
    if (verbs.includes('get')) {
      const parameters = this.#isCustom ? [resourceVersion] : []
      operations.push(this.#operation('get', 'read', 'get', subject, parameters, { answers: { '200': definition } }))
    }
    if (verbs.includes('update')) {
      operations.push(
        this.#operation('put', 'replace', 'put', subject, writeParameters, {
          body: { definition, isRequired: true },
          answers: { '200': definition, '201': definition },
        }),
      )
    }
    if (verbs.includes('patch')) operations.push(this.#patch(subject))
    return operations
  }

  #patch(subject: Subject): Operation {
    const { definition } = subject
    return this.#operation('patch', 'patch', 'patch', subject, patchParameters, {
      body: { definition: patchDefinition, isRequired: true },
      consumes: this.#isCustom ? customPatchMedia : builtinPatchMedia,
      answers: this.#isCustom ? { '200': definition } : { '200': definition, '201': definition },
    })
  }

  #list(subject: Subject): Operation {
    return this.#operation('get', 'list', 'list', subject, listParameters, {
      produces: this.#isCustom ? customMedia : watchMedia,
      answers: { '200': listDefinitionOf(this.#definition, this.#resource.type.listKind) },
    })
  }

  #create(subject: Subject): Operation {
    const { definition } = subject
    return this.#operation('post', 'create', 'post', subject, writeParameters, {
      body: { definition, isRequired: true },
      answers: { '200': definition, '201': definition, '202': definition },
    })
  }

  #deleteCollection(subject: Subject): Operation {
    const collection = { ...subject, suffix: `Collection${subject.suffix}` }
    const answers = { '200': statusDefinition }
    if (this.#isCustom) return this.#operation('delete', 'delete', 'deletecollection', collection, listParameters, { answers })
    return this.#operation('delete', 'delete', 'deletecollection', collection, [...deleteParameters, ...selectionParameters], {
      body: { definition: deleteOptionsDefinition, isRequired: false },
      answers,
    })
  }

  #addSubresource(path: string, subresource: ServedSubresource, parent: Subject): void {
    const { type } = this.#resource
    const { name, verbs } = subresource
    const version = subresource.version === '' ? type.version : subresource.version
    const group = subresource.version === '' ? type.group : subresource.group
    const suffix = `${parent.suffix}${capitalized(name)}`
    const streamed = this.#facts.parameters[`${rootPath(group, version).replace(/^\/apis?\//, '')}/${type.plural}/${name}`]
    if (streamed !== undefined) {
      const kind = { group, kind: subresource.kind, version }
      this.#addStream(path, { ...parent, kind, suffix }, verbs, parseParameters(streamed, `${type.plural}/${name}`))
      return
    }
    const isOwnKind = group === type.group && subresource.kind === type.kind
    const kind: OpenApiKind = this.#isCustom || isOwnKind ? this.#kind : { group, kind: subresource.kind, version }
    const definition = isOwnKind ? this.#definition : builtinDefinition({ group, kind: subresource.kind, version }, this.#schemas)
    const subject: Subject = { kind, definition, suffix, parameters: parent.parameters }
    const created = verbs.includes('create') ? [this.#create(subject)] : []
    this.#add(path, [...created, ...this.#bodyOperations(subject, verbs)])
  }

  /** Logs are text; the others are connections with any method, and a proxy has paths of its own below. */
  #addStream(path: string, subject: Subject, verbs: readonly string[], parameters: readonly Parameter[]): void {
    const answers = { '200': text }
    if (path.endsWith('/log')) {
      this.#add(path, [this.#operation('get', 'read', 'get', subject, parameters, { produces: ['text/plain', ...builtinMedia], answers })])
      return
    }
    const methods = verbs.flatMap((verb) => streamMethods[verb] ?? [])
    const connect = (suffix: string, more: readonly Parameter[]): readonly Operation[] =>
      methods.map((method) => ({
        ...this.#operation(method, `connect`, 'connect', subject, [], { produces: anyMedia, answers }),
        operationId: this.#operationId('connect', `${capitalized(method)}${subject.suffix}${suffix}`),
        parameters: [...subject.parameters, ...parameters, ...more],
      }))
    this.#add(path, connect('', []))
    if (path.endsWith('/proxy')) this.#add(`${path}/{path}`, connect('WithPath', [proxiedPath(`${this.#resource.type.plural}/proxy`)]))
  }

  #addWatches(root: string, inScope: string, subject: Subject, one: Subject): void {
    const { plural, kind } = this.#resource.type
    const watch = (action: string, of: Subject): Operation =>
      this.#operation('get', 'watch', action, of, listParameters, { produces: watchMedia, answers: { '200': watchEventDefinition } })
    const all = { ...subject, suffix: `${kind}ListForAllNamespaces`, parameters: [] }
    if (this.#isNamespaced) this.#add(`${root}/${plural}`, [watch('watchlist', all)])
    this.#add(`${root}${inScope}/${plural}`, [watch('watchlist', { ...subject, suffix: `${subject.suffix}List` })])
    this.#add(`${root}${inScope}/${plural}/{name}`, [watch('watch', one)])
  }

  #operation(
    method: Method,
    verb: string,
    action: string,
    { kind, suffix, parameters }: Subject,
    own: readonly Parameter[],
    more: Pick<Operation, 'answers'> & Partial<Operation>,
  ): Operation {
    return {
      method,
      operationId: this.#operationId(verb, suffix),
      tag: `${camelGroup(this.#kind.group)}_${this.#kind.version}`,
      action,
      kind,
      parameters: [...parameters, ...own, pretty],
      consumes: this.#consumes,
      produces: this.#media,
      ...more,
    }
  }

  #operationId(verb: string, suffix: string): string {
    return `${verb}${capitalized(camelGroup(this.#kind.group))}${capitalized(this.#kind.version)}${suffix}`
  }
}
