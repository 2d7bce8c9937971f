import { deepCopy } from '../internal/index.js'
import type { Draft } from './resource-type.js'

/**
 * A mutable copy of an object that was read: everything read is frozen and shared.
 *
 * @example
 * ```ts
 * const draft = structuredCopy(widget)
 * draft.spec.replicas = 3
 * await client.update(Widget, draft)
 * ```
 */
export function structuredCopy<Value>(value: Value): Draft<Value> {
  return deepCopy(value) as Draft<Value>
}

/** Whether an object is read-only, as everything that was read is. */
export function isFrozenObject(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.isFrozen(value)
}
