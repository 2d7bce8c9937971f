import type { Draft } from 'steersman/api'
import type { PodTemplateSpec } from 'steersman/api/types/core/v1'
import { defaultPodSpec } from './pod-defaults.js'

/** Fills in the template of pods. */
export function defaultPodTemplate(template: Draft<PodTemplateSpec>): void {
  template.spec ??= {} as NonNullable<typeof template.spec>
  defaultPodSpec(template.spec)
}
