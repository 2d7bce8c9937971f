import { type FieldError, fieldError, fieldErrorText } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import { additionalSchema, itemSchema, type RawSchema, sortedEntries } from './crd-types.js'
import { compilePattern, PatternError } from './pattern.js'

type Level = 'root' | 'item' | 'field'

const intOrString = [{ type: 'integer' }, { type: 'string' }]

/**
 * Why a schema cannot be read as a structural one at all, or undefined. These overlap with what `validateSchemaKeywords` reports and are
 * only shown when it reports nothing.
 */
export function structuralObstacle(schema: RawSchema): string | undefined {
  for (const keyword of ['id', '$schema', '$ref'] as const) {
    if ((schema[keyword] ?? '') !== '') return `OpenAPIV3Schema '${keyword.replace('$schema', 'schema')}' is not supported`
  }
  for (const keyword of ['patternProperties', 'dependencies'] as const) {
    if (Object.keys(schema[keyword] ?? {}).length > 0) return `OpenAPIV3Schema '${keyword}' is not supported`
  }
  if (schema.additionalItems !== undefined) return "OpenAPIV3Schema 'additionalItems' is not supported"
  if (Object.keys(schema.definitions ?? {}).length > 0) return "OpenAPIV3Schema 'definitions' is not supported"
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined, got false"
  }
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  for (const child of childSchemas(schema)) {
    const obstacle = structuralObstacle(child)
    if (obstacle !== undefined) return obstacle
  }
  return undefined
}

/** All schemas directly inside a schema. */
export function childSchemas(schema: RawSchema): readonly RawSchema[] {
  const children = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(schema.properties ?? {})]
  for (const child of [schema.not, itemSchema(schema), additionalSchema(schema)]) if (child !== undefined) children.push(child)
  return children
}

/** Whether the schema is structural: what is wrong, sorted by text as the real server sorts it. */
export function validateStructural(schema: RawSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  checkInvariants(schema, 'root', path, errors)
  checkCompleteness(schema, schema, path, path, errors)
  return errors
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .sort((left, right) => (left.text < right.text ? -1 : 1))
    .map(({ error }) => error)
}

function checkInvariants(schema: RawSchema, level: Level, path: string, errors: FieldError[]): void {
  const items = itemSchema(schema)
  if (schema.type === 'array' && items === undefined) errors.push(fieldError.required(`${path}.items`, 'must be specified'))
  if (items !== undefined) checkInvariants(items, 'item', `${path}.items`, errors)
  for (const [name, child] of sortedEntries(schema.properties)) checkInvariants(child, 'field', `${path}.properties[${name}]`, errors)
  if (schema.additionalProperties !== undefined) {
    if (level === 'root') errors.push(fieldError.forbidden(`${path}.additionalProperties`, 'must not be used at the root'))
    const additional = additionalSchema(schema)
    if (additional !== undefined) checkInvariants(additional, 'field', `${path}.additionalProperties`, errors)
  }
  checkExtensions(schema, path, errors)
  const skipAnyOf = deepEqual(schema.anyOf, intOrString)
  const skipFirstAllOfAnyOf = deepEqual(schema.allOf?.[0]?.anyOf, intOrString)
  checkValueValidation(schema, path, errors, skipAnyOf, skipFirstAllOfAnyOf)
  checkType(schema, level, path, errors)
  checkMetadata(schema, level, path, errors)
}

function checkExtensions(schema: RawSchema, path: string, errors: FieldError[]): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return
  for (const extension of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[extension] === true) {
      errors.push(fieldError.invalid(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'))
    }
  }
}

function checkType(schema: RawSchema, level: Level, path: string, errors: FieldError[]): void {
  const type = schema.type ?? ''
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? fieldError.required(`${path}.type`, detail) : fieldError.invalid(`${path}.type`, type, detail))
  } else if (type === '' && schema['x-kubernetes-int-or-string'] !== true && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const place = { root: 'at the root', item: 'for specified array items', field: 'for specified object fields' }[level]
    errors.push(fieldError.required(`${path}.type`, `must not be empty ${place}`))
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    errors.push(fieldError.forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'))
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(fieldError.invalid(`${path}.type`, type, 'must be object at the root'))
}

function checkMetadata(schema: RawSchema, level: Level, path: string, errors: FieldError[]): void {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true
  for (const name of ['kind', 'apiVersion']) {
    const child = schema.properties?.[name]
    if (isResource && child !== undefined && child.type !== 'string') {
      errors.push(fieldError.invalid(`${path}.properties[${name}].type`, child.type ?? '', 'must be string'))
    }
  }
  const metadata = schema.properties?.metadata
  const metadataPath = `${path}.properties[metadata]`
  if (metadata !== undefined && isResource && metadata.type !== 'object') {
    errors.push(fieldError.invalid(`${metadataPath}.type`, metadata.type ?? '', 'must be object'))
  }
  if (metadata !== undefined && level === 'root' && restrictsMoreThanNames(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(fieldError.forbidden(metadataPath, detail))
  }
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema['x-kubernetes-embedded-resource'] === true && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(fieldError.required(`${path}.properties`, detail))
  }
}

function restrictsMoreThanNames(metadata: RawSchema): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata
  const others = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName')
  const isZero = (value: unknown): boolean =>
    value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
  return others.length > 0 || !Object.values(rest).every(isZero)
}

function checkValueValidation(
  schema: RawSchema,
  path: string,
  errors: FieldError[],
  skipAnyOf: boolean,
  skipFirstAllOfAnyOf: boolean,
): void {
  if (!skipAnyOf) for (const [index, child] of (schema.anyOf ?? []).entries()) checkNested(child, `${path}.anyOf[${index}]`, errors)
  for (const [index, child] of (schema.allOf ?? []).entries()) {
    checkNested(child, `${path}.allOf[${index}]`, errors, skipFirstAllOfAnyOf && index === 0)
  }
  for (const [index, child] of (schema.oneOf ?? []).entries()) checkNested(child, `${path}.oneOf[${index}]`, errors)
  if (schema.not !== undefined) checkNested(schema.not, `${path}.not`, errors)
  const problem = schema.pattern === undefined || schema.pattern === '' ? undefined : patternProblem(schema.pattern)
  if (problem !== undefined) {
    errors.push(fieldError.invalid(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${problem}`))
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

/** What must not appear inside value validations: keyword, and how the refusal ends. */
const forbiddenInside = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
] as const

function checkNested(schema: RawSchema, path: string, errors: FieldError[], skipAnyOf = false): void {
  checkValueValidation(schema, path, errors, skipAnyOf, false)
  const items = itemSchema(schema)
  if (items !== undefined) checkNested(items, `${path}.items`, errors)
  for (const [name, child] of sortedEntries(schema.properties)) checkNested(child, `${path}.properties[${name}]`, errors)
  for (const [keyword, required] of forbiddenInside) {
    const value = schema[keyword]
    const isSet = value !== undefined && value !== null && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
    if (isSet || (keyword === 'additionalProperties' && value === false)) {
      errors.push(fieldError.forbidden(`${path}.${keyword}`, `must be ${required} to be structural`))
    }
  }
  if (schema.properties?.metadata !== undefined) {
    errors.push(fieldError.forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'))
  }
}

// Every field that a value validation speaks of must be specified outside of it too.
function checkCompleteness(
  validation: RawSchema,
  schema: RawSchema | undefined,
  path: string,
  validationPath: string,
  errors: FieldError[],
): void {
  const visit = (child: RawSchema, childPath: string): void => checkNestedCompleteness(child, schema, path, childPath, errors)
  if (validation.not !== undefined) visit(validation.not, `${validationPath}.not`)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, child] of (validation[keyword] ?? []).entries()) visit(child, `${validationPath}.${keyword}[${index}]`)
  }
}

function checkNestedCompleteness(
  validation: RawSchema,
  schema: RawSchema | undefined,
  path: string,
  validationPath: string,
  errors: FieldError[],
): void {
  if (schema === undefined) {
    errors.push(fieldError.required(path, `because it is defined in ${validationPath}`))
    return
  }
  checkCompleteness(validation, schema, path, validationPath, errors)
  const items = itemSchema(validation)
  if (items !== undefined) checkNestedCompleteness(items, itemSchema(schema), `${path}.items`, `${validationPath}.items`, errors)
  for (const [name, child] of sortedEntries(validation.properties)) {
    const own = schema.properties?.[name]
    checkNestedCompleteness(child, own, `${path}.properties[${name}]`, `${validationPath}.properties[${name}]`, errors)
  }
}
