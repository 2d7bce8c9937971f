import type { TransportResponse } from 'steersman/environment'
import { bodyStore, negotiateBody, type ResourceRequest, respondObject, writeRequest } from './context.js'
import { checkIdentity, decodeBody } from './decode.js'
import { parseWriteOptions } from './options.js'

/** PUT of one object or subresource. */
export async function update(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query, store } = context
  const media = negotiateBody(context)
  const options = parseWriteOptions('UpdateOptions', query)
  const object = await decodeBody(context, options.fieldValidation)
  const isNamespaced = store.served.type.scope === 'Namespaced'
  checkIdentity(object, info.name, isNamespaced ? info.namespace : '')
  const key = { namespace: info.namespace, name: info.name }
  const result = await bodyStore(context).update(key, () => object, writeRequest(context, options))
  return respondObject(context, result.created ? 201 : 200, result.object, media)
}
