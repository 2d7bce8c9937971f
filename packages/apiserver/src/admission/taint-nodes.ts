import type { UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

interface NodeSpec {
  readonly taints?: readonly { readonly key: string; readonly effect: string }[]
}

/** Keeps pods off a new node until somebody finds it ready and takes the taint away. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  async admit({ object, operation, subresource, type }: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
    if (object === undefined || operation !== 'CREATE' || subresource !== '' || type.kind !== 'Node' || type.group !== '') return object
    const spec = (object.spec ?? {}) as NodeSpec
    const taints = spec.taints ?? []
    if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return object
    return { ...object, spec: { ...spec, taints: [...taints, notReady] } }
  },
}
