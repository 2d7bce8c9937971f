import type { Container, PodSpec, ResourceRequirements } from 'steersman/api/types/core/v1'
import { amountOf } from './quantity.js'
import { isPodResource } from './resource-sums.js'

/** How sure a pod is of what it asks for. */
type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort'

const computeResources = ['cpu', 'memory']

/** The quality of service of a pod: what it, or each of its containers, asks for against what it may use. */
export function qosClass(spec: PodSpec | undefined): QosClass {
  const ofPod = spec?.resources
  if (ofPod !== undefined && Object.keys({ ...ofPod.requests, ...ofPod.limits }).some(isPodResource)) return requirementsClass(ofPod)
  const containers: readonly Container[] = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]
  return together(containers.map(({ resources = {} }) => requirementsClass(resources)))
}

function requirementsClass({ requests, limits }: ResourceRequirements): QosClass {
  return together(
    computeResources.map((name) => {
      const limit = amountOf(limits?.[name] ?? '0') ?? 0n
      const request = amountOf(requests?.[name] ?? limits?.[name] ?? '0') ?? 0n
      if (request !== limit) return 'Burstable'
      return request === 0n ? 'BestEffort' : 'Guaranteed'
    }),
  )
}

/** What is not all of one class is burstable. */
function together(classes: readonly QosClass[]): QosClass {
  const [first = 'BestEffort'] = classes
  return classes.every((other) => other === first) ? first : 'Burstable'
}
