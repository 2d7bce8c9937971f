import { type FieldError, fieldError, fieldErrorsText } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import { CompiledNode } from './compiled-node.js'
import { type RawSchema, sortedEntries } from './crd-types.js'
import { DecodeError } from './decode-state.js'
import { compileEmbeddedCheck, type MetadataValidator } from './embedded-resources.js'
import { isMetaField } from './prune.js'
import { isJsonObject, type StructuralSchema } from './structural-schema.js'

/** Where a default value sits in the resource around it; only needed to check metadata. */
interface Surrounding {
  readonly root: StructuralSchema
  readonly isInsideMeta: boolean
  /** Names of members on the way from the root; a number for an item. */
  readonly path: readonly (string | 0)[]
}

/**
 * Checks that the default values of a structural schema are pruned and valid. Inside additional properties nothing is checked, as on the
 * real server.
 */
export function validateDefaults(schema: RawSchema, path: string, validateMetadata?: MetadataValidator): readonly FieldError[] {
  const root = { ...schema, 'x-kubernetes-embedded-resource': true } as StructuralSchema
  const errors: FieldError[] = []
  checkDefaults(root, path, { root, isInsideMeta: false, path: [] }, validateMetadata, errors)
  return errors
}

function checkDefaults(
  schema: StructuralSchema,
  path: string,
  around: Surrounding,
  validateMetadata: MetadataValidator | undefined,
  errors: FieldError[],
): void {
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  const here: Surrounding = isResource ? { root: schema, isInsideMeta: false, path: [] } : around
  if (schema.default !== undefined && schema.default !== null) {
    if (here.isInsideMeta) errors.push(...checkMetaDefault(schema, `${path}.default`, here, validateMetadata))
    else errors.push(...checkDefault(schema, `${path}.default`, validateMetadata))
  }
  if (schema.items !== undefined) {
    checkDefaults(schema.items, `${path}.items`, { ...here, path: [...here.path, 0] }, validateMetadata, errors)
  }
  for (const [name, child] of sortedEntries(schema.properties)) {
    const isInsideMeta = here.isInsideMeta || (isResource && isMetaField(name))
    checkDefaults(child, `${path}.properties[${name}]`, { ...here, isInsideMeta, path: [...here.path, name] }, validateMetadata, errors)
  }
}

function checkDefault(schema: StructuralSchema, path: string, validateMetadata: MetadataValidator | undefined): readonly FieldError[] {
  const node = new CompiledNode(schema, { referenced: new Map() })
  const value = schema.default
  const errors: FieldError[] = []
  if (!deepEqual(node.prune(value, undefined), value)) errors.push(fieldError.invalid(path, value, 'must not have unknown fields'))
  try {
    node.coerce(value, path, undefined)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return [...errors, fieldError.invalid(path, value, error.message)]
  }
  const embedded: FieldError[] = []
  compileEmbeddedCheck(node, validateMetadata)?.(value, embedded)
  if (embedded.length > 0) return [...errors, ...embedded.map((error) => under(path, error))]
  return [...errors, ...node.collect(value, '', undefined).errors.map((error) => under(path, error))]
}

// A default inside metadata is checked in a resource that has it at its place.
function checkMetaDefault(
  schema: StructuralSchema,
  path: string,
  around: Surrounding,
  validateMetadata: MetadataValidator | undefined,
): readonly FieldError[] {
  const resource = { apiVersion: 'validation/v1', kind: 'Validation', ...wrap(schema.default, around.path) }
  const root = new CompiledNode(around.root, { referenced: new Map() })
  const problem = metadataProblem(root, resource, validateMetadata)
  if (problem !== undefined) return [fieldError.invalid(path, schema.default, `must result in valid metadata: ${problem}`)]
  const node = new CompiledNode(schema, { referenced: new Map() })
  return node.collect(schema.default, '', undefined).errors.map((error) => under(path, error))
}

function metadataProblem(root: CompiledNode, resource: unknown, validateMetadata: MetadataValidator | undefined): string | undefined {
  try {
    root.coerce(resource, '', undefined)
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
  const errors: FieldError[] = []
  compileEmbeddedCheck(root, validateMetadata)?.(resource, errors)
  return errors.length === 0 ? undefined : fieldErrorsText(errors)
}

function wrap(value: unknown, path: readonly (string | 0)[]): Readonly<Record<string, unknown>> {
  let wrapped = value
  for (const step of [...path].reverse()) wrapped = step === 0 ? [wrapped] : { [step]: wrapped }
  return isJsonObject(wrapped) ? wrapped : {}
}

/** The error with its field below a path. */
function under(path: string, error: FieldError): FieldError {
  return { ...error, field: error.field === '<nil>' ? path : `${path}.${error.field}` }
}
