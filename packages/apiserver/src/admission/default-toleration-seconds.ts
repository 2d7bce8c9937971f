import type { UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'

const graceSeconds = 300
const conditions = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

/** Lets a pod stay on a node that is not ready or not reachable for five minutes, unless the pod says otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  async admit({ object, operation, subresource, type }: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
    if (object === undefined || type.kind !== 'Pod' || type.group !== '' || subresource !== '' || operation === 'DELETE') return object
    const spec = (object.spec ?? {}) as { readonly tolerations?: readonly Toleration[] }
    const own = spec.tolerations ?? []
    const missing = conditions.filter((key) => !own.some((toleration) => tolerates(toleration, key)))
    if (missing.length === 0) return object
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: graceSeconds }))
    return { ...object, spec: { ...spec, tolerations: [...own, ...added] } }
  },
}

function tolerates({ key = '', effect = '' }: Toleration, condition: string): boolean {
  return (key === condition || key === '') && (effect === 'NoExecute' || effect === '')
}
