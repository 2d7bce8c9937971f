/**
 * JSON patch (RFC 6902) on plain JSON, as lenient and as strict as kube-apiserver is.
 *
 * Beyond the RFC the server allows: negative indices (from the end), replacing a member that does not exist, testing that
 * a member is absent (against no value or null), a first reference without its slash. It refuses every operation on the
 * whole document except `replace`, `test`.
 */
import { deepCopy, deepEqual } from '../internal/index.js'
import { goJson, utf8Length } from './go-format.js'
import type { JsonPatchOperation } from './patch.js'

/** How many operations a patch may have. */
export const maxJsonPatchOperations = 10_000
/** How many bytes of JSON the `copy` operations of a patch may add: without a bound, few of them fill the memory. */
export const maxJsonPatchCopyBytes = 3 * 1024 * 1024

/** A JSON patch cannot be applied. */
export class JsonPatchError extends Error {
  /** `JSON_PATCH_FAILED`: an operation does not apply; the server answers 422. `JSON_PATCH_TOO_LARGE`: too many operations; 413. */
  readonly code: 'JSON_PATCH_FAILED' | 'JSON_PATCH_TOO_LARGE'

  constructor(code: 'JSON_PATCH_FAILED' | 'JSON_PATCH_TOO_LARGE', message: string) {
    super(message)
    this.name = 'JsonPatchError'
    this.code = code
  }
}

type Container = Record<string, unknown> | unknown[]

/**
 * Applies a patch to a copy of a document; the input is not touched and shares nothing with the result.
 *
 * All operations apply or none.
 *
 * @throws JsonPatchError when one does not apply, or there are more than 10,000.
 */
export function applyJsonPatch<Document>(document: Document, operations: readonly JsonPatchOperation[]): Document {
  if (operations.length > maxJsonPatchOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${operations.length}`
    throw new JsonPatchError('JSON_PATCH_TOO_LARGE', message)
  }
  let root = asContainer(deepCopy(document))
  if (root === undefined) throw failed('the document is neither an object nor a list')
  let copiedBytes = 0
  const countCopy = (value: unknown) => {
    copiedBytes += utf8Length(goJson(value))
    if (copiedBytes > maxJsonPatchCopyBytes) throw failed(`copies of more than ${maxJsonPatchCopyBytes} bytes`)
  }
  for (const operation of operations) root = applyOperation(root, operation, countCopy)
  return root as Document
}

const failed = (message: string) => new JsonPatchError('JSON_PATCH_FAILED', message)

function asContainer(value: unknown): Container | undefined {
  return typeof value === 'object' && value !== null ? (value as Container) : undefined
}

function applyOperation(root: Container, operation: JsonPatchOperation, countCopy: (value: unknown) => void): Container {
  const { op, path } = operation
  if (typeof path !== 'string') throw failed(`${op} operation failed to decode path: missing value`)
  switch (op) {
    case 'add': {
      const place = locate(root, path, op)
      addAt(place, deepCopy(operation.value ?? null), path, op)
      return root
    }
    case 'remove':
      removeAt(locate(root, path, op), path, op)
      return root
    case 'replace':
      return replace(root, path, deepCopy(operation.value ?? null))
    case 'move': {
      const value = removeAt(locate(root, fromOf(operation), op), path, op)
      addAt(locate(root, path, op), value, path, op)
      return root
    }
    case 'copy': {
      const value = getAt(locate(root, fromOf(operation), op), path, op)
      countCopy(value)
      addAt(locate(root, path, op), deepCopy(value ?? null), path, op)
      return root
    }
    case 'test':
      test(root, path, operation.value)
      return root
    default:
      throw failed(`Unexpected kind: ${op}`)
  }
}

function fromOf(operation: JsonPatchOperation): string {
  if (typeof operation.from !== 'string') throw failed(`${operation.op} operation failed to decode from: missing value`)
  return operation.from
}

interface Place {
  readonly container: Container
  readonly key: string
}

/** The container that the last reference of a path points into. */
function locate(root: Container, path: string, op: string): Place {
  const references = path.split('/')
  if (references.length < 2) throw failed(`${op} operation does not apply: doc is missing path: "${path}": missing value`)
  let container = root
  for (const reference of references.slice(1, -1)) {
    const next = asContainer(memberOf(container, decodeReference(reference)))
    if (next === undefined) throw failed(`${op} operation does not apply: doc is missing path: "${path}": missing value`)
    container = next
  }
  return { container, key: decodeReference(references[references.length - 1] ?? '') }
}

const decodeReference = (reference: string) => reference.replaceAll(/~[01]/g, (sequence) => (sequence === '~1' ? '/' : '~'))

function memberOf(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : undefined
  const index = indexIn(key, container.length)
  return index === undefined ? undefined : container[index]
}

/** The index that a reference means in a list of `length`; negative ones count from the end. Absent: not an index, or outside. */
function indexIn(key: string, length: number): number | undefined {
  if (!/^[+-]?\d{1,15}$/.test(key)) return undefined
  const index = Number(key)
  const absolute = index < 0 ? index + length : index
  return absolute >= 0 && absolute < length ? absolute : undefined
}

function getAt({ container, key }: Place, path: string, op: string): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : undefined
  const index = indexIn(key, container.length)
  if (index === undefined)
    throw failed(`error in ${op} for path: '${path}': Unable to access invalid index: ${key}: invalid index referenced`)
  return container[index]
}

function addAt({ container, key }: Place, value: unknown, path: string, op: string): void {
  if (!Array.isArray(container)) {
    setMember(container, key, value)
    return
  }
  // One more place than items: adding at the length appends.
  const index = key === '-' ? container.length : indexIn(key, container.length + 1)
  if (index === undefined)
    throw failed(`error in ${op} for path: '${path}': Unable to access invalid index: ${key}: invalid index referenced`)
  container.splice(index, 0, value)
}

/** Plain assignment to `__proto__` would change the prototype instead of adding a member. */
function setMember(container: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
  else container[key] = value
}

function removeAt({ container, key }: Place, path: string, op: string): unknown {
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) {
      throw failed(`error in ${op} for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`)
    }
    const value = container[key]
    delete container[key]
    return value
  }
  const index = indexIn(key, container.length)
  if (index === undefined)
    throw failed(`error in ${op} for path: '${path}': Unable to access invalid index: ${key}: invalid index referenced`)
  return container.splice(index, 1)[0]
}

function replace(root: Container, path: string, value: unknown): Container {
  if (path === '') {
    const replaced = asContainer(value)
    if (replaced === undefined) throw failed('replace operation value must be object or array')
    return replaced
  }
  const { container, key } = locate(root, path, 'replace')
  if (!Array.isArray(container)) {
    setMember(container, key, value)
    return root
  }
  const index = indexIn(key, container.length)
  if (index === undefined) throw failed(`replace operation does not apply: doc is missing key: ${path}: missing value`)
  container[index] = value
  return root
}

function test(root: Container, path: string, wanted: unknown): void {
  const actual = path === '' ? root : getAt(locate(root, path, 'test'), path, 'test')
  if (!deepEqual(actual ?? null, wanted ?? null)) throw failed(`testing value ${path} failed: test failed`)
}
