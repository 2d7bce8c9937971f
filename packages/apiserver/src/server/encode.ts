import { stringifyJson, type UnstructuredObject } from 'steersman/api'

/**
 * JSON bytes of answers and watch events. Objects are frozen and shared, so their bytes are made once and shared by every list, watch and get
 * that shows them; they live as long as the object.
 */

/** What follows apiVersion and kind in an object, as the bytes of an object of its own. */
const bodies = new WeakMap<object, Buffer>()
const frames = new WeakMap<object, Buffer>()

/** The bytes of a watch event and its line feed. The event value is shared by all watchers, and so are its bytes. */
export function watchFrame(event: object): Buffer {
  let frame = frames.get(event)
  if (frame === undefined) {
    const { type, object } = event as { readonly type: string; readonly object: object }
    frame = Buffer.concat([Buffer.from(`{"type":${JSON.stringify(type)},"object":`), ...objectParts(object), endOfFrame])
    if (Object.isFrozen(event)) frames.set(event, frame)
  }
  return frame
}

/** The bytes of a whole answer. With `itemsOmitType`, items of a list carry no apiVersion and kind, as those of built-in kinds on the wire. */
export function encodeValue(value: unknown, itemsOmitType = false): Buffer {
  if (isList(value)) return encodeList(value, itemsOmitType)
  if (isStored(value)) return Buffer.concat(objectParts(value))
  return Buffer.from(stringifyJson(value))
}

interface List {
  readonly items: readonly object[]
}

function isList(value: unknown): value is List {
  return typeof value === 'object' && value !== null && Array.isArray((value as { readonly items?: unknown }).items)
}

const comma = Buffer.from(',')
const endOfFrame = Buffer.from('}\n')
const endOfList = Buffer.from(']}')

function encodeList(list: List, itemsOmitType: boolean): Buffer {
  const { items, ...head } = list
  const headText = stringifyJson(head)
  const parts: Buffer[] = [Buffer.from(`${headText.slice(0, -1)}${headText === '{}' ? '' : ','}"items":[`)]
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(comma)
    if (itemsOmitType) parts.push(bodyOf(item))
    else parts.push(...objectParts(item))
  }
  parts.push(endOfList)
  return Buffer.concat(parts)
}

/** An object that a store returned: it is frozen and has a version. Others are not worth a place in the cache. */
function isStored(value: unknown): value is UnstructuredObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.isFrozen(value) &&
    typeof (value as Partial<UnstructuredObject>).metadata?.resourceVersion === 'string'
  )
}

function objectParts(object: object): Buffer[] {
  const { apiVersion, kind } = object as { readonly apiVersion?: unknown; readonly kind?: unknown }
  if (!isStored(object) || typeof apiVersion !== 'string' || typeof kind !== 'string') return [Buffer.from(stringifyJson(object))]
  const body = bodyOf(object)
  const separator = body.length > 2 ? ',' : ''
  const head = Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}${separator}`)
  return [head, body.subarray(1)]
}

function bodyOf(object: object): Buffer {
  let body = bodies.get(object)
  if (body === undefined) {
    const { apiVersion: _apiVersion, kind: _kind, ...rest } = object as Partial<UnstructuredObject>
    body = Buffer.from(stringifyJson(rest))
    if (isStored(object)) bodies.set(object, body)
  }
  return body
}
