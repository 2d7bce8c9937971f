import type { Draft } from 'steersman/api'
import type { PodSpec } from 'steersman/api/types/core/v1'
import { amountOf } from './quantity.js'
import { containerSum, isHugePages, isPodResource } from './resource-sums.js'

type Field = 'limits' | 'requests'

/** Fills in what a pod asks for as a whole, if it says anything about that: what its containers ask for together, or else what it may use. */
export function defaultPodResources(spec: Draft<PodSpec>): void {
  const { resources } = spec
  if (resources === undefined) return
  const limits = { ...resources.limits }
  const requests = { ...resources.requests }
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return
  const sum = (field: Field, name: string) => containerSum(spec as PodSpec, field, name)
  for (const name of namesOf(spec, 'limits')) {
    if (isHugePages(name) && requests[name] === undefined) limits[name] ??= sum('limits', name)
  }
  for (const name of namesOf(spec, 'requests')) if (isPodResource(name) && !isHugePages(name)) requests[name] ??= sum('requests', name)
  for (const [name, quantity] of Object.entries(limits)) if (isPodResource(name)) requests[name] ??= quantity
  for (const [name, quantity] of Object.entries(requests)) {
    if (!isPodResource(name) || limits[name] !== undefined || !allAreLimited(spec, name)) continue
    const limit = sum('limits', name)
    limits[name] = (amountOf(quantity) ?? 0n) > (amountOf(limit) ?? 0n) ? quantity : limit
  }
  if (Object.keys(limits).length > 0) resources.limits = limits
  if (Object.keys(requests).length > 0) resources.requests = requests
}

function namesOf(spec: Draft<PodSpec>, field: Field): ReadonlySet<string> {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  return new Set(containers.flatMap((container) => Object.keys(container.resources?.[field] ?? {})))
}

/** Whether no container may use all that there is. */
function allAreLimited(spec: Draft<PodSpec>, name: string): boolean {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].every(
    (container) => container.resources?.limits?.[name] !== undefined,
  )
}
