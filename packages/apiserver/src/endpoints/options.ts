import { badRequest, type FieldError, fieldError, invalid, parseJson, StatusError } from 'steersman/api'
import type { TransportRequest } from 'steersman/environment'
import type { DeleteRequest, ListRequest, ObjectProtobuf } from '../contracts/index.js'
import { bodyText, hasBody } from './body.js'
import { requireBodyType } from './media-types.js'
import { protobufBody, readOrRefuse } from './protobuf.js'
import { queryFlag } from './request-info.js'
import { yamlLibrary } from './yaml.js'

/** The kinds of options that a request may carry. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions'

/** What becomes of fields that the kind does not have. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** Options of a write, checked. */
export interface WriteOptions {
  readonly dryRun: boolean
  /** As asked for; empty when the request names none. */
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  readonly force: boolean | undefined
  /** As admission sees them. */
  readonly object: Readonly<Record<string, unknown>>
}

const group = 'meta.k8s.io'
const deleteOptionsKind = 'DeleteOptions'
const maxManagerBytes = 128

/** @throws {StatusError} Invalid. */
export function parseWriteOptions(kind: Exclude<OptionsKind, 'DeleteOptions'>, query: URLSearchParams, isApply = false): WriteOptions {
  const dryRun = query.getAll('dryRun')
  const fieldManager = query.get('fieldManager') ?? ''
  const fieldValidation = query.get('fieldValidation') ?? ''
  const force = kind === 'PatchOptions' && query.has('force') ? queryFlag(query, 'force') : undefined
  const errors: FieldError[] = []
  if (kind === 'PatchOptions') errors.push(...forceErrors(force, fieldManager, isApply))
  errors.push(...managerErrors(fieldManager), ...dryRunErrors(dryRun), ...fieldValidationErrors(fieldValidation))
  if (errors.length > 0) throw new StatusError(invalid(kind, group, '', errors))
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    force,
    object: {
      kind,
      apiVersion: `${group}/v1`,
      ...(dryRun.length > 0 ? { dryRun } : {}),
      ...(force === undefined ? {} : { force }),
      ...(fieldManager === '' ? {} : { fieldManager }),
      ...(fieldValidation === '' ? {} : { fieldValidation }),
    },
  }
}

function forceErrors(force: boolean | undefined, fieldManager: string, isApply: boolean): FieldError[] {
  if (!isApply) return force === undefined ? [] : [fieldError.forbidden('force', 'may not be specified for non-apply patch')]
  return fieldManager === '' ? [fieldError.required('fieldManager', 'is required for apply patch')] : []
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(manager) > maxManagerBytes) errors.push(fieldError.tooLong('fieldManager', maxManagerBytes))
  const wrong = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(manager)
  if (wrong !== null) {
    const code = (wrong[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    const detail = `invalid character U+${code} (at position ${Buffer.byteLength(manager.slice(0, wrong.index))})`
    errors.push(fieldError.invalid('fieldManager', manager, detail))
  }
  return errors
}

function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((stage) => stage === 'All') ? [] : [fieldError.notSupported('dryRun', dryRun, ['All'])]
}

function fieldValidationErrors(value: string): FieldError[] {
  const supported = ['', 'Ignore', 'Strict', 'Warn']
  return supported.includes(value) ? [] : [fieldError.notSupported('fieldValidation', value, supported)]
}

/** The manager of a request that names none: the first word of the user agent. */
export function managerFromUserAgent(userAgent: string | undefined): string {
  const name = (userAgent ?? '').split('/', 1)[0] ?? ''
  return [...name]
    .filter((char) => /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char))
    .join('')
    .slice(0, maxManagerBytes)
}

/** Options of a delete: what {@link DeleteRequest} adds to a write. */
export type DeleteOptions = Pick<DeleteRequest, 'gracePeriodSeconds' | 'propagationPolicy' | 'orphanDependents' | 'preconditions'> & {
  readonly dryRun: boolean
  readonly object: Readonly<Record<string, unknown>>
}

/**
 * Reads the options of a delete from its body or, without one, from the query.
 *
 * @throws {StatusError} BadRequest, Invalid.
 */
export async function parseDeleteOptions(
  request: TransportRequest,
  query: URLSearchParams,
  protobuf?: ObjectProtobuf,
): Promise<DeleteOptions> {
  const object = hasBody(request) ? await deleteOptionsOfBody(request, protobuf) : deleteOptionsOfQuery(query)
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun = [] } = object
  const errors: FieldError[] = []
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const message = 'orphanDependents and deletionPropagation cannot be both set'
    errors.push(fieldError.invalid('propagationPolicy', propagationPolicy, message))
  }
  if (propagationPolicy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(propagationPolicy)) {
    errors.push(fieldError.notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']))
  }
  errors.push(...dryRunErrors(dryRun))
  if (errors.length > 0) throw new StatusError(invalid('DeleteOptions', group, '', errors))
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(preconditions === undefined ? {} : { preconditions }),
    dryRun: dryRun.length > 0,
    object: { ...object, kind: 'DeleteOptions', apiVersion: `${group}/v1` },
  }
}

interface RawDeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun?: readonly string[]
}

function deleteOptionsOfQuery(query: URLSearchParams): RawDeleteOptions {
  const grace = parseInt64(query, 'gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  const dryRun = query.getAll('dryRun')
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(query.has('orphanDependents') ? { orphanDependents: queryFlag(query, 'orphanDependents') } : {}),
    ...(dryRun.length > 0 ? { dryRun } : {}),
  }
}

async function deleteOptionsOfBody(request: TransportRequest, protobuf: ObjectProtobuf | undefined): Promise<RawDeleteOptions> {
  const bytes = protobuf === undefined ? undefined : protobufBody(request)
  const value = protobuf === undefined || bytes === undefined ? await readOptions(request) : protobufOptions(protobuf, bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StatusError(badRequest("couldn't get version/kind; json parse error: expected an object"))
  }
  const { kind, apiVersion, ...fields } = value as Record<string, unknown>
  if (kind !== undefined && kind !== '' && kind !== deleteOptionsKind) {
    throw new StatusError(
      badRequest(`no kind "${kind}" is registered for version "${apiVersion ?? ''}" in scheme "pkg/runtime/scheme.go:111"`),
    )
  }
  return checkDeleteFields(fields)
}

function protobufOptions(protobuf: ObjectProtobuf, bytes: Uint8Array): unknown {
  return readOrRefuse(() => {
    const { apiVersion, kind, raw } = protobuf.openEnvelope(bytes)
    // Options of another kind are refused for their kind, whatever their message is.
    if (kind !== '' && kind !== deleteOptionsKind) return { apiVersion, kind }
    return protobuf.read({ apiVersion: `${group}/v1`, kind: deleteOptionsKind }, raw)
  })
}

/** Options in JSON or YAML. */
async function readOptions(request: TransportRequest): Promise<unknown> {
  const mediaType = requireBodyType(request.headers['content-type'])
  const text = bodyText(request.body)
  return mediaType === 'application/yaml' ? await parseYamlOptions(text) : parseJsonOptions(text)
}

function parseJsonOptions(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StatusError(badRequest(`couldn't get version/kind; json parse error: ${message}`), { cause })
  }
}

async function parseYamlOptions(text: string): Promise<unknown> {
  const { load } = await yamlLibrary()
  try {
    return load(text)
  } catch (cause) {
    throw new StatusError(badRequest(`yaml: ${(cause as { readonly reason?: string }).reason ?? 'invalid'}`), { cause })
  }
}

const fieldTypes: Readonly<Record<string, readonly [type: string, go: string]>> = {
  gracePeriodSeconds: ['number', 'int64'],
  propagationPolicy: ['string', 'v1.DeletionPropagation'],
  orphanDependents: ['boolean', 'bool'],
  preconditions: ['object', 'v1.Preconditions'],
  dryRun: ['object', '[]string'],
}

function checkDeleteFields(fields: Readonly<Record<string, unknown>>): RawDeleteOptions {
  const known: Record<string, unknown> = {}
  for (const [name, [type, go]] of Object.entries(fieldTypes)) {
    const value = fields[name]
    if (value === undefined || value === null) continue
    if (typeof value !== type || (name === 'dryRun') !== Array.isArray(value)) {
      const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
      throw new StatusError(badRequest(`json: cannot unmarshal ${found} into Go struct field DeleteOptions.${name} of type ${go}`))
    }
    known[name] = value
  }
  return known
}

/** @throws {StatusError} BadRequest for text that is no integer of 64 bits. */
export function parseInt64(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^[+-]?\d+$/.test(text)) throw new StatusError(badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`))
  const value = BigInt(text.replace(/^\+/, ''))
  if (BigInt.asIntN(64, value) !== value) throw new StatusError(badRequest(`strconv.ParseInt: parsing "${text}": value out of range`))
  return Number(value)
}

/** Selectors and paging of a list or watch. @throws {StatusError} BadRequest, Invalid. */
export function parseListRequest(query: URLSearchParams, namespace: string, name: string): ListRequest {
  const limit = parseInt64(query, 'limit') ?? 0
  parseInt64(query, 'timeoutSeconds')
  const fieldSelector = joinSelectors(query.get('fieldSelector') ?? '', name)
  return {
    namespace,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector,
    limit: Math.max(0, limit),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  }
}

/** A name in the path of an old watch is one more requirement. */
function joinSelectors(fieldSelector: string, name: string): string {
  if (name === '') return fieldSelector
  const byName = `metadata.name=${name}`
  return fieldSelector === '' ? byName : `${fieldSelector},${byName}`
}
