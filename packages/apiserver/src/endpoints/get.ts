import type { TransportResponse } from 'steersman/environment'
import { bodyStore, negotiateBody, type ResourceRequest, respondObject } from './context.js'

/** GET of one object or subresource. */
export async function get(context: ResourceRequest): Promise<TransportResponse> {
  const media = negotiateBody(context)
  const { namespace, name } = context.info
  const resourceVersion = context.query.get('resourceVersion') ?? ''
  const object = await bodyStore(context).get({ namespace, name }, { resourceVersion })
  return respondObject(context, 200, object, media)
}
