import { badRequest, notAcceptable, type Status, StatusError, stringifyJson } from 'steersman/api'
import type { TransportResponse } from 'steersman/environment'
import { type AcceptedMedia, bodyMediaTypes } from './media-types.js'
import { yamlText } from './yaml.js'

/** An answer whose value may be a list of built-in objects: on the wire its items carry no apiVersion and kind, in process they do. */
export type ApiResponseBody = TransportResponse['body'] & { readonly itemsOmitType?: boolean }

/** Headers by name in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

const noCache = 'no-cache, private'

/** JSON answers that nobody asked to be special. */
export const plainJson: AcceptedMedia = { mediaType: 'application/json', transformationVersion: 'v1', pretty: false }

/** Answers with a plain JSON value in the media type that was negotiated. @throws {StatusError} NotAcceptable for one that has no protobuf. */
export async function respondValue(
  code: number,
  value: unknown,
  media: AcceptedMedia = plainJson,
  headers: ResponseHeaders = {},
  itemsOmitType = false,
): Promise<TransportResponse> {
  const head = { 'cache-control': noCache, 'content-type': media.mediaType, ...headers }
  if (media.protobuf !== undefined) {
    const bytes = media.protobuf.write(value as Readonly<Record<string, unknown>>)
    if (bytes === undefined) throw new StatusError(notAcceptable(bodyMediaTypes))
    return { status: code, headers: head, body: { kind: 'bytes', bytes } }
  }
  if (media.mediaType === 'application/yaml') {
    return {
      status: code,
      headers: head,
      body: { kind: 'bytes', bytes: new TextEncoder().encode(await yamlText(onTheWire(value, itemsOmitType))) },
    }
  }
  if (media.pretty) return { status: code, headers: head, body: textBody(`${stringifyJson(onTheWire(value, itemsOmitType), 2)}\n`) }
  const body: ApiResponseBody = itemsOmitType ? { kind: 'value', value, itemsOmitType } : { kind: 'value', value }
  return { status: code, headers: head, body }
}

/** Answers with text, as health checks and unknown paths do. */
export function respondText(code: number, text: string, headers: ResponseHeaders = {}): TransportResponse {
  return {
    status: code,
    headers: {
      'cache-control': noCache,
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: textBody(text),
  }
}

/** Answers that there is nothing to say. */
export function respondNothing(): TransportResponse {
  return { status: 204, headers: { 'cache-control': noCache }, body: textBody('') }
}

/** Answers with a refusal. */
export function respondStatus(status: Status, media: AcceptedMedia = plainJson, headers: ResponseHeaders = {}): Promise<TransportResponse> {
  const retryAfter = status.details?.retryAfterSeconds
  const all = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) }
  return respondValue(status.code ?? 500, status, media, all)
}

/** The one answer to paths that nothing serves. */
export function pageNotFound(): TransportResponse {
  return respondText(404, '404 page not found\n')
}

/** What all warnings of an answer may have together; clients bound the size of headers. */
const maxWarningCharacters = 4096
/** What is left of each when there are too many. */
const maxTruncatedCharacters = 256

/** The values of `warning` headers, RFC 7234: each text once; shortened, and the last ones left out, when they are too many. */
export function warningHeaderValues(texts: readonly string[]): readonly string[] {
  const different = [...new Set(texts)]
  const total = different.reduce((sum, text) => sum + text.length, 0)
  if (total <= maxWarningCharacters) return different.map(warningHeader)
  const kept: string[] = []
  let used = 0
  for (const text of different) {
    const shortened = text.slice(0, maxTruncatedCharacters)
    used += shortened.length
    if (used > maxWarningCharacters) break
    kept.push(shortened)
  }
  return kept.map(warningHeader)
}

function warningHeader(text: string): string {
  const printable = text.replace(/\p{Cc}/gu, '')
  return `299 - "${printable.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** `Unable to convert to Table as requested: …`. */
export function cannotConvertToTable(message: string): StatusError {
  return new StatusError(badRequest(`Unable to convert to Table as requested: ${message}`))
}

/** A refusal with the reason of a failed negotiation and a message of its own. */
export function cannotAccept(message: string): StatusError {
  return new StatusError({ ...notAcceptable([]), message })
}

function textBody(text: string): TransportResponse['body'] {
  return { kind: 'bytes', bytes: new TextEncoder().encode(text) }
}

function onTheWire(value: unknown, itemsOmitType: boolean): unknown {
  if (!itemsOmitType) return value
  const list = value as { readonly items: readonly Readonly<Record<string, unknown>>[] }
  return { ...list, items: list.items.map(({ apiVersion: _apiVersion, kind: _kind, ...rest }) => rest) }
}
