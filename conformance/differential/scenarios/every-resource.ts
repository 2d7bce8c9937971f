import { readFileSync } from 'node:fs'
import { conformanceFolder } from '../../src/control-plane-binaries.js'
import type { Resource, ScenarioBuilder } from '../language/index.js'
import { defineArea, named, table } from '../language/index.js'
import { minimalObjects } from './minimal-objects.js'

interface ResourceFacts {
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

/** What a real server serves with every API turned on, by group version. */
const facts = JSON.parse(readFileSync(new URL('../hack/apigen/facts.json', conformanceFolder), 'utf8')) as {
  readonly resources: Readonly<Record<string, readonly ResourceFacts[]>>
}

/** Every built-in resource whose objects can be created and read. */
const resources: readonly Resource[] = Object.entries(facts.resources).flatMap(([groupVersion, list]) => {
  const [version = '', group = ''] = groupVersion.split('/').reverse()
  return list
    .filter(({ verbs }) => verbs.includes('create') && verbs.includes('get'))
    .map(({ kind, plural, namespaced }) => ({ group, version, plural, kind, isNamespaced: namespaced }))
})

/** The least object of each resource, walked through its life. Every API is turned on. */
export const everyResource = defineArea('every resource', (scenario) => {
  for (const resource of resources) {
    const { group, version, plural } = resource
    scenario(`${plural} of ${group === '' ? 'core' : group} ${version}`, (s) => walk(s, resource))
  }
})

function walk(s: ScenarioBuilder, resource: Resource): void {
  const { group, version, plural, isNamespaced } = resource
  const key = [group, version, plural].filter((part) => part !== '').join('/')
  const object = minimalObjects[key]
  if (object === undefined) throw new TypeError(`Cannot walk through ${key}: there is no minimal object of it`)
  const name = object.name ?? (isNamespaced ? 'a' : s.unique('a'))
  const query = { fieldSelector: `metadata.name=${name}` }
  const watch = s.watch(resource, query)
  s.create(resource, { ...named(name), ...object.body })
  watch.expect(1)
  // The server itself says whether the priority level is there, and what became of a definition.
  if (plural === 'flowschemas') s.getUntil(resource, name, { at: 'status.conditions', length: 1 })
  if (plural === 'customresourcedefinitions') s.getUntil(resource, name, { at: 'status.conditions.1.status', equals: 'True' })
  s.get(resource, name)
  s.get(resource, name, table)
  // What else the server writes for a definition, and when, is no fact; the revision of a list would show it.
  if (plural !== 'customresourcedefinitions') {
    s.list(resource, { query })
    s.list(resource, { query, ...table })
  }
  s.patch(resource, name, 'merge', { metadata: { labels: { k: 'v' } } })
  s.delete(resource, name)
}
