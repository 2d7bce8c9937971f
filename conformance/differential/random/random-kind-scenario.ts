import {
  type Answer,
  type Json,
  type JsonObject,
  type PatchType,
  type RequestOptions,
  type Scenario,
  ScenarioBuilder,
} from '../language/index.js'
import { Chance } from './chance.js'
import { type FieldSchema, isObject } from './kind-schema.js'
import { type Change, changed, jsonPatch, Mutation, mergePatch } from './mutation.js'
import type { RandomKind } from './served-kinds.js'

const accepts = [
  'application/json',
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
]
const listAccepts = accepts.slice(0, 4)
const fieldSelectors = [
  'metadata.name!=b',
  'metadata.namespace={{namespace}}',
  'status.phase=Pending',
  'type=Opaque',
  'spec.nodeName=',
  'spec.signerName=example.com/mine',
  'spec.unschedulable=false',
  'involvedObject.kind=Pod',
  'status.successful=0',
  'status.replicas=0',
  'spec.clusterIP=None',
  'nothing=1',
]
const labelSelectors = ['app=web', 'app!=web', '!a', 'a in (b,c)', 'a b']
/** Kinds of which a wrong object changes what the server answers to everybody: wrong ones are only tried. */
const isTelling = /^(?:admissionregistration|flowcontrol|apiregistration|scheduling)\b/

/** A scenario about one kind, that a seed decides: objects that are nearly right, and what else is done with them. */
export function randomKindScenario(seed: number, operations: number, kind: RandomKind): Scenario {
  const builder = new RandomKindScenario(seed, kind)
  for (let index = 0; index < operations; index += 1) builder.operate()
  return { area: 'errors', name: `seed ${seed}`, controllers: false, steps: builder.steps }
}

class RandomKindScenario {
  readonly #chance: Chance
  readonly #mutation: Mutation
  readonly #s = new ScenarioBuilder()
  readonly #kind: RandomKind
  /** The object that the scenario is about, as it was created. */
  readonly #seed: JsonObject
  readonly #name: string
  readonly #operations: readonly (() => void)[]
  #isFirst = true
  #created = 0

  constructor(seed: number, kind: RandomKind) {
    this.#chance = new Chance(seed)
    this.#mutation = new Mutation(this.#chance)
    this.#kind = kind
    this.#seed = this.#chance.pick(kind.seeds)
    this.#name = nameOf(this.#seed)
    this.#operations = this.#possible()
  }

  get steps(): Scenario['steps'] {
    return this.#s.steps
  }

  operate(): void {
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (isFirst) this.#write('POST', undefined, this.#seed)
    else this.#chance.pick(this.#operations)()
  }

  /** What can be done with the kind, each as often as it shall be likely. */
  #possible(): readonly (() => void)[] {
    const { verbs, objectSubresources, hasScale } = this.#kind
    const create = () => this.#create()
    if (!verbs.includes('update')) return [create]
    const status = objectSubresources.flatMap((name) => [() => this.#updatePart(name), () => this.#updatePart(name)])
    return [
      ...[create, create, create, create, create, create],
      ...Array.from({ length: 5 }, () => () => this.#update()),
      ...Array.from({ length: 4 }, () => () => this.#patch()),
      ...status,
      ...(hasScale ? [() => this.#scale()] : []),
      () => this.#get(),
      () => this.#list(),
      () => this.#list(),
      () => this.#delete(),
    ]
  }

  #create(): void {
    const body = this.#named(this.#mutation.mutated(this.#seed, this.#kind.schema))
    this.#write('POST', undefined, body)
  }

  /** With a name of its own most times, so that the object can be made beside the first. */
  #named(body: JsonObject): JsonObject {
    const { metadata } = body
    if (!isObject(metadata) || metadata.name !== this.#name || !/^[a-z]+(?:-\{\{run\}\})?$/.test(this.#name)) return body
    if (this.#chance.happens(0.2)) return body
    this.#created += 1
    return { ...body, metadata: { ...metadata, name: `n${this.#created}${this.#name.includes('{{run}}') ? '-{{run}}' : ''}` } }
  }

  #update(): void {
    this.#write('PUT', undefined, this.#mutation.mutated(this.#withVersion(), this.#kind.schema))
  }

  #updatePart(subresource: string): void {
    const within = subresource === 'ephemeralcontainers' || subresource === 'resize' || subresource === 'finalize' ? 'spec' : 'status'
    if (this.#chance.happens(0.5)) {
      const change = this.#changeWithin(this.#seed, within)
      this.#send('PATCH', this.#objectPath(subresource), mergePatch(this.#seed, change), { contentType: 'application/merge-patch+json' })
      return
    }
    const object = this.#withVersion()
    let body = object
    for (let times = 1 + this.#chance.below(3); times > 0; times -= 1) body = changed(body, this.#changeWithin(body, within)) as JsonObject
    this.#write('PUT', subresource, body)
  }

  #changeWithin(object: JsonObject, within: string): Change {
    const field: FieldSchema | undefined = this.#kind.schema.fields.get(within)
    return this.#mutation.change(
      field !== undefined && object[within] === undefined ? { ...object, [within]: {} } : object,
      this.#kind.schema,
      within,
    )
  }

  #patch(): void {
    const change = this.#mutation.change(this.#seed, this.#kind.schema)
    const type: PatchType = this.#chance.pick(['merge', 'strategic', 'json'])
    const patch = type === 'json' ? jsonPatch(this.#chance.pick(['add', 'replace', 'test']), change) : mergePatch(this.#seed, change)
    const mediaType = {
      json: 'application/json-patch+json',
      merge: 'application/merge-patch+json',
      strategic: 'application/strategic-merge-patch+json',
    }[type]
    this.#send('PATCH', this.#objectPath(), patch, { contentType: mediaType })
  }

  #scale(): void {
    const replicas = this.#chance.pick<Json>([0, 2, -1, 2147483648, '1', null, 1.5])
    const subresource = 'scale'
    if (this.#chance.happens(0.3)) this.#s.get(this.#kind.resource, this.#name, { subresource })
    else this.#s.patch(this.#kind.resource, this.#name, 'merge', { spec: { replicas } }, { subresource })
  }

  #get(): void {
    this.#s.get(this.#kind.resource, this.#name, { accept: this.#chance.pick(accepts) })
  }

  #list(): void {
    const isShared = !this.#kind.resource.isNamespaced
    const own = isShared ? [`metadata.name=${this.#name}`] : []
    const selectors = [...own, ...(this.#chance.happens(0.4) ? [this.#chance.pick(fieldSelectors)] : [])]
    const query = {
      ...(selectors.length === 0 ? {} : { fieldSelector: selectors.join(',') }),
      ...this.#chance.members({ labelSelector: [0.3, () => this.#chance.pick(labelSelectors)], limit: [0.15, () => 2] }),
    }
    this.#s.list(this.#kind.resource, { query, accept: this.#chance.pick(listAccepts) })
  }

  /** Makes it anew, so that what follows has something to work with. */
  #delete(): void {
    const body = this.#chance.members({
      propagationPolicy: [0.3, () => this.#chance.pick(['Background', 'Foreground', 'Orphan', 'Sideways'])],
      gracePeriodSeconds: [0.3, () => this.#chance.pick([0, 5, -1])],
    })
    this.#s.delete(this.#kind.resource, this.#name, Object.keys(body).length === 0 ? undefined : body)
    this.#isFirst = true
  }

  /** The first object; most times with the version that is stored, for which it asks before. */
  #withVersion(): JsonObject {
    if (this.#chance.happens(0.3)) return this.#seed
    const stored: Answer = this.#s.get(this.#kind.resource, this.#name, { isQuiet: true })
    const metadata = isObject(this.#seed.metadata) ? this.#seed.metadata : {}
    return { ...this.#seed, metadata: { ...metadata, resourceVersion: stored.at('metadata.resourceVersion') } }
  }

  #write(method: 'POST' | 'PUT', subresource: string | undefined, body: JsonObject): void {
    this.#send(method, method === 'POST' ? this.#s.path(this.#kind.resource, undefined) : this.#objectPath(subresource), body, {})
  }

  #objectPath(subresource?: string): string {
    return this.#s.path(this.#kind.resource, this.#name, subresource === undefined ? {} : { subresource })
  }

  #send(method: string, path: string, body: Json, options: RequestOptions): void {
    const isTried = body !== this.#seed && isTelling.test(this.#kind.resource.group)
    const query = this.#chance.members({
      fieldValidation: [0.3, () => this.#chance.pick(['Strict', 'Warn', 'Ignore'])],
      dryRun: [isTried ? 1 : 0.05, () => 'All'],
    })
    const queryText = Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    this.#s.request(method, queryText === '' ? path : `${path}?${queryText}`, body, options)
  }
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata.name === 'string' ? metadata.name : 'a'
}
