import { forbidden, StatusError, type UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'
import { find, type Lookup, listAll } from './lookup.js'
import { objectName } from './object-name.js'

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses' }

interface PodSpec {
  readonly priorityClassName?: string
  readonly priority?: number
  readonly preemptionPolicy?: string
}

interface PriorityClass {
  readonly value?: number
  readonly globalDefault?: boolean
  readonly preemptionPolicy?: string
}

/** What pods have for whom no class says otherwise. */
const noClass: PodSpec = { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }

/**
 * Gives a new pod the priority of its class, or of the class that is the default, and keeps both when the pod is replaced without them. Lets only one class be
 * the default.
 */
export function priorityAdmission(registry: Lookup): AdmissionPlugin {
  return {
    name: 'Priority',
    async admit(attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
      const { object, oldObject, operation, subresource, type } = attributes
      if (object === undefined || type.kind !== 'Pod' || type.group !== '' || subresource !== '') return object
      const spec = (object.spec ?? {}) as PodSpec
      if (operation === 'CREATE') return withPriority(object, spec, await establish(registry, attributes, spec))
      if (operation !== 'UPDATE') return object
      const { priority, preemptionPolicy } = { ...((oldObject?.spec ?? {}) as PodSpec), ...spec }
      return withPriority(object, spec, { ...spec, ...present({ priority, preemptionPolicy }) })
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      const { object, operation, type } = attributes
      if (type.group !== priorityClasses.group || type.kind !== 'PriorityClass' || operation === 'DELETE') return
      if ((object as PriorityClass | undefined)?.globalDefault !== true) return
      const current = await defaultClass(registry)
      if (current === undefined || (operation === 'UPDATE' && current.metadata.name === attributes.name)) return
      throw refusal(attributes, `PriorityClass ${current.metadata.name} is already marked as default. Only one default can exist`)
    },
  }
}

function refusal(attributes: AdmissionAttributes, reason: string): StatusError {
  return new StatusError(forbidden(attributes.type, objectName(attributes), reason))
}

async function establish(registry: Lookup, attributes: AdmissionAttributes, spec: PodSpec): Promise<PodSpec> {
  const computed = await computePriority(registry, attributes, spec)
  const must = 'must not be provided in pod spec; priority admission controller computed'
  const from = 'from the given PriorityClass name'
  if (spec.priority !== undefined && spec.priority !== computed.priority) {
    throw refusal(attributes, `the integer value of priority (${spec.priority}) ${must} ${computed.priority} ${from}`)
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== computed.preemptionPolicy) {
    const reason = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${must} ${computed.preemptionPolicy} ${from}`
    throw refusal(attributes, reason)
  }
  return computed
}

async function computePriority(registry: Lookup, attributes: AdmissionAttributes, { priorityClassName = '' }: PodSpec): Promise<PodSpec> {
  const found = priorityClassName === '' ? await defaultClass(registry) : await find(registry, priorityClasses, priorityClassName)
  if (found === undefined) {
    if (priorityClassName === '') return noClass
    throw refusal(attributes, `no PriorityClass with name ${priorityClassName} was found`)
  }
  const { value = 0, preemptionPolicy } = found as PriorityClass
  return present({ priorityClassName: found.metadata.name, priority: value, preemptionPolicy })
}

/** Should two have become the default at once, the lower one is. */
async function defaultClass(registry: Lookup): Promise<UnstructuredObject | undefined> {
  const priorityOf = (object: UnstructuredObject) => (object as PriorityClass).value ?? 0
  const classes = await listAll(registry, priorityClasses)
  return classes
    .filter((candidate) => (candidate as PriorityClass).globalDefault === true)
    .reduce<UnstructuredObject | undefined>(
      (lowest, candidate) => (lowest === undefined || priorityOf(candidate) < priorityOf(lowest) ? candidate : lowest),
      undefined,
    )
}

/** The fields that are there. */
function present(fields: { readonly [Field in keyof PodSpec]: PodSpec[Field] | undefined }): PodSpec {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function withPriority(object: UnstructuredObject, spec: PodSpec, { priorityClassName, priority, preemptionPolicy }: PodSpec) {
  const next = { ...spec, ...present({ priorityClassName, priority, preemptionPolicy }) }
  const isSame =
    next.priority === spec.priority && next.preemptionPolicy === spec.preemptionPolicy && next.priorityClassName === spec.priorityClassName
  return isSame ? object : { ...object, spec: next }
}
