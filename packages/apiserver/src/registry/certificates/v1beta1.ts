import type { UnstructuredObject } from 'steersman/api'
import type { ShapeConversion } from '../other-version.js'

/** In v1beta1 a request may bring a key and a proof instead of a signing request. They are not kept: such a request is refused for the lack of the other. */
export const betaPodCertificateRequest: ShapeConversion = {
  toServed: (request) => ({ ...request, spec: { ...specOf(request), pkixPublicKey: null, proofOfPossession: null } }),
  toStored(request) {
    const { pkixPublicKey: _key, proofOfPossession: _proof, ...spec } = specOf(request)
    return { ...request, spec }
  },
}

function specOf({ spec }: UnstructuredObject): Readonly<Record<string, unknown>> {
  return (spec ?? {}) as Readonly<Record<string, unknown>>
}
