import { apiVersionOf, collectionPath, configMaps, customResourceDefinitions, type Resource, stamped } from './resources.js'
import type { Area, Condition, Json, JsonObject, Keep, RequestStep, Scenario, Step, UserName } from './steps.js'

/** What a request has beyond the obvious. */
export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  readonly accept?: string
  readonly contentType?: string
  /** @default 'admin' */
  readonly user?: UserName
  readonly subresource?: string
  /** Empty: across namespaces. @default the scenario's */
  readonly namespace?: string
  /** The body, as it is, instead of the one given. */
  readonly text?: string
  /** Only prepares: its answer is not compared. */
  readonly isQuiet?: boolean
  readonly keep?: readonly Keep[]
}

/** The answer to a request, as later requests refer to it. */
export interface Answer {
  /** What the answer has at a place such as `metadata.uid` or `items.0.metadata.name`. With `plus` that number more. */
  at(place: string, plus?: number): string
}

/** A watch that was opened. */
export interface OpenWatch {
  /** The next `count` events are part of the comparison. */
  expect(count: number): void
  /** The server ends the watch, and nothing more comes. */
  end(): void
}

const mediaTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const
export type PatchType = keyof typeof mediaTypes

/** Writes down a scenario, step by step. Nothing is sent before the scenario runs. */
export class ScenarioBuilder {
  /** A namespace that only this scenario uses; it exists. */
  readonly namespace = '{{namespace}}'
  /** A group that only this scenario uses. */
  readonly group = '{{group}}'
  readonly steps: Step[] = []
  #answers = 0
  #watches = 0

  /** A name for a cluster-wide object that no other scenario has. */
  unique(name: string): string {
    return `${name}-{{run}}`
  }

  request(method: string, path: string, body?: Json, options: RequestOptions = {}): Answer {
    const step = this.#request(method, path, body, options)
    this.steps.push(step)
    return { at: (place, plus) => `{{${step.id}.${place}${plus === undefined ? '' : `+${plus}`}}}` }
  }

  /** Creates an object; apiVersion and kind are filled in. */
  create(resource: Resource, body: JsonObject, options: RequestOptions = {}): Answer {
    const name = options.subresource === undefined ? undefined : nameOf(body)
    return this.request('POST', this.path(resource, name, options), stamped(resource, body), options)
  }

  get(resource: Resource, name: string, options: RequestOptions = {}): Answer {
    return this.request('GET', this.path(resource, name, options), undefined, options)
  }

  list(resource: Resource, options: RequestOptions = {}): Answer {
    return this.request('GET', this.path(resource, undefined, options), undefined, options)
  }

  /** Replaces an object; apiVersion and kind are filled in, the path comes from the body's name. */
  update(resource: Resource, body: JsonObject, options: RequestOptions = {}): Answer {
    return this.request('PUT', this.path(resource, nameOf(body), options), stamped(resource, body), options)
  }

  patch(resource: Resource, name: string, type: PatchType, patch: Json, options: RequestOptions = {}): Answer {
    return this.request('PATCH', this.path(resource, name, options), patch, { contentType: mediaTypes[type], ...options })
  }

  delete(resource: Resource, name: string, body?: JsonObject, options: RequestOptions = {}): Answer {
    return this.request('DELETE', this.path(resource, name, options), body && deleteOptions(body), options)
  }

  deleteCollection(resource: Resource, body?: JsonObject, options: RequestOptions = {}): Answer {
    return this.request('DELETE', this.path(resource, undefined, options), body && deleteOptions(body), options)
  }

  /** Gives an object again until it is as expected. */
  getUntil(resource: Resource, name: string, condition: Condition, options: RequestOptions = {}): Answer {
    return this.until(this.path(resource, name, options), condition, options)
  }

  /** Lists again until the list is as expected. */
  listUntil(resource: Resource, condition: Condition, options: RequestOptions = {}): Answer {
    return this.until(this.path(resource, undefined, options), condition, options)
  }

  until(path: string, condition: Condition, options: RequestOptions = {}): Answer {
    const request = this.#request('GET', path, undefined, options)
    this.steps.push({ kind: 'until', request, condition })
    return { at: (place, plus) => `{{${request.id}.${place}${plus === undefined ? '' : `+${plus}`}}}` }
  }

  /** Opens a watch of a collection. */
  watch(resource: Resource, query: NonNullable<RequestOptions['query']> = {}, options: RequestOptions = {}): OpenWatch {
    return this.watchPath(this.path(resource, undefined, options), { watch: true, ...query }, options)
  }

  watchPath(path: string, query: NonNullable<RequestOptions['query']>, options: RequestOptions = {}): OpenWatch {
    this.#watches += 1
    const watch = `w${this.#watches}`
    this.steps.push({
      kind: 'watch',
      watch,
      path: path + queryText(query),
      user: options.user ?? 'admin',
      headers: headersOf(options, false),
    })
    return {
      expect: (count) => void this.steps.push({ kind: 'events', watch, count }),
      end: () => void this.steps.push({ kind: 'end', watch }),
    }
  }

  /** The path of an object or, without a name, of a collection. */
  path(resource: Resource, name: string | undefined, { namespace = this.namespace, subresource }: RequestOptions = {}): string {
    const collection = collectionPath(resource, namespace)
    return [collection, ...(name === undefined ? [] : [name]), ...(subresource === undefined ? [] : [subresource])].join('/')
  }

  /**
   * Defines a custom resource in the scenario's group and waits until it is served. Not compared; a scenario about the definition itself creates it with `create`.
   */
  define(resource: Resource, versions: readonly JsonObject[]): void {
    this.create(customResourceDefinitions, definition(resource, versions), { isQuiet: true })
    this.untilServed(resource)
  }

  /** Waits until a custom resource is served. Not compared. */
  untilServed(resource: Resource): void {
    this.until(collectionPath(resource, this.namespace), { status: 200 }, { isQuiet: true })
  }

  #request(method: string, path: string, body: Json | undefined, options: RequestOptions): RequestStep {
    this.#answers += 1
    const sent = options.text !== undefined ? { text: options.text } : body !== undefined ? { json: body } : undefined
    return {
      kind: 'request',
      id: `r${this.#answers}`,
      method,
      path: path + queryText(options.query ?? {}),
      user: options.user ?? 'admin',
      headers: headersOf(options, sent !== undefined),
      ...(sent === undefined ? {} : { body: sent }),
      isQuiet: options.isQuiet ?? false,
      keep: options.keep ?? [],
    }
  }
}

/** A custom resource of the scenario's group. */
export function customResource(kind: string, more: Partial<Resource> = {}): Resource {
  return { group: '{{group}}', version: 'v1', plural: `${kind.toLowerCase()}s`, kind, isNamespaced: true, ...more }
}

/** A CustomResourceDefinition. */
export function definition(
  { group, plural, kind, isNamespaced }: Resource,
  versions: readonly JsonObject[],
  spec: JsonObject = {},
): JsonObject {
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions,
      ...spec,
    },
  }
}

/** A version of a CustomResourceDefinition: served and stored, with a schema of spec and status. */
export function versionOf(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } }, ...more }
}

function nameOf(body: JsonObject): string {
  return String((body.metadata as JsonObject | undefined)?.name ?? '')
}

function deleteOptions(body: JsonObject): JsonObject {
  return { apiVersion: apiVersionOf(configMaps), kind: 'DeleteOptions', ...body }
}

function headersOf({ headers = {}, accept, contentType }: RequestOptions, hasBody: boolean): Record<string, string> {
  return {
    accept: accept ?? 'application/json',
    ...(hasBody ? { 'content-type': contentType ?? 'application/json' } : {}),
    ...headers,
  }
}

function queryText(query: NonNullable<RequestOptions['query']>): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeReferences(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Escapes a value, except that references stay readable. */
function encodeReferences(value: string): string {
  return value.replace(/\{\{[^}]*\}\}|[^{]+|\{/g, (part) => (part.startsWith('{{') ? part : encodeURIComponent(part)))
}

/** Adds scenarios to an area: is handed what takes a name and the steps. */
export type DefineScenarios = (scenario: (name: string, build: (s: ScenarioBuilder) => void) => void) => void

/** Collects the scenarios of an area. */
export function defineArea(area: Area, define: DefineScenarios): readonly Scenario[] {
  const scenarios: Scenario[] = []
  define((name, build) => {
    if (scenarios.some((other) => other.name === name))
      throw new TypeError(`Cannot add scenario "${name}" to ${area}: there is one of this name`)
    const builder = new ScenarioBuilder()
    build(builder)
    const { steps } = builder
    const allApis = area === 'every resource' || area === 'other versions'
    scenarios.push({ area, name, controllers: area === 'garbage collection', allApis, steps })
  })
  return scenarios
}
