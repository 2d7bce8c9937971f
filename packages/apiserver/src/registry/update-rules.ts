import type { FieldError, UnstructuredObject } from 'steersman/api'
import { deepCopy } from 'steersman/internal'
import type { WriteRequest } from '../contracts/index.js'
import type { ObjectDraft, StoreContext } from './store-context.js'
import { strategyContext } from './store-context.js'

/** What differs between an update of an object and one of its subresources. */
export interface UpdateRules {
  /** Empty: the object itself. */
  readonly subresource: string
  /** Brings the draft to what may be written: takes from it what this endpoint may change and the rest from `old`. */
  prepare(draft: ObjectDraft, old: UnstructuredObject, write: WriteRequest): void
  validate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[]
  /** Whether the write makes a new generation. Asked after {@link validate}. @default never */
  changesGeneration?(object: UnstructuredObject, old: UnstructuredObject): boolean
  /** Says what is right but hardly meant, of an object that was found to be valid. */
  warn?(object: UnstructuredObject, warn: WriteRequest['warn'], old: UnstructuredObject): void
  readonly allowCreate: boolean
}

/** The rules of an update of the object itself. */
export function mainRules(store: StoreContext): UpdateRules {
  const { strategy } = store
  return {
    subresource: '',
    allowCreate: strategy.allowCreateOnUpdate === true,
    prepare(draft, old, write) {
      strategy.dropDisabledFields?.(draft)
      if (strategy.status !== undefined) keepField(draft, old, 'status')
      strategy.prepareForUpdate?.(draft, old, strategyContext(store, write))
    },
    validate: (object, old) => (strategy.validateUpdate ?? strategy.validate)?.(object, old) ?? [],
    changesGeneration: (object, old) => strategy.changesGeneration?.(object, old) === true,
    warn: (object, warn, old) => strategy.warn?.(object, warn, old),
  }
}

/** The rules of an update of the status subresource. */
export function statusRules(store: StoreContext): UpdateRules {
  const { strategy } = store
  return {
    subresource: 'status',
    allowCreate: false,
    prepare(draft, old, write) {
      strategy.dropDisabledFields?.(draft)
      for (const field in draft) if (!sharedFields.has(field)) keepField(draft, old, field)
      for (const field in old) if (!sharedFields.has(field)) keepField(draft, old, field)
      if (strategy.status?.ignoresMetadata === true) draft.metadata = deepCopy(old.metadata) as ObjectDraft['metadata']
      strategy.status?.prepareForUpdate?.(draft, old, strategyContext(store, write))
    },
    validate: (object, old) => strategy.status?.validateUpdate?.(object, old) ?? [],
    warn: (object, warn) => strategy.status?.warn?.(object, warn),
  }
}

const sharedFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/** Makes a field of the draft what it was. */
export function keepField(draft: ObjectDraft, old: UnstructuredObject, field: string): void {
  if (old[field] === undefined) delete draft[field]
  else draft[field] = deepCopy(old[field])
}
