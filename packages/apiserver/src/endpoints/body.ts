import { badRequest, bodyTooLarge, findDuplicateKeys, parseJson, StatusError, stringifyJson } from 'steersman/api'
import { type RequestBody, type TransportRequest, toPlainJson } from 'steersman/environment'
import { checkJsonSize } from './json-size.js'
import { requireBodyType } from './media-types.js'
import { yamlLibrary } from './yaml.js'

/** The largest body that is read: the limit of kube-apiserver. */
export const maxBodyBytes = 3 * 1024 * 1024

/** A body as it came, read as plain JSON. */
export interface ParsedBody {
  readonly value: unknown
  /** What the text has twice, as strict decoding reports it: `duplicate field "spec.image"`. */
  readonly problems: readonly string[]
  /** Whether `problems` come before those that decoding finds: duplicates in YAML are found first. */
  readonly areProblemsFirst: boolean
  /** The beginning of the body, as refusals quote it. */
  snippet(): string
}

/** A body that is no JSON or YAML. The message is what kube-apiserver says of it, without the words around it. */
export class BodySyntaxError extends Error {
  readonly snippet: string

  constructor(message: string, snippet: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BodySyntaxError'
    this.snippet = snippet
  }
}

/**
 * Reads a whole body. `findDuplicates` costs a second look at the text.
 *
 * @throws {StatusError} RequestEntityTooLarge, UnsupportedMediaType. @throws {BodySyntaxError}
 */
export async function parseBody(request: TransportRequest, findDuplicates: boolean): Promise<ParsedBody> {
  const mediaType = requireBodyType(request.headers['content-type'])
  const { body } = request
  if (body?.kind === 'value') return parseValue(body.value)
  const bytes = body?.bytes ?? new Uint8Array()
  if (bytes.length > maxBodyBytes) throw new StatusError(bodyTooLarge(maxBodyBytes))
  const text = decodeText(bytes)
  return mediaType === 'application/yaml' ? await parseYaml(text, bytes) : parseJsonText(text, bytes, findDuplicates)
}

/** The text of a patch or of options: JSON whatever the media type says. Same limit. */
export function bodyText(body: RequestBody | undefined): string {
  if (body === undefined) return ''
  if (body.kind === 'value') return stringifyJson(parseValue(body.value).value)
  if (body.bytes.length > maxBodyBytes) throw new StatusError(bodyTooLarge(maxBodyBytes))
  return decodeText(body.bytes)
}

/** Whether the request carries a body that is not empty. */
export function hasBody({ body }: TransportRequest): boolean {
  return body !== undefined && (body.kind === 'value' ? body.value !== undefined : body.bytes.length > 0)
}

/** A value handed over in process: the transport checked that it is plain JSON and copied it. It is held to the limit that bytes have. */
function parseValue(value: unknown): ParsedBody {
  checkJsonSize(value, maxBodyBytes)
  return { value, problems: [], areProblemsFirst: false, snippet: () => summarize(new TextEncoder().encode(stringifyJson(value))) }
}

function parseJsonText(text: string, bytes: Uint8Array, findDuplicates: boolean): ParsedBody {
  let value: unknown
  try {
    value = text === '' ? refuseEmpty() : parseJson(text)
  } catch (cause) {
    throw new BodySyntaxError(`couldn't get version/kind; json parse error: ${messageOf(cause)}`, summarize(bytes), { cause })
  }
  const problems =
    findDuplicates && mayHaveDuplicates(text, value) ? findDuplicateKeys(text).map((path) => `duplicate field "${path}"`) : []
  return { value, problems, areProblemsFirst: false, snippet: () => summarize(bytes) }
}

function refuseEmpty(): never {
  throw new Error('unexpected end of JSON input')
}

/** Every member of the value has a key in the text: as many keys as members means that none is there twice. */
function mayHaveDuplicates(text: string, value: unknown): boolean {
  const keys = text.match(/(?<!\\)"\s*:/g)?.length ?? 0
  return keys > countMembers(value)
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countMembers(item)
    return members
  }
  for (const member of Object.values(value)) members += 1 + countMembers(member)
  return members
}

/** YAML as kube-apiserver takes it: the core schema, so that a date stays a string; the last of two equal keys counts. */
async function parseYaml(text: string, bytes: Uint8Array): Promise<ParsedBody> {
  const { CORE_SCHEMA, load } = await yamlLibrary()
  const read = (json: boolean) => load(text, { schema: CORE_SCHEMA, json })
  const problems: string[] = []
  let value: unknown
  try {
    value = read(false)
  } catch (error) {
    const duplicate = duplicateKeyProblem(error, text)
    if (duplicate === undefined) throw yamlError(error, bytes)
    problems.push(duplicate)
    try {
      value = read(true)
    } catch (worse) {
      throw yamlError(worse, bytes)
    }
  }
  checkJsonSize(value, maxBodyBytes)
  return { value: plainYaml(value, bytes), problems, areProblemsFirst: true, snippet: () => summarize(bytes) }
}

/** A copy without shared parts, free of what YAML has and JSON has not (`.inf`). */
function plainYaml(value: unknown, bytes: Uint8Array): unknown {
  try {
    return toPlainJson(value ?? null)
  } catch (cause) {
    throw new BodySyntaxError(`yaml: ${messageOf(cause)}`, summarize(bytes), { cause })
  }
}

function yamlError(error: unknown, bytes: Uint8Array): BodySyntaxError {
  const { reason } = error as { readonly reason?: unknown }
  return new BodySyntaxError(`yaml: ${typeof reason === 'string' ? reason : messageOf(error)}`, summarize(bytes), { cause: error })
}

function duplicateKeyProblem(error: unknown, text: string): string | undefined {
  const { reason, mark } = error as { readonly reason?: unknown; readonly mark?: { readonly line?: number } }
  if (reason !== 'duplicated mapping key' || mark?.line === undefined) return undefined
  const key = /^[\s{,-]*([^:]*):/.exec(text.split('\n')[mark.line] ?? '')?.[1] ?? ''
  return `line ${mark.line + 1}: key "${key.trim()}" already set in map`
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

const snippetBytes = 30

/** The beginning of a body, as refusals quote it: text when it looks like an object, else hexadecimal. */
export function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const head = bytes.subarray(0, snippetBytes)
  const more = bytes.length > snippetBytes ? ' ...' : ''
  return bytes[0] === 0x7b ? decodeText(head) + more : Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('') + more
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What the server answers to a body that cannot be read where an object of `kind` is wanted. */
export function unrecognizedObject(kind: string, error: { readonly message: string; readonly snippet: string }): StatusError {
  const { message, snippet } = error
  return new StatusError(badRequest(`the object provided is unrecognized (must be of type ${kind}): ${message} (${snippet})`))
}
