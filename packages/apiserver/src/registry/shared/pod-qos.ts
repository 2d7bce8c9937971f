import type { Container, PodSpec } from 'steersman/api/types/core/v1'
import { amountOf } from './quantity.js'

const computeResources = ['cpu', 'memory']

/** The quality of service of a pod: what its containers ask for against what they may use. */
export function qosClass(spec: PodSpec | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
  const resources = containers.map((container) => container.resources ?? {})
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
