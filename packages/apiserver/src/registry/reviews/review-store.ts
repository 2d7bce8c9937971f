import type { Draft, ObjectKey, Status, UnstructuredObject, WatchEvent } from 'steersman/api'
import { methodNotAllowed, StatusError } from 'steersman/api'
import { deepCopy, deepFreeze } from 'steersman/internal'
import type {
  AdmissionAttributes,
  ListResult,
  ResourceStore,
  ReviewEvaluator,
  ReviewRequest,
  ServedResource,
  TableConverter,
  UpdateResult,
} from '../../contracts/index.js'
import { wipeSystemMetadata } from '../metadata.js'
import { plainPrinter } from '../printers/printer.js'
import type { Decode } from '../store.js'

/** Parts of a {@link ReviewStore}. */
export interface ReviewStoreOptions {
  readonly served: ServedResource
  readonly decode: Decode
  /** Fills in what Go writes for empty fields. */
  readonly complete: (draft: Draft<UnstructuredObject>) => void
  readonly evaluator: ReviewEvaluator
}

/** A resource that only answers: what is created there is evaluated and never stored. */
export class ReviewStore implements ResourceStore {
  readonly served: ServedResource
  readonly table: TableConverter = plainPrinter
  readonly decode: Decode
  readonly #complete: ReviewStoreOptions['complete']
  readonly #evaluator: ReviewEvaluator

  constructor(options: ReviewStoreOptions) {
    this.served = options.served
    this.decode = options.decode
    this.#complete = options.complete
    this.#evaluator = options.evaluator
  }

  async create(object: UnstructuredObject, write: ReviewRequest): Promise<UnstructuredObject> {
    const review = await this.#admitted(this.#placed(object, write), write)
    this.#evaluator.check?.(review, write)
    await write.admission.validate?.(this.#attributes(review, write))
    const answer = deepCopy(await this.#evaluator.evaluate(review, write)) as Draft<UnstructuredObject>
    if (answer.kind === this.served.type.kind) this.#complete(answer)
    return deepFreeze(answer) as UnstructuredObject
  }

  /** The namespace is that of the request; what the system writes of an object is not the client's to say. */
  #placed(object: UnstructuredObject, write: ReviewRequest): UnstructuredObject {
    const draft = deepCopy(object) as Draft<UnstructuredObject>
    draft.metadata ??= {}
    wipeSystemMetadata(draft.metadata)
    if (this.served.type.scope === 'Namespaced') draft.metadata.namespace = write.namespace
    else delete draft.metadata.namespace
    return deepFreeze(draft) as UnstructuredObject
  }

  async #admitted(review: UnstructuredObject, write: ReviewRequest): Promise<UnstructuredObject> {
    const changed = await write.admission.admit?.(this.#attributes(review, write))
    return changed === undefined || changed === review ? review : this.decode(changed).object
  }

  #attributes(object: UnstructuredObject, write: ReviewRequest): AdmissionAttributes {
    const { options, dryRun, user, namespace } = write
    const { type } = this.served
    return { operation: 'CREATE', type, subresource: '', namespace, name: object.metadata.name ?? '', object, options, dryRun, user }
  }

  get(_key: ObjectKey): Promise<UnstructuredObject> {
    return this.#refuse('get')
  }

  update(): Promise<UpdateResult> {
    return this.#refuse('update')
  }

  list(): Promise<ListResult> {
    return this.#refuse('list')
  }

  watch(): Promise<AsyncIterable<readonly WatchEvent<UnstructuredObject>[]>> {
    return this.#refuse('watch')
  }

  delete(): Promise<UnstructuredObject | Status> {
    return this.#refuse('delete')
  }

  deleteCollection(): Promise<ListResult> {
    return this.#refuse('deletecollection')
  }

  subresource(): undefined {
    return undefined
  }

  #refuse(verb: string): Promise<never> {
    return Promise.reject(new StatusError(methodNotAllowed(this.served.type, verb)))
  }
}
