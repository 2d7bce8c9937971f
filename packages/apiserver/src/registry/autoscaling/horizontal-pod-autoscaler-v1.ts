import type { Draft, UnstructuredObject } from 'steersman/api'
import { validateDns1123Subdomain } from 'steersman/api'
import { HorizontalPodAutoscaler } from 'steersman/api/types/autoscaling/v1'
import type { HorizontalPodAutoscaler as AutoscalerV2 } from 'steersman/api/types/autoscaling/v2'
import { deepEqual } from 'steersman/internal'
import { defineKind } from '../strategy.js'
import { validateAutoscalerStatus, validateAutoscalerUpdate, validateNewAutoscaler } from './autoscaler-validation.js'
import { toV2 } from './conversion.js'
import { behaviorAnnotation, conditionsAnnotation, currentMetricsAnnotation, metricsAnnotation } from './round-trip-annotations.js'

/** Autoscalers as `autoscaling/v1` shows them. What is right is decided in the shape in which they are stored. */
export const horizontalPodAutoscalerV1Kind = defineKind(HorizontalPodAutoscaler, {
  validateName: validateDns1123Subdomain,
  default(autoscaler) {
    autoscaler.spec ??= {} as NonNullable<typeof autoscaler.spec>
    autoscaler.spec.minReplicas ??= 1
  },
  prepareForCreate: (autoscaler) => keepAnnotations(autoscaler, undefined, [currentMetricsAnnotation, conditionsAnnotation]),
  prepareForUpdate: (autoscaler, old) => keepAnnotations(autoscaler, old, [currentMetricsAnnotation, conditionsAnnotation]),
  validate: (autoscaler) => validateNewAutoscaler(stored(autoscaler)),
  validateUpdate: (autoscaler, old) => validateAutoscalerUpdate(stored(autoscaler), stored(old)),
  changesGeneration: (autoscaler, old) => !deepEqual(stored(autoscaler).spec, stored(old).spec),
  status: {
    initial: () => ({}) as never,
    prepareForUpdate: (autoscaler, old) => keepAnnotations(autoscaler, old, [metricsAnnotation, behaviorAnnotation]),
    validateUpdate: (autoscaler) => validateAutoscalerStatus(stored(autoscaler)),
  },
})

function stored(autoscaler: HorizontalPodAutoscaler): AutoscalerV2 {
  return toV2(autoscaler as unknown as UnstructuredObject) as unknown as AutoscalerV2
}

/** An annotation that stands for a part of the object can no more be written here than that part. */
function keepAnnotations(
  { metadata }: Draft<HorizontalPodAutoscaler>,
  old: HorizontalPodAutoscaler | undefined,
  names: readonly string[],
): void {
  const annotations = { ...metadata.annotations }
  for (const name of names) {
    const before = old?.metadata.annotations?.[name]
    if (before === undefined) delete annotations[name]
    else annotations[name] = before
  }
  metadata.annotations = annotations
}
