import type { ObjectKey, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, StatusError } from 'steersman/api'
import type { Pod, PodCondition } from 'steersman/api/types/core/v1'
import type { DeleteRequest, WriteRequest } from '../../contracts/index.js'
import { deleteObject } from '../delete.js'
import { timestamp } from '../store-context.js'
import type { UpdateRules } from '../update.js'
import { updateObject } from '../update.js'
import { ActingSubresource, created } from './acting-subresource.js'

interface Eviction extends UnstructuredObject {
  readonly deleteOptions?: Pick<DeleteRequest, 'gracePeriodSeconds' | 'propagationPolicy' | 'orphanDependents' | 'preconditions'>
}

/** The `eviction` subresource of pods: a delete that leaves a condition on the pod. Disruption budgets are not looked at yet. */
export class EvictionSubresource extends ActingSubresource {
  async create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<Status> {
    const eviction = body as Eviction
    if (eviction.metadata?.name !== key.name) throw new StatusError(badRequest('name in URL does not match name in Eviction object'))
    const request = await this.admitted(key, body, write)
    const now = timestamp(this.context.environment.now())
    await updateObject(this.context, conditionRules, key, (current) => withCondition(current as UnstructuredObject, now), request)
    await deleteObject(this.context, key, { ...request, ...eviction.deleteOptions })
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
