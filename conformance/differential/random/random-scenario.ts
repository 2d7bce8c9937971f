import {
  apiVersionOf,
  type Json,
  type JsonObject,
  type PatchType,
  type RequestOptions,
  type Resource,
  type Scenario,
  ScenarioBuilder,
  stamped,
} from '../language/index.js'
import { Chance } from './chance.js'
import { RandomObjects, randomResources } from './random-objects.js'

const labelSelectors = ['app=web', 'app!=web', 'app in (web,db)', '!app', 'tier', 'app=', 'app in', 'app=web,tier=db', 'a b']
const fieldSelectors = [
  'metadata.name=a',
  'metadata.name!=a',
  'metadata.namespace={{namespace}}',
  'status.phase=Pending',
  'type=Opaque',
  'spec.nodeName=',
  'nothing=1',
]
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'

/** A scenario of legal and illegal requests that a seed decides. */
export function randomScenario(seed: number, operations: number): Scenario {
  const builder = new RandomScenario(seed)
  for (let index = 0; index < operations; index += 1) builder.operate()
  return { area: 'errors', name: `seed ${seed}`, controllers: false, steps: builder.steps }
}

class RandomScenario {
  readonly #chance: Chance
  readonly #objects: RandomObjects
  readonly #s = new ScenarioBuilder()
  /** What a scenario is about: few things, so that requests meet. */
  readonly #resources: readonly Resource[]
  readonly #versions: string[] = []
  readonly #uids: string[] = ['11111111-2222-3333-4444-555555555555']

  constructor(seed: number) {
    this.#chance = new Chance(seed)
    this.#objects = new RandomObjects(this.#chance)
    this.#resources = [this.#chance.pick(randomResources), this.#chance.pick(randomResources)]
  }

  get steps(): Scenario['steps'] {
    return this.#s.steps
  }

  operate(): void {
    const resource = this.#chance.pick(this.#resources)
    const operations = [
      ...Array.from({ length: 5 }, () => () => this.#create(resource)),
      ...Array.from({ length: 3 }, () => () => this.#update(resource)),
      ...Array.from({ length: 4 }, () => () => this.#patch(resource)),
      ...Array.from({ length: 2 }, () => () => this.#delete(resource)),
      () => this.#get(resource),
      () => this.#list(resource),
      () => this.#list(resource),
      () => this.#status(resource),
      () => this.#deleteCollection(resource),
    ]
    this.#chance.pick(operations)()
  }

  #create(resource: Resource): void {
    const { name } = { name: this.#objects.name() }
    this.#remember(this.#s.request('POST', this.#s.path(resource, undefined), this.#body(resource, name), this.#writeOptions()))
  }

  #update(resource: Resource): void {
    const name = this.#objects.name()
    const path = this.#s.path(resource, this.#chance.happens(0.95) ? name : this.#objects.name())
    this.#remember(this.#s.request('PUT', path, this.#body(resource, name), this.#writeOptions()))
  }

  #patch(resource: Resource): void {
    const type: PatchType = this.#chance.pick(['merge', 'json', 'strategic'])
    const patch: Json = type === 'json' ? this.#jsonPatch(resource) : this.#objects.patch(resource)
    this.#remember(this.#s.patch(resource, this.#objects.name() || 'a', type, patch, this.#writeOptions()))
  }

  #jsonPatch(resource: Resource): Json {
    const part = this.#objects.patch(resource)
    const paths = [
      '/metadata/labels',
      '/metadata/labels/app',
      '/data/k',
      '/spec',
      '/spec/replicas',
      '/spec/size',
      '/nothing',
      '/metadata/name',
    ]
    return this.#chance.some(2, () => ({
      op: this.#chance.pick(['add', 'replace', 'remove', 'test']),
      path: this.#chance.pick(paths),
      value: this.#chance.pick<Json>(['x', 1, null, (part.spec as Json | undefined) ?? {}]),
    }))
  }

  #delete(resource: Resource): void {
    const body = this.#chance.members({
      propagationPolicy: [0.3, () => this.#chance.pick(['Background', 'Foreground', 'Orphan', 'Sideways'])],
      gracePeriodSeconds: [0.2, () => this.#chance.pick([0, 5, -1])],
      preconditions: [
        0.2,
        () =>
          this.#chance.make<JsonObject>(
            () => ({ uid: this.#chance.pick(this.#uids) }),
            () => ({ resourceVersion: this.#chance.pick([...this.#versions, '1']) }),
          ),
      ],
      dryRun: [0.05, () => ['All']],
    })
    this.#s.delete(resource, this.#objects.name() || 'a', Object.keys(body).length === 0 ? undefined : body)
  }

  #deleteCollection(resource: Resource): void {
    if (this.#chance.happens(0.5))
      this.#s.deleteCollection(resource, undefined, { query: { labelSelector: this.#chance.pick(labelSelectors) } })
  }

  #get(resource: Resource): void {
    this.#s.get(resource, this.#objects.name() || 'a', {
      accept: this.#chance.pick(['application/json', 'application/json', table, metadata, 'application/yaml']),
    })
  }

  #list(resource: Resource): void {
    const query = this.#chance.members({
      labelSelector: [0.4, () => this.#chance.pick(labelSelectors)],
      fieldSelector: [0.3, () => this.#chance.pick(fieldSelectors)],
      limit: [0.2, () => this.#chance.pick([1, 2, 0])],
    })
    const list = this.#s.list(resource, { query, accept: this.#chance.pick(['application/json', 'application/json', table]) })
    this.#versions.push(list.at('metadata.resourceVersion'))
  }

  #status(resource: Resource): void {
    const patches: readonly JsonObject[] = [
      { status: { phase: 'Running' } },
      { status: { ready: 1 } },
      { status: { replicas: 1 } },
      { status: { ready: 'x' } },
      { status: null },
    ]
    this.#s.patch(resource, this.#objects.name() || 'a', 'merge', this.#chance.pick(patches), { subresource: 'status' })
  }

  #body(resource: Resource, name: string): JsonObject {
    const body = stamped(resource, this.#objects.object(resource, name, this.#versions))
    return this.#chance.happens(0.03) ? { ...body, apiVersion: this.#chance.pick(['v1', 'v9', `${apiVersionOf(resource)}x`]) } : body
  }

  #writeOptions(): RequestOptions {
    const query = this.#chance.members({
      fieldValidation: [0.4, () => this.#chance.pick(['Strict', 'Warn', 'Ignore'])],
      dryRun: [0.06, () => 'All'],
    })
    return { query }
  }

  #remember(answer: { at(place: string): string }): void {
    this.#versions.push(answer.at('metadata.resourceVersion'))
    this.#uids.push(answer.at('metadata.uid'))
  }
}
