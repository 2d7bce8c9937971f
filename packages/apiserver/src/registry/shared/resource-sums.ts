import type { PodSpec, ResourceRequirements } from 'steersman/api/types/core/v1'
import { amountOf, canonicalAmount } from './quantity.js'

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Whether a pod as a whole can ask for a resource. */
export function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

/** What all containers need at once: those that run beside each other, or one that runs before them and needs more. */
export function amountOfContainers(spec: PodSpec, field: 'requests' | 'limits', name: string): bigint {
  const amount = (container: { readonly resources?: ResourceRequirements }) => amountOf(container.resources?.[field]?.[name] ?? '0') ?? 0n
  const regular = (spec.containers ?? []).reduce((sum, container) => sum + amount(container), 0n)
  let sidecars = 0n
  let most = 0n
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') sidecars += amount(container)
    const together = container.restartPolicy === 'Always' ? sidecars : sidecars + amount(container)
    if (together > most) most = together
  }
  return regular + sidecars > most ? regular + sidecars : most
}

/** The same as the server writes it, in the notation of the first container that has it. */
export function containerSum(spec: PodSpec, field: 'requests' | 'limits', name: string): string {
  const first = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].find(
    ({ resources }) => resources?.[field]?.[name] !== undefined,
  )
  return canonicalAmount(amountOfContainers(spec, field, name), first?.resources?.[field]?.[name] ?? '0')
}
