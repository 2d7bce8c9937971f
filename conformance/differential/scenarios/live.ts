import type { JsonObject, Resource, ScenarioBuilder } from '../language/index.js'
import { named, table } from '../language/index.js'

/** Creates, reads, shows, changes and deletes an object. */
export function live(s: ScenarioBuilder, resource: Resource, body: JsonObject, change: JsonObject): void {
  const name = s.unique('a')
  const created = s.create(resource, { ...named(name), ...body })
  s.get(resource, name, table)
  s.patch(resource, name, 'merge', change)
  s.patch(resource, name, 'merge', { metadata: { labels: { k: 'v' } } })
  s.update(resource, { ...named(name), ...body })
  s.update(resource, { ...named(name, { resourceVersion: created.at('metadata.resourceVersion') }), ...body })
  s.delete(resource, name)
}
