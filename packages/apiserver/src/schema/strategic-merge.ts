import { deepCopy } from 'steersman/internal'
import type { DefinitionLookup } from './definition.js'
import { goText, goTypeOf } from './go-text.js'
import { factsOfList, factsOfMap, goKind, type PatchFacts, type PatchShape } from './patch-facts.js'
import { arrange, findByKey, isContainer, keyOf, notComparable, partition, patchDirective } from './patch-order.js'
import { badDirective, noMergeKey, StrategicMergeError, unknownPatchType, wrongType } from './strategic-merge-error.js'
import { isJsonObject, type JsonObject, setOwn } from './structural-schema.js'

/** What a strategic merge makes. Nothing in it is shared with what was given. */
export interface StrategicMergeResult {
  readonly object: JsonObject
  /** What merging left of the patch: no directives that were carried out, no nulls in what is new. The real server shows it in refusals. */
  readonly rest: JsonObject
}

type Map = Record<string, unknown>

const retainKeysDirective = '$retainKeys'
const orderPrefix = '$setElementOrder'
const deletePrefix = '$deleteFromPrimitiveList'

/**
 * Merges a strategic merge patch into an object of a definition. Maps merge member by member; lists merge element by element where the definition says so, known by
 * its merge key or, for plain values, by themselves; all else is replaced. Null removes. `$patch`, `$retainKeys`, `$setElementOrder/…` and
 * `$deleteFromPrimitiveList/…` say more, wherever the patch meets something that is there; in what is new, only `$patch` is looked for.
 * Nothing given is changed.
 *
 * Where the real server's answer depends on the random order of Go's maps, members are taken in the order of the patch.
 *
 * @throws {StrategicMergeError}
 */
export function strategicMerge(
  lookup: DefinitionLookup,
  definitionName: string,
  current: JsonObject,
  patch: JsonObject,
): StrategicMergeResult {
  const rest = deepCopy(patch) as Map
  const merge = new StrategicMerge(lookup)
  return { object: merge.mergeMaps(deepCopy(current) as Map, rest, { type: definitionName, containers: [] }), rest }
}

/** Works in copies of its own: both the object and the patch change as it goes, as they do in the real server, which shows in its answers. */
class StrategicMerge {
  readonly #lookup: DefinitionLookup

  constructor(lookup: DefinitionLookup) {
    this.#lookup = lookup
  }

  mergeMaps(original: Map, patch: Map, shape: PatchShape): Map {
    if (Object.hasOwn(patch, patchDirective)) return replaceOrDelete(patch)
    retainKeys(original, patch)
    this.#mergeOrderedLists(original, patch, shape)
    for (const [key, value] of Object.entries(patch)) {
      const isDeletion = key.startsWith(deletePrefix)
      const name = isDeletion ? listName(key, deletePrefix) || key : key
      if (value === null) delete original[name]
      else if (!isDeletion && !isSameSort(ownMember(original, name), value)) setNew(original, name, value)
      else if (isSameSort(ownMember(original, name), value)) this.#mergeMember(original, name, value, shape, isDeletion)
    }
    return original
  }

  #mergeMember(original: Map, name: string, patch: unknown, shape: PatchShape, isDeletion: boolean): void {
    const current = original[name]
    if (Array.isArray(current) && Array.isArray(patch)) {
      setOwn(original, name, this.#mergeLists(current, patch, factsOfList(this.#lookup, shape, name), isDeletion))
    } else if (isJsonObject(current) && isJsonObject(patch)) {
      const { shape: inner, strategy } = factsOfMap(this.#lookup, shape, name)
      setOwn(original, name, strategy === 'replace' ? patch : this.mergeMaps(current as Map, patch as Map, inner))
    } else setOwn(original, name, patch)
  }

  /** Merges the lists whose order the patch sets, and takes them and their orders out of the patch. */
  #mergeOrderedLists(original: Map, patch: Map, shape: PatchShape): void {
    for (const [directive, order] of Object.entries(patch)) {
      if (!directive.startsWith(orderPrefix)) continue
      delete patch[directive]
      if (!Array.isArray(order)) throw wrongType('list', order)
      const name = listName(directive, orderPrefix)
      const current = listAt(original, name)
      const given = listAt(patch, name)
      const facts = factsOfList(this.#lookup, shape, name)
      checkOrder(given ?? [], order, facts.mergeKey)
      const merged = this.#mergeIfGiven(current, given, facts)
      if (merged === undefined) continue
      const [named, others] = partition(merged, order, facts.mergeKey)
      elementSort(current ?? [], given ?? [])
      setOwn(original, name, arrange(named, others, { patch: order, before: current ?? [], key: facts.mergeKey }))
      delete patch[name]
    }
  }

  #mergeIfGiven(current: unknown[] | undefined, given: unknown[] | undefined, facts: PatchFacts): readonly unknown[] | undefined {
    if (given === undefined) return current
    return current === undefined ? (withoutDirectives(given) as unknown[]) : this.#mergeLists(current, given, facts, false)
  }

  #mergeLists(current: unknown[], patch: unknown[], facts: PatchFacts, isDeletion: boolean): readonly unknown[] {
    if (facts.strategy !== 'merge' && !isDeletion) return patch
    if (current.length === 0 && patch.length === 0) return current
    const sort = elementSort(current, patch)
    if (sort !== 'map' && isDeletion) return current.filter((element) => !patch.includes(element))
    const key = facts.mergeKey
    if (sort !== 'map') return arranged(distinct([...current, ...patch]), current, patch, key)
    if (key === undefined) throw new StrategicMergeError(`cannot merge lists without merge key for ${goKind(facts.shape)}`)
    const list = new SharedList(current)
    const elements = applyElementDirectives(list, patch as Map[], key)
    // An element that says to replace leaves nothing of the old list, and no order but that of the patch.
    if (elements === 'replace') {
      const only = patch.filter((element) => !hasDirective(element))
      return arranged(only, only, [], key)
    }
    const before = list.elements
    this.#mergeElements(list, elements, key, facts.shape)
    return arranged(list.elements, before, elements, key)
  }

  #mergeElements(list: SharedList, patch: readonly Map[], key: string, shape: PatchShape): void {
    for (const element of patch) {
      if (!Object.hasOwn(element, key)) throw noMergeKey(element, key)
      const index = findByKey(list.elements, key, element[key])
      if (index < 0) list.append(element)
      else list.set(index, this.mergeMaps(list.elements[index] as Map, element, shape))
    }
  }
}

/**
 * A list over the array that it was made from. As in Go, what is removed makes room in the array, and what is appended takes that room first, so that who looks at the
 * array afterwards sees it there: the real server arranges elements by what it sees so.
 */
class SharedList {
  #array: unknown[]
  #length: number

  constructor(array: unknown[]) {
    this.#array = array
    this.#length = array.length
  }

  get elements(): unknown[] {
    return this.#array.slice(0, this.#length)
  }

  set(index: number, element: unknown): void {
    this.#array[index] = element
  }

  remove(index: number): void {
    this.#array.copyWithin(index, index + 1, this.#length)
    this.#length--
  }

  append(element: unknown): void {
    if (this.#length === this.#array.length) this.#array = [...this.#array]
    this.#array[this.#length++] = element
  }
}

/** Removes the elements that the patch deletes. Returns the elements of the patch that say nothing of the kind, or that the list is replaced by them. */
function applyElementDirectives(list: SharedList, patch: readonly Map[], key: string): Map[] | 'replace' {
  let replaces = false
  for (const element of patch) {
    if (!hasDirective(element)) continue
    const directive = element[patchDirective]
    if (directive === 'merge') throw new StrategicMergeError('merging lists cannot yet be specified in the patch')
    if (directive === 'replace') replaces = true
    else if (directive !== 'delete') throw unknownPatchType(directive, element)
    else {
      const value = keyOf(element, key)
      for (let index = findByKey(list.elements, key, value); index >= 0; index = findByKey(list.elements, key, value)) list.remove(index)
    }
  }
  return replaces ? 'replace' : patch.filter((element) => !hasDirective(element))
}

function replaceOrDelete(patch: Map): Map {
  const directive = patch[patchDirective]
  if (directive === 'delete') return {}
  if (directive !== 'replace') throw unknownPatchType(directive, patch)
  delete patch[patchDirective]
  return patch
}

/** Removes what the patch does not retain. */
function retainKeys(original: Map, patch: Map): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return
  const keys = patch[retainKeysDirective]
  delete patch[retainKeysDirective]
  if (!Array.isArray(keys)) throw badDirective('retainKeys')
  for (const [name, value] of Object.entries(patch)) {
    const isExempt = value === null || name.startsWith(deletePrefix) || name.startsWith(orderPrefix)
    if (!isExempt && !keys.includes(name)) throw badDirective('retainKeys')
  }
  for (const name of Object.keys(original)) if (!keys.includes(name)) delete original[name]
}

/** Every element of the patch must be in the order, and they must follow one another as they do there. */
function checkOrder(patch: readonly unknown[], order: readonly unknown[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return
  const notMap = key === undefined ? undefined : patch.find((element) => !isJsonObject(element))
  if (notMap !== undefined) throw wrongType('map', notMap)
  const elements = key === undefined ? patch : patch.filter((element) => (element as Map)[patchDirective] !== 'delete')
  let [next, position] = [0, 0]
  while (next < elements.length && position < order.length) {
    if (hasDirective(elements[next])) next++
    else if (isSameElement(elements[next], order[position++], key)) next++
  }
  if (next < elements.length) {
    throw new StrategicMergeError(`The order in patch list:\n${goText(patch)}\n doesn't match ${orderPrefix} list:\n${goText(order)}\n`)
  }
}

function isSameElement(left: unknown, right: unknown, key: string | undefined): boolean {
  if (key === undefined) {
    if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) throw notComparable()
    return left === right
  }
  if (!isJsonObject(right)) throw wrongType('map', right)
  return keyOf(left, key) === keyOf(right, key)
}

/** The sort that all elements share. @throws {StrategicMergeError} when they share none, or are lists. */
function elementSort(current: readonly unknown[], patch: readonly unknown[]): string {
  const [first, ...more] = [...current, ...patch].map(sortOf)
  if (first === undefined) throw new StrategicMergeError('no elements in any of the given slices')
  if (first === 'list') throw new StrategicMergeError('lists of lists are not supported', 422)
  if (more.some((sort) => sort !== first)) {
    throw new StrategicMergeError(`list element types are not identical: ${goText([current, patch])}`)
  }
  return first
}

function arranged(merged: readonly unknown[], before: readonly unknown[], patch: readonly unknown[], key: string | undefined): unknown[] {
  const [named, others] = partition(merged, patch, key)
  return arrange(named, others, { patch, before, key })
}

/** Without repetitions. As in the real server, the last element takes the place of one that is left out. */
function distinct(list: unknown[]): unknown[] {
  for (let index = 0; index < list.length; index++) {
    for (let other = index + 1; other < list.length; other++) {
      if (list[index] !== list[other]) continue
      const last = list.pop()
      if (other < list.length) list[other--] = last
    }
  }
  return list
}

function listName(directive: string, prefix: string): string {
  if (!directive.startsWith(`${prefix}/`)) throw badDirective(prefix === orderPrefix ? 'setElementOrder list' : 'primitive list')
  return directive.slice(prefix.length + 1)
}

function listAt(map: Map, name: string): unknown[] | undefined {
  if (!Object.hasOwn(map, name)) return undefined
  const list = map[name]
  if (!Array.isArray(list)) throw wrongType('list', list)
  return list
}

function setNew(original: Map, name: string, value: unknown): void {
  discardNulls(value)
  if (hasDirective(value)) delete original[name]
  else setOwn(original, name, withoutDirectives(value))
}

/** Removes members that are null, at every depth. */
function discardNulls(value: unknown): void {
  if (Array.isArray(value)) for (const element of value) discardNulls(element)
  else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (member === null) delete (value as Map)[name]
      else discardNulls(member)
    }
  }
}

/** Removes maps that have a directive, at every depth but this one. Lists become new ones. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => !hasDirective(element)).map(withoutDirectives)
  if (!isJsonObject(value)) return value
  for (const [name, member] of Object.entries(value)) {
    if (hasDirective(member)) delete (value as Map)[name]
    else setOwn(value as Map, name, withoutDirectives(member))
  }
  return value
}

function hasDirective(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, patchDirective)
}

function ownMember(map: Map, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined
}

function isSameSort(left: unknown, right: unknown): boolean {
  return left !== undefined && sortOf(left) === sortOf(right)
}

function sortOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return goTypeOf(value)
  return isJsonObject(value) ? 'map' : typeof value
}
