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
import { bodyText } from './body.js'
import { bodyStore, negotiateBody, type ResourceRequest, respondObject, writeRequest } from './context.js'
import { cannotBeHandled, checkIdentity, expectedKind, matchKind } from './decode.js'
import { contentType } from './media-types.js'
import { type FieldValidation, parseWriteOptions } from './options.js'

const mergePatch = 'application/merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const supportedTypes: readonly string[] = [jsonPatch, mergePatch]
/** What kube-apiserver knows beyond that. */
const otherTypes: readonly string[] = [
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
]

/** PATCH of one object or subresource: JSON patch and merge patch. */
export async function patch(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query, request, store } = context
  const type = contentType(request.headers['content-type'])
  if (!supportedTypes.includes(type)) throw unsupportedPatch(type, store.served.builtIn)
  const media = negotiateBody(context)
  const options = parseWriteOptions('PatchOptions', query)
  const text = bodyText(request.body)
  const apply = type === jsonPatch ? jsonPatcher(text) : mergePatcher(text)
  const duplicates = type === jsonPatch || options.fieldValidation === 'Ignore' ? [] : duplicateProblems(text)
  const write = writeRequest(context, options)
  // The transformation may run more than once; warnings are those of the last run.
  let problems: readonly string[] = []
  const transform = (current: UnstructuredObject | undefined): UnstructuredObject => {
    if (current === undefined) throw new StatusError(notFound(store.served.type, info.name))
    const decoded = decodePatched(context, apply(current), duplicates, options.fieldValidation)
    problems = decoded.problems
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
function unsupportedPatch(type: string, builtIn: boolean): StatusError {
  const status = unsupportedMediaType(supportedTypes)
  if (!builtIn || otherTypes.includes(type)) return new StatusError(status)
  return new StatusError({ ...status, message: '415: Unsupported Media Type', details: {} })
}

type Patcher = (current: UnstructuredObject) => unknown

function mergePatcher(text: string): Patcher {
  const body = parsePatch(text, 'invalid JSON patch')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const found = Array.isArray(body) ? 'array' : body === null ? 'null' : typeof body
    throw cannotDecodePatch(`json: cannot unmarshal ${found} into Go value of type map[string]interface {}`)
  }
  return (current) => applyMergePatch(current, body)
}

function jsonPatcher(text: string): Patcher {
  const operations = parsePatch(text, 'invalid JSON patch')
  if (!Array.isArray(operations)) {
    const found = operations === null ? 'null' : typeof operations
    throw cannotDecodePatch(`json: cannot unmarshal ${found} into Go value of type []handlers.jsonPatchOp`)
  }
  return (current) => {
    try {
      return applyJsonPatch(current, operations as readonly JsonPatchOperation[])
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error
      const isTooLarge = error.code === 'JSON_PATCH_TOO_LARGE'
      throw new StatusError(isTooLarge ? requestEntityTooLarge(error.message) : genericResponse(422), { cause: error })
    }
  }
}

function parsePatch(text: string, refusal?: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw refusal === undefined ? cannotDecodePatch(message) : new StatusError(badRequest(refusal), { cause })
  }
}

function cannotDecodePatch(message: string): StatusError {
  return new StatusError(badRequest(`error decoding patch: ${message}`))
}

function duplicateProblems(text: string): readonly string[] {
  return findDuplicateKeys(text).map((path) => `duplicate field "${path}"`)
}

/** Reads a patched object as its kind. What is wrong with it is wrong with the patch. */
function decodePatched(context: ResourceRequest, patched: unknown, duplicates: readonly string[], validation: FieldValidation) {
  const expected = expectedKind(context)
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched)) throw new StatusError(genericResponse(422))
  try {
    const value = matchKind(patched as Readonly<Record<string, unknown>>, expected, context.handler.registry)
    const decoded = bodyStore(context).decode(value)
    const problems = [...duplicates, ...decoded.problems]
    if (validation === 'Strict' && problems.length > 0) throw invalidPatch(patched, `strict decoding error: ${problems.join(', ')}`)
    return { object: decoded.object, problems }
  } catch (error) {
    if (!isBadRequest(error) || !(error instanceof StatusError)) throw error
    throw invalidPatch(patched, withoutPrefix(error.message, patched, expected.kind))
  }
}

/** The reason alone: `… cannot be handled as a …: ` is said of bodies only. */
function withoutPrefix(message: string, patched: object, expected: string): string {
  const { kind, apiVersion } = patched as { readonly kind?: unknown; readonly apiVersion?: unknown }
  const version = String(apiVersion ?? '').replace(/^.*\//, '')
  const prefix = cannotBeHandled(String(kind ?? ''), version, expected)
  return message.startsWith(prefix) ? message.slice(prefix.length) : message
}

function invalidPatch(patched: object, reason: string): StatusError {
  return new StatusError(invalid('', '', '', [fieldError.invalid('patch', goJson(patched), reason)]))
}
