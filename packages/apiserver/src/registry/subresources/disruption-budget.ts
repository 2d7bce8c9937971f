import type { Status } from 'steersman/api'
import { forbidden, StatusError, tooManyRequests } from 'steersman/api'
import type { Pod } from 'steersman/api/types/core/v1'
import type { Condition } from 'steersman/api/types/meta/v1'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'steersman/api/types/policy/v1'
import { deepFreeze } from 'steersman/internal'
import { StorageError } from '../../storage/index.js'
import { selects } from '../shared/label-selector.js'
import type { StoreContext } from '../store-context.js'
import { resourcePrefix, revisionOf, timestamp } from '../store-context.js'

const mostDisruptedPods = 2000
const maxAttempts = 5
const cannot = "Cannot evict pod as it would violate the pod's disruption budget."

/** Whether no budget is asked: the pod does not run. */
export function isBeyondBudgets({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')
}

/**
 * Asks the budget of a pod whether the pod may go, and takes one disruption from it.
 *
 * @throws {StatusError} TooManyRequests, Forbidden: it may not. 500: it has more than one budget.
 */
export async function askBudget(pods: StoreContext, pod: Pod, dryRun: boolean): Promise<void> {
  const prefix = `${resourcePrefix('policy', 'poddisruptionbudgets')}${pod.metadata.namespace}/`
  for (let attempt = 1; ; attempt++) {
    const { items } = await pods.storage.list(prefix)
    const budgets = (items as unknown as PodDisruptionBudget[]).filter(
      ({ spec }) => spec?.selector !== undefined && selects(spec.selector, pod.metadata.labels ?? {}),
    )
    const [budget, ...others] = budgets
    if (budget === undefined) return
    if (others.length > 0) throw new StatusError(tooManyBudgets)
    if (!isReady(pod) && letsUnhealthyGo(budget)) return
    requireDisruption(budget)
    if (dryRun) return
    try {
      await takeDisruption(pods, budget, pod.metadata.name ?? '')
      return
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'conflict' || attempt === maxAttempts) throw error
    }
  }
}

const tooManyBudgets: Status = Object.freeze({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  code: 500,
})

function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True')
}

function letsUnhealthyGo({ spec, status }: PodDisruptionBudget): boolean {
  const { currentHealthy = 0, desiredHealthy = 0 }: Partial<PodDisruptionBudgetStatus> = status ?? {}
  return spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (currentHealthy >= desiredHealthy && desiredHealthy > 0)
}

function requireDisruption({ metadata, status }: PodDisruptionBudget): void {
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} }: Partial<PodDisruptionBudgetStatus> = status ?? {}
  const name = metadata.name ?? ''
  const cause = (message: string) => [{ reason: 'DisruptionBudget', message }]
  const budgets = { group: 'policy', plural: 'poddisruptionbudget' }
  if (observedGeneration < (metadata.generation ?? 0)) {
    throw new StatusError(tooManyRequests(cannot, 10, cause(`The disruption budget ${name} is still being processed by the server.`)))
  }
  const currently = `The disruption budget ${name} does not allow evicting pods currently`
  if (disruptionsAllowed < 0) {
    const reason = 'pdb disruptions allowed is negative'
    throw new StatusError(forbidden(budgets, name, reason, cause(`${currently}: ${reason}`)))
  }
  if (Object.keys(disruptedPods ?? {}).length > mostDisruptedPods) {
    const reason = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw new StatusError(
      forbidden(budgets, name, reason, cause(`${currently}: too many pending evictions not confirmed by PDB controller`)),
    )
  }
  if (disruptionsAllowed === 0) throw new StatusError(tooManyRequests(cannot, 0, cause(exhausted(currently, name, status))))
}

function exhausted(currently: string, name: string, status: PodDisruptionBudgetStatus | undefined): string {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] }: Partial<PodDisruptionBudgetStatus> = status ?? {}
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const says = condition?.status === 'False' && condition.message !== ''
  if (says && condition.reason === 'SyncFailed') return `${currently} because it failed sync: ${condition.message}`
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  }
  return says ? `${currently} (${condition.reason}): ${condition.message}` : currently
}

async function takeDisruption({ storage, environment }: StoreContext, budget: PodDisruptionBudget, podName: string): Promise<void> {
  const now = timestamp(environment.now())
  const { status, metadata } = budget
  const disruptionsAllowed = (status?.disruptionsAllowed ?? 0) - 1
  const next = {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...status?.disruptedPods, [podName]: now },
      ...(disruptionsAllowed === 0 ? { conditions: withoutDisruptions(status, now) } : {}),
    },
  }
  const key = `${resourcePrefix('policy', 'poddisruptionbudgets')}${metadata.namespace}/${metadata.name}`
  await storage.update(key, deepFreeze(next) as never, revisionOf(budget as never))
}

function withoutDisruptions(status: PodDisruptionBudgetStatus | undefined, now: string): readonly Condition[] {
  const conditions = status?.conditions ?? []
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const next = {
    type: 'DisruptionAllowed',
    status: 'False' as const,
    ...(status?.observedGeneration ? { observedGeneration: status.observedGeneration } : {}),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  }
  return before === undefined ? [...conditions, next] : conditions.map((other) => (other === before ? next : other))
}
