/**
 * Autoscalers in `autoscaling/v1`, which knows one metric: all else travels in annotations. Both directions are pure.
 */
import type { Draft, UnstructuredObject } from 'steersman/api'
import type { HorizontalPodAutoscaler as AutoscalerV1 } from 'steersman/api/types/autoscaling/v1'
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HPAScalingRules,
  MetricSpec,
} from 'steersman/api/types/autoscaling/v2'
import { deepCopy, deepFreeze } from 'steersman/internal'
import { defaultAutoscaler } from './horizontal-pod-autoscaler.js'
import { specFromV1, specToV1, statusFromV1, statusToV1 } from './metric-conversion.js'
import {
  behaviorAnnotation,
  conditionsAnnotation,
  currentMetricsAnnotation,
  metricsAnnotation,
  roundTripAnnotations,
} from './round-trip-annotations.js'

const views = new WeakMap<UnstructuredObject, UnstructuredObject>()
const origins = new WeakMap<UnstructuredObject, UnstructuredObject>()

/** A stored autoscaler as `autoscaling/v1` shows it. The same object gives the same object. */
export function toV1(stored: UnstructuredObject): UnstructuredObject {
  let view = views.get(stored)
  if (view === undefined) {
    view = deepFreeze(downgraded(stored as unknown as HorizontalPodAutoscaler)) as unknown as UnstructuredObject
    views.set(stored, view)
    origins.set(view, stored)
  }
  return view
}

/** The stored autoscaler that an object of `autoscaling/v1` shows. */
export function originOf(view: UnstructuredObject): UnstructuredObject {
  return origins.get(view) ?? toV2(view)
}

/** An autoscaler of `autoscaling/v1` as it is stored, its defaults filled in. */
export function toV2(served: UnstructuredObject): UnstructuredObject {
  return upgraded(served as unknown as AutoscalerV1) as unknown as UnstructuredObject
}

function isLoadOfProcessors({ type, resource }: MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined
}

function downgraded(autoscaler: HorizontalPodAutoscaler): AutoscalerV1 {
  const { metadata, spec, status } = autoscaler
  const { metrics = [], behavior, ...ownSpec } = spec
  const { currentMetrics, conditions, ...ownStatus } = status ?? {}
  const load = metrics.find(isLoadOfProcessors)?.resource?.target.averageUtilization
  const measured = (currentMetrics ?? []).filter(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu')
  const current = measured.map(({ resource }) => resource?.current?.averageUtilization).findLast((value) => value !== undefined)
  const others = metrics.filter((metric) => !isLoadOfProcessors(metric))
  const annotations: Record<string, string> = { ...metadata.annotations }
  if (others.length > 0) annotations[metricsAnnotation] = goStructs(others.map(specToV1))
  if ((currentMetrics ?? []).length > 0) annotations[currentMetricsAnnotation] = goStructs((currentMetrics ?? []).map(statusToV1))
  if (behavior !== undefined) annotations[behaviorAnnotation] = goStructs(behaviorWithGoNames(behavior))
  if ((conditions ?? []).length > 0) annotations[conditionsAnnotation] = goStructs((conditions ?? []).map(conditionInOrder))
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
    spec: { ...ownSpec, ...(load === undefined ? {} : { targetCPUUtilizationPercentage: load }) },
    ...(status === undefined
      ? {}
      : {
          status: {
            currentReplicas: 0,
            desiredReplicas: 0,
            ...ownStatus,
            ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
          },
        }),
  } as AutoscalerV1
}

function upgraded({ metadata, spec, status }: AutoscalerV1): HorizontalPodAutoscaler {
  const { targetCPUUtilizationPercentage: load, ...ownSpec } = spec ?? {}
  const { currentCPUUtilizationPercentage: current, currentReplicas = 0, ...ownStatus } = status ?? {}
  const { annotations = {}, ...ownMetadata } = metadata
  const others = parsed<readonly Record<string, unknown>[]>(annotations[metricsAnnotation]) ?? []
  const behavior = parsed<Record<string, unknown>>(annotations[behaviorAnnotation])
  const loadMetrics: MetricSpec[] = load === undefined ? [] : [loadMetric(load)]
  const metrics = [...others.map((metric) => specFromV1(metric)), ...loadMetrics]
  const measured = parsed<readonly Record<string, unknown>[]>(annotations[currentMetricsAnnotation])
  const conditions = parsed<readonly HorizontalPodAutoscalerCondition[]>(annotations[conditionsAnnotation])
  const currentMetrics =
    measured?.map((metric) => statusFromV1(metric)) ??
    (current === undefined ? null : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }])
  const kept = Object.entries(annotations).filter(([name]) => !roundTripAnnotations.includes(name))
  const draft = deepCopy({
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: kept.length === 0 ? ownMetadata : { ...ownMetadata, annotations: Object.fromEntries(kept) },
    spec: {
      ...ownSpec,
      metrics: metrics.length > 0 ? metrics : [loadMetric(80)],
      ...(behavior === undefined || Object.keys(behavior).length === 0 ? {} : { behavior: withJsonNames(behavior) }),
    },
    status: {
      ...ownStatus,
      ...(currentReplicas === 0 ? {} : { currentReplicas }),
      currentMetrics,
      ...(conditions === undefined ? {} : { conditions }),
    },
  }) as unknown as Draft<HorizontalPodAutoscaler>
  defaultAutoscaler(draft)
  return draft as HorizontalPodAutoscaler
}

function loadMetric(averageUtilization: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

/** JSON as Go writes structs: members in the order given, and three characters escaped. */
function goStructs(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
}

/** What an annotation holds; what cannot be read is as if it were not there. */
function parsed<Value>(text: string | undefined): Value | undefined {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Value) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The annotation holds the struct of the server's inside, whose members have the names of Go. */
function behaviorWithGoNames({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): unknown {
  const rules = (value: HPAScalingRules | undefined) =>
    value === undefined
      ? null
      : {
          StabilizationWindowSeconds: value.stabilizationWindowSeconds ?? null,
          SelectPolicy: value.selectPolicy ?? null,
          Policies:
            value.policies?.map(({ type, value: amount, periodSeconds }) => ({
              Type: type,
              Value: amount,
              PeriodSeconds: periodSeconds,
            })) ?? null,
          Tolerance: value.tolerance ?? null,
        }
  return { ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) }
}

/** Go reads names of members whatever their case is; `null` is as if the member were not there. */
function withJsonNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withJsonNames)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), withJsonNames(member)]))
}

function conditionInOrder({ type, status, lastTransitionTime, reason, message, observedGeneration }: HorizontalPodAutoscalerCondition) {
  return {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? null,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  }
}
