import { fieldError, invalid, StatusError } from 'steersman/api'
import type { TransportResponse } from 'steersman/environment'
import type { ListResult } from '../contracts/index.js'
import { negotiateBody, presentation, type ResourceRequest, warningHeaders } from './context.js'
import type { AcceptedMedia } from './media-types.js'
import { parseListRequest } from './options.js'
import { presentList } from './representation.js'
import { respondValue } from './respond.js'

/** GET of a collection. */
export async function list(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query, request, store } = context
  const media = negotiateBody(context)
  if (query.has('sendInitialEvents')) {
    const error = fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')
    throw new StatusError(invalid('ListOptions', 'meta.k8s.io', '', [error]))
  }
  const listRequest = parseListRequest(query, info.namespace, '')
  const result = await store.list({
    ...listRequest,
    get signal() {
      return request.signal
    },
  })
  return respondList(context, result, media)
}

/** Answers with a list in the form that was asked for. */
export function respondList(context: ResourceRequest, result: ListResult, media: AcceptedMedia): Promise<TransportResponse> {
  const { served, table } = context.store
  const value = presentList(result, served, table, presentation(context, media))
  const itemsOmitType = served.builtIn && media.transformation === undefined
  return respondValue(200, value, media, warningHeaders(context), itemsOmitType)
}
