import type { ObjectKey, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, StatusError } from 'steersman/api'
import type { Pod, PodCondition } from 'steersman/api/types/core/v1'
import type { DeleteRequest, ServedSubresource, SubresourceStore, UpdateResult, WriteRequest } from '../../contracts/index.js'
import { deleteObject } from '../delete.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { admissionAttributes, timestamp } from '../store-context.js'
import type { UpdateRules } from '../update.js'
import { updateObject } from '../update.js'
import { created } from './binding.js'
import { refuse } from './object-subresource.js'

interface Eviction extends UnstructuredObject {
  readonly deleteOptions?: Pick<DeleteRequest, 'gracePeriodSeconds' | 'propagationPolicy' | 'orphanDependents' | 'preconditions'>
}

/** The `eviction` subresource of pods: a delete that leaves a condition on the pod. Disruption budgets are not looked at yet. */
export class EvictionSubresource implements SubresourceStore {
  readonly served: ServedSubresource
  readonly decode: Decode
  readonly #context: StoreContext

  constructor(served: ServedSubresource, context: StoreContext, decode: Decode) {
    this.served = served
    this.decode = decode
    this.#context = context
  }

  get(): Promise<UnstructuredObject> {
    return refuse(this.#context, 'get')
  }

  update(): Promise<UpdateResult> {
    return refuse(this.#context, 'update')
  }

  async create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<Status> {
    const eviction = body as Eviction
    if (eviction.metadata?.name !== key.name) throw new StatusError(badRequest('name in URL does not match name in Eviction object'))
    const attributes = admissionAttributes(this.#context, write, { operation: 'CREATE', subresource: 'eviction', key, object: body })
    await write.admission.admit?.(attributes)
    await write.admission.validate?.(attributes)
    const request = { ...write, admission: { name: write.admission.name } }
    const now = timestamp(this.#context.environment.now())
    await updateObject(this.#context, conditionRules, key, (current) => withCondition(current as UnstructuredObject, now), request)
    await deleteObject(this.#context, key, { ...request, ...eviction.deleteOptions })
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
