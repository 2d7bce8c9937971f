import type { TransportResponse } from 'steersman/environment'
import type { DeleteRequest } from '../contracts/index.js'
import { negotiateBody, type ResourceRequest, respondObject, warningHeaders, writeRequest } from './context.js'
import { respondList } from './list.js'
import { parseDeleteOptions, parseListRequest } from './options.js'
import { isStatusObject } from './representation.js'
import { respondValue } from './respond.js'

/** DELETE of one object. */
export async function deleteOne(context: ResourceRequest): Promise<TransportResponse> {
  const { info, store } = context
  const media = negotiateBody(context)
  const result = await store.delete({ namespace: info.namespace, name: info.name }, await deleteRequest(context))
  return isStatusObject(result) ? respondValue(200, result, media, warningHeaders(context)) : respondObject(context, 200, result, media)
}

/** DELETE of a collection: answers with what was there. */
export async function deleteCollection(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query, store } = context
  const media = negotiateBody(context)
  const write = await deleteRequest(context)
  const result = await store.deleteCollection(parseListRequest(query, info.namespace, ''), write)
  return respondList(context, result, media)
}

async function deleteRequest(context: ResourceRequest): Promise<DeleteRequest> {
  const { dryRun, object, ...options } = await parseDeleteOptions(context.request, context.query, context.handler.protobuf.loaded)
  return { ...writeRequest(context, { dryRun, object }), ...options }
}
