import { badRequest, bodyTooLarge, StatusError } from 'steersman/api'

/** A copy of a value that came in process, and how many bytes its JSON has at least. */
export interface PlainCopy {
  readonly copy: unknown
  readonly minimumBytes: number
}

const maxDepth = 2_000

/**
 * Copies plain JSON. Members that are `undefined` are left out, as JSON does.
 *
 * @throws {StatusError} RequestEntityTooLarge as soon as the copy is known to be too large (aliases in YAML expand without bound), BadRequest for anything that JSON cannot carry: a Date, an instance of a class, NaN, a function, nesting beyond 2000 levels.
 */
export function copyPlainJson(value: unknown, maxBytes: number): PlainCopy {
  const state = { minimumBytes: 0, maxBytes }
  return { copy: copy(value, state, 0), minimumBytes: state.minimumBytes }
}

interface CopyState {
  minimumBytes: number
  readonly maxBytes: number
}

function copy(value: unknown, state: CopyState, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      state.minimumBytes += value.length + 2
      return value
    case 'number':
      if (!Number.isFinite(value)) throw notPlain(String(value))
      state.minimumBytes += 1
      return value
    case 'boolean':
      state.minimumBytes += 4
      return value
    case 'bigint':
      state.minimumBytes += 16
      return value
    case 'object':
      if (value === null) return null
      if (state.minimumBytes > state.maxBytes) throw new StatusError(bodyTooLarge(state.maxBytes))
      if (depth >= maxDepth) throw notPlain(`a value nested deeper than ${maxDepth} levels`)
      return Array.isArray(value) ? copyArray(value, state, depth) : copyObject(value, state, depth)
    default:
      throw notPlain(`a ${typeof value}`)
  }
}

function copyArray(values: readonly unknown[], state: CopyState, depth: number): unknown[] {
  state.minimumBytes += values.length + 1
  return values.map((item) => copy(item ?? null, state, depth + 1))
}

function copyObject(value: object, state: CopyState, depth: number): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlain(prototype)) {
    throw notPlain(`an instance of ${(value.constructor as { readonly name?: string } | undefined)?.name ?? 'a class'}`)
  }
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    state.minimumBytes += key.length + 4
    const copied = copy(member, state, depth + 1)
    // Assigning to a member of this name would change the prototype.
    if (key === '__proto__') Object.defineProperty(result, key, { value: copied, writable: true, enumerable: true, configurable: true })
    else result[key] = copied
  }
  return result
}

/** `Object.prototype` of another realm, such as a test runner's. */
function isForeignPlain(prototype: unknown): boolean {
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) === null && 'hasOwnProperty' in prototype
}

function notPlain(what: string): StatusError {
  return new StatusError(badRequest(`the body is not plain JSON: found ${what}`))
}
