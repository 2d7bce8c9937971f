import type { CompiledFieldSelector, CompiledLabelSelector, UnstructuredObject } from 'steersman/api'
import { badRequest, parseFieldSelector, parseLabelSelector, SelectorError, StatusError } from 'steersman/api'
import { isNamespaced, type StoreContext } from './store-context.js'

/** The selectors of a request, compiled for one kind. */
export interface Selection {
  readonly isEmpty: boolean
  /** The one namespace that can match; empty: any. */
  readonly namespace: string
  /** The one name that can match; empty: any. */
  readonly name: string
  matches(object: UnstructuredObject): boolean
}

/** Compiles the selectors of a list or watch. @throws {StatusError} BadRequest */
export function compileSelection(
  store: StoreContext,
  request: { readonly namespace: string; readonly labelSelector?: string; readonly fieldSelector?: string },
): Selection {
  const labels = parse(parseLabelSelector, request.labelSelector ?? '')
  const fields = parse(parseFieldSelector, request.fieldSelector ?? '')
  for (const { field } of fields.requirements) checkField(store, field)
  return {
    isEmpty: labels.isEmpty && fields.isEmpty,
    namespace: request.namespace || fields.exactValue('metadata.namespace') || '',
    name: fields.exactValue('metadata.name') ?? '',
    matches: (object) => (labels.isEmpty || labels.matches(object.metadata.labels)) && matchesFields(store, fields, object),
  }
}

function parse<Selector extends CompiledLabelSelector | CompiledFieldSelector>(parser: (text: string) => Selector, text: string): Selector {
  try {
    return parser(text)
  } catch (error) {
    if (error instanceof SelectorError) throw new StatusError(badRequest(error.message), { cause: error })
    throw error
  }
}

function matchesFields(store: StoreContext, fields: CompiledFieldSelector, object: UnstructuredObject): boolean {
  if (fields.isEmpty) return true
  const selectable = store.strategy.selectableFields
  return fields.matches((field) => {
    if (field === 'metadata.name') return object.metadata.name
    if (field === 'metadata.namespace') return object.metadata.namespace
    return selectable?.[field]?.(object)
  })
}

function checkField(store: StoreContext, field: string): void {
  const { selectableFields, unknownField, selectsByNamespace = isNamespaced(store) } = store.strategy
  // Kinds without selectable fields of their own know a namespace even where objects have none.
  const hasNamespace = selectsByNamespace || unknownField === undefined
  if (field === 'metadata.name' || (field === 'metadata.namespace' && hasNamespace)) return
  if (selectableFields !== undefined && Object.hasOwn(selectableFields, field)) return
  const message = unknownField?.(field) ?? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
  throw new StatusError(badRequest(message))
}
