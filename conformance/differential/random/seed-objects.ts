import { readGolden } from '../compare/index.js'
import { type JsonObject, podSpec, type Scenario } from '../language/index.js'
import { isObject } from './kind-schema.js'

/** Kinds of which no scenario creates an object. */
const others: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'a' },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec() },
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'a' },
    spec: { replicas: 1, selector: { app: 'web' }, template: { metadata: { labels: { app: 'web' } }, spec: podSpec() } },
  },
]

/** Longer objects are left out: a change of them would hardly ever meet what matters. */
const mostCharacters = 6000

/** Objects that the real server accepts, by `apiVersion/kind`: those that scenarios create, if the recorded answer says 201. */
export function seedObjects(scenarios: readonly Scenario[]): ReadonlyMap<string, readonly JsonObject[]> {
  const objects = new Map<string, JsonObject[]>()
  const add = (object: JsonObject): void => {
    const key = `${object.apiVersion}/${object.kind}`
    objects.set(key, [...(objects.get(key) ?? []), object])
  }
  for (const object of others) add(object)
  for (const scenario of scenarios) for (const object of acceptedObjects(scenario)) add(object)
  return objects
}

function acceptedObjects(scenario: Scenario): readonly JsonObject[] {
  const answers = readGolden(scenario)?.answers ?? []
  const recorded = scenario.steps.filter(
    (step) => !(step.kind === 'request' && step.isQuiet) && !(step.kind === 'until' && step.request.isQuiet),
  )
  return recorded.flatMap((step, index) => {
    if (step.kind !== 'request' || step.method !== 'POST' || step.user !== 'admin' || answers[index]?.status !== 201) return []
    if (step.body === undefined || !('json' in step.body) || !isObject(step.body.json)) return []
    const text = JSON.stringify(step.body.json)
    return text.length > mostCharacters || /\{\{r\d/.test(text) ? [] : [step.body.json]
  })
}
