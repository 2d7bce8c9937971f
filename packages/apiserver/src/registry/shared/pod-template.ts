import type { Draft, ObjectMeta } from 'steersman/api'
import type { PodTemplateSpec } from 'steersman/api/types/core/v1'
import { defaultPodSpec } from './pod-defaults.js'

/** Fills in the template of pods. */
export function defaultPodTemplate(template: Draft<PodTemplateSpec>): void {
  template.spec ??= {} as NonNullable<typeof template.spec>
  defaultPodSpec(template.spec)
}

/** What has no labels of its own gets those of its template. */
export function takeTemplateLabels(object: {
  metadata: Draft<ObjectMeta>
  readonly spec?: Draft<{ readonly template?: PodTemplateSpec }>
}): void {
  const labels = object.spec?.template?.metadata?.labels
  if (labels !== undefined && Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = { ...labels }
}
