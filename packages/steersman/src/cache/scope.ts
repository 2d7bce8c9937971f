import type {
  AnyResourceType,
  CompiledFieldSelector,
  CompiledLabelSelector,
  KubernetesObject,
  LabelRequirement,
  ObjectKey,
} from '../api/index.js'
import { badRequest, parseFieldSelector, parseLabelSelector, SelectorError, StatusError } from '../api/index.js'
import type { InformerOptions } from './cache.js'
import { kindLabel } from './key.js'

/** A namespace and selectors, compiled. */
export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace: string | undefined
  readonly labels: CompiledLabelSelector
  readonly fields: CompiledFieldSelector
}

/** What selects objects on the wire. */
export interface SelectionText {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

/**
 * Compiles a selection. A field selector that demands one namespace is the same as that namespace.
 *
 * @throws {StatusError} BadRequest, as the server answers, for a selector that cannot be parsed.
 */
export function selectionOf(type: AnyResourceType, text: SelectionText): Selection {
  try {
    const fields = parseFieldSelector(text.fieldSelector ?? '')
    const namespace = type.scope === 'Cluster' ? undefined : text.namespace || fields.exactValue('metadata.namespace')
    return { namespace, labels: parseLabelSelector(text.labelSelector ?? ''), fields }
  } catch (error) {
    if (error instanceof SelectorError) throw new StatusError(badRequest(error.message), { cause: error })
    throw error
  }
}

/** The part of a kind that an informer holds, and what can be answered from it. */
export class Scope implements Selection {
  readonly namespace: string | undefined
  readonly labels: CompiledLabelSelector
  readonly fields: CompiledFieldSelector
  readonly metadataOnly: boolean
  readonly #labelTexts: ReadonlySet<string>
  readonly #fieldTexts: ReadonlySet<string>

  /** @throws {TypeError} for a namespace of a cluster-scoped kind. @throws {StatusError} for a selector that cannot be parsed. */
  constructor(type: AnyResourceType, options: InformerOptions) {
    if (type.scope === 'Cluster' && options.namespace) {
      throw new TypeError(`Cannot cache ${kindLabel(type)} in namespace "${options.namespace}": the kind is cluster-scoped`)
    }
    const { namespace, labels, fields } = selectionOf(type, options)
    this.namespace = namespace
    this.labels = labels
    this.fields = fields
    this.metadataOnly = options.metadataOnly ?? false
    this.#labelTexts = textsOf(labels)
    this.#fieldTexts = fieldTextsOf(fields)
  }

  /** Whether both hold the same objects. */
  equals(other: Scope): boolean {
    return (
      this.namespace === other.namespace && sameTexts(this.#labelTexts, other.#labelTexts) && sameTexts(this.#fieldTexts, other.#fieldTexts)
    )
  }

  /** Whether every object of the list is here: its selectors demand all that this scope demands. */
  containsList(list: Selection): boolean {
    if (this.namespace !== undefined && this.namespace !== list.namespace) return false
    return isSubset(this.#labelTexts, textsOf(list.labels)) && isSubset(this.#fieldTexts, fieldTextsOf(list.fields))
  }

  /** Whether the object of this key, if there is one, is here. `unknown`: that depends on the object. */
  containsKey(key: ObjectKey): 'inside' | 'outside' | 'unknown' {
    if (this.namespace !== undefined && this.namespace !== key.namespace) return 'outside'
    let answer: 'inside' | 'unknown' = this.labels.isEmpty ? 'inside' : 'unknown'
    for (const { field, operator, value } of this.fields.requirements) {
      const actual = field === 'metadata.name' ? key.name : field === 'metadata.namespace' ? (key.namespace ?? '') : undefined
      if (actual === undefined) answer = 'unknown'
      else if ((actual === value) !== (operator === '=')) return 'outside'
    }
    return answer
  }

  /** Whether this scope demands the field requirement of all its objects. */
  demandsField(requirement: string): boolean {
    return this.#fieldTexts.has(requirement)
  }

  /** Whether the object is selected. Fields are looked up by their path; that is right for nearly every field that servers select by. */
  selects(object: KubernetesObject): boolean {
    if (this.namespace !== undefined && this.namespace !== object.metadata.namespace) return false
    return this.labels.matches(object.metadata.labels) && this.fields.matches((field) => fieldOf(object, field))
  }

  /** For messages: `namespace "a", labels "app=web"`, or `all objects`. */
  toString(): string {
    const parts = [
      this.namespace === undefined ? '' : `namespace "${this.namespace}"`,
      this.labels.isEmpty ? '' : `labels "${this.labels.toString()}"`,
      this.fields.isEmpty ? '' : `fields "${this.fields.toString()}"`,
      this.metadataOnly ? 'metadata only' : '',
    ].filter((part) => part !== '')
    return parts.join(', ') || 'all objects'
  }
}

/** One text per field requirement. */
export function fieldText(requirement: { readonly field: string; readonly operator: string; readonly value: string }): string {
  return `${requirement.field}${requirement.operator}${requirement.value}`
}

function textsOf(labels: CompiledLabelSelector): ReadonlySet<string> {
  return new Set(labels.requirements.map(labelText))
}

/** `=`, `==` and `in` with one value say the same; so do `!=` and `notin` with one value. */
function labelText({ key, operator, values }: LabelRequirement): string {
  const name = operator === '=' || operator === '==' ? 'in' : operator === '!=' ? 'notin' : operator
  return `${key} ${name} ${values.join(',')}`
}

function fieldTextsOf(fields: CompiledFieldSelector): ReadonlySet<string> {
  // The namespace is compared on its own.
  return new Set(fields.requirements.map(fieldText).filter((text) => !text.startsWith('metadata.namespace=')))
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const text of part) if (!whole.has(text)) return false
  return true
}

function sameTexts(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && isSubset(left, right)
}

/** Fields that servers select by although objects leave them out at their default. */
const fieldDefaults: Readonly<Record<string, string | undefined>> = { 'spec.unschedulable': 'false', 'spec.hostNetwork': 'false' }

function fieldOf(object: KubernetesObject, field: string): string | undefined {
  let value: unknown = object
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return fieldDefaults[field]
    value = (value as Record<string, unknown>)[name]
  }
  return value === undefined || value === null ? fieldDefaults[field] : String(value)
}
