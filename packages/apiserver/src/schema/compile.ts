import { type FieldError, fieldError } from 'steersman/api'
import { type CompiledNode, nodeOf } from './compiled-node.js'
import { ValueCorrelation } from './correlation.js'
import { compileEmbeddedCheck, type MetadataValidator } from './embedded-resources.js'
import { decodeObjectMeta } from './object-meta.js'
import { compilePruner } from './prune.js'
import { anyNode, type Pruner } from './schema-node.js'
import { isJsonObject, type JsonObject, type StructuralSchema, setOwn } from './structural-schema.js'
import { UnknownFieldTracker } from './unknown-fields.js'

/** Evaluates the CEL rules (`x-kubernetes-validations`) of a schema. Not called when an error makes evaluation impossible. */
export type RulesEvaluator = (value: unknown, oldValue: unknown) => readonly FieldError[]

/** How a schema is compiled. */
export interface CompileOptions {
  /**
   * The schema is the one of a resource: apiVersion, kind and metadata at its root are never pruned, and metadata is read as ObjectMeta.
   * @default true
   */
  readonly isResource?: boolean
  /** Checks the metadata of embedded resources. @default not checked */
  readonly validateEmbeddedMetadata?: MetadataValidator
  /** Evaluates CEL rules. @default rules are ignored */
  readonly rules?: RulesEvaluator
  /** The schema behind a `$ref`; for schemas of built-in kinds. A name that is not found stands for anything. */
  readonly resolve?: (name: string) => StructuralSchema | undefined
}

/** How an object is pruned. */
export interface PruneOptions {
  /** Receives the paths of dropped fields: `metadata.foo`, `spec.list[0].bar`. */
  readonly unknownFields?: string[]
}

/** A compiled schema. Stateless: may be shared and used at any time. None of its methods changes what it is given. */
export interface CompiledSchema {
  readonly schema: StructuralSchema
  /**
   * Drops unspecified fields, and nulls that are neither nullable nor defaulted; reads metadata, at the root and of embedded resources.
   * Returns the same reference when nothing changed.
   *
   * @throws {DecodeError} with the real server's text when metadata is malformed.
   */
  prune(value: unknown, options?: PruneOptions): unknown
  /** Fills in defaults. Returns the same reference when nothing changed. */
  applyDefaults(value: unknown): unknown
  /**
   * Everything that is wrong with an object: schema, embedded resources, duplicates in lists of type set and map, rules; in this order.
   * With the old object, errors that were there before are not errors (ratcheting). Metadata at the root is not checked here.
   */
  validate(value: unknown, oldValue?: unknown): readonly FieldError[]
  /** The same for an update of the status subresource: only `status` is held against the schema. */
  validateStatus(value: unknown, oldValue: unknown): readonly FieldError[]
}

/** Compiles a schema. Cheap: the parts are compiled when the first value reaches them. */
export function compileSchema(schema: StructuralSchema, options: CompileOptions = {}): CompiledSchema {
  return new ResourceSchema(schema, options)
}

class ResourceSchema implements CompiledSchema {
  readonly schema: StructuralSchema
  readonly #isResource: boolean
  readonly #options: CompileOptions
  readonly #root: CompiledNode
  /** Unlike the root's own pruner, it keeps type and object metadata of a resource. */
  readonly #pruneRoot: Pruner
  #embeddedCheck: ((value: unknown, errors: FieldError[]) => void) | undefined
  #rules: RulesEvaluator | undefined
  #isPrepared = false

  constructor(schema: StructuralSchema, options: CompileOptions) {
    this.schema = schema
    this.#options = options
    this.#isResource = options.isResource ?? true
    const context = { referenced: new Map<string, CompiledNode>(), ...(options.resolve === undefined ? {} : { resolve: options.resolve }) }
    this.#root = nodeOf(schema, context)
    this.#pruneRoot = this.#isResource ? compilePruner(this.#root, true) : (value, tracker) => this.#root.prune(value, tracker)
  }

  prune(value: unknown, options: PruneOptions = {}): unknown {
    const { unknownFields } = options
    const metadataFields: string[] | undefined = unknownFields === undefined ? undefined : []
    // Metadata first: a malformed one is an error whatever else there is.
    const metadata = this.#isResource && isJsonObject(value) ? this.#decodeMetadata(value, metadataFields) : undefined
    const tracker = unknownFields === undefined ? undefined : new UnknownFieldTracker()
    const embeddedFields: string[] | undefined = unknownFields === undefined ? undefined : []
    let pruned = this.#pruneRoot(value, tracker)
    pruned = this.#root.coerce(pruned, '', embeddedFields)
    unknownFields?.push(...(metadataFields ?? []), ...(tracker?.unknownFields.sort() ?? []), ...(embeddedFields?.sort() ?? []))
    return this.#isResource && isJsonObject(pruned) && isJsonObject(value) ? restoreMeta(pruned, value, metadata) : pruned
  }

  applyDefaults(value: unknown): unknown {
    return this.#root.applyDefaults(value)
  }

  validate(value: unknown, oldValue?: unknown): readonly FieldError[] {
    this.#prepare()
    const errors: FieldError[] = []
    if (!this.#root.isValid(value)) {
      const correlation = oldValue === undefined ? undefined : new ValueCorrelation(this.#root, value, oldValue)
      errors.push(...this.#root.collect(value, '', correlation).errors)
    }
    this.#embeddedCheck?.(value, errors)
    this.#checkListTypes(value, oldValue, errors)
    this.#checkRules(value, oldValue, errors)
    return errors
  }

  validateStatus(value: unknown, oldValue: unknown): readonly FieldError[] {
    this.#prepare()
    const errors: FieldError[] = []
    const node = this.#root.properties.get('status')
    if (node !== undefined && isJsonObject(value) && Object.hasOwn(value, 'status') && !node.isValid(value.status)) {
      const correlation = new ValueCorrelation(this.#root, value, oldValue).member('status')
      // The real server validates the status on its own, so that its messages name fields without `status.`.
      for (const error of node.collect(value.status, '', correlation).errors) errors.push(underStatus(error))
    }
    this.#checkListTypes(value, oldValue, errors)
    this.#checkRules(value, oldValue, errors)
    return errors
  }

  /** Decides what validation must do at all; the walk over the schema is left to the first validation. */
  #prepare(): void {
    if (this.#isPrepared) return
    this.#isPrepared = true
    this.#embeddedCheck = compileEmbeddedCheck(this.#root, this.#options.validateEmbeddedMetadata)
    const { rules } = this.#options
    if (rules !== undefined && anyNode(this.#root, hasRules)) this.#rules = rules
  }

  #checkListTypes(value: unknown, oldValue: unknown, errors: FieldError[]): void {
    const found: FieldError[] = []
    this.#root.checkListTypes(value, '', found)
    if (found.length === 0) return
    const before: FieldError[] = []
    if (oldValue !== undefined) this.#root.checkListTypes(oldValue, '', before)
    if (before.length === 0) errors.push(...found)
  }

  #checkRules(value: unknown, oldValue: unknown, errors: FieldError[]): void {
    if (this.#rules === undefined) return
    if (errors.some((error) => blockingTypes.has(error.type))) errors.push(notEvaluated)
    else errors.push(...this.#rules(value, oldValue))
  }

  #decodeMetadata(value: JsonObject, unknownFields: string[] | undefined): unknown {
    if (!Object.hasOwn(value, 'metadata')) return undefined
    const unknown: string[] = []
    const metadata = value.metadata === null ? {} : decodeObjectMeta(value.metadata, unknown)
    unknownFields?.push(...unknown.map((field) => `metadata.${field}`))
    return metadata
  }
}

/** Puts type and object metadata back, whatever the schema said about them, with the keys in the order they came. */
function restoreMeta(pruned: JsonObject, original: JsonObject, metadata: unknown): unknown {
  if (pruned === original && metadata === original.metadata) return original
  const restored: Record<string, unknown> = {}
  for (const name of Object.keys(original)) {
    if (name === 'metadata') restored.metadata = metadata
    else if (name === 'apiVersion' || name === 'kind') restored[name] = original[name]
    else if (Object.hasOwn(pruned, name)) setOwn(restored, name, pruned[name])
  }
  return restored
}

function hasRules(node: { readonly schema: StructuralSchema }): boolean {
  return (node.schema['x-kubernetes-validations']?.length ?? 0) > 0
}

/** Errors after which the real server does not evaluate rules. */
const blockingTypes: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])
const notEvaluated = fieldError.invalid(
  undefined,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

function underStatus(error: FieldError): FieldError {
  if (error.field === '<nil>') return { ...error, field: 'status' }
  return { ...error, field: `status.${error.field}` }
}
