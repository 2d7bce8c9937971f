import type { Draft } from 'steersman/api'
import type { PodSpec } from 'steersman/api/types/core/v1'
import { containerSum, isHugePages, isPodResource } from './resource-sums.js'

/** Fills in what a pod asks for as a whole, if it says anything about that: what its containers ask for together, or else what it may use. */
export function defaultPodResources(spec: Draft<PodSpec>): void {
  const { resources } = spec
  if (resources === undefined) return
  const limits = { ...resources.limits }
  const requests = { ...resources.requests }
  const names = (field: 'limits' | 'requests') =>
    new Set(
      [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap((container) => Object.keys(container.resources?.[field] ?? {})),
    )
  const says = Object.keys(limits).length + Object.keys(requests).length > 0
  for (const name of names('limits')) {
    if (says && isHugePages(name) && requests[name] === undefined) limits[name] ??= containerSum(spec as PodSpec, 'limits', name)
  }
  if (Object.keys(limits).length > 0) resources.limits = limits
  if (Object.keys(limits).length === 0) return
  for (const name of names('requests')) {
    if (isPodResource(name) && !isHugePages(name)) requests[name] ??= containerSum(spec as PodSpec, 'requests', name)
  }
  for (const [name, quantity] of Object.entries(limits)) if (isPodResource(name)) requests[name] ??= quantity
  if (Object.keys(requests).length > 0) resources.requests = requests
}
