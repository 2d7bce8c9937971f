import type { ObjectKey, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, StatusError } from 'steersman/api'
import type { Pod, PodCondition } from 'steersman/api/types/core/v1'
import type { DeleteRequest, WriteRequest } from '../../contracts/index.js'
import { deleteObject } from '../delete.js'
import { getObject } from '../list.js'
import { timestamp } from '../store-context.js'
import { updateObject } from '../update.js'
import type { UpdateRules } from '../update-rules.js'
import { ActingSubresource, created } from './acting-subresource.js'
import { askBudget, isBeyondBudgets } from './disruption-budget.js'

interface Eviction extends UnstructuredObject {
  readonly deleteOptions?: Pick<DeleteRequest, 'gracePeriodSeconds' | 'propagationPolicy' | 'orphanDependents' | 'preconditions'> & {
    readonly dryRun?: readonly string[]
  }
}

/** The `eviction` subresource of pods: a delete that asks the disruption budget first, and leaves a condition on the pod. */
export class EvictionSubresource extends ActingSubresource {
  async create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<Status> {
    const eviction = body as Eviction
    if (eviction.metadata?.name !== key.name) throw new StatusError(badRequest('name in URL does not match name in Eviction object'))
    const admitted = await this.admitted(key, body, write)
    const request = { ...admitted, dryRun: admitted.dryRun || eviction.deleteOptions?.dryRun?.includes('All') === true }
    const pod = await getObject(this.context, key)
    const options = { ...request, ...eviction.deleteOptions, dryRun: request.dryRun }
    if (!isBeyondBudgets(pod as unknown as Pod)) await askBudget(this.context, pod as unknown as Pod, request.dryRun)
    const now = timestamp(this.context.environment.now())
    await updateObject(this.context, conditionRules, key, (current) => withCondition(current as UnstructuredObject, now), request)
    await deleteObject(this.context, key, options)
    return created
  }
}

const conditionRules: UpdateRules = { subresource: 'eviction', allowCreate: false, prepare: () => {}, validate: () => [] }

function withCondition(current: UnstructuredObject, now: string): UnstructuredObject {
  const pod = current as unknown as Pod
  if (pod.metadata.deletionTimestamp !== undefined) return current
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastTransitionTime: now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== condition.type)
  return { ...current, status: { ...pod.status, conditions: [...others, condition] } }
}
