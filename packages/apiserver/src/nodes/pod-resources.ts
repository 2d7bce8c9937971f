import { parseQuantity, quantityMilliValue, quantityValue } from 'steersman/api'
import type { Container, Pod } from 'steersman/api/types/core/v1'

/** Amounts by resource: cpu in thousandths, everything else in whole units (memory in bytes). */
export type Amounts = ReadonlyMap<string, number>

/** Reads a resource list. */
export function amountsOf(resources: Readonly<Record<string, string>> | undefined): Amounts {
  return new Map(Object.entries(resources ?? {}).map(([name, text]) => [name, amountOf(name, text)]))
}

function amountOf(name: string, text: string): number {
  const quantity = parseQuantity(text)
  return Number(name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity))
}

/**
 * What the pod asks of a node: the sum of its containers, or the largest need while its init containers run; side cars, which go on running, count with both.
 * A limit without a request is the request, as the API server writes it.
 */
export function podRequests(pod: Pod): Amounts {
  const { containers = [], initContainers = [], overhead } = pod.spec ?? {}
  const running = new Map<string, number>()
  const starting = new Map<string, number>()
  for (const container of containers) addTo(running, requestsOf(container))
  const sideCars = new Map<string, number>()
  for (const container of initContainers) {
    if (container.restartPolicy === 'Always') {
      addTo(sideCars, requestsOf(container))
      raiseTo(starting, sideCars)
    } else {
      const need = new Map(sideCars)
      addTo(need, requestsOf(container))
      raiseTo(starting, need)
    }
  }
  addTo(running, sideCars)
  raiseTo(running, starting)
  addTo(running, amountsOf(overhead))
  return running
}

function requestsOf({ resources }: Container): Amounts {
  return amountsOf({ ...resources?.limits, ...resources?.requests })
}

function addTo(sum: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0) + amount)
}

function raiseTo(maximum: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) maximum.set(name, Math.max(maximum.get(name) ?? 0, amount))
}
