import type { ObjectKey, ObjectMeta, Status, UnstructuredObject } from 'steersman/api'
import { fieldError, internalError, invalid, StatusError } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  GetRequest,
  ServedSubresource,
  SubresourceStore,
  Transform,
  UpdateResult,
  WriteRequest,
} from '../../contracts/index.js'
import { getObject } from '../list.js'
import type { TablePrinter } from '../printers/printer.js'
import { customScalePrinter, scalePrinter } from '../printers/scale.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { updateObject } from '../update.js'
import type { UpdateRules } from '../update-rules.js'
import { mainRules } from '../update-rules.js'
import { refuse } from './object-subresource.js'

/** Where a kind keeps what its Scale shows. Paths are names of members from the root. */
export interface ScaleFields {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  /** Whether the kind is a custom resource: what is wrong is then said of the object and not of the Scale. @default false */
  readonly isCustom?: boolean
  /** The selector of the pods as text; empty when the kind has none. */
  selector(object: UnstructuredObject): string
}

interface Scale extends UnstructuredObject {
  readonly spec?: { readonly replicas?: number }
}

/** The `scale` subresource: the replicas of any kind as an `autoscaling/v1` Scale. */
export class ScaleSubresource implements SubresourceStore {
  readonly served: ServedSubresource
  readonly decode: Decode
  readonly table: TablePrinter
  readonly #context: StoreContext
  readonly #fields: ScaleFields
  readonly #rules: UpdateRules

  constructor(served: ServedSubresource, context: StoreContext, decode: Decode, fields: ScaleFields) {
    this.served = served
    this.decode = decode
    this.table = fields.isCustom === true ? customScalePrinter : scalePrinter
    this.#context = context
    this.#fields = fields
    this.#rules = { ...mainRules(context), subresource: 'scale', allowCreate: false }
  }

  async get(key: ObjectKey, options?: GetRequest): Promise<UnstructuredObject> {
    return this.#toScale(await getObject(this.#context, key, options))
  }

  async update(key: ObjectKey, transform: Transform, write: WriteRequest): Promise<UpdateResult> {
    const scaled = async (current: UnstructuredObject | undefined) => {
      const object = current as UnstructuredObject
      // Who sets the replicas may do so also where there were none.
      return this.#apply(object, (await transform(this.#toScale(object, 0))) as Scale)
    }
    const request = { ...write, admission: this.#admission(write.admission) }
    const { object } = await updateObject(this.#context, this.#rules, key, scaled, request)
    return { object: this.#toScale(object), created: false }
  }

  create(): Promise<UnstructuredObject | Status> {
    return refuse(this.#context, 'create')
  }

  #toScale(object: UnstructuredObject, otherwise?: number): UnstructuredObject {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
    const replicas = numberAt(object, this.#fields.specReplicas) ?? otherwise
    if (replicas === undefined) {
      const path = `.${this.#fields.specReplicas.join('.')}`
      throw new StatusError(internalError(`the spec replicas field "${path}" does not exist`))
    }
    const selector = this.#fields.selector(object)
    return deepFreeze({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      },
      spec: replicas === 0 ? {} : { replicas },
      status: { replicas: numberAt(object, this.#fields.statusReplicas) ?? 0, ...(selector === '' ? {} : { selector }) },
    })
  }

  #apply(object: UnstructuredObject, scale: Scale): UnstructuredObject {
    const replicas = scale.spec?.replicas ?? 0
    if (replicas < 0 && this.#fields.isCustom !== true) {
      const error = fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0')
      throw new StatusError(invalid('Scale', 'autoscaling', object.metadata.name ?? '', [error]))
    }
    const { uid, resourceVersion }: ObjectMeta = scale.metadata ?? {}
    const metadata = {
      ...object.metadata,
      ...(uid ? { uid } : {}),
      // A Scale without a version is written over whatever is there, also for kinds that ask for one.
      ...(resourceVersion ? { resourceVersion } : {}),
    }
    return { ...(withMember(object, this.#fields.specReplicas, replicas) as UnstructuredObject), metadata }
  }

  /** Admission sees the Scale and not the object behind it. */
  #admission(admission: AdmissionPlugin): AdmissionPlugin {
    const seen = (attributes: AdmissionAttributes): AdmissionAttributes => ({
      ...attributes,
      ...(attributes.object === undefined ? {} : { object: this.#toScale(attributes.object) }),
      ...(attributes.oldObject === undefined ? {} : { oldObject: this.#toScale(attributes.oldObject, 0) }),
    })
    return {
      name: admission.name,
      admit: async (attributes) => {
        const scale = await admission.admit?.(seen(attributes))
        return scale === undefined || attributes.object === undefined ? undefined : this.#apply(attributes.object, scale as Scale)
      },
      validate: async (attributes) => admission.validate?.(seen(attributes)),
    }
  }
}

function numberAt(object: unknown, path: readonly string[]): number | undefined {
  let value = object
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'number' ? value : undefined
}

/** A copy of the object along the path, with one member changed. */
function withMember(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const record = typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {}
  return { ...record, [name]: withMember(record[name], rest, value) }
}
