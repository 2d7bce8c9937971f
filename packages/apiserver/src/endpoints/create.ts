import { badRequest, StatusError } from 'steersman/api'
import type { TransportResponse } from 'steersman/environment'
import { negotiateBody, type ResourceRequest, respondObject, writeRequest } from './context.js'
import { checkNamespace, decodeBody } from './decode.js'
import { parseWriteOptions } from './options.js'

/** POST to a collection, or to a subresource such as `binding`. */
export async function create(context: ResourceRequest): Promise<TransportResponse> {
  const { info, query, store, subresource } = context
  const media = negotiateBody(context)
  const options = parseWriteOptions('CreateOptions', query)
  const object = await decodeBody(context, options.fieldValidation)
  const write = writeRequest(context, options)
  if (subresource !== undefined) {
    const name = object.metadata?.name ?? ''
    // A request for a token is checked by who makes it.
    if (name !== '' && name !== info.name && subresource.kind !== 'TokenRequest') {
      throw new StatusError(badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`))
    }
    checkNamespace(object.metadata?.namespace ?? '', info.namespace)
    const target = store.subresource(subresource.name)
    if (target === undefined) throw new TypeError(`Cannot create ${subresource.name}: the registry serves it but has no store for it`)
    return respondObject(context, 201, await target.create({ namespace: info.namespace, name: info.name }, object, write), media)
  }
  checkNamespace(object.metadata?.namespace ?? '', write.namespace)
  return respondObject(context, 201, await store.create(object, write), media)
}
