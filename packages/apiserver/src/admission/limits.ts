import type { Quantity } from 'steersman/api'
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, quantityMilliValue } from 'steersman/api'

/** Resources and how much of each. */
export type Amounts = Readonly<Record<string, string>>

/** What limits say of a container. */
export interface ContainerResources {
  readonly name?: string
  readonly restartPolicy?: string
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts }
}

/** What limits say of a pod. */
export interface LimitedPodSpec {
  readonly containers?: readonly ContainerResources[]
  readonly initContainers?: readonly ContainerResources[]
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts }
}

/** One limit of a limit range. */
export interface LimitItem {
  readonly type: string
  readonly max?: Amounts
  readonly min?: Amounts
  readonly default?: Amounts
  readonly defaultRequest?: Amounts
  readonly maxLimitRequestRatio?: Amounts
}

/** How amounts of requests and limits break a limit, in the words of the real server. */
export function limitErrors(limit: LimitItem, requests: Amounts, limits: Amounts): readonly string[] {
  const { type } = limit
  const each = (amounts: Amounts | undefined, check: (name: string, enforced: string) => string | undefined) =>
    Object.entries(amounts ?? {}).flatMap(([name, enforced]) => check(name, enforced) ?? [])
  return [
    ...each(limit.min, (name, least) => {
      const start = `minimum ${name} usage per ${type} is ${least}`
      const [request, most] = [requests[name], limits[name]]
      if (request === undefined) return `${start}.  No request is specified`
      if (milli(request) < milli(least)) return `${start}, but request is ${request}`
      return most !== undefined && milli(most) < milli(least) ? `${start}, but limit is ${most}` : undefined
    }),
    ...each(limit.max, (name, most) => {
      const start = `maximum ${name} usage per ${type} is ${most}`
      const [request, own] = [requests[name], limits[name]]
      if (own === undefined) return `${start}.  No limit is specified`
      if (milli(own) > milli(most)) return `${start}, but limit is ${own}`
      return request !== undefined && milli(request) > milli(most) ? `${start}, but request is ${request}` : undefined
    }),
    ...each(limit.maxLimitRequestRatio, (name, most) => {
      const start = `${name} max limit to request ratio per ${type} is ${most}`
      const [request, own] = [milli(requests[name] ?? '0'), milli(limits[name] ?? '0')]
      if (request === 0n) return `${start}, but no request is specified or request is 0`
      if (own === 0n) return `${start}, but no limit is specified or limit is 0`
      const ratio = Number(own) / Number(request)
      return ratio * 1000 > Number(milli(most)) ? `${start}, but provided ratio is ${ratio.toFixed(6)}` : undefined
    }),
  ]
}

/** How the requests of a claim break a limit; what a claim has as limits does not count. */
export function claimLimitErrors({ type, min = {}, max = {} }: LimitItem, requests: Amounts): readonly string[] {
  const tooMuch = Object.entries(max).flatMap(([name, most]) => {
    const start = `maximum ${name} usage per ${type} is ${most}`
    const request = requests[name]
    if (request === undefined) return `${start}.  No request is specified`
    return milli(request) > milli(most) ? `${start}, but request is ${request}` : []
  })
  return [...limitErrors({ type, min }, requests, {}), ...tooMuch]
}

function milli(text: string): bigint {
  return quantityMilliValue(parseQuantity(text))
}

const podResources = ['cpu', 'memory']

/** What a pod needs in all: its containers at once, or its init containers one after the other beside those that go on. */
export function podAmounts(spec: LimitedPodSpec, field: 'requests' | 'limits'): Amounts {
  const total = new Map<string, Quantity>()
  const beside = new Map<string, Quantity>()
  const peak = new Map<string, Quantity>()
  for (const { resources } of spec.containers ?? []) add(total, read(resources?.[field]))
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const own = read(resources?.[field])
    if (restartPolicy === 'Always') {
      add(total, own)
      add(beside, own)
      raise(peak, beside)
    } else {
      const together = new Map(own)
      add(together, beside)
      raise(peak, together)
    }
  }
  raise(total, peak)
  const amounts = Object.fromEntries([...total].map(([name, quantity]) => [name, formatQuantity(quantity)]))
  const ofPod = Object.entries(spec.resources?.[field] ?? {}).filter(([name]) => podResources.includes(name))
  return { ...amounts, ...Object.fromEntries(ofPod) }
}

function read(amounts: Amounts = {}): ReadonlyMap<string, Quantity> {
  return new Map(Object.entries(amounts).map(([name, text]) => [name, parseQuantity(text)]))
}

function add(sum: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of amounts) {
    const before = sum.get(name)
    sum.set(name, before === undefined ? quantity : addQuantities(before, quantity))
  }
}

function raise(most: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of amounts) {
    const before = most.get(name)
    if (before === undefined || compareQuantities(quantity, before) > 0) most.set(name, quantity)
  }
}
