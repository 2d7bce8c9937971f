/**
 * Metrics in the two versions of autoscaling. `autoscaling/v1` keeps them in annotations, as JSON in the order of Go's structs, so the order of members counts here.
 */
import type { LabelSelector } from 'steersman/api'
import type { MetricIdentifier, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from 'steersman/api/types/autoscaling/v2'

/** An object, as both versions name it. */
interface Reference {
  readonly kind?: string
  readonly name?: string
  readonly apiVersion?: string
}

/** A metric of `autoscaling/v1`; discovery tells nothing of it, as it only exists in an annotation. */
export interface MetricSpecV1 {
  readonly type?: string
  readonly object?: ObjectV1 & { readonly targetValue?: string }
  readonly pods?: NamedV1 & { readonly targetAverageValue?: string }
  readonly resource?: ResourceV1
  readonly containerResource?: ResourceV1 & { readonly container?: string }
  readonly external?: ExternalV1 & { readonly targetValue?: string; readonly targetAverageValue?: string }
}

/** What was measured, in `autoscaling/v1`. */
export interface MetricStatusV1 {
  readonly type?: string
  readonly object?: ObjectV1 & { readonly currentValue?: string }
  readonly pods?: NamedV1 & { readonly currentAverageValue?: string }
  readonly resource?: CurrentV1
  readonly containerResource?: CurrentV1 & { readonly container?: string }
  readonly external?: ExternalV1 & { readonly currentValue?: string; readonly currentAverageValue?: string }
}

interface NamedV1 {
  readonly metricName?: string
  readonly selector?: LabelSelector
}

interface ObjectV1 extends NamedV1 {
  readonly target?: Reference
  readonly averageValue?: string
}

interface ExternalV1 {
  readonly metricName?: string
  readonly metricSelector?: LabelSelector
}

interface ResourceV1 {
  readonly name?: string
  readonly targetAverageUtilization?: number
  readonly targetAverageValue?: string
}

interface CurrentV1 {
  readonly name?: string
  readonly currentAverageUtilization?: number
  readonly currentAverageValue?: string
}

/** Without members that hold nothing. */
function compact<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

function reference(value: Reference | undefined) {
  return compact({ kind: value?.kind ?? '', name: value?.name ?? '', apiVersion: value?.apiVersion || undefined })
}

/** What is wanted and what was measured have the same form, and stand under these names. */
type Side = 'target' | 'current'

type MetricV2 = { readonly type: string } & {
  readonly [Source in Exclude<keyof MetricSpec, 'type'>]?: Readonly<
    Partial<Record<Side, MetricValueStatus> & { name: string; container: string; metric: MetricIdentifier; describedObject: Reference }>
  >
}

/** A metric as `autoscaling/v1` writes it. */
export function specToV1(metric: MetricSpec): Record<string, unknown> {
  return toV1(metric, 'target')
}

/** What was measured, as `autoscaling/v1` writes it. */
export function statusToV1(metric: MetricStatus): Record<string, unknown> {
  return toV1(metric, 'current')
}

function toV1({ type, object, pods, resource, containerResource, external }: MetricV2, side: Side): Record<string, unknown> {
  return compact({
    type,
    object:
      object &&
      compact({
        target: reference(object.describedObject),
        metricName: object.metric?.name ?? '',
        [`${side}Value`]: object[side]?.value ?? '0',
        selector: object.metric?.selector,
        averageValue: object[side]?.averageValue,
      }),
    pods:
      pods &&
      compact({
        metricName: pods.metric?.name ?? '',
        [`${side}AverageValue`]: pods[side]?.averageValue ?? '0',
        selector: pods.metric?.selector,
      }),
    resource: resource && resourceToV1(resource, side),
    containerResource: containerResource && { ...resourceToV1(containerResource, side), container: containerResource.container ?? '' },
    external:
      external &&
      compact({
        metricName: external.metric?.name ?? '',
        metricSelector: external.metric?.selector,
        [`${side}Value`]: external[side]?.value ?? unsaid[side],
        [`${side}AverageValue`]: external[side]?.averageValue,
      }),
  })
}

/** What is written of an amount that is not there: `autoscaling/v1` cannot leave out one that was measured. */
const unsaid: Readonly<Record<Side, string | undefined>> = { target: undefined, current: '0' }

function resourceToV1(resource: NonNullable<MetricV2['resource']>, side: Side) {
  const { averageUtilization, averageValue = unsaid[side] } = resource[side] ?? {}
  return compact({ name: resource.name, [`${side}AverageUtilization`]: averageUtilization, [`${side}AverageValue`]: averageValue })
}

/** A metric of `autoscaling/v1` as it is stored. */
export function specFromV1({ type, object, pods, resource, containerResource, external }: MetricSpecV1): MetricSpec {
  return compact({
    type: type ?? '',
    object: object && {
      describedObject: reference(object.target),
      target: objectTarget(object.targetValue ?? '0', object.averageValue),
      metric: compact({ name: object.metricName ?? '', selector: object.selector }),
    },
    pods: pods && {
      metric: compact({ name: pods.metricName ?? '', selector: pods.selector }),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue ?? '0' },
    },
    resource: resource && { name: resource.name ?? '', target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name ?? '',
      target: resourceTarget(containerResource),
      container: containerResource.container ?? '',
    },
    external: external && {
      metric: compact({ name: external.metricName ?? '', selector: external.metricSelector }),
      target: compact({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      }),
    },
  }) as MetricSpec
}

/** `autoscaling/v1` cannot leave the value out, so that none is zero there. */
function objectTarget(value: string, averageValue: string | undefined): MetricTarget {
  if (averageValue === undefined) return { type: 'Value', value }
  return value === '0' ? { type: 'AverageValue', averageValue } : { type: 'AverageValue', value, averageValue }
}

function resourceTarget(source: ResourceV1): MetricTarget {
  return compact({
    type: source.targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: source.targetAverageValue,
    averageUtilization: source.targetAverageUtilization,
  })
}

/** What was measured, of `autoscaling/v1`, as it is stored. */
export function statusFromV1({ type, object, pods, resource, containerResource, external }: MetricStatusV1): MetricStatus {
  return compact({
    type: type ?? '',
    object: object && {
      metric: compact({ name: object.metricName ?? '', selector: object.selector }),
      current: compact({ value: object.currentValue ?? '0', averageValue: object.averageValue }),
      describedObject: reference(object.target),
    },
    pods: pods && {
      metric: compact({ name: pods.metricName ?? '', selector: pods.selector }),
      current: { averageValue: pods.currentAverageValue ?? '0' },
    },
    resource: resource && { name: resource.name ?? '', current: currentFromV1(resource) },
    containerResource: containerResource && {
      name: containerResource.name ?? '',
      current: currentFromV1(containerResource),
      container: containerResource.container ?? '',
    },
    external: external && {
      metric: compact({ name: external.metricName ?? '', selector: external.metricSelector }),
      current: compact({ value: external.currentValue ?? '0', averageValue: external.currentAverageValue }),
    },
  }) as MetricStatus
}

/** `autoscaling/v1` cannot leave the value out: beside a share, zero stands for none. */
function currentFromV1({ currentAverageValue = '0', currentAverageUtilization }: CurrentV1) {
  const isTold = currentAverageUtilization === undefined || currentAverageValue !== '0'
  return compact({ averageValue: isTold ? currentAverageValue : undefined, averageUtilization: currentAverageUtilization })
}
