import { type FieldError, fieldError } from 'steersman/api'
import { findFieldPath } from './crd-field-path.js'
import { additionalSchema, itemSchema, type RawSchema, sortedEntries } from './crd-types.js'
import { isMetaField } from './prune.js'
import type { ValidationRule } from './structural-schema.js'

const schemaTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** Where in a schema a check stands. */
interface Place {
  readonly isRoot?: boolean
  /** Inside the schema of type or object metadata. */
  readonly isInsideMeta?: boolean
  /** Defaults are forbidden here, and why. */
  readonly noDefaults?: string
}

/** Checks the keywords of a schema and of all schemas in it, structural or not. */
export function validateSchemaKeywords(schema: RawSchema, path: string, place: Place = { isRoot: true }): readonly FieldError[] {
  const errors: FieldError[] = []
  checkUnsupported(schema, path, place, errors)
  if (schema.uniqueItems === true) {
    errors.push(
      fieldError.forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'),
    )
  }
  const inner: Place = { ...place, isRoot: false }
  const visit = (child: RawSchema | undefined, childPath: string, childPlace = inner): void => {
    if (child !== undefined) errors.push(...validateSchemaKeywords(child, `${path}.${childPath}`, childPlace))
  }
  if (schema.additionalProperties !== undefined) {
    const hasProperties = Object.keys(schema.properties ?? {}).length > 0
    if (hasProperties && schema.additionalProperties !== true) {
      errors.push(fieldError.forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
    }
    const reason = 'inside additionalProperties applying to object metadata'
    visit(additionalSchema(schema), 'additionalProperties', place.isInsideMeta === true ? { ...inner, noDefaults: reason } : inner)
  }
  const isResource = place.isRoot === true || schema['x-kubernetes-embedded-resource'] === true
  for (const [name, child] of sortedEntries(schema.properties)) {
    let childPlace = inner
    if (isResource && isMetaField(name)) {
      childPlace = { ...inner, isInsideMeta: true, ...(place.isRoot === true ? { noDefaults: `in top-level ${name}` } : {}) }
    }
    visit(child, `properties[${name}]`, childPlace)
  }
  visit(schema.not, 'not')
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, child] of (schema[keyword] ?? []).entries()) visit(child, `${keyword}[${index}]`)
  }
  for (const [name, child] of sortedEntries(schema.definitions)) visit(child, `definitions[${name}]`)
  visit(itemSchema(schema), 'items')
  if (Array.isArray(schema.items)) for (const [index, child] of schema.items.entries()) visit(child as RawSchema, `items[${index}]`)
  checkTypes(schema, path, errors)
  checkListMap(schema, path, errors)
  checkMapKeys(schema, path, errors)
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    checkRule(schema, rule, `${path}.x-kubernetes-validations[${index}]`, errors)
  }
  return errors
}

function checkUnsupported(schema: RawSchema, path: string, place: Place, errors: FieldError[]): void {
  const type = schema.type ?? ''
  if (type !== '' && !schemaTypes.includes(type)) errors.push(fieldError.notSupported(`${path}.type`, type, schemaTypes))
  if (schema.default !== undefined && schema.default !== null && place.noDefaults !== undefined) {
    errors.push(fieldError.forbidden(`${path}.default`, `must not be set ${place.noDefaults}`))
  }
  const refuse = (keyword: string): void => {
    errors.push(fieldError.forbidden(`${path}.${keyword}`, `${keyword} is not supported`))
  }
  if ((schema.id ?? '') !== '') refuse('id')
  if (schema.additionalItems !== undefined) refuse('additionalItems')
  if (Object.keys(schema.patternProperties ?? {}).length > 0) refuse('patternProperties')
  if (Object.keys(schema.definitions ?? {}).length > 0) refuse('definitions')
  if (schema.dependencies !== undefined) refuse('dependencies')
  if (schema.$ref !== undefined) refuse('$ref')
  if (type === 'null') errors.push(fieldError.forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'))
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(fieldError.forbidden(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (place.isInsideMeta === true && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(fieldError.forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'))
  }
}

function checkTypes(schema: RawSchema, path: string, errors: FieldError[]): void {
  const type = schema.type ?? ''
  const mapType = schema['x-kubernetes-map-type']
  const listType = schema['x-kubernetes-list-type']
  const wrongType = (expected: string, keyword: string): void => {
    const detail = `must be ${expected} if ${keyword} is specified`
    errors.push(type === '' ? fieldError.required(`${path}.type`, detail) : fieldError.invalid(`${path}.type`, type, detail))
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(fieldError.invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  }
  if (mapType !== undefined && type !== 'object') wrongType('object', 'x-kubernetes-map-type')
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(fieldError.notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  if (listType !== undefined && type !== 'array') wrongType('array', 'x-kubernetes-list-type')
  else if (listType === 'set') checkSetItems(itemSchema(schema), path, errors)
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(fieldError.notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
  }
}

// The items of a set are compared whole, so they must be atomic.
function checkSetItems(items: RawSchema | undefined, path: string, errors: FieldError[]): void {
  const listType = items?.['x-kubernetes-list-type']
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    errors.push(fieldError.invalid(`${path}.items.x-kubernetes-list-type`, listType, detail))
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    // The real server shows the list type here.
    errors.push(fieldError.invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail))
  }
}

function checkListMap(schema: RawSchema, path: string, errors: FieldError[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const listType = schema['x-kubernetes-list-type']
  const listTypePath = `${path}.x-kubernetes-list-type`
  const mustBeMap = 'must be map if x-kubernetes-list-map-keys is non-empty'
  if (keys.length > 0 && listType === undefined) errors.push(fieldError.required(listTypePath, mustBeMap))
  else if (keys.length > 0 && listType !== 'map') errors.push(fieldError.invalid(listTypePath, listType, mustBeMap))
  if (listType !== 'map') return

  const keysPath = `${path}.x-kubernetes-list-map-keys`
  if (keys.length === 0) errors.push(fieldError.required(keysPath, 'must not be empty if x-kubernetes-list-type is map'))
  if (schema.items === undefined) errors.push(fieldError.required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'))
  const items = itemSchema(schema)
  if (items === undefined) return
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    errors.push(fieldError.invalid(`${path}.items.type`, items.type ?? '', detail))
    return
  }
  for (const [index, key] of keys.entries()) {
    const child = items.properties?.[key]
    if (child === undefined) errors.push(fieldError.invalid(keysPath, keys, 'entries must all be names of item properties'))
    else if (child.type === 'array' || child.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(fieldError.invalid(`${path}.items.properties[${key}].type`, items.type, detail))
    }
    if (keys.indexOf(key) < index) errors.push(fieldError.invalid(keysPath, keys, 'must not contain duplicate entries'))
  }
}

function checkMapKeys(schema: RawSchema, path: string, errors: FieldError[]): void {
  const items = itemSchema(schema)
  const listType = schema['x-kubernetes-list-type']
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return
  if (items.nullable === true) {
    errors.push(fieldError.forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`))
  }
  if (listType !== 'map') return
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const child = items.properties?.[key]
    if (child === undefined) continue
    const isDefaulted = child.default !== undefined && child.default !== null
    const keyPath = `${path}.items.properties[${key}]`
    if (items.required?.includes(key) !== true && !isDefaulted) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
      errors.push(fieldError.required(`${keyPath}.default`, detail))
    }
    if (child.nullable === true) {
      errors.push(fieldError.forbidden(`${keyPath}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'))
    }
  }
}

const ruleReasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

// Everything about a rule but the expressions themselves.
function checkRule(schema: RawSchema, rule: ValidationRule, path: string, errors: FieldError[]): void {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule
  const expression = (rule.rule ?? '').trim()
  const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text)
  if (expression === '') errors.push(fieldError.required(`${path}.rule`, 'rule is not specified'))
  else if (message !== '' && message.trim() === '')
    errors.push(fieldError.invalid(`${path}.message`, message, 'must be non-empty if specified'))
  else if (hasLineBreak(message.trim())) errors.push(fieldError.invalid(`${path}.message`, message, 'must not contain line breaks'))
  else if (hasLineBreak(expression) && message.trim() === '') {
    errors.push(fieldError.required(`${path}.message`, 'message must be specified if rule contains line breaks'))
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(fieldError.required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (reason !== undefined && !ruleReasons.includes(reason)) errors.push(fieldError.notSupported(`${path}.reason`, reason, ruleReasons))
  if (fieldPath === '') return
  if (fieldPath.trim() === '') errors.push(fieldError.invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'))
  if (hasLineBreak(fieldPath)) errors.push(fieldError.invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'))
  if ('problem' in findFieldPath(fieldPath, schema)) errors.push(fieldError.invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path'))
}
