import { deepEqual } from 'steersman/internal'
import { enforcedFormat, stringFormatCheck } from './formats.js'
import { numberProblems } from './numbers.js'
import { compilePattern } from './pattern.js'
import type { SchemaNode } from './schema-node.js'
import { canonicalJson, isJsonObject, type JsonObject, type StructuralSchema } from './structural-schema.js'
import { admittedTypes, codePointCount, isInEnum, typeMismatch } from './value-type.js'

type Check = (value: unknown) => boolean

/**
 * Compiles the check of a node: whether a value is valid, without messages. Most objects are valid, so this is what a write costs; only
 * for an invalid one `collect` walks again and words the errors. Both must agree (a property test compares them).
 */
export function compileCheck(node: SchemaNode): Check {
  const { schema } = node
  const checks: Check[] = []
  addCheck(checks, enumCheck(schema))
  const checkType = typeCheck(schema)
  const checkString = stringCheck(schema)
  const checkNumber = numberCheck(schema)
  const checkArray = arrayCheck(node)
  const checkObject = objectCheck(node)
  // For null the real server looks at type and enum only.
  const checksAtNull = [...checks]
  addCheck(checks, alternativesCheck(node))

  return (value) => {
    if (!checkType(value)) return false
    if (value === null) return checksAtNull.every((check) => check(value))
    for (const check of checks) if (!check(value)) return false
    switch (typeof value) {
      case 'string':
        return checkString(value)
      case 'number':
      case 'bigint':
        return checkNumber(value)
      case 'object':
        return Array.isArray(value) ? checkArray(value) : checkObject(value as JsonObject)
      default:
        return true
    }
  }
}

function addCheck(checks: Check[], check: Check | undefined): void {
  if (check !== undefined) checks.push(check)
}

function typeCheck(schema: StructuralSchema): Check {
  const types = admittedTypes(schema)
  const format = enforcedFormat(schema)
  const isNullable = schema.nullable === true
  const [only] = types
  if (types.length === 1 && format === '') {
    switch (only) {
      case 'object':
        return (value) => (value === null ? isNullable : isJsonObject(value))
      case 'array':
        return (value) => (value === null ? isNullable : Array.isArray(value))
      case 'string':
      case 'boolean':
        return (value) => (value === null ? isNullable : typeof value === only)
    }
  }
  if (types.length === 0 && format === '') return () => true
  return (value) => typeMismatch(value, types, format, isNullable) === undefined
}

function enumCheck(schema: StructuralSchema): Check | undefined {
  const allowed = schema.enum
  if (allowed === undefined || allowed.length === 0) return undefined
  if (allowed.every((value) => typeof value === 'string')) {
    const names = new Set<unknown>(allowed)
    return (value) => names.has(value)
  }
  return (value) => isInEnum(value, allowed, deepEqual)
}

function stringCheck(schema: StructuralSchema): (value: string) => boolean {
  const { minLength, maxLength, pattern } = schema
  const format = enforcedFormat(schema)
  const matchesFormat = format === '' ? undefined : stringFormatCheck(format)
  let matches: ((text: string) => boolean) | undefined
  return (value) => {
    // Code points are at most as many as code units and at least half as many.
    if (maxLength !== undefined && value.length > maxLength && codePointCount(value) > maxLength) return false
    if (minLength !== undefined && value.length < minLength * 2 && codePointCount(value) < minLength) return false
    if (pattern !== undefined && pattern !== '') {
      matches ??= compilePattern(pattern)
      if (!matches(value)) return false
    }
    return matchesFormat?.(value) ?? true
  }
}

function numberCheck(schema: StructuralSchema): (value: number | bigint) => boolean {
  const format = enforcedFormat(schema)
  const { minimum, maximum, multipleOf } = schema
  const isPlainInteger =
    schema.type === 'integer' && format !== 'int32' && minimum === undefined && maximum === undefined && multipleOf === undefined
  return (value) => (isPlainInteger && Number.isSafeInteger(value)) || numberProblems(value, schema, format, '').length === 0
}

function arrayCheck(node: SchemaNode): (value: readonly unknown[]) => boolean {
  const { minItems, maxItems, uniqueItems } = node.schema
  const { items } = node
  return (value) => {
    if (minItems !== undefined && value.length < minItems) return false
    if (maxItems !== undefined && value.length > maxItems) return false
    if (uniqueItems === true && hasDuplicates(value)) return false
    if (items !== undefined) for (const item of value) if (!items.isValid(item)) return false
    return true
  }
}

/** Whether a list holds two equal values. */
export function hasDuplicates(value: readonly unknown[]): boolean {
  return new Set(value.map(canonicalJson)).size < value.length
}

function objectCheck(node: SchemaNode): (value: JsonObject) => boolean {
  const { required = [], minProperties, maxProperties, additionalProperties } = node.schema
  const { properties, additional } = node
  return (value) => {
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(value).length
      if (count < (minProperties ?? 0) || count > (maxProperties ?? Number.POSITIVE_INFINITY)) return false
    }
    for (const name of required) if (!Object.hasOwn(value, name)) return false
    for (const name in value) {
      const child = properties.get(name) ?? additional
      if (child === undefined ? additionalProperties === false : !child.isValid(value[name])) return false
    }
    return true
  }
}

function alternativesCheck(node: SchemaNode): Check | undefined {
  const all = node.alternatives('allOf')
  const any = node.alternatives('anyOf')
  const one = node.alternatives('oneOf')
  const { not } = node
  if (all.length === 0 && any.length === 0 && one.length === 0 && not === undefined) return undefined
  return (value) => {
    if (any.length > 0 && !any.some((candidate) => candidate.isValid(value))) return false
    if (one.length > 0 && one.filter((candidate) => candidate.isValid(value)).length !== 1) return false
    if (!all.every((candidate) => candidate.isValid(value))) return false
    return not === undefined || !not.isValid(value)
  }
}
