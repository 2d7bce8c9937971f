import type { ObjectKey, Status, UnstructuredObject } from 'steersman/api'
import type { ServedSubresource, SubresourceStore, UpdateResult, WriteRequest } from '../../contracts/index.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { admissionAttributes } from '../store-context.js'
import { refuse } from './object-subresource.js'

/** The answer to a subresource that only acts. */
export const created: Status = Object.freeze({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })

/** A subresource that has no state of its own: what is created there does something to the object. */
export abstract class ActingSubresource implements SubresourceStore {
  readonly served: ServedSubresource
  readonly decode: Decode
  protected readonly context: StoreContext

  constructor(served: ServedSubresource, context: StoreContext, decode: Decode) {
    this.served = served
    this.decode = decode
    this.context = context
  }

  get(): Promise<UnstructuredObject> {
    return refuse(this.context, 'get')
  }

  update(): Promise<UpdateResult> {
    return refuse(this.context, 'update')
  }

  abstract create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<Status>

  /** Lets admission decide on the body, and returns the request for the object behind it, about which admission is not asked again. */
  protected async admitted(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<WriteRequest> {
    const attributes = admissionAttributes(this.context, write, { operation: 'CREATE', subresource: this.served.name, key, object: body })
    await write.admission.admit?.(attributes)
    await write.admission.validate?.(attributes)
    return { ...write, admission: { name: write.admission.name } }
  }
}
