import type { ObjectKey, ObjectMeta, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, conflict, StatusError } from 'steersman/api'
import type { Binding, Pod, PodCondition } from 'steersman/api/types/core/v1'
import type { ServedSubresource, SubresourceStore, UpdateResult, WriteRequest } from '../../contracts/index.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { admissionAttributes, timestamp } from '../store-context.js'
import type { UpdateRules } from '../update.js'
import { updateObject } from '../update.js'
import { refuse } from './object-subresource.js'

/** The answer to a subresource that only acts. */
export const created: Status = Object.freeze({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })

/** The `binding` subresource of pods: assigns a pod to a node, once. */
export class BindingSubresource implements SubresourceStore {
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
    const binding = body as unknown as Binding
    if (binding.metadata?.name !== key.name) throw new StatusError(badRequest('name in URL does not match name in Binding object'))
    checkTarget(binding)
    const attributes = admissionAttributes(this.#context, write, { operation: 'CREATE', subresource: 'binding', key, object: body })
    await write.admission.admit?.(attributes)
    await write.admission.validate?.(attributes)
    // Admission has decided on the Binding; the pod behind it is not asked about.
    const request = { ...write, admission: { name: write.admission.name } }
    const now = timestamp(this.#context.environment.now())
    await updateObject(this.#context, bindingRules, key, (current) => assign(current as UnstructuredObject, binding, now), request)
    return created
  }
}

function checkTarget({ target }: Binding): void {
  const problems: string[] = []
  if (target.kind !== undefined && target.kind !== '' && target.kind !== 'Node') {
    problems.push(`target.kind: Unsupported value: "${target.kind}": supported values: "Node", "<empty>"`)
  }
  if (!target.name) problems.push('target.name: Required value')
  if (problems.length === 0) return
  // The real server answers with the bare text of the field errors.
  const message = problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`
  throw new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}

const bindingRules: UpdateRules = { subresource: 'binding', allowCreate: false, prepare: () => {}, validate: () => [] }

function assign(current: UnstructuredObject, binding: Binding, now: string): UnstructuredObject {
  const pod = current as unknown as Pod
  const { name } = pod.metadata
  const { uid, resourceVersion, annotations, labels }: ObjectMeta = binding.metadata ?? {}
  const refused = (reason: string) => new StatusError(conflict({ group: '', plural: 'pods/binding' }, name, reason))
  if (pod.metadata.deletionTimestamp !== undefined) throw refused(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (pod.spec?.nodeName) throw refused(`pod ${name} is already assigned to node "${pod.spec?.nodeName}"`)
  if ((pod.spec?.schedulingGates ?? []).length > 0) throw refused(`pod ${name} has non-empty .spec.schedulingGates`)
  const conditions: PodCondition[] = [...(pod.status?.conditions ?? [])]
  const scheduled = conditions.findIndex((condition) => condition.type === 'PodScheduled')
  if (scheduled === -1) conditions.push({ type: 'PodScheduled', status: 'True', lastTransitionTime: now })
  else if (conditions[scheduled]?.status !== 'True')
    conditions[scheduled] = { type: 'PodScheduled', status: 'True', lastTransitionTime: now }
  const { nominatedNodeName: _, ...status } = pod.status ?? {}
  const assigned = {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(annotations === undefined ? {} : { annotations: { ...pod.metadata.annotations, ...annotations } }),
      ...(labels === undefined ? {} : { labels: { ...pod.metadata.labels, ...labels } }),
    },
    spec: { ...pod.spec, nodeName: binding.target.name },
    status: { ...status, conditions },
  }
  return assigned as unknown as UnstructuredObject
}
