import {
  applyJsonPatch,
  applyMergePatch,
  badRequest,
  fieldError,
  findDuplicateKeys,
  genericResponse,
  goJson,
  invalid,
  isBadRequest,
  JsonPatchError,
  type JsonPatchOperation,
  notFound,
  parseJson,
  requestEntityTooLarge,
  StatusError,
  type UnstructuredObject,
  unsupportedMediaType,
} from 'steersman/api'
import type { TransportResponse } from 'steersman/environment'
import { goText } from '../schema/index.js'
import { bodyText } from './body.js'
import { bodyStore, negotiateBody, type ResourceRequest, respondObject, writeRequest } from './context.js'
import { cannotBeHandled, checkIdentity, type ExpectedKind, expectedKind, matchKind, namelessObject, typeMetaProblem } from './decode.js'
import { contentType } from './media-types.js'
import { type FieldValidation, parseWriteOptions } from './options.js'

const mergePatch = 'application/merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const strategicPatch = 'application/strategic-merge-patch+json'
/** What this server applies to custom resources, and to built-in kinds. */
const customTypes: readonly string[] = [jsonPatch, mergePatch]
const builtinTypes: readonly string[] = [...customTypes, strategicPatch]
/** What kube-apiserver knows beyond that. */
const otherTypes: readonly string[] = ['application/apply-patch+yaml', 'application/apply-patch+cbor']

/** PATCH of one object or subresource: JSON patch, merge patch and, for built-in kinds, strategic merge patch. */
export async function patch(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query, request, store } = context
  const type = contentType(request.headers['content-type'])
  const supported = store.served.builtIn ? builtinTypes : customTypes
  if (!supported.includes(type)) throw unsupportedPatch(type, store.served.builtIn, supported)
  const media = negotiateBody(context)
  const options = parseWriteOptions('PatchOptions', query)
  const text = bodyText(request.body)
  const apply = patcherOf(context, type, text)
  const duplicates = type === jsonPatch || options.fieldValidation === 'Ignore' ? [] : duplicateProblems(text)
  const write = writeRequest(context, options)
  // The transformation may run more than once; warnings are those of the last run.
  let problems: readonly string[] = []
  const transform = (current: UnstructuredObject | undefined): UnstructuredObject => {
    if (current === undefined) throw new StatusError(notFound(store.served.type, info.name))
    const decoded = decodePatched(context, apply(current), duplicates, options.fieldValidation)
    problems = decoded.problems
    if (decoded.isVersionless) throw namelessObject(info.name)
    checkIdentity(decoded.object, info.name, write.namespace)
    return decoded.object
  }
  const key = { namespace: info.namespace, name: info.name }
  const warnings = [...context.warnings]
  const result = await bodyStore(context)
    .update(key, transform, write)
    .finally(() => {
      if (options.fieldValidation === 'Warn') context.warnings.splice(warnings.length, 0, ...problems)
    })
  return respondObject(context, 200, result.object, media)
}

/** Built-in resources refuse what no patch has before they look at the patch. */
function unsupportedPatch(type: string, builtIn: boolean, supported: readonly string[]): StatusError {
  const status = unsupportedMediaType(supported)
  if (!builtIn || otherTypes.includes(type)) return new StatusError(status)
  return new StatusError({ ...status, message: '415: Unsupported Media Type', details: {} })
}

/** Applies a patch. What is wrong with the form of the patch shows only now: an object that is not there is missed first. */
type Patcher = (current: UnstructuredObject) => Patched

interface Patched {
  readonly value: unknown
  /** What refusals show instead of the patched object. */
  readonly shown?: string
}

function patcherOf(context: ResourceRequest, type: string, text: string): Patcher {
  const body = parsePatch(text)
  if (type === jsonPatch) return (current) => ({ value: jsonPatched(current, body) })
  if (type === mergePatch) return (current) => ({ value: applyMergePatch(current, objectOf(body, 'error decoding patch: ')) })
  const kind = expectedKind(context)
  return (current) => {
    const merged = context.handler.registry.strategicMerge?.(kind, current, body === null ? {} : objectOf(body))
    return merged === undefined ? { value: current } : { value: merged.object, shown: goText(merged.rest) }
  }
}

function objectOf(body: unknown, prefix = ''): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new StatusError(badRequest(`${prefix}json: cannot unmarshal ${jsonType(body)} into Go value of type map[string]interface {}`))
  }
  return body as Readonly<Record<string, unknown>>
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value
}

function jsonPatched(current: UnstructuredObject, operations: unknown): unknown {
  if (!Array.isArray(operations)) {
    const reason = `json: cannot unmarshal ${jsonType(operations)} into Go value of type []handlers.jsonPatchOp`
    throw new StatusError(badRequest(`error decoding patch: ${reason}`))
  }
  try {
    return applyJsonPatch(current, operations as readonly JsonPatchOperation[])
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error
    const isTooLarge = error.code === 'JSON_PATCH_TOO_LARGE'
    throw new StatusError(isTooLarge ? requestEntityTooLarge(error.message) : genericResponse(422), { cause: error })
  }
}

function parsePatch(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new StatusError(badRequest('invalid JSON patch'), { cause })
  }
}

function duplicateProblems(text: string): readonly string[] {
  return findDuplicateKeys(text).map((path) => `duplicate field "${path}"`)
}

/** Reads a patched object as its kind. What is wrong with it is wrong with the patch. */
function decodePatched(
  context: ResourceRequest,
  { value: patched, shown }: Patched,
  duplicates: readonly string[],
  validation: FieldValidation,
) {
  const expected = expectedKind(context)
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched)) throw new StatusError(genericResponse(422))
  const isMerged = shown !== undefined
  const problem = isMerged || !expected.builtIn ? undefined : typeMetaProblem(patched as Readonly<Record<string, unknown>>)
  if (problem !== undefined) throw invalidPatch(patched, shown, problem)
  try {
    const value = isMerged
      ? // The real server knows the kind by then and does not look at it.
        withTypeMeta(patched, expected)
      : matchKind(patched as Readonly<Record<string, unknown>>, expected, context.handler.registry)
    const decoded = isMerged ? bodyStore(context).decode(value, { isMerged }) : decodeWritten(context, value)
    // The real server reads what lacks a version into its own form of the kind, which knows none of these fields: the object has no name.
    const isVersionless = !isMerged && expected.builtIn && !(patched as { readonly apiVersion?: unknown }).apiVersion
    const found = isVersionless ? unknownMembers(patched) : decoded.problems
    // The real server writes what a JSON or merge patch made with its members sorted, before it reads it; a strategic one's problems it sorts.
    const problems = [...duplicates, ...[...found].sort()]
    if (validation === 'Strict' && problems.length > 0) throw invalidPatch(patched, shown, `strict decoding error: ${problems.join(', ')}`)
    return { object: decoded.object, problems, isVersionless }
  } catch (error) {
    if (!isBadRequest(error) || !(error instanceof StatusError)) throw error
    throw invalidPatch(patched, shown, withoutPrefix(error.message, patched, expected.kind))
  }
}

/** Reads what the real server reads after it wrote it with members sorted: the first of several things that are wrong is another one then. */
function decodeWritten(context: ResourceRequest, value: Readonly<Record<string, unknown>>) {
  const store = bodyStore(context)
  try {
    return store.decode(value)
  } catch (error) {
    store.decode(parseJson(goJson(value)) as Readonly<Record<string, unknown>>)
    throw error
  }
}

/** The value with the type that it has by then, unless what stands there is no text and will be refused. */
function withTypeMeta(patched: object, expected: ExpectedKind): Readonly<Record<string, unknown>> {
  const own = Object.entries(patched).filter(
    ([name, value]) => (name !== 'apiVersion' && name !== 'kind') || (value && typeof value !== 'string'),
  )
  return { apiVersion: apiVersionOf(expected), kind: expected.kind, ...Object.fromEntries(own) }
}

function unknownMembers(object: object): readonly string[] {
  return Object.keys(object)
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .map((name) => `unknown field "${name}"`)
}

function apiVersionOf({ group, version }: ExpectedKind): string {
  return group === '' ? version : `${group}/${version}`
}

/** The reason alone: `… cannot be handled as a …: ` is said of bodies only. */
function withoutPrefix(message: string, patched: object, expected: string): string {
  const { kind, apiVersion } = patched as { readonly kind?: unknown; readonly apiVersion?: unknown }
  const version = String(apiVersion ?? '').replace(/^.*\//, '')
  const prefix = cannotBeHandled(String(kind ?? ''), version, expected)
  return message.startsWith(prefix) ? message.slice(prefix.length) : message
}

function invalidPatch(patched: object, shown: string | undefined, reason: string): StatusError {
  return new StatusError(invalid('', '', '', [fieldError.invalid('patch', shown ?? goJson(patched), reason)]))
}
