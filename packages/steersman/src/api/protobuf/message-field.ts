import type { FieldFacts } from './field-facts.js'
import type { ValueType } from './value-type.js'

/** A field of a message: what protobuf and JSON know of it. */
export interface MessageField extends FieldFacts {
  /** The type of the value, or of those in the list or map. */
  readonly valueType: ValueType
  readonly goName: string
  /** Written only when there is a value. */
  readonly isOptional: boolean
  /** What JSON shows when there is none; without it, nothing. */
  readonly absent: (() => unknown) | undefined
  /** JSON leaves the value out when it is zero. */
  readonly dropsZero: boolean
}
