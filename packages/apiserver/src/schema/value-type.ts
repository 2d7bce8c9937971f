import { isInt64, isIntegralFloat } from './json-number.js'
import type { StructuralSchema } from './structural-schema.js'

/** The type of a JSON value in the words of JSON schema, and the format that the real server infers from it. */
export interface ValueType {
  readonly type: 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object'
  readonly format: '' | 'int64' | 'float64'
}

/** The type of a JSON value. What fits into int64 is an integer, every other number a float64. */
function valueTypeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return { type: 'string', format: '' }
    case 'boolean':
      return { type: 'boolean', format: '' }
    case 'number':
    case 'bigint':
      return isInt64(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' }
    default:
      if (value === null || value === undefined) return { type: 'null', format: '' }
      return { type: Array.isArray(value) ? 'array' : 'object', format: '' }
  }
}

/** The types that a schema node admits; none: any. */
export function admittedTypes(schema: StructuralSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string']
  return schema.type === undefined || schema.type === '' ? [] : [schema.type]
}

/**
 * What is wrong with the type of a value: the type that was expected and the one found, or undefined when nothing is. For a mismatch
 * with a numeric format the real server names the formats instead of the types.
 */
export function typeMismatch(
  value: unknown,
  types: readonly string[],
  format: string,
  isNullable: boolean,
): { readonly expected: string; readonly found: string } | undefined {
  if (types.length === 0 && format === '') return undefined
  const found = valueTypeOf(value)
  if (found.type === 'null') {
    return types.length > 0 && !isNullable ? { expected: types.join(','), found: 'null' } : undefined
  }
  const admitsNumbers = types.includes('integer') || types.includes('number')
  const admitted =
    types.includes(found.type) ||
    (found.type === 'number' && types.includes('integer') && isIntegralFloat(Number(value))) ||
    (found.type === 'integer' && types.includes('number'))
  const isTextOrList = found.type === 'string' || found.type === 'array'
  if (!isTextOrList && format !== '' && !admitted && found.format !== format) return { expected: format, found: found.format }
  if (isTextOrList && format !== '' && !admitsNumbers) return undefined
  return admitted ? undefined : { expected: types.join(','), found: found.type }
}

/** Whether a value is one of an enumeration; numbers are compared as the real server converts them. */
export function isInEnum(value: unknown, allowed: readonly unknown[], equal: (left: unknown, right: unknown) => boolean): boolean {
  for (const candidate of allowed) {
    if (value === null || candidate === null) continue
    if (isNumber(value) && isNumber(candidate)) {
      // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by value.
      if (isInt64(candidate) ? truncate(value) == candidate : Number(value) === candidate) return true
    } else if (equal(value, candidate)) return true
  }
  return false
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function truncate(value: number | bigint): number | bigint {
  return typeof value === 'bigint' ? value : Math.trunc(value)
}

/** The number of Unicode code points of a string. */
export function codePointCount(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) index++
    }
    count++
  }
  return count
}
