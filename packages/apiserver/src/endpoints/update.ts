import type { TransportResponse } from 'steersman/environment'
import { bodyStore, negotiateBody, type ResourceRequest, respondObject, writeRequest } from './context.js'
import { checkIdentity, decodeBody } from './decode.js'
import { parseWriteOptions } from './options.js'

/** PUT of one object or subresource. */
export async function update(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query } = context
  const media = negotiateBody(context)
  const options = parseWriteOptions('UpdateOptions', query)
  const object = await decodeBody(context, options.fieldValidation)
  const write = writeRequest(context, options)
  checkIdentity(object, info.name, write.namespace)
  const key = { namespace: info.namespace, name: info.name }
  const result = await bodyStore(context).update(key, () => object, write)
  return respondObject(context, result.created ? 201 : 200, result.object, media)
}
