import type { InputOf, ObjectKey } from 'steersman'
import type { Deployment } from 'steersman/api/types/apps/v1'

/** The least that a Deployment must say. */
export function deployment(key: ObjectKey, image = 'main:1'): InputOf<typeof Deployment> {
  const labels = { app: key.name }
  return {
    metadata: key,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } } },
  }
}
