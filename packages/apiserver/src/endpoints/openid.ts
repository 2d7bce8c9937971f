import { genericResponse } from 'steersman/api'
import type { TransportRequest, TransportResponse } from 'steersman/environment'
import type { ParsedRequest } from './request-info.js'
import { respondStatus, respondText } from './respond.js'

/** What others need to check tokens of service accounts. */
export interface TokenIssuer {
  /** A URL. */
  readonly issuer: string
  /** Public keys, as JSON Web Key Sets hold them. */
  publicKeys(): readonly Readonly<Record<string, unknown>>[]
}

/** How long others may keep what they are told, as the real server says it. */
const cacheControl = 'public, max-age=3600'
const keySetType = 'application/jwk-set+json'

/** Answers OpenID Connect discovery: `/.well-known/openid-configuration` and `/openid/v1/jwks`; `undefined` for other paths. */
export function respondOpenId(
  request: TransportRequest,
  { segments }: ParsedRequest,
  issuer: TokenIssuer | undefined,
  serverAddress: string,
): Promise<TransportResponse> | TransportResponse | undefined {
  const path = `/${segments.join('/')}`
  const isConfiguration = path === '/.well-known/openid-configuration'
  if (issuer === undefined || !(isConfiguration || path === '/openid/v1/jwks')) return undefined
  if (request.method !== 'GET') return respondStatus(genericResponse(405))
  const mediaType = isConfiguration ? 'application/json' : keySetType
  if (!accepts(request.headers.accept, mediaType)) {
    const message = `406: Not Acceptable\n\nAvailable representations: ${mediaType}`
    return respondStatus({ ...genericResponse(406), reason: 'NotAcceptable', message })
  }
  const value = isConfiguration ? configuration(issuer, serverAddress) : { keys: issuer.publicKeys() }
  return respondText(200, JSON.stringify(value), { 'cache-control': cacheControl, 'content-type': mediaType })
}

function configuration(issuer: TokenIssuer, serverAddress: string): Readonly<Record<string, unknown>> {
  const algorithms = new Set(issuer.publicKeys().map(({ alg }) => alg))
  return {
    issuer: issuer.issuer,
    jwks_uri: `https://${serverAddress || 'localhost'}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...algorithms].sort(),
  }
}

function accepts(header: string | undefined, mediaType: string): boolean {
  const wanted = (header ?? '*/*').split(',').map((part) => part.split(';')[0]?.trim())
  return wanted.some((type) => type === '*/*' || type === '' || type === mediaType || type === 'application/*')
}
