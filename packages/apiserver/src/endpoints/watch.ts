import type { TransportResponse } from 'steersman/environment'
import type { ObjectProtobuf, ProtobufWatchEvent } from '../contracts/index.js'
import { negotiationOptions, presentation, type ResourceRequest, warningHeaders } from './context.js'
import { negotiateStream } from './media-types.js'
import { parseInt64, parseListRequest } from './options.js'
import { presentWatch } from './representation.js'
import { queryFlag } from './request-info.js'

/** A watch that names no end lasts between half an hour and an hour, so that a server's watches do not all end at once. */
const minTimeoutMs = 30 * 60 * 1000

/** GET of a collection with `watch=true`. */
export async function watch(context: ResourceRequest): Promise<TransportResponse> {
  const { handler, info, query, request, store } = context
  const media = negotiateStream(request.headers.accept, negotiationOptions(context))
  const view = presentation(context, media)
  const timeoutSeconds = parseInt64(query, 'timeoutSeconds') ?? 0
  const { namespace, labelSelector, fieldSelector, resourceVersion, resourceVersionMatch } = parseListRequest(
    query,
    info.namespace,
    info.isLegacyWatch ? info.name : '',
  )
  const batches = await store.watch({
    namespace,
    labelSelector: labelSelector ?? '',
    fieldSelector: fieldSelector ?? '',
    resourceVersion: resourceVersion ?? '',
    resourceVersionMatch: resourceVersionMatch ?? '',
    allowWatchBookmarks: queryFlag(query, 'allowWatchBookmarks'),
    ...(query.has('sendInitialEvents') ? { sendInitialEvents: queryFlag(query, 'sendInitialEvents') } : {}),
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : minTimeoutMs * (1 + handler.environment.random()),
    signal: request.signal ?? neverAborts(),
  })
  const shown = presentWatch(batches, store.table, view)
  const { protobuf } = media
  const type = protobuf === undefined ? media.mediaType : `${media.mediaType};stream=watch`
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache, private', 'content-type': type, ...warningHeaders(context) },
    body: protobuf === undefined ? { kind: 'value-stream', batches: shown } : { kind: 'byte-stream', chunks: frames(shown, protobuf) },
  }
}

/** The bytes of each batch; those of an event alone are shared with other watchers. */
async function* frames(batches: AsyncIterable<readonly unknown[]>, protobuf: ObjectProtobuf): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    const parts = batch.map((event) => protobuf.writeWatchEvent(event as ProtobufWatchEvent))
    yield parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
  }
}

function neverAborts(): AbortSignal {
  return new AbortController().signal
}
