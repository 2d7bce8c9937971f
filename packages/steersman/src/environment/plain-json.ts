/**
 * Copies a value if it is plain JSON and refuses it otherwise.
 *
 * What a socket would do by serialising, a server in the same process does with this: neither side can reach the other's objects, and what
 * JSON cannot carry is found at the call that sent it. Properties whose value is `undefined` are dropped; `bigint` is kept; `-0` becomes
 * `0`. The copy shares nothing with `value`, is mutable and belongs to the caller.
 *
 * @throws {TypeError} naming the path, for an `undefined` array element, a function, symbol, `NaN` or infinity, an object that is not plain
 * (a `Date`, a `Map`, an instance of a class), a cycle, or nesting deeper than 1,000 levels.
 */
export function toPlainJson(value: unknown): unknown {
  const copy = copyPlain(value, 0)
  if (copy === REFUSED) throw refusal(value, '$', [])
  return copy
}

const MAX_DEPTH = 1_000

/** Returned instead of thrown so that the usual, valid, case tracks no path. */
const REFUSED = Symbol('refused')

function copyPlain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      if (!Number.isFinite(value)) return REFUSED
      return value === 0 ? 0 : value
    case 'object':
      if (value === null) return null
      if (depth >= MAX_DEPTH) return REFUSED
      if (Array.isArray(value)) return copyArray(value, depth + 1)
      return isPlainObject(value) ? copyObject(value as Record<string, unknown>, depth + 1) : REFUSED
    default:
      return REFUSED
  }
}

function copyArray(source: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = []
  for (let index = 0; index < source.length; index++) {
    const element = copyPlain(source[index], depth)
    if (element === REFUSED) return REFUSED
    copy.push(element)
  }
  return copy
}

function copyObject(source: Record<string, unknown>, depth: number): unknown {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(source)) {
    const property = source[key]
    if (property === undefined) continue
    const value = copyPlain(property, depth)
    if (value === REFUSED) return REFUSED
    // An assignment to this one name would change the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true })
    else copy[key] = value
  }
  return copy
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The last case is `Object.prototype` of another realm.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Walks again, this time with the path, to say what was refused. */
function refusal(value: unknown, path: string, ancestors: readonly unknown[]): TypeError {
  const found = describeRefusal(value, path, ancestors)
  return new TypeError(found ?? `Value is not plain JSON: ${path} changed while it was read`)
}

function describeRefusal(value: unknown, path: string, ancestors: readonly unknown[]): string | undefined {
  if (typeof value !== 'object' || value === null) {
    const what = describeScalar(value)
    return what && `Value is not plain JSON: ${path} is ${what}`
  }
  if (ancestors.includes(value)) return `Value is not plain JSON: ${path} refers back to an object that contains it`
  if (ancestors.length >= MAX_DEPTH) return `Value is not plain JSON: it nests deeper than ${MAX_DEPTH} levels`
  const inner = [...ancestors, value]
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = describeRefusal(value[index], `${path}[${index}]`, inner)
      if (found) return found
    }
    return undefined
  }
  if (!isPlainObject(value)) return `Value is not plain JSON: ${path} is an instance of ${className(value)}`
  for (const [key, property] of Object.entries(value)) {
    const found = property === undefined ? undefined : describeRefusal(property, path + step(key), inner)
    if (found) return found
  }
  return undefined
}

function describeScalar(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  return value === undefined ? 'undefined' : undefined
}

function className(value: object): string {
  const maker: unknown = value.constructor
  return typeof maker === 'function' && maker.name !== '' ? maker.name : 'an unnamed class'
}

function step(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
