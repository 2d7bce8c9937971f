/**
 * JSON merge patch (RFC 7386) on plain JSON.
 */
import { deepCopy, deepEqual } from '../internal/index.js'

type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Applies a merge patch: members of `patch` replace those of `target`, objects merge, null removes, lists are replaced whole.
 *
 * Neither input is touched; the parts of `target` that the patch does not reach are shared with the result.
 * As kube-apiserver does, and beyond the RFC, nulls inside the objects of a new list are removed too.
 */
export function applyMergePatch<Document>(target: Document, patch: unknown): Document {
  return merge(target, patch) as Document
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return isObject(target) ? deepCopy(patch) : withoutNulls(patch)
  if (!isObject(target)) return withoutNulls(patch)
  const result: Record<string, unknown> = { ...target }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[key]
    else setOwn(result, key, merge(Object.hasOwn(target, key) ? target[key] : undefined, value))
  }
  return result
}

function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

/** A copy in which no object has a null member. Null items of lists stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member !== null && member !== undefined) setOwn(result, key, withoutNulls(member))
  }
  return result
}

/**
 * The merge patch that turns `from` into `to`; an empty object when they are equal.
 *
 * A null member of `to` cannot be said in a merge patch; it counts as absent. `undefined` members are absent.
 * The patch may share parts with `to`.
 */
export function createMergePatch(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to
  const patch: Record<string, unknown> = {}
  for (const [key, after] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined
    if (after === null || after === undefined) {
      if (before !== null && before !== undefined) setOwn(patch, key, null)
    } else if (isObject(before) && isObject(after)) {
      const inner = createMergePatch(before, after) as JsonObject
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner)
    } else if (!deepEqual(before, after)) setOwn(patch, key, after)
  }
  for (const [key, before] of Object.entries(from)) {
    if (before !== null && before !== undefined && !Object.hasOwn(to, key)) setOwn(patch, key, null)
  }
  return patch
}
