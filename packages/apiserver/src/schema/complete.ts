import { type DefinitionField, type DefinitionLookup, parseField } from './definition.js'
import { isJsonObject } from './structural-schema.js'

/** What Go writes for a scalar that holds nothing. */
const zeroScalars: Readonly<Record<string, unknown>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  Duration: '0s',
  Quantity: '0',
  IntOrString: 0,
}

/** Writes out what a value of a definition lacks. Returns nothing: it changes the draft. */
type Completer = (draft: Record<string, unknown>) => void
/** What is done with a field that is there. */
type PresentStep = (draft: Record<string, unknown>, value: unknown) => void

/**
 * Writes objects as Go does: a field that holds nothing is `null`, `{}`, `""`, `0` or `false` where Go's struct says so, and is absent elsewhere. Compiled once per
 * definition, at its first use.
 */
export class DefinitionCompleter {
  readonly #lookup: DefinitionLookup
  readonly #completers = new Map<string, Completer>()

  constructor(lookup: DefinitionLookup) {
    this.#lookup = lookup
  }

  /** Completes a draft of a definition in place; one that is not known changes nothing. */
  complete(definitionName: string, draft: Record<string, unknown>): void {
    this.#completerOf(definitionName)(draft)
  }

  #completerOf(definitionName: string): Completer {
    let completer = this.#completers.get(definitionName)
    if (completer === undefined) {
      const table = this.#lookup(definitionName)
      completer = table === undefined ? () => undefined : this.#compile(table)
      this.#completers.set(definitionName, completer)
    }
    return completer
  }

  #compile(table: Readonly<Record<string, string>>): Completer {
    const missing: (readonly [name: string, value: () => unknown])[] = []
    const present = new Map<string, PresentStep>()
    for (const [name, text] of Object.entries(table)) {
      const field = parseField(text)
      const isDefinition = this.#lookup(field.type) !== undefined
      const value = missingValue(field, isDefinition)
      if (value !== undefined) missing.push([name, value])
      if (isDefinition || field.container !== '') present.set(name, this.#presentStep(name, field, isDefinition))
    }
    // Most fields of most objects are absent: they cost nothing unless something stands in their place.
    return (draft) => {
      for (const [name, value] of missing) draft[name] ??= value()
      for (const name of Object.keys(draft)) present.get(name)?.(draft, draft[name])
    }
  }

  #presentStep(name: string, field: DefinitionField, isDefinition: boolean): PresentStep {
    const writesNull = field.isNull === true && field.container !== ''
    const dropsEmpty = field.container !== '' && !field.isRequired && !writesNull
    return (draft, value) => {
      if (value === undefined || value === null) return
      // Storage does not tell an empty list or map from none.
      if (writesNull && isEmptyContainer(value)) draft[name] = null
      else if (dropsEmpty && isEmptyContainer(value)) delete draft[name]
      else if (isDefinition) this.#completeValue(field, value)
    }
  }

  #completeValue(field: DefinitionField, value: unknown): void {
    const complete = this.#completerOf(field.type)
    const each = (item: unknown): void => {
      if (Array.isArray(item)) item.forEach(each)
      else if (isJsonObject(item)) complete(item as Record<string, unknown>)
    }
    if (field.container === 'map' && isJsonObject(value)) Object.values(value).forEach(each)
    else each(value)
  }
}

/** What stands where a field holds nothing; `undefined`: nothing. */
function missingValue(field: DefinitionField, isDefinition: boolean): (() => unknown) | undefined {
  if (field.isNull) return () => null
  if (field.isPointer || field.container !== '' || field.omitsZero) return undefined
  if (isDefinition) return field.omitsZeroStruct ? undefined : () => ({})
  const zero = Object.hasOwn(zeroScalars, field.type) ? zeroScalars[field.type] : undefined
  return zero === undefined || field.omitsZeroStruct ? undefined : () => zero
}

function isEmptyContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
