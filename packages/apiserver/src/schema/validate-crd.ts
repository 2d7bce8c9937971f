import { type FieldError, fieldError, goQuote, validateDns1035Label, validateDns1123Subdomain } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import { validateDefaults } from './crd-default-values.js'
import { findFieldPath } from './crd-field-path.js'
import { validateSchemaKeywords } from './crd-keywords.js'
import { childSchemas, structuralObstacle, validateStructural } from './crd-structural.js'
import type { CrdNames, CrdSubresources, CrdVersion, CustomResourceDefinitionObject, PrinterColumn, RawSchema } from './crd-types.js'
import { validateConversion } from './crd-webhook.js'
import type { MetadataValidator } from './embedded-resources.js'

/** How a CustomResourceDefinition is validated. */
export interface ValidateCrdOptions {
  /** Checks metadata in default values of embedded resources. @default not checked */
  readonly validateEmbeddedMetadata?: MetadataValidator
}

type CrdSpec = NonNullable<CustomResourceDefinitionObject['spec']>

/**
 * What all versions have in common is checked, and reported, at the top of the spec; that is where the real server moves it. So a CRD with
 * one version reports `spec.validation.openAPIV3Schema…`.
 */
interface SharedSpec {
  readonly schema: CrdVersion['schema'] | undefined
  readonly subresources: CrdSubresources | undefined
  readonly columns: readonly PrinterColumn[]
  readonly selectableFields: readonly { readonly jsonPath?: string }[]
  readonly versions: readonly CrdVersion[]
}

/**
 * Everything that is wrong with a CustomResourceDefinition whose defaults are filled in and whose `status.storedVersions` is set, in the
 * order and words of the real server. Of its metadata only what depends on the spec is checked. Expressions of rules are not compiled.
 * With the old object, names that cannot change are held against it.
 */
export function validateCustomResourceDefinition(
  crd: CustomResourceDefinitionObject,
  oldCrd?: CustomResourceDefinitionObject,
  options: ValidateCrdOptions = {},
): readonly FieldError[] {
  const spec = crd.spec ?? {}
  const errors: FieldError[] = []
  const name = crd.metadata.name ?? ''
  if (oldCrd === undefined && name !== `${spec.names?.plural ?? ''}.${spec.group ?? ''}`) {
    errors.push(fieldError.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'))
  }
  errors.push(...validateSpec(spec, options))
  if (oldCrd !== undefined) errors.push(...validateImmutable(spec, oldCrd))
  errors.push(...validateNames(crd.status?.acceptedNames ?? {}, 'status.acceptedNames'))
  errors.push(...validateStoredVersions(crd.status?.storedVersions ?? [], spec.versions ?? []))
  errors.push(...validateApproval(crd, oldCrd))
  if (spec.preserveUnknownFields === true && oldCrd?.spec?.preserveUnknownFields !== true) {
    const detail = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    errors.push(fieldError.invalid('spec.preserveUnknownFields', true, detail))
  }
  return errors
}

function shareSpec(versions: readonly CrdVersion[]): SharedSpec {
  const [first] = versions
  const isShared = (keyword: 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'): boolean =>
    versions.every((version) => deepEqual(version[keyword], first?.[keyword]))
  const [schema, subresources, columns, fields] = [
    isShared('schema'),
    isShared('subresources'),
    isShared('additionalPrinterColumns'),
    isShared('selectableFields'),
  ]
  return {
    schema: schema ? first?.schema : undefined,
    subresources: subresources ? first?.subresources : undefined,
    columns: (columns ? first?.additionalPrinterColumns : undefined) ?? [],
    selectableFields: (fields ? first?.selectableFields : undefined) ?? [],
    versions: versions.map((version) => {
      const own: Record<string, unknown> = { ...version }
      if (schema) delete own.schema
      if (subresources) delete own.subresources
      if (columns) delete own.additionalPrinterColumns
      if (fields) delete own.selectableFields
      return own as CrdVersion
    }),
  }
}

function validateSpec(spec: CrdSpec, options: ValidateCrdOptions): readonly FieldError[] {
  const errors: FieldError[] = []
  errors.push(...validateGroup(spec.group ?? ''))
  const { scope = '', names = {} } = spec
  if (scope === '') errors.push(fieldError.required('spec.scope'))
  else if (scope !== 'Cluster' && scope !== 'Namespaced')
    errors.push(fieldError.notSupported('spec.scope', scope, ['Cluster', 'Namespaced']))

  const shared = shareSpec(spec.versions ?? [])
  if (shared.schema?.openAPIV3Schema === undefined) {
    for (const [index, version] of shared.versions.entries()) {
      if (version.schema?.openAPIV3Schema === undefined) errors.push(fieldError.required(`spec.versions[${index}].schema.openAPIV3Schema`))
    }
  }
  for (const [index, version] of shared.versions.entries())
    errors.push(...validateVersion(version, `spec.versions[${index}]`, shared, options))
  errors.push(...validateVersionSet(shared.versions))

  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if ((names[name] ?? '') === '') errors.push(fieldError.required(`spec.names.${name}`))
  }
  errors.push(...validateNames(names, 'spec.names'))
  const hasStatus = [shared.subresources, ...shared.versions.map((version) => version.subresources)].some(
    (one) => one?.status !== undefined,
  )
  errors.push(...validateSchema(shared.schema?.openAPIV3Schema, hasStatus, 'spec.validation', options))
  errors.push(...validateSubresources(shared.subresources, 'spec.subresources'))
  for (const [index, column] of shared.columns.entries()) errors.push(...validateColumn(column, `spec.additionalPrinterColumns[${index}]`))
  errors.push(...validateSelectableFields(shared.selectableFields, shared.schema?.openAPIV3Schema, 'spec.selectableFields'))
  errors.push(...validateConversion(spec.conversion, 'spec.conversion'))
  return errors
}

function validateGroup(group: string): readonly FieldError[] {
  if (group === '') return [fieldError.required('spec.group')]
  const problems = validateDns1123Subdomain(group)
  if (problems.length > 0) return [fieldError.invalid('spec.group', group, problems.join(','))]
  return group.includes('.') ? [] : [fieldError.invalid('spec.group', group, 'should be a domain with at least one dot')]
}

function validateVersion(version: CrdVersion, path: string, shared: SharedSpec, options: ValidateCrdOptions): readonly FieldError[] {
  const errors: FieldError[] = []
  const problems = validateDns1035Label(version.name ?? '')
  if (problems.length > 0) errors.push(fieldError.invalid(`${path}.name`, version.name ?? '', problems.join(',')))
  for (const problem of deprecationProblems(version))
    errors.push(fieldError.invalid(`${path}.deprecationWarning`, version.deprecationWarning, problem))
  const subresources = shared.subresources ?? version.subresources
  errors.push(...validateSchema(version.schema?.openAPIV3Schema, subresources?.status !== undefined, `${path}.schema`, options))
  errors.push(...validateSubresources(version.subresources, `${path}.subresources`))
  for (const [index, column] of (version.additionalPrinterColumns ?? []).entries()) {
    errors.push(...validateColumn(column, `${path}.additionalPrinterColumns[${index}]`))
  }
  const schema = version.schema?.openAPIV3Schema ?? shared.schema?.openAPIV3Schema
  errors.push(...validateSelectableFields(version.selectableFields ?? [], schema, `${path}.selectableFields`))
  return errors
}

function deprecationProblems({ deprecated = false, deprecationWarning: warning }: CrdVersion): readonly string[] {
  if (warning === undefined) return []
  if (!deprecated) return ['can only be set for deprecated versions']
  const problems: string[] = []
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long')
  if (warning === '') problems.push('must not be an empty string')
  const match = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning)
  if (match !== null) {
    const index = Buffer.byteLength(warning.slice(0, match.index))
    problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`)
  }
  return problems
}

function validateVersionSet(versions: readonly CrdVersion[]): readonly FieldError[] {
  const errors: FieldError[] = []
  const names = versions.map((version) => version.name ?? '')
  if (new Set(names).size < names.length)
    errors.push(fieldError.invalid('spec.versions', internalVersions(versions), 'must contain unique version names'))
  if (versions.filter((version) => version.storage === true).length !== 1) {
    errors.push(fieldError.invalid('spec.versions', internalVersions(versions), 'must have exactly one version marked as storage version'))
  }
  const [first = ''] = names
  const problems = first === '' ? [] : validateDns1035Label(first)
  if (problems.length > 0) errors.push(fieldError.invalid('spec.version', first, problems.join(',')))
  return errors
}

/** Versions as the real server prints them. Schemas that versions do not share are printed as they came, not in its internal form. */
function internalVersions(versions: readonly CrdVersion[]): unknown {
  return versions.map((version) => ({
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema ?? null,
    Subresources: version.subresources ?? null,
    AdditionalPrinterColumns: version.additionalPrinterColumns ?? null,
    SelectableFields: version.selectableFields ?? null,
  }))
}

function validateNames(names: CrdNames, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const check = (value: string, at: string, isMixedCase = false): void => {
    const problems = validateDns1035Label(isMixedCase ? value.toLowerCase() : value)
    const prefix = isMixedCase ? 'may have mixed case, but should otherwise match: ' : ''
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.${at}`, value, prefix + problems.join(',')))
  }
  const { plural = '', singular = '', kind = '', listKind = '' } = names
  if (plural !== '') check(plural, 'plural')
  if (singular !== '') check(singular, 'singular')
  if (kind !== '') check(kind, 'kind', true)
  if (listKind !== '') check(listKind, 'listKind', true)
  for (const [index, shortName] of (names.shortNames ?? []).entries()) check(shortName, `shortNames[${index}]`)
  if (kind !== '' && kind === listKind)
    errors.push(fieldError.invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same'))
  for (const [index, category] of (names.categories ?? []).entries()) check(category, `categories[${index}]`)
  return errors
}

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

function validateSchema(
  schema: RawSchema | undefined,
  hasStatus: boolean,
  path: string,
  options: ValidateCrdOptions,
): readonly FieldError[] {
  if (schema === undefined) return []
  const schemaPath = `${path}.openAPIV3Schema`
  const errors: FieldError[] = hasStatus ? [...validateRootKeywords(schema, schemaPath)] : []
  if (schema.nullable === true) errors.push(fieldError.forbidden(`${schemaPath}.nullable`, 'nullable cannot be true at the root'))
  const obstacle = structuralObstacle(schema)
  if (obstacle === undefined) {
    const structural = validateStructural(schema, schemaPath)
    errors.push(...(structural.length > 0 ? structural : validateDefaults(schema, schemaPath, options.validateEmbeddedMetadata)))
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

function validateSubresources(subresources: CrdSubresources | undefined, path: string): readonly FieldError[] {
  const scale = subresources?.scale
  if (scale === undefined) return []
  const errors: FieldError[] = []
  const check = (
    name: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath',
    roots: readonly string[],
    expected: string,
  ): void => {
    const value = scale[name] ?? ''
    const at = `${path}.scale.${name}`
    if (value === '') {
      if (name !== 'labelSelectorPath') errors.push(fieldError.required(at))
      return
    }
    if (!value.startsWith('.')) errors.push(fieldError.invalid(at, value, 'must be a simple json path starting with .'))
    else if (!roots.some((root) => value.startsWith(root)))
      errors.push(fieldError.invalid(at, value, `should be a json path under ${expected}`))
  }
  check('specReplicasPath', ['.spec.'], '.spec')
  check('statusReplicasPath', ['.status.'], '.status')
  check('labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status')
  return errors
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function validateColumn(column: PrinterColumn, path: string): readonly FieldError[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column
  const errors: FieldError[] = []
  if (name === '') errors.push(fieldError.required(`${path}.name`))
  const types = `must be one of ${columnTypes.join(',')}`
  if (type === '') errors.push(fieldError.required(`${path}.type`, types))
  else if (!columnTypes.includes(type)) errors.push(fieldError.invalid(`${path}.type`, type, types))
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(fieldError.invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`))
  }
  if (jsonPath === '') errors.push(fieldError.required(`${path}.JSONPath`))
  else if (!jsonPath.startsWith('.'))
    errors.push(fieldError.invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .'))
  return errors
}

const maxSelectableFields = 8

function validateSelectableFields(
  fields: readonly { readonly jsonPath?: string }[],
  schema: RawSchema | undefined,
  path: string,
): readonly FieldError[] {
  if (fields.length === 0 || schema === undefined) return []
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`
    const found = jsonPath === '' ? undefined : findFieldPath(jsonPath, schema, { allowArrayNotation: false })
    if (found === undefined) errors.push(fieldError.required(at))
    else if ('problem' in found) errors.push(fieldError.invalid(at, jsonPath, `is an invalid path: ${found.problem}`))
    else {
      if (found.path.split('.')[0] === 'metadata') errors.push(fieldError.invalid(at, jsonPath, 'must not point to fields in metadata'))
      if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
        const detail = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
        errors.push(fieldError.invalid(at, jsonPath, detail))
      }
      if (seen.has(found.path)) errors.push(fieldError.duplicate(at, jsonPath))
      seen.add(found.path)
    }
  }
  if (seen.size > maxSelectableFields) errors.push(fieldError.tooMany(path, seen.size, maxSelectableFields))
  return errors
}

function validateImmutable(spec: CrdSpec, oldCrd: CustomResourceDefinitionObject): readonly FieldError[] {
  const old = oldCrd.spec ?? {}
  const errors: FieldError[] = []
  const check = (path: string, value: string | undefined, oldValue: string | undefined): void => {
    if ((value ?? '') !== (oldValue ?? '')) errors.push(fieldError.invalid(path, value ?? '', 'field is immutable'))
  }
  const isEstablished = oldCrd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true
  if (isEstablished) {
    check('spec.scope', spec.scope, old.scope)
    check('spec.names.kind', spec.names?.kind, old.names?.kind)
  }
  check('spec.group', spec.group, old.group)
  check('spec.names.plural', spec.names?.plural, old.names?.plural)
  return errors
}

function validateStoredVersions(stored: readonly string[], versions: readonly CrdVersion[]): readonly FieldError[] {
  const path = 'status.storedVersions'
  if (stored.length === 0) return [fieldError.invalid(path, null, 'must have at least one stored version')]
  const errors: FieldError[] = []
  for (const version of versions) {
    if (version.storage === true && !stored.includes(version.name ?? '')) {
      errors.push(fieldError.invalid(path, stored, `must have the storage version ${version.name ?? ''}`))
    }
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(fieldError.invalid(`${path}[${index}]`, name, detail))
  }
  return errors
}

const approvalAnnotation = 'api-approved.kubernetes.io'

type ApprovalState = 'missing' | 'bypassed' | 'approved' | 'invalid'

function approvalState(crd: CustomResourceDefinitionObject): ApprovalState {
  const annotation = crd.metadata.annotations?.[approvalAnnotation] ?? ''
  if (annotation === '') return 'missing'
  if (annotation.startsWith('unapproved')) return 'bypassed'
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]+/.test(annotation) ? 'approved' : 'invalid'
}

// Groups of the Kubernetes community need an approval, or an explicit word that there is none.
function validateApproval(crd: CustomResourceDefinitionObject, oldCrd: CustomResourceDefinitionObject | undefined): readonly FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(crd.spec?.group ?? '')) return []
  const state = approvalState(crd)
  if (oldCrd !== undefined && approvalState(oldCrd) === state) return []
  const path = `metadata.annotations[${approvalAnnotation}]`
  const proposal = 'see https://github.com/kubernetes/enhancements/pull/1111'
  const needed = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`
  if (state === 'missing') return [fieldError.required(path, `${needed}, ${proposal}`)]
  if (state !== 'invalid') return []
  const detail = `${needed} with either a URL or a reason starting with "unapproved", ${proposal}`
  return [fieldError.invalid(path, crd.metadata.annotations?.[approvalAnnotation], detail)]
}

/** Whether any schema of a CustomResourceDefinition has CEL rules, which are not evaluated. */
export function hasValidationRules(crd: CustomResourceDefinitionObject): boolean {
  const hasRules = (schema: RawSchema): boolean =>
    (schema['x-kubernetes-validations']?.length ?? 0) > 0 || childSchemas(schema).some(hasRules)
  return (crd.spec?.versions ?? []).some(
    (version) => version.schema?.openAPIV3Schema !== undefined && hasRules(version.schema.openAPIV3Schema),
  )
}
