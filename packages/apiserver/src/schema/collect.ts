import { fieldError, goQuote } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import { enforcedFormat, stringFormatCheck } from './formats.js'
import { numberProblems } from './numbers.js'
import { compilePattern, PatternError } from './pattern.js'
import type { Collector, Correlation, SchemaNode } from './schema-node.js'
import { isJsonObject, type JsonObject } from './structural-schema.js'
import { ValidationResult } from './validation-result.js'
import { hasDuplicates } from './validity.js'
import { admittedTypes, codePointCount, isInEnum, typeMismatch } from './value-type.js'

/** Compiles the collector of a node. */
export function compileCollector(node: SchemaNode): Collector {
  const { schema } = node
  const types = admittedTypes(schema)
  const format = enforcedFormat(schema)
  const formatCheck = format === '' ? undefined : stringFormatCheck(format)
  const collectAlternatives = compileAlternatives(node)

  const collectValue = (value: unknown, path: string, correlation: Correlation | undefined): ValidationResult => {
    const result = new ValidationResult()
    checkType(result, value, path, types, format, schema.nullable === true)
    if (value === null) {
      checkEnum(result, value, path, schema.enum)
      return result
    }
    if (types.length > 0 || format !== '') result.matchCount++
    result.merge(collectAlternatives(value, path))
    result.matchCount++
    if (typeof value === 'string') {
      checkString(result, value, path, node)
      result.matchCount++
      if (formatCheck !== undefined) {
        if (!formatCheck(value)) addTypeError(result, path, format, value)
        result.matchCount++
      }
    } else if (typeof value === 'number' || typeof value === 'bigint') {
      for (const problem of numberProblems(value, schema, format, path)) addNumberProblem(result, path, problem)
      result.matchCount += 2
    } else if (Array.isArray(value)) {
      collectItems(result, value, path, node, correlation)
      result.matchCount += 2
    }
    checkEnum(result, value, path, schema.enum)
    result.matchCount++
    if (isJsonObject(value)) {
      collectMembers(result, value, path, node, correlation)
      result.matchCount++
    }
    result.matchCount++
    return result
  }

  return (value, path, correlation) => {
    const result = collectValue(value, path, correlation)
    if (correlation !== undefined && !result.isValid && correlation.isUnchanged()) result.dropErrors()
    return result
  }
}

/** The field of an error: the path without the dot that the real server writes before names at the root; none at the root itself. */
function fieldOf(path: string): string | undefined {
  const field = path.startsWith('.') ? path.slice(1) : path
  return field === '' ? undefined : field
}

function addInvalid(result: ValidationResult, path: string, value: unknown, message: string): void {
  result.add(message, fieldError.invalid(fieldOf(path), value, message))
}

/** An error that the real server reports without field and value. */
function addGeneral(result: ValidationResult, message: string): void {
  result.add(message, fieldError.invalid(undefined, '', message))
}

function addTypeError(result: ValidationResult, path: string, expected: string, found: string): void {
  const message = `${path} in body must be of type ${expected}: ${goQuote(found)}`
  result.add(message, fieldError.typeInvalid(fieldOf(path), found, message))
}

function addNumberProblem(result: ValidationResult, path: string, problem: { value?: number | bigint; message: string }): void {
  if (problem.value === undefined) addGeneral(result, problem.message)
  else addInvalid(result, path, problem.value, problem.message)
}

function checkType(
  result: ValidationResult,
  value: unknown,
  path: string,
  types: readonly string[],
  format: string,
  isNullable: boolean,
): void {
  if (types.length === 0 && format === '') return
  const mismatch = typeMismatch(value, types, format, isNullable)
  if (mismatch === undefined) result.matchCount++
  else addTypeError(result, path, mismatch.expected, mismatch.found)
}

function checkEnum(result: ValidationResult, value: unknown, path: string, allowed: readonly unknown[] | undefined): void {
  if (allowed === undefined || allowed.length === 0 || isInEnum(value, allowed, deepEqual)) return
  const names = allowed.map((candidate) => (typeof candidate === 'string' ? candidate : JSON.stringify(candidate)))
  result.add(`${path} in body should be one of [${names.join(' ')}]`, fieldError.notSupported(fieldOf(path), value, names))
}

// The first problem only, as the real server.
function checkString(result: ValidationResult, value: string, path: string, node: SchemaNode): void {
  const { minLength, maxLength, pattern } = node.schema
  if (maxLength !== undefined && codePointCount(value) > maxLength) {
    result.add(`${path} in body should be at most ${maxLength} chars long`, fieldError.tooLong(fieldOf(path), maxLength))
  } else if (minLength !== undefined && codePointCount(value) < minLength) {
    addInvalid(result, path, value, `${path} in body should be at least ${minLength} chars long`)
  } else if (pattern !== undefined && pattern !== '') {
    try {
      if (!compilePattern(pattern)(value)) addInvalid(result, path, value, `${path} in body should match '${pattern}'`)
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      addInvalid(result, path, value, `${path} in body should match '${pattern}, but pattern is invalid: ${error.message}'`)
    }
  }
}

function collectItems(
  result: ValidationResult,
  value: readonly unknown[],
  path: string,
  node: SchemaNode,
  correlation: Correlation | undefined,
): void {
  const { items } = node
  const { minItems, maxItems, uniqueItems } = node.schema
  if (items !== undefined) {
    for (const [index, item] of value.entries()) result.merge(items.collect(item, `${path}[${index}]`, correlation?.item(index)))
  }
  if (minItems !== undefined && value.length < minItems) {
    addInvalid(result, path, value.length, `${path} in body should have at least ${minItems} items`)
  }
  if (maxItems !== undefined && value.length > maxItems) {
    result.add(`${path} in body should have at most ${maxItems} items`, fieldError.tooMany(fieldOf(path), value.length, maxItems))
  }
  if (uniqueItems === true && hasDuplicates(value)) addInvalid(result, path, '', `${path} in body shouldn't contain duplicates`)
}

function collectMembers(
  result: ValidationResult,
  value: JsonObject,
  path: string,
  node: SchemaNode,
  correlation: Correlation | undefined,
): void {
  const { required = [], minProperties, maxProperties, additionalProperties } = node.schema
  const names = Object.keys(value).sort()
  if (minProperties !== undefined && names.length < minProperties) {
    addInvalid(result, path, names.length, `${path} in body should have at least ${minProperties} properties`)
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`
    result.add(message, fieldError.tooMany(fieldOf(path), names.length, maxProperties))
  }
  for (const name of names) {
    if (node.properties.has(name)) continue
    if (additionalProperties === false) addInvalid(result, path, name, `${path}.${name} in body is a forbidden property`)
    else if (node.additional !== undefined) result.merge(node.additional.collect(value[name], `${path}.${name}`, correlation?.member(name)))
  }
  for (const [name, child] of node.sortedProperties) {
    if (!Object.hasOwn(value, name)) continue
    // Old and new apiVersion are never compared: both were converted to the version of the request.
    const isTypeMeta = path === '' && (name === 'apiVersion' || name === 'kind')
    result.merge(child.collect(value[name], path === '' ? name : `${path}.${name}`, isTypeMeta ? undefined : correlation?.member(name)))
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) result.add(`${path}.${name} in body is required`, fieldError.required(fieldOf(`${path}.${name}`)))
  }
}

// Inside value validations nothing is ratcheted.
function compileAlternatives(node: SchemaNode): (value: unknown, path: string) => ValidationResult {
  const any = node.alternatives('anyOf')
  const one = node.alternatives('oneOf')
  const all = node.alternatives('allOf')
  const { not } = node
  return (value, path) => {
    const result = new ValidationResult()
    if (any.length > 0) collectAnyOf(result, any, value, path)
    if (one.length > 0) collectOneOf(result, one, value, path)
    if (all.length > 0) collectAllOf(result, all, value, path)
    if (not?.isValid(value) === true) addGeneral(result, `${goQuote(path)} must not validate the schema (not)`)
    result.matchCount++
    return result
  }
}

function collectAnyOf(result: ValidationResult, candidates: readonly SchemaNode[], value: unknown, path: string): void {
  let best: ValidationResult | undefined
  for (const candidate of candidates) {
    const outcome = candidate.collect(value, path, undefined)
    if (outcome.isValid) {
      result.merge(outcome)
      return
    }
    if (best === undefined || outcome.matchCount > best.matchCount) best = outcome
  }
  addGeneral(result, `${goQuote(path)} must validate at least one schema (anyOf)`)
  if (best !== undefined) result.merge(best)
}

function collectOneOf(result: ValidationResult, candidates: readonly SchemaNode[], value: unknown, path: string): void {
  const outcomes = candidates.map((candidate) => candidate.collect(value, path, undefined))
  const valid = outcomes.filter((outcome) => outcome.isValid)
  if (valid.length === 1) {
    for (const outcome of valid) result.merge(outcome)
    return
  }
  const finding = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`
  addGeneral(result, `${goQuote(path)} must validate one and only one schema (oneOf). ${finding}`)
  if (valid.length > 0) return
  let best: ValidationResult | undefined
  for (const outcome of outcomes) if (best === undefined || outcome.matchCount > best.matchCount) best = outcome
  if (best !== undefined) result.merge(best)
}

function collectAllOf(result: ValidationResult, candidates: readonly SchemaNode[], value: unknown, path: string): void {
  let valid = 0
  for (const candidate of candidates) {
    const outcome = candidate.collect(value, path, undefined)
    if (outcome.isValid) valid++
    result.merge(outcome)
  }
  if (valid !== candidates.length) {
    addGeneral(result, `${goQuote(path)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)
  }
}
