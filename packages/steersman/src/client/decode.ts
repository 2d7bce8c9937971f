import type { AnyResourceType, KubernetesList, KubernetesObject, WatchEvent } from '../api/index.js'
import { apiVersionOf, parseJson } from '../api/index.js'
import type { ResponseBody } from '../environment/index.js'
import { deepFreeze, parseLines } from '../internal/index.js'
import { UnexpectedResponseError } from './request.js'

/** What an answer is made into: the whole object, or its metadata under the resource's own kind. */
export type Shape = 'object' | 'metadata'

type Json = Readonly<Record<string, unknown>>

/** A frozen object that says what it is: items of built-in lists come without apiVersion and kind. */
export function stamp(type: AnyResourceType, value: unknown, shape: Shape = 'object'): KubernetesObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnexpectedResponseError(`Cannot read a ${type.kind}: the server sent no object`)
  }
  const object = value as Json
  if (shape === 'metadata') {
    // The server says PartialObjectMetadata; who owns and who refers needs to know of what.
    const { metadata } = object
    return deepFreeze({ apiVersion: apiVersionOf(type), kind: type.kind, metadata }) as KubernetesObject
  }
  const isStamped = typeof object.apiVersion === 'string' && typeof object.kind === 'string'
  return deepFreeze(isStamped ? object : { apiVersion: apiVersionOf(type), kind: type.kind, ...object }) as unknown as KubernetesObject
}

/** A frozen list with stamped items. */
export function stampList(type: AnyResourceType, value: unknown, shape: Shape = 'object'): KubernetesList<KubernetesObject> {
  const list = value as Json
  const isList = typeof value === 'object' && value !== null && typeof list.metadata === 'object' && list.metadata !== null
  // An empty list of Go may be null.
  const items = isList ? (list.items ?? []) : undefined
  if (!Array.isArray(items)) throw new UnexpectedResponseError(`Cannot read a ${type.listKind}: the server sent no list`)
  const stamped = items.map((item) => stamp(type, item, shape))
  const { metadata, apiVersion = apiVersionOf(type), kind = type.listKind } = list as unknown as KubernetesList
  // Of the list itself PartialObjectMetadataList would say as little as it does of the items.
  const head = shape === 'metadata' ? { apiVersion: apiVersionOf(type), kind: type.listKind } : { apiVersion, kind }
  return deepFreeze({ ...head, metadata, items: stamped })
}

/** The events of a watch, frozen and stamped, in the batches in which they came. Leaving the iteration closes the watch. */
export async function* decodeWatch(
  type: AnyResourceType,
  body: ResponseBody,
  shape: Shape = 'object',
): AsyncGenerator<readonly WatchEvent<KubernetesObject>[], void, undefined> {
  if (body.kind === 'value-stream') {
    for await (const batch of body.batches) yield batch.map((event) => watchEvent(type, event, shape))
  } else if (body.kind === 'byte-stream') {
    yield* parseLines(body.chunks, (line) => watchEvent(type, parseLine(type, line), shape))
  } else if (body.kind === 'bytes') {
    yield* parseLines(single(body.bytes), (line) => watchEvent(type, parseLine(type, line), shape))
  } else if (body.kind === 'value') {
    throw new UnexpectedResponseError(`Cannot watch ${type.plural}: the server sent one object, expected a stream of events`)
  }
}

function parseLine(type: AnyResourceType, line: Uint8Array): unknown {
  try {
    return parseJson(line)
  } catch (cause) {
    throw new UnexpectedResponseError(`Cannot watch ${type.plural}: an event is not JSON`, { cause })
  }
}

const eventTypes: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'])

function watchEvent(type: AnyResourceType, value: unknown, shape: Shape): WatchEvent<KubernetesObject> {
  const event = value as { readonly type?: unknown; readonly object?: unknown } | null
  if (typeof event !== 'object' || event === null || !eventTypes.has(event.type)) {
    throw new UnexpectedResponseError(`Cannot watch ${type.plural}: the server sent something that is no watch event`)
  }
  if (event.type === 'ERROR') return deepFreeze(event) as WatchEvent<KubernetesObject>
  const object = stamp(type, event.object, shape)
  // In process the event is often already what it should be.
  return (object === event.object ? deepFreeze(event) : Object.freeze({ type: event.type, object })) as WatchEvent<KubernetesObject>
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}
