import { goText, goTypeOf } from './go-text.js'

/** A strategic merge patch that cannot be applied. The message is kube-apiserver's. */
export class StrategicMergeError extends Error {
  readonly code = 'CANNOT_MERGE'
  /** The HTTP status that kube-apiserver answers with: 400 for a malformed directive, 422 for what it cannot do, 500 for all it has no word for. */
  readonly status: 400 | 422 | 500

  constructor(message: string, status: 400 | 422 | 500 = 500) {
    super(message)
    this.name = 'StrategicMergeError'
    this.status = status
  }
}

/** A directive whose value or name has the wrong form: `invalid patch format of retainKeys`. */
export function badDirective(what: 'primitive list' | 'retainKeys' | 'setElementOrder list'): StrategicMergeError {
  return new StrategicMergeError(`invalid patch format of ${what}`, 400)
}

export function wrongType(expected: 'list' | 'map', found: unknown): StrategicMergeError {
  const type = expected === 'list' ? '[]interface {}' : 'map[string]interface {}'
  return new StrategicMergeError(`expected a ${type}, but received a ${found === null ? '%!s(<nil>)' : goTypeOf(found)}`)
}

export function noMergeKey(element: unknown, key: string): StrategicMergeError {
  return new StrategicMergeError(`map: ${goText(element)} does not contain declared merge key: ${key}`)
}

export function unknownPatchType(type: unknown, map: unknown): StrategicMergeError {
  return new StrategicMergeError(`unknown patch type: ${goText(type, '%s')} in map: ${goText(map)}`)
}
