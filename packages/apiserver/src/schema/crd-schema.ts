import { type FieldError, fieldError } from 'steersman/api'
import { validateDefaults } from './crd-default-values.js'
import { validateSchemaKeywords } from './crd-keywords.js'
import { structuralObstacle, validateStructural } from './crd-structural.js'
import type { RawSchema } from './crd-types.js'
import type { MetadataValidator } from './embedded-resources.js'

const rootKeywords = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
]
const wireNames: Readonly<Record<string, string>> = {
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
}

/** Checks the schema of a version: structural, with good defaults, and with nothing at the root that a status subresource forbids. */
export function validateVersionSchema(
  schema: RawSchema | undefined,
  hasStatus: boolean,
  path: string,
  validateMetadata: MetadataValidator | undefined,
): readonly FieldError[] {
  if (schema === undefined) return []
  const schemaPath = `${path}.openAPIV3Schema`
  const errors: FieldError[] = hasStatus ? [...validateRootKeywords(schema, schemaPath)] : []
  if (schema.nullable === true) errors.push(fieldError.forbidden(`${schemaPath}.nullable`, 'nullable cannot be true at the root'))
  const obstacle = structuralObstacle(schema)
  if (obstacle === undefined) {
    const structural = validateStructural(schema, schemaPath)
    errors.push(...(structural.length > 0 ? structural : validateDefaults(schema, schemaPath, validateMetadata)))
  }
  errors.push(...validateSchemaKeywords(schema, schemaPath))
  if (errors.length === 0 && obstacle !== undefined) errors.push(fieldError.invalid(schemaPath, '', obstacle))
  return errors
}

// With a status subresource the schema of the status is used on its own, so nothing at the root may speak of it.
function validateRootKeywords(schema: RawSchema, path: string): readonly FieldError[] {
  if ((schema.type ?? '') !== '' && schema.type !== 'object') {
    const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [fieldError.invalid(`${path}.type`, schema.type, detail)]
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const name = wireNames[keyword] ?? keyword.charAt(0).toUpperCase() + keyword.slice(1)
    if (value === undefined || value === false || rootKeywords.includes(name)) continue
    const detail = `only [${rootKeywords.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
    return [fieldError.invalid(path, schema, detail)]
  }
  return []
}
