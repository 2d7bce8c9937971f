import type { ObjectKey, ObjectMeta, Status, UnstructuredObject } from 'steersman/api'
import { badRequest, conflict, goQuote, StatusError, validateDns1123Subdomain } from 'steersman/api'
import type { Binding, Pod, PodCondition } from 'steersman/api/types/core/v1'
import type { WriteRequest } from '../../contracts/index.js'
import { timestamp } from '../store-context.js'
import { updateObject } from '../update.js'
import type { UpdateRules } from '../update-rules.js'
import { ActingSubresource, created } from './acting-subresource.js'

/** The `binding` subresource of pods: assigns a pod to a node, once. */
export class BindingSubresource extends ActingSubresource {
  async create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<Status> {
    const binding = body as unknown as Binding
    if (binding.metadata?.name !== key.name) throw new StatusError(badRequest('name in URL does not match name in Binding object'))
    checkTarget(binding)
    const request = await this.admitted(key, body, write)
    const now = timestamp(this.context.environment.now())
    await updateObject(this.context, bindingRules, key, (current) => assign(current as UnstructuredObject, binding, now), request)
    return created
  }
}

/** @throws {StatusError} InternalError when nothing can be bound to the target. */
export function checkTarget({ target = {} }: Partial<Binding>): void {
  const problems: string[] = []
  if (target.kind !== undefined && target.kind !== '' && target.kind !== 'Node') {
    problems.push(`target.kind: Unsupported value: "${target.kind}": supported values: "Node", "<empty>"`)
  }
  if (!target.name) problems.push('target.name: Required value')
  else if (!target.kind || target.kind === 'Node') {
    for (const detail of validateDns1123Subdomain(target.name))
      problems.push(`target.name: Invalid value: ${goQuote(target.name)}: ${detail}`)
  }
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
