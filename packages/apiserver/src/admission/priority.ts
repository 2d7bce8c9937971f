import { forbidden, StatusError, type UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'
import { objectName } from './object-name.js'

/** The priority classes that every cluster has. */
const systemClasses: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 }
const preemptLowerPriority = 'PreemptLowerPriority'

interface PodSpec {
  readonly priorityClassName?: string
  readonly priority?: number
  readonly preemptionPolicy?: string
}

/**
 * Gives a new pod the priority of its class, 0 if it names none, and keeps both when the pod is replaced without them. As long as there is no
 * kind PriorityClass, the classes of the system are the only ones.
 */
export const priorityAdmission: AdmissionPlugin = {
  name: 'Priority',
  async admit(attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
    const { object, oldObject, operation, subresource, type } = attributes
    if (object === undefined || type.kind !== 'Pod' || type.group !== '' || subresource !== '') return object
    const spec = (object.spec ?? {}) as PodSpec
    if (operation === 'CREATE') return withPriority(object, spec, computePriority(attributes, spec), preemptLowerPriority)
    if (operation !== 'UPDATE') return object
    const old = (oldObject?.spec ?? {}) as PodSpec
    return withPriority(object, spec, spec.priority ?? old.priority, spec.preemptionPolicy ?? old.preemptionPolicy)
  },
}

function computePriority(attributes: AdmissionAttributes, { priorityClassName = '', priority, preemptionPolicy }: PodSpec): number {
  const refuse = (reason: string) => new StatusError(forbidden(attributes.type, objectName(attributes), reason))
  const computed =
    priorityClassName === '' ? 0 : Object.hasOwn(systemClasses, priorityClassName) ? systemClasses[priorityClassName] : undefined
  if (computed === undefined) throw refuse(`no PriorityClass with name ${priorityClassName} was found`)
  const must = 'must not be provided in pod spec; priority admission controller computed'
  const from = 'from the given PriorityClass name'
  if (priority !== undefined && priority !== computed)
    throw refuse(`the integer value of priority (${priority}) ${must} ${computed} ${from}`)
  if (preemptionPolicy !== undefined && preemptionPolicy !== preemptLowerPriority) {
    throw refuse(`the string value of PreemptionPolicy (${preemptionPolicy}) ${must} ${preemptLowerPriority} ${from}`)
  }
  return computed
}

function withPriority(object: UnstructuredObject, spec: PodSpec, priority: number | undefined, preemptionPolicy: string | undefined) {
  if (spec.priority === priority && spec.preemptionPolicy === preemptionPolicy) return object
  return {
    ...object,
    spec: {
      ...spec,
      ...(priority === undefined ? {} : { priority }),
      ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
    },
  }
}
