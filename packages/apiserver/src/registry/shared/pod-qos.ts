import type { Container, PodSpec } from 'steersman/api/types/core/v1'
import { amountOf } from './quantity.js'
import { isPodResource } from './resource-sums.js'

const computeResources = ['cpu', 'memory']

/** The quality of service of a pod: what it, or each of its containers, asks for against what it may use. */
export function qosClass(spec: PodSpec | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
  const ofPod = spec?.resources
  const isOfPod = Object.keys({ ...ofPod?.requests, ...ofPod?.limits }).some(isPodResource)
  const resources = ofPod !== undefined && isOfPod ? [ofPod] : containers.map((container) => container.resources ?? {})
  const amounts = (values: Readonly<Record<string, string>> | undefined, name: string) => amountOf(values?.[name] ?? '0') ?? 0n
  const asks = resources.some(({ requests, limits }) =>
    computeResources.some((name) => amounts(requests, name) > 0n || amounts(limits, name) > 0n),
  )
  if (!asks) return 'BestEffort'
  const guaranteed = resources.every(({ requests, limits }) =>
    computeResources.every((name) => {
      const limit = amounts(limits, name)
      return limit > 0n && (requests?.[name] === undefined || amounts(requests, name) === limit)
    }),
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}
