import { noMergeKey, StrategicMergeError, wrongType } from './strategic-merge-error.js'
import { isJsonObject, type JsonObject } from './structural-schema.js'

/** The member that says what to do with its map. */
export const patchDirective = '$patch'

/** By what order a merged list is arranged. */
export interface ListOrder {
  /** The order of elements that the patch names. */
  readonly patch: readonly unknown[]
  /** The order before the patch. */
  readonly before: readonly unknown[]
  /** The member by which elements are known; absent for plain values. */
  readonly key: string | undefined
}

/** Splits a list into what `named` has too and what it has not. @throws {StrategicMergeError} for an element without its key. */
export function partition(list: readonly unknown[], named: readonly unknown[], key: string | undefined): [unknown[], unknown[]] {
  const inside: unknown[] = []
  const outside: unknown[] = []
  for (const element of list) {
    if (key === undefined && [element, ...named].some(isContainer)) throw notComparable()
    const isNamed = key === undefined ? named.includes(element) : findByKey(named, key, keyOf(element, key)) >= 0
    ;(isNamed ? inside : outside).push(element)
  }
  return [inside, outside]
}

/** Whether a value is a list or a map, which nothing equals. */
export function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** What the real server does not survive: it ends the connection without an answer. */
export function notComparable(): StrategicMergeError {
  return new StrategicMergeError('cannot compare elements that are maps or lists: the list has no merge key')
}

/** The position of the first element with this key. @throws {StrategicMergeError} for an element before it that is no map. */
export function findByKey(list: readonly unknown[], key: string, value: unknown): number {
  for (const [index, element] of list.entries()) {
    if (!isJsonObject(element)) throw new StrategicMergeError(`value for key ${index} is not a map`)
    if (Object.hasOwn(element, key) && element[key] === value) return index
  }
  return -1
}

/** The key of an element. @throws {StrategicMergeError} when it is no map or has none. */
export function keyOf(element: unknown, key: string): unknown {
  if (!isJsonObject(element)) throw wrongType('map', element)
  if (!Object.hasOwn(element, key)) throw noMergeKey(element, key)
  return element[key]
}

/**
 * Arranges a list that was parted: elements that the patch names in its order, the others in the order before, and these before those where they stood before them.
 *
 * @throws {StrategicMergeError} for an element without its key.
 */
export function arrange(named: readonly unknown[], others: readonly unknown[], order: ListOrder): unknown[] {
  const right = sorted(named, order.patch, order.key)
  const left = sorted(others, order.before, order.key)
  const result: unknown[] = []
  let [other, next] = [0, 0]
  while (other < left.length && next < right.length) {
    const position = positionIn(order.before, left[other], order.key)
    const limit = positionIn(order.before, right[next], order.key)
    if (position >= 0 && limit >= 0 && position < limit) result.push(left[other++])
    else result.push(right[next++])
  }
  return [...result, ...left.slice(other), ...right.slice(next)]
}

/** Elements in an order. Those that are to be deleted come last; those that the order does not have go as far to the front as they meet no end. */
function sorted(list: readonly unknown[], order: readonly unknown[], mergeKey: string | undefined): unknown[] {
  // Maps without a merge key are asked for an empty one, which they do not have.
  const key = mergeKey ?? ([...list, ...order].some(isJsonObject) ? '' : undefined)
  if (key !== undefined) for (const element of [...list, ...order]) keyOf(element, key)
  const isDeletion = (element: unknown) => key !== undefined && isJsonObject(element) && element[patchDirective] === 'delete'
  const result = list.filter((element) => !isDeletion(element))
  // The real server's comparison holds whenever one of the two is not in the order: a sort by insertion gives what it gives.
  const isBefore = (a: unknown, b: unknown): boolean => {
    const [position, limit] = [positionIn(order, a, key), positionIn(order, b, key)]
    return position < 0 || limit < 0 || position < limit
  }
  for (let end = 1; end < result.length; end++) {
    for (let at = end; at > 0 && isBefore(result[at], result[at - 1]); at--) {
      ;[result[at - 1], result[at]] = [result[at], result[at - 1]]
    }
  }
  return [...result, ...list.filter(isDeletion)]
}

function positionIn(list: readonly unknown[], element: unknown, key: string | undefined): number {
  if (key === undefined) return list.indexOf(element)
  const value = memberOf(element, key)
  return list.findIndex((other) => memberOf(other, key) === value)
}

function memberOf(element: unknown, key: string): unknown {
  return isJsonObject(element) ? ((element as JsonObject)[key] ?? null) : null
}
