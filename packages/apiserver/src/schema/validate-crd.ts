import { type FieldError, fieldError, validateDns1035Label, validateDns1123Subdomain } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import { validateApproval } from './crd-approval.js'
import { validateVersionSchema } from './crd-schema.js'
import type { CrdNames, CrdSubresources, CrdVersion, CustomResourceDefinitionObject, PrinterColumn } from './crd-types.js'
import { validateColumn, validateSelectableFields, validateSubresources } from './crd-version-parts.js'
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
  if (oldCrd === undefined && name !== '' && name !== `${spec.names?.plural ?? ''}.${spec.group ?? ''}`) {
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
  errors.push(...validateVersionSet(shared.versions, spec.versions !== undefined))

  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if ((names[name] ?? '') === '') errors.push(fieldError.required(`spec.names.${name}`))
  }
  errors.push(...validateNames(names, 'spec.names'))
  const hasStatus = [shared.subresources, ...shared.versions.map((version) => version.subresources)].some(
    (one) => one?.status !== undefined,
  )
  errors.push(...validateVersionSchema(shared.schema?.openAPIV3Schema, hasStatus, 'spec.validation', options.validateEmbeddedMetadata))
  errors.push(...validateSubresources(shared.subresources, 'spec.subresources'))
  for (const [index, column] of shared.columns.entries()) errors.push(...validateColumn(column, `spec.additionalPrinterColumns[${index}]`))
  if (shared.selectableFields.length > 0 && shared.schema === undefined) {
    errors.push(fieldError.invalid('spec.selectableFields', '', 'may only be set when validations.schema is included'))
  }
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
  errors.push(
    ...validateVersionSchema(
      version.schema?.openAPIV3Schema,
      subresources?.status !== undefined,
      `${path}.schema`,
      options.validateEmbeddedMetadata,
    ),
  )
  errors.push(...validateSubresources(version.subresources, `${path}.subresources`))
  for (const [index, column] of (version.additionalPrinterColumns ?? []).entries()) {
    errors.push(...validateColumn(column, `${path}.additionalPrinterColumns[${index}]`))
  }
  const schema = version.schema?.openAPIV3Schema ?? shared.schema?.openAPIV3Schema
  if ((version.selectableFields ?? []).length > 0 && schema === undefined) {
    const detail = 'may only be set when `version.schema.openAPIV3Schema` is not included'
    errors.push(fieldError.invalid(`${path}.selectableFields`, '', detail))
  }
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

function validateVersionSet(versions: readonly CrdVersion[], isGiven: boolean): readonly FieldError[] {
  const errors: FieldError[] = []
  const refuse = (detail: string) => {
    const shown = isGiven ? JSON.stringify(internalVersions(versions)) : 'null'
    errors.push({ ...fieldError.invalid('spec.versions', undefined), detail: `${shown}: ${detail}` })
  }
  const names = versions.map((version) => version.name ?? '')
  if (new Set(names).size < names.length) refuse('must contain unique version names')
  if (versions.filter((version) => version.storage === true).length !== 1) {
    refuse('must have exactly one version marked as storage version')
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
    SelectableFields: version.selectableFields?.map(({ jsonPath = '' }) => ({ JSONPath: jsonPath })) ?? null,
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
  const open = new Set(stored)
  for (const { name = '', storage } of versions) {
    // A name that came before is not looked for again.
    if (!open.delete(name) && storage === true) errors.push(fieldError.invalid(path, stored, `must have the storage version ${name}`))
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => (version.name ?? '') === name)) continue
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(fieldError.invalid(`${path}[${index}]`, name, detail))
  }
  return errors
}
