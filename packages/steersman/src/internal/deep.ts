/**
 * A copy of plain JSON that shares nothing with the original and is not frozen. Strings, numbers, booleans, null and bigint are values.
 *
 * Nesting deeper than the call stack allows (some thousand levels) is a RangeError.
 */
export function deepCopy<Value>(value: Value): Value {
  return (typeof value === 'object' && value !== null ? copyObject(value) : value) as Value
}

function copyObject(value: object): object {
  if (Array.isArray(value)) {
    const length = value.length
    const copy: unknown[] = new Array(length)
    for (let index = 0; index < length; index++) {
      const element: unknown = value[index]
      copy[index] = typeof element === 'object' && element !== null ? copyObject(element) : element
    }
    return copy
  }
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    const copied = typeof member === 'object' && member !== null ? copyObject(member) : member
    if (key === '__proto__') defineMember(copy, key, copied)
    else copy[key] = copied
  }
  return copy
}

/** Assigning to a member of this name would change the prototype: data of a stranger must not. */
function defineMember(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * Whether two values are the same plain JSON. The order of object members does not matter, that of array elements does; a member that is
 * `undefined` counts as absent, as it does on the wire. Numbers and bigints are different values.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) return Array.isArray(right) && equalArrays(left, right)
  return !Array.isArray(right) && equalObjects(left as Record<string, unknown>, right as Record<string, unknown>)
}

function equalArrays(left: readonly unknown[], right: readonly unknown[]): boolean {
  const length = left.length
  if (length !== right.length) return false
  for (let index = 0; index < length; index++) {
    if (!deepEqual(left[index], right[index])) return false
  }
  return true
}

function equalObjects(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  let members = 0
  for (const key in left) {
    const member = left[key]
    if (member === undefined) continue
    // An inherited member is a function, which JSON is not equal to, except for this one, which is an object.
    if (key === '__proto__' && !Object.hasOwn(right, key)) return false
    if (!deepEqual(member, right[key])) return false
    members++
  }
  for (const key in right) {
    if (right[key] !== undefined) members--
  }
  return members === 0
}
