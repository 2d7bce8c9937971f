import type { UnstructuredObject } from 'steersman/api'
import { compareQuantities, forbidden, goQuote, parseQuantity, StatusError } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'
import { find, type Lookup } from './lookup.js'
import { objectName } from './object-name.js'

const runtimeClasses = { group: 'node.k8s.io', version: 'v1', plural: 'runtimeclasses' }
type Amounts = Readonly<Record<string, string>>

interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

interface PodSpec {
  readonly runtimeClassName?: string
  readonly overhead?: Amounts
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
}

interface RuntimeClass {
  readonly overhead?: { readonly podFixed?: Amounts }
  readonly scheduling?: Pick<PodSpec, 'nodeSelector' | 'tolerations'>
}

/** Gives a new pod what its runtime class says: the overhead, and where such pods can run. */
export function runtimeClassAdmission(registry: Lookup): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    async admit(attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
      const { object } = attributes
      if (object === undefined || !isNewPod(attributes)) return object
      const spec = (object.spec ?? {}) as PodSpec
      const runtimeClass = await classOf(registry, attributes, spec)
      if (runtimeClass === undefined) return object
      const next = { ...spec, ...overheadFor(attributes, spec, runtimeClass), ...schedulingFor(attributes, spec, runtimeClass) }
      return deepEqual(next, spec) ? object : { ...object, spec: next }
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      if (!isNewPod(attributes)) return
      const spec = (attributes.object?.spec ?? {}) as PodSpec
      const overhead = (await classOf(registry, attributes, spec))?.overhead
      if (overhead === undefined) {
        if (spec.overhead === undefined) return
        throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
      }
      if (!areSame(overhead.podFixed ?? {}, spec.overhead ?? {})) throw mismatch(attributes)
    },
  }
}

function isNewPod({ type, operation, subresource }: AdmissionAttributes): boolean {
  return type.group === '' && type.kind === 'Pod' && operation === 'CREATE' && subresource === ''
}

function refusal(attributes: AdmissionAttributes, reason: string): StatusError {
  return new StatusError(forbidden(attributes.type, objectName(attributes), reason))
}

function mismatch(attributes: AdmissionAttributes): StatusError {
  return refusal(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
}

async function classOf(registry: Lookup, attributes: AdmissionAttributes, { runtimeClassName: name }: PodSpec) {
  if (name === undefined) return undefined
  const found = await find(registry, runtimeClasses, name)
  if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`)
  return found as RuntimeClass
}

function areSame(some: Amounts, others: Amounts): boolean {
  const names = Object.keys(some)
  if (names.length !== Object.keys(others).length) return false
  return names.every((name) => {
    const [one, other] = [some[name], others[name]]
    return one !== undefined && other !== undefined && compareQuantities(parseQuantity(one), parseQuantity(other)) === 0
  })
}

function overheadFor(attributes: AdmissionAttributes, spec: PodSpec, { overhead }: RuntimeClass): PodSpec {
  if (overhead === undefined) return {}
  const { podFixed = {} } = overhead
  if (Object.keys(spec.overhead ?? {}).length > 0 && !areSame(podFixed, spec.overhead ?? {})) throw mismatch(attributes)
  return { overhead: podFixed }
}

function schedulingFor(attributes: AdmissionAttributes, spec: PodSpec, { scheduling }: RuntimeClass): PodSpec {
  if (scheduling === undefined) return {}
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key]
    if (own === undefined || own === value) continue
    const reason = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`
    throw refusal(attributes, reason)
  }
  const nodeSelector = { ...spec.nodeSelector, ...scheduling.nodeSelector }
  const tolerations = merge([...(spec.tolerations ?? []), ...(scheduling.tolerations ?? [])])
  return {
    ...(Object.keys(nodeSelector).length > 0 ? { nodeSelector } : {}),
    ...(tolerations.length > 0 ? { tolerations } : {}),
  }
}

/** Tolerations without those that another one covers. */
function merge(tolerations: readonly Toleration[]): readonly Toleration[] {
  const merged: Toleration[] = []
  for (const [index, toleration] of tolerations.entries()) {
    if (merged.some((other) => covers(other, toleration))) continue
    const isCoveredLater = tolerations.slice(index + 1).some((other) => !deepEqual(other, toleration) && covers(other, toleration))
    if (!isCoveredLater) merged.push(toleration)
  }
  return merged
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (deepEqual(wide, narrow)) return true
  const [key = '', narrowKey = ''] = [wide.key, narrow.key]
  const [operator = '', effect = ''] = [wide.operator, wide.effect]
  if (narrowKey !== key && (key !== '' || operator !== 'Exists')) return false
  if (effect !== '' && (narrow.effect ?? '') !== effect) return false
  if (effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false
  }
  if (operator === 'Exists') return true
  return (operator === 'Equal' || operator === '') && narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '')
}
