import type { ObjectKey, UnstructuredObject } from 'steersman/api'
import {
  badRequest,
  notFound,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  StatusError,
  validateDns1123Subdomain,
} from 'steersman/api'
import { ComponentStatus } from 'steersman/api/types/core/v1'
import { deepFreeze } from 'steersman/internal'
import type { ListRequest, ListResult } from '../../contracts/index.js'
import { GenericStore } from '../store.js'
import { defineKind } from '../strategy.js'

/** Component statuses, which are not stored. */
export const componentStatusKind = defineKind(ComponentStatus, { validateName: validateDns1123Subdomain })

/** What a server finds when it asks its storage, and asks for controllers and a scheduler on the ports where nobody listens. */
const statuses: readonly UnstructuredObject[] = deepFreeze([
  unreachable('controller-manager', '127.0.0.1:10257'),
  status('etcd-0', 'True', 'ok'),
  unreachable('scheduler', '127.0.0.1:10259'),
])

function unreachable(name: string, address: string): UnstructuredObject {
  return status(name, 'False', `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`)
}

function status(name: string, healthy: 'True' | 'False', message: string): UnstructuredObject {
  return { apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name }, conditions: [{ type: 'Healthy', status: healthy, message }] }
}

/** Answers what a server without other components says of them. */
export class ComponentStatusStore extends GenericStore {
  override async get({ name }: ObjectKey): Promise<UnstructuredObject> {
    const found = statuses.find(({ metadata }) => metadata.name === name)
    if (found === undefined) throw new StatusError(notFound({ group: '', plural: 'componentstatus' }, name))
    return found
  }

  override async list({ labelSelector = '', fieldSelector = '' }: ListRequest): Promise<ListResult> {
    const [labels, fields] = [read(parseLabelSelector, labelSelector), read(parseFieldSelector, fieldSelector)]
    const items = statuses.filter(({ metadata }) => {
      const isNamed = fields.matches((field) => (field === 'metadata.name' ? metadata.name : undefined))
      return labels.matches(metadata.labels) && isNamed
    })
    return { items, resourceVersion: '' }
  }
}

/** @throws {StatusError} BadRequest */
function read<Selector>(parse: (text: string) => Selector, text: string): Selector {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof SelectorError) throw new StatusError(badRequest(error.message), { cause: error })
    throw error
  }
}
