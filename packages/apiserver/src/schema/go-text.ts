import { goFloat } from 'steersman/api'
import { isInt64 } from './json-number.js'
import { isJsonObject } from './structural-schema.js'

/**
 * A JSON value as Go prints it: `map[a:1 b:[x y]]`. With the verb `%s`, what is not text says so: `%!s(int64=1)`.
 *
 * @default verb `%v`
 */
export function goText(value: unknown, verb: '%v' | '%s' = '%v'): string {
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, verb)).join(' ')}]`
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort()
    return `map[${names.map((name) => `${name}:${goText(value[name], verb)}`).join(' ')}]`
  }
  if (value === null || value === undefined) return verb === '%v' ? '<nil>' : '%!s(<nil>)'
  if (typeof value === 'string') return value
  const text = isNumber(value) && !isInt64(value) ? goFloat(Number(value)) : String(value)
  return verb === '%v' ? text : `%!s(${goTypeOf(value)}=${text})`
}

/** The Go type that a JSON value is decoded to: `map[string]interface {}`, `int64`. */
export function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (value === null || value === undefined) return '<nil>'
  if (isNumber(value)) return isInt64(value) ? 'int64' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'map[string]interface {}'
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
