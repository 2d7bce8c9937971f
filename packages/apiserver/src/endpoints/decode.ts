import { badRequest, fieldError, goJson, goQuote, invalid, isBadRequest, StatusError, type UnstructuredObject } from 'steersman/api'
import type { BodyStore, ObjectProtobuf, Registry } from '../contracts/index.js'
import { BodySyntaxError, type ParsedBody, parseBody, unrecognizedObject } from './body.js'
import { bodyStore, type ResourceRequest } from './context.js'
import { internalPackage } from './go-names.js'
import type { FieldValidation } from './options.js'
import { openEnvelope, protobufBody, readOrRefuse } from './protobuf.js'

/** The kind that a body must have. */
export interface ExpectedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Whether the kind is compiled in: its type may be left out, and its refusals are worded differently. */
  readonly builtIn: boolean
}

/** The kind of the body that this endpoint reads and writes. */
export function expectedKind({ store, subresource }: ResourceRequest): ExpectedKind {
  const { type, builtIn } = store.served
  const own = { group: type.group, version: type.version, kind: type.kind, builtIn }
  if (subresource === undefined || subresource.name === 'status') return own
  const { group, version, kind } = subresource
  return { group, version, kind, builtIn: true }
}

/**
 * Reads the body of a create or update into an object of the expected kind.
 *
 * @throws {StatusError} RequestEntityTooLarge, UnsupportedMediaType, BadRequest, Invalid.
 */
export async function decodeBody(context: ResourceRequest, validation: FieldValidation): Promise<UnstructuredObject> {
  const expected = expectedKind(context)
  const { protobuf } = context.handler
  if (context.store.served.builtIn && protobuf.loaded !== undefined) {
    const bytes = protobufBody(context.request)
    if (bytes !== undefined) return decodeProtobuf(context, expected, protobuf.loaded, bytes)
  }
  let body: ParsedBody
  try {
    body = await parseBody(context.request, validation !== 'Ignore')
  } catch (error) {
    if (error instanceof BodySyntaxError) throw unrecognizedObject(expected.kind, error)
    throw error
  }
  if (!expected.builtIn && validation !== 'Ignore') checkOtherVersion(context, body.value, expected, validation)
  const value = checkKind(body, expected, context.handler.registry)
  const prefix = cannotBeHandled(expected.kind, expected.version, expected.kind)
  const decoded = decodeTyped(bodyStore(context), value, prefix)
  // Strict decoding of a struct goes by the document, that of a custom resource looks for duplicates first.
  const areOwnFirst = body.areProblemsFirst || !expected.builtIn
  const problems = areOwnFirst ? [...body.problems, ...decoded.problems] : inDocumentOrder(value, decoded.problems, body.problems)
  if (validation === 'Strict' && problems.length > 0) {
    // Of YAML, what is there twice is told as its reader tells it.
    const ofYaml = body.areProblemsFirst && body.problems.length > 0 ? 'yaml: unmarshal errors:\n  ' : ''
    throw new StatusError(badRequest(`${prefix}strict decoding error: ${ofYaml}${problems.join(', ')}`))
  }
  if (validation === 'Warn') context.warnings.push(...problems)
  return decoded.object
}

/** Strict decoding has nothing to say about a message: what is not known in it may be of a later version. */
function decodeProtobuf(context: ResourceRequest, expected: ExpectedKind, protobuf: ObjectProtobuf, bytes: Uint8Array): UnstructuredObject {
  const { apiVersion, kind, raw } = openEnvelope(protobuf, bytes, expected.kind)
  matchKind({ apiVersion, kind }, expected, context.handler.registry)
  const { group, version } = expected
  const typeMeta = { apiVersion: group === '' ? version : `${group}/${version}`, kind: expected.kind }
  const prefix = cannotBeHandled(expected.kind, version, expected.kind)
  return decodeTyped(
    bodyStore(context),
    readOrRefuse(() => protobuf.read(typeMeta, raw), prefix),
    prefix,
  ).object
}

/** In a custom resource of another version no field is known. That is said before the version is found to be wrong. */
function checkOtherVersion(context: ResourceRequest, value: unknown, expected: ExpectedKind, validation: FieldValidation): void {
  const prefix = `${expected.group}/`
  if (!isObject(value) || typeof value.apiVersion !== 'string') return
  if (!value.apiVersion.startsWith(prefix) || value.apiVersion === prefix + expected.version) return
  const fields = Object.keys(value).filter((name) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata')
  const problems = fields.sort().map((name) => `unknown field ${goQuote(name)}`)
  if (problems.length === 0) return
  if (validation === 'Warn') context.warnings.push(...problems)
  else {
    const cannot = cannotBeHandled(String(value.kind ?? ''), value.apiVersion.slice(prefix.length), expected.kind)
    throw new StatusError(badRequest(`${cannot}strict decoding error: ${problems.join(', ')}`))
  }
}

/** Problems of two sorts, each in the order of the document, as one list in that order. */
function inDocumentOrder(value: unknown, first: readonly string[], second: readonly string[]): readonly string[] {
  if (first.length === 0 || second.length === 0) return [...first, ...second]
  const order = new MemberOrder()
  const placed = [...first, ...second].map((problem) => ({ problem, place: placeOf(value, problem, order) }))
  return placed.sort((left, right) => comparePlaces(left.place, right.place)).map(({ problem }) => problem)
}

/** Where members stand in their objects, looked up once for each object. */
class MemberOrder {
  readonly #known = new Map<object, ReadonlyMap<string, number>>()

  of(object: Readonly<Record<string, unknown>>, name: string): number {
    let order = this.#known.get(object)
    if (order === undefined) {
      order = new Map(Object.keys(object).map((member, index) => [member, index]))
      this.#known.set(object, order)
    }
    return order.get(name) ?? order.size
  }
}

/** Names may have points; one with more of them is not found, and stands behind those that are. */
const maxPointsInName = 16

/** The way to what a problem names, as positions. Only that way is gone: a document may be large and deep. */
function placeOf(document: unknown, problem: string, order: MemberOrder): readonly number[] {
  const path = problem.slice(problem.indexOf('"') + 1, -1)
  const place: number[] = []
  let current = document
  let name = ''
  let points = 0
  for (const part of path.split(/\.|\[(?=\d+\])/)) {
    if (Array.isArray(current)) {
      const index = Number.parseInt(part, 10)
      place.push(index)
      current = current[index]
      continue
    }
    name = points === 0 ? part : `${name}.${part}`
    if (!isObject(current) || points++ > maxPointsInName) break
    if (!Object.hasOwn(current, name)) continue
    place.push(order.of(current, name))
    current = current[name]
    points = 0
  }
  return points === 0 ? place : [...place, Number.POSITIVE_INFINITY]
}

function comparePlaces(left: readonly number[], right: readonly number[]): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return left.length - right.length
}

/** `Pod in version "v1" cannot be handled as a ConfigMap: `. */
export function cannotBeHandled(kind: string, version: string, expected: string): string {
  return `${kind} in version "${version}" cannot be handled as a ${expected}: `
}

function decodeTyped(store: BodyStore, value: Readonly<Record<string, unknown>>, prefix: string) {
  try {
    return store.decode(value)
  } catch (error) {
    if (!isBadRequest(error) || !(error instanceof StatusError)) throw error
    const { message } = error
    throw message.startsWith(prefix) ? error : new StatusError(badRequest(prefix + message), { cause: error })
  }
}

const typeOfTypeMeta = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** Completes and checks apiVersion and kind. */
function checkKind(body: ParsedBody, expected: ExpectedKind, registry: Registry): Readonly<Record<string, unknown>> {
  const { value } = body
  const cannotRead = (detail: string) => unrecognizedObject(expected.kind, { message: detail, snippet: body.snippet() })
  if (!isObject(value)) throw cannotRead(`${parseError}${goType(value)} into Go value of type ${typeOfTypeMeta}`)
  const problem = typeMetaProblem(value)
  if (problem !== undefined) throw cannotRead(problem)
  if (!expected.builtIn && !value.kind) throw cannotRead(`Object 'Kind' is missing in '${goJson(value)}'`)
  return matchKind(value, expected, registry)
}

const parseError = "couldn't get version/kind; json parse error: json: cannot unmarshal "

/** Why apiVersion and kind of a value cannot be read; `undefined`: they can. */
export function typeMetaProblem(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['apiVersion', 'kind']) {
    const found = value[field]
    if (found !== undefined && found !== null && typeof found !== 'string') {
      return `${parseError}${goType(found)} into Go struct field .${field} of type string`
    }
  }
  return isMalformedVersion(value.apiVersion) ? `unexpected GroupVersion string: ${value.apiVersion}` : undefined
}

/** A group and a version have one slash between them. */
function isMalformedVersion(apiVersion: unknown): boolean {
  return typeof apiVersion === 'string' && apiVersion.indexOf('/') !== apiVersion.lastIndexOf('/')
}

/**
 * Checks that a value has the expected kind; where a built-in kind leaves its type out, it is filled in.
 *
 * @throws {StatusError} BadRequest; Invalid for another kind of a custom resource's version.
 */
export function matchKind(
  value: Readonly<Record<string, unknown>>,
  expected: ExpectedKind,
  registry: Registry,
): Readonly<Record<string, unknown>> {
  const wanted = expected.group === '' ? expected.version : `${expected.group}/${expected.version}`
  // A slash with no group before it says nothing.
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion.replace(/^\//, '') : ''
  const kind = typeof value.kind === 'string' ? value.kind : ''
  if (apiVersion === wanted && kind === expected.kind) return value
  if (!expected.builtIn) throw wrongCustomKind(value, apiVersion, kind, expected, wanted)
  const completed = { apiVersion: apiVersion || wanted, kind: kind || expected.kind }
  if (completed.apiVersion === wanted && completed.kind === expected.kind) return { ...value, ...completed }
  const version = completed.apiVersion.slice(completed.apiVersion.indexOf('/') + 1)
  const reason = unknownConversion(completed, expected, registry)
  throw new StatusError(badRequest(cannotBeHandled(completed.kind, version, expected.kind) + reason))
}

function wrongCustomKind(
  value: Readonly<Record<string, unknown>>,
  apiVersion: string,
  kind: string,
  expected: ExpectedKind,
  wanted: string,
): StatusError {
  if (apiVersion !== wanted) {
    return new StatusError(badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`))
  }
  const name = isObject(value.metadata) && typeof value.metadata.name === 'string' ? value.metadata.name : ''
  return new StatusError(invalid(kind, expected.group, name, [fieldError.invalid('kind', kind, `must be ${expected.kind}`)]))
}

/** Why a built-in kind is not another one: it is registered and has no conversion, or it is not known at all. */
function unknownConversion(
  found: { readonly apiVersion: string; readonly kind: string },
  expected: ExpectedKind,
  registry: Registry,
): string {
  const slash = found.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : found.apiVersion.slice(0, slash)
  const version = found.apiVersion.slice(slash + 1)
  const isRegistered = registry
    .resources()
    .some(
      ({ builtIn, type }) =>
        builtIn && type.group === group && type.version === version && [type.kind, `${type.kind}List`].includes(found.kind),
    )
  if (!isRegistered) return `no kind "${found.kind}" is registered for version "${found.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
  return `converting (${version}.${found.kind}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function goType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/**
 * Checks that name and namespace of a body agree with the URL.
 *
 * @throws {StatusError} BadRequest.
 */
export function checkIdentity(object: UnstructuredObject, name: string, namespace: string): void {
  const { name: given = '', namespace: givenNamespace = '' } = object.metadata ?? {}
  checkNamespace(givenNamespace, namespace)
  if (given === '') throw namelessObject(name)
  if (given !== name) throw new StatusError(badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`))
}

/** The refusal of an object whose name is not in it. */
export function namelessObject(name: string): StatusError {
  return new StatusError(badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`))
}

/** @throws {StatusError} BadRequest when a body names another namespace than the URL. */
export function checkNamespace(given: string, namespace: string): void {
  if (given !== '' && namespace !== '' && given !== namespace) {
    throw new StatusError(badRequest('the namespace of the provided object does not match the namespace sent on the request'))
  }
}
