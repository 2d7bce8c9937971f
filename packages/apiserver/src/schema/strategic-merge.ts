import { type DefinitionField, type DefinitionLookup, parseField } from './definition.js'
import { isJsonObject, type JsonObject, setOwn } from './structural-schema.js'

/** A strategic merge patch that cannot be applied. The message is kube-apiserver's. */
export class StrategicMergeError extends Error {
  readonly code = 'CannotMerge'

  constructor(message: string) {
    super(message)
    this.name = 'StrategicMergeError'
  }
}

const patchKey = '$patch'
const retainKeys = '$retainKeys'
const orderPrefix = '$setElementOrder/'
const deletePrefix = '$deleteFromPrimitiveList/'

/**
 * Merges a patch into an object of a definition: maps member by member, lists element by element where the definition names a key to know elements by, and other lists
 * as a whole. What the object had and the patch does not say stays; null removes; `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…` say more.
 * Nothing given is changed.
 *
 * @throws {StrategicMergeError}
 */
export function strategicMerge(
  lookup: DefinitionLookup,
  definitionName: string,
  current: JsonObject,
  patch: JsonObject,
): Readonly<Record<string, unknown>> {
  return new StrategicMerge(lookup).mergeMaps(current, patch, definitionName)
}

class StrategicMerge {
  readonly #lookup: DefinitionLookup

  constructor(lookup: DefinitionLookup) {
    this.#lookup = lookup
  }

  /** `definition`: what the maps are; `undefined` where their members have no facts. */
  mergeMaps(current: JsonObject, patch: JsonObject, definition: string | undefined): Record<string, unknown> {
    const directive = patch[patchKey]
    if (directive === 'replace') return withoutDirectives(patch) as Record<string, unknown>
    if (directive === 'delete') return {}
    if (directive !== undefined && directive !== 'merge') throw new StrategicMergeError(`unknown patch type: ${String(directive)}`)
    const result: Record<string, unknown> = { ...current }
    this.#retain(result, patch)
    this.#deletePrimitives(result, patch)
    const ordered = this.#mergeOrdered(result, patch, definition)
    for (const [name, value] of Object.entries(patch)) {
      if (isDirective(name) || ordered.has(name)) continue
      if (value === null) delete result[name]
      else setOwn(result, name, this.#mergeValue(result[name], value, this.#field(definition, name)))
    }
    return result
  }

  #field(definition: string | undefined, name: string): DefinitionField | undefined {
    const table = definition === undefined ? undefined : this.#lookup(definition)
    const text = table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
    return text === undefined ? undefined : parseField(text)
  }

  #mergeValue(current: unknown, patch: unknown, field: DefinitionField | undefined): unknown {
    const replaces = field?.patchStrategy?.split(',').includes('replace') === true
    if (isJsonObject(patch) && isJsonObject(current) && !replaces) {
      // The values of a map have the facts of what they are, not the map itself.
      return this.mergeMaps(current, patch, field?.container === '' ? field.type : undefined)
    }
    const merges = field?.patchStrategy?.split(',').includes('merge') === true
    if (Array.isArray(patch) && Array.isArray(current) && merges) return this.#mergeLists(current, patch, field)
    return withoutDirectives(patch)
  }

  #retain(result: Record<string, unknown>, patch: JsonObject): void {
    const keys = patch[retainKeys]
    if (keys === undefined) return
    if (!Array.isArray(keys)) throw new StrategicMergeError(`invalid value of ${retainKeys}: expected a list`)
    if (Object.entries(patch).some(([name, value]) => !isDirective(name) && value !== null && !keys.includes(name))) {
      throw new StrategicMergeError('the set of fields in $retainKeys must be a superset of the fields present in the patch')
    }
    for (const name of Object.keys(result)) if (!keys.includes(name)) delete result[name]
  }

  #deletePrimitives(result: Record<string, unknown>, patch: JsonObject): void {
    for (const [directive, values] of Object.entries(patch)) {
      if (!directive.startsWith(deletePrefix) || !Array.isArray(values)) continue
      const name = directive.slice(deletePrefix.length)
      const current = result[name]
      if (Array.isArray(current)) result[name] = current.filter((element) => !values.includes(element))
    }
  }

  /** Merges the lists whose order the patch sets. Returns their names. */
  #mergeOrdered(result: Record<string, unknown>, patch: JsonObject, definition: string | undefined): ReadonlySet<string> {
    const names = new Set<string>()
    for (const [directive, order] of Object.entries(patch)) {
      if (!directive.startsWith(orderPrefix)) continue
      if (!Array.isArray(order)) throw new StrategicMergeError(`invalid value of ${directive}: expected a list`)
      const name = directive.slice(orderPrefix.length)
      const field = this.#field(definition, name)
      const current = listOf(result[name])
      const given = listOf(patch[name])
      if (given.some((element) => patchTypeOf(element) === undefined && positionOf(order, element, field?.patchMergeKey) < 0)) {
        throw new StrategicMergeError(`The order in patch list:\n${goText(given)}\n doesn't match ${directive} list:\n${goText(order)}\n`)
      }
      names.add(name)
      if (result[name] === undefined && patch[name] === undefined) continue
      const merged = given.length === 0 ? current : this.#mergeElements(current, given, field)
      setOwn(result, name, inOrder(merged, order, current, field?.patchMergeKey))
    }
    return names
  }

  #mergeLists(current: readonly unknown[], patch: readonly unknown[], field: DefinitionField | undefined): readonly unknown[] {
    const merged = this.#mergeElements(current, patch, field)
    return inOrder(merged, patch, current, field?.patchMergeKey)
  }

  #mergeElements(current: readonly unknown[], patch: readonly unknown[], field: DefinitionField | undefined): readonly unknown[] {
    const key = field?.patchMergeKey
    if (!patch.some(isJsonObject)) return [...new Set([...current, ...patch])]
    if (key === undefined) throw new StrategicMergeError('cannot merge lists without merge key')
    const { kept, plain } = applyElementDirectives(current, patch, key)
    const result = [...kept]
    for (const element of plain) {
      if (!isJsonObject(element) || element[key] === undefined) throw noMergeKey(element, key)
      const index = positionOf(result, element, key)
      if (index < 0) result.push(withoutDirectives(element))
      else result[index] = this.mergeMaps(result[index] as JsonObject, element, field?.type)
    }
    return result
  }
}

/** Carries out `$patch: delete` and `$patch: replace` among the elements of a list. */
function applyElementDirectives(current: readonly unknown[], patch: readonly unknown[], key: string) {
  const plain = patch.filter((element) => patchTypeOf(element) === undefined)
  let kept = current
  for (const element of patch) {
    const type = patchTypeOf(element)
    if (type === 'replace') return { kept: [], plain }
    if (type === 'delete') {
      if ((element as JsonObject)[key] === undefined) throw noMergeKey(element, key)
      kept = kept.filter((other) => !isJsonObject(other) || other[key] !== (element as JsonObject)[key])
    } else if (type !== undefined) throw new StrategicMergeError(`unknown patch type: ${type}`)
  }
  return { kept, plain }
}

/**
 * The elements that `wanted` names in its order, with the others between them where they stood: one that came before another in the old list does so still.
 */
function inOrder(elements: readonly unknown[], wanted: readonly unknown[], before: readonly unknown[], key: string | undefined): unknown[] {
  const position = (list: readonly unknown[], element: unknown) => positionOf(list, element, key)
  const named = elements.filter((element) => position(wanted, element) >= 0)
  const others = elements.filter((element) => position(wanted, element) < 0)
  named.sort((left, right) => position(wanted, left) - position(wanted, right))
  others.sort((left, right) => position(before, left) - position(before, right))
  const result: unknown[] = []
  while (named.length > 0 && others.length > 0) {
    const [other, next] = [position(before, others[0]), position(before, named[0])]
    result.push((other >= 0 && next >= 0 && other < next ? others : named).shift())
  }
  return [...result, ...named, ...others]
}

function positionOf(list: readonly unknown[], element: unknown, key: string | undefined): number {
  if (key === undefined || !isJsonObject(element)) return list.indexOf(element)
  return list.findIndex((other) => isJsonObject(other) && other[key] === element[key])
}

function patchTypeOf(element: unknown): string | undefined {
  const type = isJsonObject(element) ? element[patchKey] : undefined
  return type === undefined ? undefined : String(type)
}

function isDirective(name: string): boolean {
  return name === patchKey || name === retainKeys || name.startsWith(orderPrefix) || name.startsWith(deletePrefix)
}

/** What is new is taken as it is, without what only says how to merge and without nulls. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => patchTypeOf(element) === undefined).map(withoutDirectives)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([name, member]) => !isDirective(name) && member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutDirectives(member)]))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function noMergeKey(element: unknown, key: string): StrategicMergeError {
  return new StrategicMergeError(`map: ${goText(element)} does not contain declared merge key: ${key}`)
}

/** A value as Go prints it with `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (value === null || value === undefined) return '<nil>'
  if (!isJsonObject(value)) return String(value)
  const names = Object.keys(value).sort()
  return `map[${names.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`
}
