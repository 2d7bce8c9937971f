/**
 * Freezes a plain JSON value at every depth and returns it.
 *
 * A frozen value is taken to be frozen at every depth, so that a new object that shares parts with a stored one costs only its new parts.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const key in value) deepFreeze(value[key])
  return value
}
