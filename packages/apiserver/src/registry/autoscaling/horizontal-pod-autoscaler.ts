import type { Draft } from 'steersman/api'
import { validateDns1123Subdomain } from 'steersman/api'
import type { MetricSpec, MetricStatus } from 'steersman/api/types/autoscaling/v2'
import { HorizontalPodAutoscaler } from 'steersman/api/types/autoscaling/v2'
import { deepEqual } from 'steersman/internal'
import { canonicalQuantity } from '../shared/quantity.js'
import { defineKind } from '../strategy.js'
import { validateAutoscalerStatus, validateAutoscalerUpdate, validateNewAutoscaler } from './autoscaler-validation.js'
import { defaultBehavior } from './behavior.js'
import { roundTripAnnotations } from './round-trip-annotations.js'

/** Autoscalers, in the version in which they are stored. */
export const horizontalPodAutoscalerKind = defineKind(HorizontalPodAutoscaler, {
  validateName: validateDns1123Subdomain,
  default(autoscaler) {
    defaultAutoscaler(autoscaler)
    const { annotations } = autoscaler.metadata
    for (const name of roundTripAnnotations) delete annotations?.[name]
  },
  validate: validateNewAutoscaler,
  validateUpdate: validateAutoscalerUpdate,
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  status: { initial: () => ({}) as never, validateUpdate: validateAutoscalerStatus },
})

/** Fills in an autoscaler. */
export function defaultAutoscaler(autoscaler: Draft<HorizontalPodAutoscaler>): void {
  autoscaler.spec ??= {} as NonNullable<typeof autoscaler.spec>
  const { spec, status } = autoscaler
  spec.minReplicas ??= 1
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: 'Utilization', averageUtilization: 80 }
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
  }
  for (const metric of spec.metrics ?? []) canonicalizeMetric(metric)
  for (const metric of status?.currentMetrics ?? []) canonicalizeMetric(metric)
  defaultBehavior(spec.behavior)
}

interface Amounts {
  value?: string
  averageValue?: string
}

function canonicalizeMetric(metric: Draft<MetricSpec> | Draft<MetricStatus>): void {
  for (const source of [metric.object, metric.pods, metric.resource, metric.containerResource, metric.external]) {
    const { target, current } = (source ?? {}) as { readonly target?: Amounts; readonly current?: Amounts }
    for (const amounts of [target, current]) {
      if (amounts?.value !== undefined) amounts.value = canonicalQuantity(amounts.value)
      if (amounts?.averageValue !== undefined) amounts.averageValue = canonicalQuantity(amounts.averageValue)
    }
  }
}
