/** The types a structural schema may give a node. */
export type StructuralType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

/** A rule in CEL that an object must keep (`x-kubernetes-validations`). */
export interface ValidationRule {
  /** CEL over `self` and, on updates, `oldSelf`. */
  readonly rule: string
  readonly message?: string
  /** CEL that makes the message. */
  readonly messageExpression?: string
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  /** Where the error is shown, relative to the node: `.spec.replicas`. */
  readonly fieldPath?: string
  /** Whether a rule with `oldSelf` also runs on create; `oldSelf` is then optional. */
  readonly optionalOldSelf?: boolean
}

/** What may stand inside `allOf`, `anyOf`, `oneOf` and `not`: validations of values, no structure. */
export interface ValueValidation {
  readonly format?: string
  readonly maximum?: number
  readonly exclusiveMaximum?: boolean
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly maxLength?: number
  readonly minLength?: number
  /** RE2. */
  readonly pattern?: string
  readonly maxItems?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly multipleOf?: number
  readonly enum?: readonly unknown[]
  readonly maxProperties?: number
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly allOf?: readonly NestedValidation[]
  readonly anyOf?: readonly NestedValidation[]
  readonly oneOf?: readonly NestedValidation[]
  readonly not?: NestedValidation
}

/** A validation inside a junctor: it may descend, but each node it reaches is declared outside too. */
export interface NestedValidation extends ValueValidation {
  /** Only `integer` and `string` of the int-or-string forms. */
  readonly type?: StructuralType
  readonly items?: NestedValidation
  readonly properties?: Readonly<Record<string, NestedValidation>>
}

/**
 * A structural schema: the part of JSON Schema (OpenAPI 3.0) that a CustomResourceDefinition may use.
 *
 * `type` is missing only where `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields` says so. Rules:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export interface StructuralSchema extends ValueValidation {
  readonly type?: StructuralType
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly nullable?: boolean
  /** Schema of every item; an array must have it. */
  readonly items?: StructuralSchema
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  /** Schema of every value of a map; excludes `properties`. */
  readonly additionalProperties?: StructuralSchema | boolean
  readonly externalDocs?: { readonly description?: string; readonly url?: string }
  readonly example?: unknown
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}

/**
 * A structural schema that carries the TypeScript type of its values, for `defineResource`.
 *
 * @typeParam Output what a read returns, defaults filled in. @typeParam Input what a create accepts.
 */
export interface TypedSchema<Output, Input = Output> extends StructuralSchema {
  /** Present in types only; never at run time. */
  readonly '~types'?: { readonly output: Output; readonly input: Input }
}

/**
 * Gives a plain structural schema its TypeScript types.
 *
 * @example `spec: typedSchema<{ image: string }>({ type: 'object', required: ['image'], properties: { image: { type: 'string' } } })`
 */
export function typedSchema<Output, Input = Output>(schema: StructuralSchema): TypedSchema<Output, Input> {
  return schema as TypedSchema<Output, Input>
}
