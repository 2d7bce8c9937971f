import type { ObjectKey, Status, UnstructuredObject } from 'steersman/api'
import { methodNotAllowed, StatusError } from 'steersman/api'
import type { GetRequest, ServedSubresource, SubresourceStore, Transform, UpdateResult, WriteRequest } from '../../contracts/index.js'
import { getObject } from '../list.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { updateObject } from '../update.js'
import type { UpdateRules } from '../update-rules.js'

/** A subresource whose body is the object itself, written by rules of its own: `status`, the `finalize` of a namespace. */
export class ObjectSubresource implements SubresourceStore {
  readonly served: ServedSubresource
  readonly decode: Decode
  readonly #context: StoreContext
  readonly #rules: UpdateRules

  constructor(served: ServedSubresource, context: StoreContext, decode: Decode, rules: UpdateRules) {
    this.served = served
    this.decode = decode
    this.#context = context
    this.#rules = rules
  }

  get(key: ObjectKey, options?: GetRequest): Promise<UnstructuredObject> {
    return getObject(this.#context, key, options)
  }

  update(key: ObjectKey, transform: Transform, write: WriteRequest): Promise<UpdateResult> {
    return updateObject(this.#context, this.#rules, key, transform, write)
  }

  create(): Promise<UnstructuredObject | Status> {
    return refuse(this.#context, 'create')
  }
}

/** Answers a verb that the subresource does not list. */
export function refuse(context: StoreContext, verb: string): Promise<never> {
  return Promise.reject(new StatusError(methodNotAllowed(context.type, verb)))
}
